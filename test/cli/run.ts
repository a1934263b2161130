import { main } from '../../src/cli/main.ts';
import type { Io, Output } from '../../src/cli/kit/io.ts';

/** The world around one run; everything that is left out is as in a pipe. */
export interface World {
  readonly stdin?: string | Uint8Array;
  readonly terminal?: boolean;
  readonly columns?: number;
  readonly env?: Io['env'];
  readonly cwd?: string;
  /** The time of day. */
  readonly now?: string;
  /** The error every write to standard output ends with. */
  readonly broken?: { code: string; message: string };
}

export interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function* chunks(input: string | Uint8Array): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(input as Uint8Array);
  for (let at = 0; at < bytes.length; at += 65536) yield await Promise.resolve(bytes.subarray(at, at + 65536));
}

/** Runs one command line in this process. */
export async function run(argv: readonly string[], world: World = {}): Promise<Run> {
  const said = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr'): Output => ({
    isTTY: world.terminal,
    columns: world.columns,
    write(text, done) {
      const { broken } = world;
      if (broken !== undefined && name === 'stdout') {
        done(Object.assign(new Error(broken.message), { code: broken.code }));
      } else {
        said[name] += text;
        done();
      }
    },
  });
  const code = await main(argv, {
    stdin: Object.assign(chunks(world.stdin ?? ''), { isTTY: world.terminal }),
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: world.env ?? {},
    cwd: () => world.cwd ?? process.cwd(),
    now: () => new Date(world.now ?? '2026-03-02T09:15:00Z'),
  });
  return { code, ...said };
}

/** One command line as a person types it, without quotes. */
export const type = (line: string, world?: World): Promise<Run> => run(line.split(' '), world);

/** The codes and paths of what `--json` says is wrong. */
export function mistakes({ stdout }: Run): string[] {
  const { schema, errors } = JSON.parse(stdout) as { schema: string; errors: { code: string; path: string }[] };
  return schema === 'dpcompose.error/1'
    ? errors.map(({ code, path }) => `${path}: ${code}`)
    : [`not errors: ${schema}`];
}
