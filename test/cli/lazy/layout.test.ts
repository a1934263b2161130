import { describe, expect, it } from 'vitest';
import { type } from '../run.ts';
import { seen } from './helpers.ts';

const COMMANDS = ['audit', 'plan', 'rates', 'switches'];

const LINES = [
  'audit --setting theorem-3.10-proof --rounds 1e6 --experts 1000 --epsilon 0.1 --delta 1e-8',
  'audit --setting theorem-3.12 --rounds 1e5 --dimension 100 --epsilon 0.01 --delta 1e-8',
  'plan ope --rounds 1000 --experts 10 --epsilon 1 --delta 1e-6',
  'plan oco --rounds 100 --dimension 2 --epsilon 1 --delta 1e-6',
  'rates',
  'rates oco --rounds 1e6 --dimension 100 --epsilon 0.01,0.1,1',
  'rates --lower-bound --rounds 1e6 --experts 1000 --epsilon 0.01',
  'switches --rounds 1e4 --batch 10 --eta 1e-3 --p 1e-2 --epsilon 1 --delta 1e-8',
];

describe('what the commands under lazy print', () => {
  it.each(LINES)('fits a terminal: %s', async (line) => {
    for (const columns of [40, 80]) {
      const { code, stdout } = await seen(line, columns);
      expect(code).toBe(0);
      const longest = Math.max(...stdout.split('\n').map((text) => text.length));
      // At 40 columns a formula or a name may stand alone in a line that is longer.
      expect(longest).toBeLessThanOrEqual(columns === 40 ? 80 : columns);
      expect(stdout).not.toMatch(/NaN|undefined|\[object/);
      expect(stdout.endsWith('\n')).toBe(true);
    }
  });

  it.each([
    [LINES[0]!, ['hypothesis:', 'term of Theorem 3.2:', 'accounting:']],
    [LINES[2]!, ['parameters:', 'epsilon:', 'other learners:']],
    [LINES[7]!, ['switches:', 'resamplings taken as:']],
  ])('keeps the name of every table where there is no room for columns: %s', async (line, names) => {
    const lines = (await seen(line, 40)).stdout.split('\n');
    for (const name of names) expect(lines).toContain(name);
  });

  it('counts one round as one', async () => {
    const plan = await seen('plan ope --rounds 1 --experts 2 --epsilon 1 --delta 1e-6', 200);
    expect(plan.stdout).toContain('L2P for 1 round, 2 experts');
    const run = await seen('switches --rounds 2 --batch 1 --eta 0.1 --p 0.99999999999999999999999', 200);
    expect(run.stdout).toContain('There is 1 round in which');
    expect(run.stdout).toContain(', p 1 - 1e-23\n');
  });

  it.each(COMMANDS)('%s --help fits 80 columns and has examples', async (command) => {
    const { code, stdout } = await seen(`${command} --help`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExamples?:\n {2}dpcompose lazy /);
    for (const text of stdout.split('\n')) expect(text.length).toBeLessThanOrEqual(80);
  });

  it('has help on the commands, and says which one is missing', async () => {
    const help = await type('lazy --help');
    expect(help.code).toBe(0);
    for (const command of COMMANDS) expect(help.stdout).toContain(`\n  ${command}`);
    expect((await type('lazy')).code).toBe(2);
    expect((await type('lazy nothing')).code).toBe(2);
  });

  it('marks what is best by colour only where there is a terminal', async () => {
    const line = LINES[2]!;
    const coloured = await type(`lazy ${line}`, { terminal: true, columns: 100, env: { FORCE_COLOR: '1' } });
    expect(coloured.stdout).toContain('\u001b[');
    expect((await type(`lazy ${line}`)).stdout).not.toContain('\u001b[');
  });

  it('is an error that it cannot be written, and none that nobody reads on', async () => {
    const line = `lazy ${LINES[6]!}`;
    expect((await type(line, { broken: { code: 'EPIPE', message: 'closed' } })).code).toBe(0);
    expect((await type(line, { broken: { code: 'ENOSPC', message: 'full' } })).code).toBe(74);
  });
});
