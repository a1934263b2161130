import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Where the sessions of one document are held: a folder with the fixtures, in which they may leave files. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'dpcompose-readme-'));

  constructor() {
    symlinkSync(join(ROOT, 'fixtures'), join(this.folder, 'fixtures'));
  }

  clear(): void {
    rmSync(this.folder, { recursive: true });
  }
}

/** Runs text in a folder; what it prints on both streams, in order. */
function output(command: string, words: readonly string[], input: string, cwd: string): string {
  // Plots are in the characters of the terminal: here in those of UTF-8.
  const env: NodeJS.ProcessEnv = { ...process.env, LC_ALL: 'C.UTF-8' };
  delete env.FORCE_COLOR;
  delete env.NO_COLOR;
  delete env.DPCOMPOSE_DEBUG;
  const { stdout, error } = spawnSync(command, words, { cwd, env, input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout;
}

/**
 * What a shell session shows: each line that begins with `$ ` is run, with those that go on with it after a backslash and
 * begin with `> `, in order, with what it prints after it.
 * `dpcompose` is the built binary.
 */
export function session(block: string, { folder }: Desk): string {
  const commands = block.match(/^\$ .*(?:(?<=\\)\n> .*)*/gm) ?? [];
  const script = [
    `dpcompose() { "${process.execPath}" "${join(ROOT, 'bin/dpcompose.js')}" "$@"; }`,
    'exec 2>&1',
    ...commands.map((line) => `${line.slice(2).replaceAll('\\\n> ', '\\\n')}\ncode=$?; printf '\\0'; (exit $code)`),
  ].join('\n');
  const printed = output('bash', ['-s'], script, folder).split('\0');
  return commands.map((line, index) => `${line}\n${printed[index] ?? ''}`).join('\n');
}

/** What a module prints that uses the built library by its name. */
export const moduleOutput = (source: string): string => output(process.execPath, ['--input-type=module'], source, ROOT);
