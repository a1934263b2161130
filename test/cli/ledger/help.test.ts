import { describe, expect, it } from 'vitest';
import { type } from '../run.ts';
import { Desk } from './desk.ts';

const COMMANDS = ['init', 'spend', 'check', 'status', 'nest', 'convert', 'annotate', 'verify', 'export'];

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe('help for the ledger', () => {
  it('lists its commands', async () => {
    const { code, stdout } = await type('ledger --help');
    expect(code).toBe(0);
    for (const command of COMMANDS) expect(stdout).toMatch(new RegExp(`^ {2}${command} \\[options\\]`, 'm'));
  });

  it.each(COMMANDS)('has examples for %s, within eighty columns', async (command) => {
    for (const line of [`ledger ${command} --help`, `ledger help ${command}`]) {
      const { code, stdout, stderr } = await type(line);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/\nExamples?:\n {2}dpcompose ledger /);
      expect(widest(stdout)).toBeLessThanOrEqual(80);
    }
  });

  it('shows a compositor that can be opened', async () => {
    const { stdout } = await type('ledger init --help');
    const [, words = ''] = /\n {2}dpcompose ledger (init .*--mode compositor .*\\\n.*)/.exec(stdout) ?? [];
    await new Desk().done(words.replace(/\\\n\s*/, '').trim());
  });

  it('says which commands authorise, and that all ledgers are those of a store that is named', async () => {
    for (const line of ['ledger --help', 'ledger spend --help']) {
      expect((await type(line)).stdout).toMatch(/[Oo]nly\s+"?spend"?\s+and\s+"?commit"?\s+authorize/);
    }
    for (const command of ['status', 'verify', 'anchor']) {
      const { stdout } = await type(`ledger ${command} --help`);
      expect(stdout).toMatch(/default:\s+all\s+ledgers\s+of\s+--store/);
      expect((await type(`ledger ${command}`)).code).toBe(2);
    }
  });

  it('is shown where no command is given', async () => {
    const { code, stdout, stderr } = await type('ledger');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: dpcompose ledger');
  });

  it('is offered where a command is misspelt', async () => {
    expect((await type('ledger spent x')).stderr).toBe("error: spent: unknown command 'spent'. Did you mean spend?\n");
  });
});
