import { describe, expect, it } from 'vitest';
import { COMMAND_NAMES, listCommands } from '../src/cli/commands.ts';
import { type } from './cli/run.ts';

const linesOf = async (line: string): Promise<readonly string[]> =>
  (await type(line)).stdout.replace(/\n$/, '').split('\n');
const widest = (lines: readonly string[]): number => Math.max(...lines.map((line) => line.length));

describe('help', () => {
  it('of the program is a screen with every command and the words that people search for', async () => {
    const lines = await linesOf('--help');
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(widest(lines)).toBeLessThanOrEqual(80);
    const text = lines.join('\n');
    for (const name of COMMAND_NAMES) expect(text).toMatch(new RegExp(`\\b${name}\\b`));
    for (const word of ['privacy accountant', 'DP-SGD', 'PLD', 'RDP', 'zCDP', 'f-DP', 'CI']) {
      expect(text).toContain(word);
    }
  });

  it('of compose is two screens', async () => {
    const lines = await linesOf('compose --help');
    expect(lines.length).toBeLessThanOrEqual(48);
    expect(widest(lines)).toBeLessThanOrEqual(80);
  });

  it('has summaries of at most sixty characters', async () => {
    const commands = await listCommands(() => true, {} as never);
    const below = commands.flatMap((command) => [command, ...command.commands]);
    const long = below.map((command) => command.summary()).filter((summary) => summary.length > 60);
    expect(long).toEqual([]);
  });
});
