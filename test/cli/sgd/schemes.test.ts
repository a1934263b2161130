import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { SAMPLERS, seeded } from '../../composition/sgd/samplers.ts';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-sgd-'));
const file = (name: string): string => join(folder, name);
const DATA = '--examples 600 --batch 20';
const COST = `--examples 1000 --batch 100 --noise-multiplier 2 --delta 1e-5`;

const linesOf = (batches: number[][]): string => batches.map((batch) => JSON.stringify(batch)).join('\n');

beforeAll(() => {
  const drawn = (scheme: keyof typeof SAMPLERS): number[][] => SAMPLERS[scheme](600, 20, 90, seeded(1));
  writeFileSync(file('poisson.jsonl'), linesOf(drawn('poisson')));
  writeFileSync(file('allocated.json'), JSON.stringify(drawn('random-allocation')));
  writeFileSync(
    file('shuffled.txt'),
    drawn('shuffled')
      .map((batch) => batch.join(' '))
      .join('\n'),
  );
  writeFileSync(
    file('log.csv'),
    `step,batch_size\n${drawn('poisson')
      .map((batch, i) => `${i},${batch.length}`)
      .join('\n')}`,
  );
  writeFileSync(file('wrong.txt'), '20\nmany\n');
});

describe('a training that is drawn', () => {
  it('has a line for each scheme along its epochs, and one of what shuffled batches cost at least', async () => {
    const { code, stdout } = await type(`sgd ${COST} --epochs 3 --compare-schemes --format svg`);
    expect(code).toBe(0);
    for (const name of ['poisson', 'random-allocation']) expect(stdout).toContain(`>${name} (add-remove)<`);
    expect(stdout).toContain('>without-replacement (replace-one)<');
    expect(stdout).toContain('>shuffled (zero-out), at least<');
    expect(stdout).toContain('>epochs<');
  });

  it.each([
    ['--epochs 3 --scheme poisson', /noise multiplier 2\n/],
    ['--target-epsilon 3 --scheme poisson', /noise multiplier 2\n/],
  ])('with %s grows from epoch to epoch', async (words, title) => {
    const { code, stdout } = await type(`sgd ${COST} ${words} --format plot`);
    expect(code).toBe(0);
    expect(stdout.replace(/\n(?=\S)/g, ' ').replace(/ +/g, ' ')).toMatch(/DP-SGD: .* from 1,000 examples/);
    expect(stdout).toMatch(title);
    expect(stdout).toMatch(/epsilon \(nats\)[^]*epochs/);
  });

  it('says what was found, and that nothing was', async () => {
    const found = await type(`sgd ${DATA} --epochs 2 --target-epsilon 3 --delta 1e-5 --scheme poisson --format plot`);
    expect(found.stdout).toContain('The smallest noise multiplier');
    const nothing = `sgd ${DATA} --noise-multiplier 0.1 --target-epsilon 0.001 --delta 1e-12 --scheme poisson`;
    const { stdout } = await type(`${nothing} --format plot`);
    expect(stdout).toContain('exceeds');
  });

  it('is not one where batches are only tested, or runs searched', async () => {
    const tested = await type(`sgd ${DATA} --batches ${file('poisson.jsonl')} --format svg`);
    expect(tested.code).toBe(2);
    expect(tested.stderr).toMatch(/^error: --batches: tests of batches have no chart/);
    const searched = await run([
      ...`sgd ${COST} --epochs 2 --scheme poisson --format plot --tuning`.split(' '),
      'fixed count=2',
    ]);
    expect(searched.code).toBe(2);
    expect(searched.stderr).toMatch(/^error: --tuning: a chart has/);
  });
});

describe('random allocation', () => {
  it('is accounted for in whole epochs, with the words of the field', async () => {
    const { code, stdout } = await type(`sgd ${COST} --epochs 4 --scheme random-allocation`);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^DP-SGD: 40 steps \(4 epochs\) on randomly allocated batches of expected size 100 from 1,000/,
    );
    expect(stdout).toMatch(/^2 +20 +\d\.\d+ +\d\.\d+$/m);
    expect(stdout).toContain(
      'each example is in exactly one of the 10 batches of an epoch, drawn anew for every epoch',
    );
    expect(stdout).toContain('adding or removing one record');
  });

  it('finds the largest number of epochs', async () => {
    const line = 'sgd --examples 1000 --batch 100 --noise-multiplier 2 --target-epsilon 3 --delta 1e-5';
    const { code, stdout } = await type(`${line} --scheme random-allocation`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The largest number of epochs within \(3, 1e-5\) is \d+\. .* One more certainly exceeds/);
  });

  it.each([
    [
      '--examples 1000 --batch 300 --epochs 2',
      '--batch',
      /--examples 900 \(3 batches\) or --examples 1200 \(4 batches\)/,
    ],
    ['--examples 1000 --batch 100 --epochs 2.5', '--epochs', /--epochs 3 \(30 steps\)/],
    ['--examples 1000 --batch 100 --steps 15', '--steps', /--epochs 2 \(20 steps\)/],
  ])('is refused where there is no whole epoch: %s', async (line, path, hint) => {
    const { code, stdout } = await type(
      `sgd ${line} --noise-multiplier 1 --delta 1e-5 --scheme random-allocation --json`,
    );
    expect(code).toBe(2);
    const { errors } = JSON.parse(stdout) as { errors: { path: string; hint: string }[] };
    expect(errors).toMatchObject([{ path }]);
    expect(errors[0]!.hint).toMatch(hint);
  });
});

describe('sgd --compare-schemes', () => {
  it('shows one training under every scheme, and which neighbors each number is for', async () => {
    const { code, stdout } = await type(`sgd ${COST} --epochs 4 --compare-schemes`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^poisson +add-remove +\d\.\d+ +\d\.\d+ +draw each example/m);
    expect(stdout).toMatch(/^random-allocation +add-remove +\d\.\d+ +\d\.\d+ /m);
    expect(stdout).toMatch(/^without-replacement +replace-one +\d+\.\d+ +- /m);
    expect(stdout).toMatch(/^shuffled +zero-out +- +\d\.\d+ .*no theorem/m);
    expect(stdout).toContain('Numbers for different neighbors cannot be compared directly.');
  });

  it('is one document, and rows of a table', async () => {
    const line = `sgd --examples 1000 --batch 300 --noise-multiplier 2 --epsilon 1 --epochs 2 --compare-schemes`;
    const { stdout } = await type(`${line} --json`);
    expect(violations('sgd-schemes', stdout)).toEqual([]);
    const { schemes } = JSON.parse(stdout) as { schemes: { scheme: string; code: string | null; upper: unknown }[] };
    expect(schemes.find(({ scheme }) => scheme === 'random-allocation')).toMatchObject({
      code: 'no-whole-batches',
      upper: null,
    });
    const { stdout: csv } = await type(`${line} --format csv`);
    expect(csv.split('\r\n')[0]).toBe('scheme,neighbours,upper,lower,sampler,code,reason');
  });

  it('needs noise, a length and what is asked, and no scheme', async () => {
    const wrong = await type('sgd --examples 1000 --batch 100 --compare-schemes --scheme poisson --delta 1e-5 --json');
    expect(mistakes(wrong)).toEqual([
      '--compare-schemes: conflicting-options',
      '--noise-multiplier: missing-option',
      '--epochs: missing-option',
    ]);
  });
});

describe('sgd --batches', () => {
  it.each([
    ['poisson.jsonl', 'poisson'],
    ['allocated.json', 'random-allocation'],
    ['shuffled.txt', 'shuffled'],
    ['log.csv', 'poisson'],
  ])('says which schemes %s contradicts: all but its own', async (name, own) => {
    const { code, stdout } = await type(`sgd ${DATA} --batches ${file(name)} --json`);
    expect(code).toBe(0);
    expect(violations('sgd-batches', stdout)).toEqual([]);
    const { schemes } = JSON.parse(stdout) as { schemes: { scheme: string; verdict: string; pValue: number }[] };
    expect(schemes.filter(({ verdict }) => verdict === 'not-contradicted').map(({ scheme }) => scheme)).toEqual([own]);
  });

  it('prints a table that says how far the tests reach', async () => {
    const { stdout } = await type(`sgd ${DATA} --batches ${file('shuffled.txt')}`);
    expect(stdout).toMatch(
      /^poisson +contradicted +below 1e-300 +1,800 of 1,800 times, an example is in exactly one batch/m,
    );
    expect(stdout).toMatch(/^random-allocation +contradicted +/m);
    expect(stdout).toMatch(/^shuffled +not contradicted +1 +least likely of 2 tests/m);
    expect(stdout).toContain('at most 1e-6');
    expect(stdout).toContain('does not verify a sampler');
  });

  it('refuses a scheme that the batches contradict, with the fact and its p-value', async () => {
    const claimed = `sgd ${DATA} --batches ${file('shuffled.txt')} --scheme poisson`;
    const { code, stderr } = await type(`${claimed} --epochs 3 --noise-multiplier 1 --delta 1e-5`);
    expect(code).toBe(3);
    expect(stderr).toMatch(
      /^refused: The recorded batches contradict Poisson subsampling \(p-value .*1,800 of 1,800 times/,
    );
    const { stdout } = await type(`${claimed} --json`);
    expect(violations('refusal', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'contradicted-batches',
      batches: { scheme: 'poisson', verdict: 'contradicted', fact: { id: 'once', observed: 1800 } },
    });
    const impossible = await type(`sgd ${DATA} --batches ${file('log.csv')} --scheme shuffled`);
    expect(impossible.stderr).toMatch(
      /^refused: The recorded batches are impossible under shuffled batches: batch \d+ has/,
    );
  });

  it('goes on to the account of a scheme that they do not contradict', async () => {
    const line = `sgd ${DATA} --batches ${file('poisson.jsonl')} --scheme poisson --epochs 3 --noise-multiplier 2 --delta 1e-5`;
    const { code, stdout } = await type(line);
    expect(code).toBe(0);
    expect(stdout).toMatch(/The recorded batches do not contradict Poisson subsampling \(p-value \S+, 9 tests\)/);
    const { stdout: json } = await type(`${line} --json`);
    expect(violations('sgd', json)).toEqual([]);
    expect(JSON.parse(json)).toMatchObject({ batches: { verdict: 'not-contradicted', scheme: 'poisson' } });
  });

  it('has mistakes at their place', async () => {
    const few = await type(`sgd --batches ${file('wrong.txt')} --examples 600 --json`);
    expect(mistakes(few)).toEqual(['--batch: missing-option']);
    const { code, stderr } = await type(`sgd ${DATA} --batches ${file('wrong.txt')}`);
    expect(code).toBe(2);
    expect(stderr).toContain('must be a whole number from 0, got "many"');
    expect((await type(`sgd ${DATA} --batches ${file('none.txt')}`)).stderr).toContain('file not found');
  });
});
