import type { Layout } from '../../report/kit/columns.ts';
import { PLAIN } from '../../report/kit/style.ts';
import { charactersFor } from './characters.ts';
import { styleFor } from './color.ts';
import { columnsOf, print, type Destination, type Io } from './io.ts';
import { noteOutput } from './run-files.ts';
import type { PrintFlags } from './shared-options.ts';

/** The file of -o; null for standard output. */
const fileOf = ({ output }: PrintFlags): string | null => (output === undefined || output === '-' ? null : output);

/** Where the result goes, ready to be written; null for nowhere. */
export async function openDestination(flags: PrintFlags, io: Io): Promise<Destination | null> {
  const file = fileOf(flags);
  if (file !== null) {
    const { openFile } = await import('./output-file.ts');
    return await openFile(file, { flag: '--output', force: flags.force === true }, io);
  }
  if (flags.quiet === true) return null;
  noteOutput('-', 'standard output', io);
  return async (text) => {
    if (typeof text === 'string') await print(io, text);
    else for await (const piece of text) if (piece !== '' && !(await print(io, piece))) return;
  };
}

/** The layout of a table in a file: without colour, and of any width. */
export const fileLayout = ({ env }: Io): Layout => ({
  width: Infinity,
  style: PLAIN,
  characters: charactersFor(env),
});

/** The layout of a table at the destination that the flags name: a file, or standard output. */
export async function layoutFor(flags: PrintFlags, io: Io): Promise<Layout> {
  if (fileOf(flags) !== null) return fileLayout(io);
  const style = await styleFor({ flag: flags.color, env: io.env, output: io.stdout });
  return { width: columnsOf(io.stdout) ?? Infinity, style, characters: charactersFor(io.env) };
}
