import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Io } from '../../src/cli/kit/io.ts';
import { MECHANISM_TYPES } from '../../src/document/mechanism/entry-schema.ts';
import { run, type } from './run.ts';

describe('dpcompose', () => {
  it('without arguments shows help on standard error', async () => {
    const { code, stdout, stderr } = await run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Usage: dpcompose');
    expect(stderr).toContain('Example: dpcompose');
  });

  it.each([
    '--help',
    'help',
    'help compose',
    'compose --help',
    'gap --help',
    'validate -h',
    'schema --help',
    'ledger --help',
  ])('shows help on standard output for %s', async (line) => {
    const { code, stdout, stderr } = await type(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Usage: dpcompose/);
    expect(stdout).toContain('Example');
    expect(stdout).toMatch(/\nDocumentation: man dpcompose, and README\.md of the package\n$/);
  });

  it('groups the options of compose', async () => {
    const { stdout } = await type('compose --help');
    const groups = ['Mechanisms:', 'Target:', 'Computation:', 'Output:'];
    const places = groups.map((group) => stdout.indexOf(group));
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('says how to write every type of mechanism, within eighty columns', async () => {
    const { code, stdout } = await type('help mechanisms');
    expect(code).toBe(0);
    const { stdout: help } = await type('compose --help');
    for (const name of MECHANISM_TYPES) {
      expect(stdout).toMatch(new RegExp(`\\b${name}:`));
      expect(help).toMatch(new RegExp(`\\b${name}\\b`));
    }
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('knows its version', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    expect(await type('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  describe('when it fails inside', () => {
    const failing = (more: object = {}): Io['env'] => ({
      ...more,
      get NO_COLOR(): string {
        throw new Error('boom');
      },
    });
    const line = 'compose -m dp:epsilon=1 --delta 0';

    it('says so in two lines, without a stack', async () => {
      const { code, stdout, stderr } = await type(line, { env: failing() });
      expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
      expect(stderr).toBe(
        'dpcompose: internal error: boom\nThis is a bug. Run the command again with --debug for details.\n',
      );
    });

    it('shows the stack when asked to', async () => {
      expect((await type(`${line} --debug`, { env: failing() })).stderr).toMatch(/\n {4}at /);
      expect((await type(line, { env: failing({ DPCOMPOSE_DEBUG: '1' }) })).stderr).toMatch(/\n {4}at /);
    });
  });
});
