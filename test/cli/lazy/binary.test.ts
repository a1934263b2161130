import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';

// The built program as its users run it; `npm test` builds it first.

const BINARY = join(import.meta.dirname, '../../../bin/dpcompose.js');
const AUDIT = 'lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12';
const RUN = 'lazy run own.run --init --rounds 9 --experts 2 --batch 1 --eta 0.1 --c 0.3 --delta 1e-6';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-lazy-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(line: string, input: string | Buffer = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BINARY, ...line.split(' ')], {
    input,
    encoding: 'utf8',
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { code: status, stdout, stderr };
}

describe('the built program', () => {
  it.each([
    ['audit', AUDIT],
    ['plan', 'lazy plan ope --rounds 100 --experts 3 --epsilon 1 --delta 1e-6'],
    ['plan', 'lazy plan oco --rounds 100 --dimension 3 --epsilon 1 --delta 1e-6'],
    ['rates', 'lazy rates --figure b'],
    ['lower-bound', 'lazy rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01'],
    ['switches', 'lazy switches --rounds 100 --batch 4 --eta 1e-4 --p 0.01 --epsilon 1 --delta 1e-6'],
    ['run', RUN],
  ])('prints %s as one JSON document: %s', (result, line) => {
    const { code, stdout, stderr } = run(`${line} --json`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(violations('lazy', stdout)).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'dpcompose.lazy/1', result });
  });

  it('writes to a file', () => {
    expect(run('lazy rates --format csv -o rates.csv')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readFileSync(join(folder, 'rates.csv'), 'utf8')).toMatch(/^alpha,l2p,l2p-safe,/);
    expect(run(`${AUDIT} -o no/such/folder/audit.txt`).code).toBe(74);
  });

  it.each([
    ['perturbed-leader', '--rounds 1000 --experts 3', 29.3],
    ['guessing', '--rounds 8 --experts 100', 7.921],
  ])('runs the learner with the least proved regret: %s', (learner, size, most) => {
    const asked = `lazy run ${learner}.run --init ${size} --epsilon 1 --delta 1e-6 --json`;
    const found = JSON.parse(run(asked).stdout) as Record<'input' | 'regret', Record<string, unknown>>;
    expect(found.input.learner).toBe(learner);
    expect((found.regret.safe as { readonly upper: number }).upper).toBeLessThanOrEqual(most);
    const losses = `${Array(size.endsWith('3') ? 3 : 100)
      .fill(0.5)
      .join(',')}\n`;
    expect(run(`lazy run ${learner}.run`, losses.repeat(7)).stdout).toMatch(/^([0-9]+\n){7}$/);
  });

  it('names the place and the rule of what it cannot read', () => {
    expect(run(RUN.replace('own', 'own2')).code).toBe(0);
    const found = run('lazy run own2.run -q', '1,x\n');
    expect([found.code, found.stdout]).toEqual([2, '']);
    expect(found.stderr).toMatch(/^error: standard input:1: a loss must be a number from 0 to 1, got "x"\. /);
    expect(run('lazy run own2.run', Buffer.from([0xff, 0x80, 0x00])).stderr).toContain(
      'Give a text file with one line for each round, such as 0,1,0.5.',
    );
  });
});
