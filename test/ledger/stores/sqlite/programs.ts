import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { newPath } from './databases.ts';

const ROOT = join(import.meta.dirname, '../../../..');

const built = new Map<string, Promise<string>>();

/** The path of a program of this folder, in a form that node runs, which finds the packages that it needs. */
function programOf(name: string): Promise<string> {
  const make = async (): Promise<string> => {
    const folder = dirname(newPath());
    const outfile = join(folder, 'program.mjs');
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await build({
      entryPoints: [join(import.meta.dirname, name)],
      ...{ outfile, bundle: true, format: 'esm', platform: 'node', target: 'node20', packages: 'external' },
      logLevel: 'warning',
    });
    chmodSync(folder, 0o755);
    return outfile;
  };
  const program = built.get(name) ?? make();
  built.set(name, program);
  return program;
}

/** A program of this folder that runs. */
export interface Running {
  readonly child: ChildProcess;
  /** When it has ended, and all that it said was heard. */
  readonly ended: Promise<unknown>;
}

/** Starts a program of this folder with something to do; what it says, one JSON text a line, goes to `hear`. */
export async function start(name: string, task: object, hear: (said: unknown) => void): Promise<Running> {
  const program = await programOf(name);
  const child = spawn(process.execPath, [program, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  createInterface({ input: child.stdout }).on('line', (line) => {
    // A line that was cut in two was never heard.
    if (line.endsWith('}')) hear(JSON.parse(line));
  });
  return { child, ended };
}

/** Runs a program of this folder to its end. */
export async function run(name: string, task: object, hear: (said: unknown) => void): Promise<void> {
  const { child, ended } = await start(name, task, hear);
  await ended;
  if (child.exitCode !== 0) throw new Error(`${name} has failed.`);
}
