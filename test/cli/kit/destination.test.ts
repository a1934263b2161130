import { describe, expect, it } from 'vitest';
import { colored } from '../../../src/cli/kit/destination.ts';
import { type } from '../run.ts';

const terminal = { isTTY: true, write: () => undefined };
const pipe = { write: () => undefined };

describe('colour', () => {
  it.each([
    ['a terminal has it', { flag: true, env: {}, output: terminal }, true],
    ['a pipe has none', { flag: true, env: {}, output: pipe }, false],
    ['--no-color takes it away', { flag: false, env: { FORCE_COLOR: '1' }, output: terminal }, false],
    ['NO_COLOR takes it away', { flag: true, env: { NO_COLOR: '1' }, output: terminal }, false],
    ['an empty NO_COLOR means nothing', { flag: true, env: { NO_COLOR: '' }, output: terminal }, true],
    [
      'NO_COLOR wins over FORCE_COLOR',
      { flag: true, env: { NO_COLOR: '1', FORCE_COLOR: '1' }, output: terminal },
      false,
    ],
    ['FORCE_COLOR gives it to a pipe', { flag: true, env: { FORCE_COLOR: '1' }, output: pipe }, true],
    ['FORCE_COLOR=0 takes it away', { flag: true, env: { FORCE_COLOR: '0' }, output: terminal }, false],
    ['a dumb terminal has none', { flag: true, env: { TERM: 'dumb' }, output: terminal }, false],
  ])('%s', (_, choice, expected) => {
    expect(colored(choice)).toBe(expected);
  });

  it('marks the best bound and errors on a terminal, and changes no text', async () => {
    const line = 'compose -m dp:epsilon=0.1,count=100 --delta 1e-6';
    const colorful = await type(line, { terminal: true });
    const plain = await type(line);
    expect(colorful.stdout).toContain('\u001b[32m* dp-optimal');
    expect(plain.stdout).not.toContain('\u001b');
    const escapes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
    expect(colorful.stdout.replace(escapes, '')).toBe(plain.stdout);
    expect((await type('compose', { terminal: true })).stderr).toMatch(
      new RegExp(`^${String.fromCharCode(27)}\\[31merror:`),
    );
  });

  it('never gets into JSON', async () => {
    const env = { FORCE_COLOR: '1' };
    expect((await type('compose fixtures/dashboard.json --json', { env, terminal: true })).stdout).not.toContain(
      '\u001b',
    );
  });
});
