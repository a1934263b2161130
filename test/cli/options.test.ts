import type { Command, Option } from 'commander';
import { describe, expect, it } from 'vitest';
import { NO_PROCESS } from '../../src/cli/man-page.ts';
import { createProgram } from '../../src/cli/program.ts';

// The same option has the same meaning in every command.

interface Leaf {
  readonly name: string;
  readonly command: Command;
}

const leavesOf = (command: Command, name: string): Leaf[] =>
  command.commands.length === 0
    ? [{ name, command }]
    : command.commands.flatMap((each) => leavesOf(each, `${name} ${each.name()}`.trim()));

const { program } = await createProgram(NO_PROCESS, {}, () => true);
const LEAVES = leavesOf(program, '');
const optionsOf = ({ command }: Leaf): string[] => command.options.map(({ long }) => long ?? '');
const takesDocument = ({ command }: Leaf): boolean =>
  command.registeredArguments.some((argument) => ['SPEC', 'BEFORE'].includes(argument.name()));

/** Commands that compose the mechanisms of a document with those of the line. */
const COMPOSING = ['compose', 'solve', 'diff', 'compare', 'check', 'statement', 'curve', 'plan', 'validate'];

const PRINTING = ['--json', '--format', '--output', '--quiet', '--no-color', '--debug'];
/** What prints something else than one result, and what it does not have for that. */
const OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  batch: ['--format', '--output'],
  // It writes lines of its own, which are JSON already.
  'ledger anchor': ['--json', '--format'],
  // Its answers are lines, one after the other, as losses arrive.
  'lazy run': ['--format', '--output'],
  // It prints an address, and serves until it is stopped.
  page: ['--json', '--format', '--output', '--quiet'],
};

describe('the options of all commands', () => {
  it('are written alike where they have the same name', () => {
    const looks = new Map<string, Set<string>>();
    const lookOf = ({ short, required, parseArg }: Option): string =>
      [short ?? '', required ? 'value' : 'flag', parseArg === undefined ? 'once' : 'repeatable'].join(' ');
    for (const { command } of LEAVES) {
      for (const option of command.options) {
        const known = looks.get(option.long ?? '') ?? new Set();
        looks.set(option.long ?? '', known.add(lookOf(option)));
      }
    }
    const different = [...looks].filter(([name, found]) => found.size > 1 && name !== '--vary');
    expect(different).toEqual([]);
  });

  it.each(COMPOSING)('%s takes all that says what is composed', (name) => {
    const leaf = LEAVES.find((each) => each.name === name)!;
    expect(optionsOf(leaf)).toEqual(
      expect.arrayContaining(['--mechanism', '--set', '--input-format', '--adaptive', '--nonadaptive', '--order']),
    );
  });

  it.each(LEAVES.filter((leaf) => takesDocument(leaf) && leaf.name !== 'ledger init'))(
    '$name changes its document and is told its syntax',
    (leaf) => {
      expect(optionsOf(leaf)).toEqual(expect.arrayContaining(['--set', '--input-format']));
    },
  );

  it.each(LEAVES)('$name prints as all do', (leaf) => {
    const expected = PRINTING.filter((name) => !(OTHERWISE[leaf.name] ?? []).includes(name));
    expect(optionsOf(leaf)).toEqual(expect.arrayContaining(expected));
  });

  it('have what takes time bounded where answers may depend on time', () => {
    const bounded = LEAVES.filter((leaf) => optionsOf(leaf).includes('--tolerance') && leaf.name !== 'batch');
    for (const leaf of bounded) expect(optionsOf(leaf)).toContain('--max-seconds');
  });

  it('are described in words, each', () => {
    for (const { name, command } of LEAVES) {
      for (const { long, description, hidden } of command.options) {
        if (!hidden) expect(description, `${name} ${long ?? ''}`).not.toBe('');
      }
    }
  });
});
