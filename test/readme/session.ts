import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Runs text in the root of the repository; what it prints on both streams, in order. */
function output(command: string, words: readonly string[], input: string): string {
  const env = { ...process.env };
  delete env.FORCE_COLOR;
  delete env.NO_COLOR;
  delete env.DPCOMPOSE_DEBUG;
  const { stdout, error } = spawnSync(command, words, { cwd: ROOT, env, input, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return stdout;
}

/**
 * What a shell session shows: each line that begins with `$ ` is run, in order, with what it prints after it.
 * `dpcompose` is the built binary.
 */
export function session(block: string): string {
  const commands = block.split('\n').filter((line) => line.startsWith('$ '));
  const script = [
    `dpcompose() { "${process.execPath}" bin/dpcompose.js "$@"; }`,
    'exec 2>&1',
    ...commands.map((line) => `${line.slice(2)}\ncode=$?; printf '\\0'; (exit $code)`),
  ].join('\n');
  const printed = output('bash', ['-s'], script).split('\0');
  return commands.map((line, index) => `${line}\n${printed[index] ?? ''}`).join('\n');
}

/** What a module prints that uses the built library by its name. */
export const moduleOutput = (source: string): string => output(process.execPath, ['--input-type=module'], source);
