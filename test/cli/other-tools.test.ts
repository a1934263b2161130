import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run, type } from './run.ts';

// What people type who know another accountant, or know this one badly.

const SGD = 'sgd --examples 60000 --batch 256 --noise-multiplier 1.1 --epochs 6 --scheme poisson --delta 1e-5';

describe('an option as another accountant calls it', () => {
  it.each([
    ['--batch 256', '--batch-size 256'],
    ['--batch 256', '--batch_size=256'],
    ['--examples 60000', '--N 60000'],
    ['--examples 60000', '--n=60000'],
    ['--examples 60000', '--records 60000'],
    ['--examples 60000', '--number_of_examples 60000'],
    ['--examples 60000', '--dataset-size=60000'],
    ['--epochs 6', '--num_epochs 6'],
    ['--noise-multiplier 1.1', '--noise_multiplier 1.1'],
    ['--delta 1e-5', '--target_delta 1e-5'],
  ])('%s may be written %s', async (own, other) => {
    const [one, same] = [await type(SGD), await type(SGD.replace(own, other))];
    expect(same).toEqual({ ...one, code: 0 });
  });

  it.each([
    ['sgd --epsilon-target 3', 'sgd --target-epsilon 3'],
    [
      'compose -m dp:epsilon=1 --neighbors add-remove --delta 0',
      'compose -m dp:epsilon=1 --neighbours add-remove --delta 0',
    ],
  ])('%s is %s', async (other, own) => {
    expect(await type(other)).toEqual(await type(own));
  });

  it.each([
    ['compose -m dp:epsilon=1 --count 100 --delta 0', '--count', 'count=N'],
    ['compose --sigma 1 --delta 0', '--sigma', '-m gaussian:sigma='],
    ['compose --noise-multiplier 1 --delta 0', '--noise-multiplier', 'noise-multiplier='],
    ['sgd --sigma 1', '--sigma', '--noise-multiplier'],
    ['sgd --sample-rate 0.01', '--sample-rate', '--batch and --examples'],
    ['sgd --accountant_type RDP', '--accountant-type', '--bounds'],
    ['compose --batch_size 5', '--batch-size', 'dpcompose sgd'],
    ['compose -m dp:epsilon=1 --dleta 0', '--dleta', 'Did you mean "--delta"?'],
  ])('that means something else is told what it is here: %s', async (line, flag, hint) => {
    const { code, stderr } = await type(line);
    expect([code, stderr.split(': ').slice(0, 2)]).toEqual([2, ['error', flag]]);
    expect(stderr).toContain(hint);
  });
});

describe('the help of a command that does not exist', () => {
  it.each([
    ['nosuch --help', 'nosuch', 'There are compose'],
    ['--help nosuch', 'nosuch', 'There are compose'],
    ['compos -h', 'compos', 'Did you mean "compose"?'],
    ['ledger nosuch --help', 'nosuch', 'unknown command of ledger'],
  ])('is a mistake: %s', async (line, name, hint) => {
    const { code, stdout, stderr } = await type(line);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^error: ${name}: `));
    expect(stderr).toContain(hint);
  });

  it('is that of a command with operands where one is named', async () => {
    expect((await type('compose nosuch --help')).stdout).toMatch(/^Usage: dpcompose compose /);
    expect((await type('ledger spend nosuch --help')).stdout).toMatch(/^Usage: dpcompose ledger spend /);
  });
});

describe('a clone that is not built', () => {
  it('says so, and is no budget that is exceeded', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dpcompose-'));
    cpSync(join(import.meta.dirname, '../../bin'), join(folder, 'bin'), { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/dpcompose.js'), 'check', 'a.json'], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect({ status, stderr }).toEqual({
      status: 70,
      stderr: 'dpcompose: this is not built: run npm run build\n',
    });
  });
});

describe('a bound as another accountant calls it', () => {
  it.each([
    ['pld', 'loss-distribution'],
    ['prv', 'loss-distribution'],
    ['kov', 'dp-optimal'],
    ['moments-accountant', 'rdp'],
  ])('%s is %s', async (other, own) => {
    expect(await type(`explain ${other}`)).toEqual({ ...(await type(`explain ${own}`)), code: 0 });
    const compose = 'compose -m laplace:scale=3 -m dp:epsilon=0.1,count=9 --delta 1e-6 --bounds';
    expect(await type(`${compose} ${other}`)).toEqual({ ...(await type(`${compose} ${own}`)), code: 0 });
  });
});

describe('a range with dots', () => {
  const curve = 'curve -m dp:epsilon=0.1 --delta 1e-6 --count';
  it('is one with a colon', async () => {
    expect(await type(`${curve} 1..3,5..9`)).toEqual({ ...(await type(`${curve} 1:3,5:9`)), code: 0 });
    for (const text of ['1...3', '..3', '1..']) expect((await type(`${curve} ${text}`)).code).toBe(2);
  });
});

describe('a relation in other letters', () => {
  it('is the relation', async () => {
    for (const said of ['Replace-One', 'replace_one', 'REPLACE-ONE']) {
      const own = 'validate -m dp:epsilon=1 --neighbours replace-one';
      const given = own.replace('replace-one', said);
      expect(await type(given)).toEqual({ ...(await type(own)), code: 0 });
    }
    const sampled = 'compose -m gaussian:sigma=1,sampling=poisson,rate=0.1,neighbours=add-remove --delta 1e-6';
    expect((await type(`${sampled} --neighbours Add-Remove`)).code).toBe(0);
    expect((await type(`${sampled} --neighbours Replace_One`)).stderr).toContain('Guarantees of the two do not add');
  });
});

describe('a document that is no specification', () => {
  it.each([
    ['{"type":"dp","epsilon":0.1}', 'a mechanism', '"mechanisms": [...]'],
    ['{"history": [[1.1, 0.01, 10]]}', 'what another accountant wrote', 'dpcompose convert'],
    ['{"class_name": "GaussianDpEvent", "noise_multiplier": 1}', 'what another accountant wrote', 'dpcompose convert'],
    ['{"dpcompose":1,"scopes":[]}', 'a policy', 'check --policy'],
    ['{"schema":"dpcompose.compose/1"}', 'a result', 'the specification'],
  ])('is told once what it is: %s', async (stdin, what, hint) => {
    const { code, stderr } = await run(['compose', '--delta', '1e-6'], { stdin });
    expect([code, stderr.match(/^error: /gm)?.length]).toEqual([2, 1]);
    expect(stderr).toContain(what);
    expect(stderr).toContain(hint);
  });

  it('is told in one sentence that each line of a batch is one', () => {
    const folder = mkdtempSync(join(tmpdir(), 'dpcompose-'));
    writeFileSync(join(folder, 'a.json'), '{"dpcompose":1,\n"mechanisms":[\n{"type":"dp","epsilon":1}]}\n');
    const binary = join(import.meta.dirname, '../../bin/dpcompose.js');
    const options = { cwd: folder, encoding: 'utf8' } as const;
    const { stderr } = spawnSync(process.execPath, [binary, 'batch', 'a.json', '--delta', '1e-6'], options);
    expect(stderr).toMatch(/Write each specification on one line/);
    rmSync(folder, { recursive: true });
  });

  it('is a table with tabs, which is read by them', async () => {
    const csv = 'type,epsilon,label\ndp,0.1,"a b"\n';
    const compose = ['compose', '--delta', '1e-6'];
    const answer = await run(compose, { stdin: csv });
    expect(await run(compose, { stdin: csv.replaceAll(',', '\t') })).toEqual({ ...answer, code: 0 });
    expect((await run(compose, { stdin: 'type\tepsilon\ndp\t0,1\n' })).stderr).toContain('0,1');
  });
});
