import { type Characters, type Layout, PLAIN, type Style } from '../../output/kit/page.ts';
import { columnsOf, writeStdout, type Destination, type Io, type Output } from './io.ts';
import { noteOutput } from './source.ts';
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
    if (typeof text === 'string') await writeStdout(io, text);
    else for await (const piece of text) if (piece !== '' && !(await writeStdout(io, piece))) return;
  };
}

/** The console of Linux speaks UTF-8 and has no braille. */
const WITHOUT_BRAILLE = ['linux', 'dumb'];

/** Which characters may be printed: what LC_ALL, LC_CTYPE or LANG say, the first of them that says something. */
export function charactersFor({ LC_ALL, LC_CTYPE, LANG, TERM }: Io['env']): Characters {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '') ?? '';
  return /utf-?8/i.test(locale) && !WITHOUT_BRAILLE.includes(TERM ?? '') ? 'unicode' : 'ascii';
}

/** The facts that decide about colour on one stream. */
export interface ColorChoice {
  /** False after --no-color. */
  readonly flag: boolean;
  readonly env: Io['env'];
  readonly output: Output;
}

/** Whether to colour: --no-color, NO_COLOR and FORCE_COLOR are obeyed in this order, then a terminal gets colour. */
export function colored({ flag, env, output }: ColorChoice): boolean {
  if (!flag) return false;
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '') return !['0', 'false'].includes(env.FORCE_COLOR);
  return output.isTTY === true && env.TERM !== 'dumb';
}

/** The style for one stream; the colour library is loaded only where there is colour. */
export async function styleFor(choice: ColorChoice): Promise<Style> {
  if (!colored(choice)) return PLAIN;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return {
    best: (text) => chalk.green(text),
    heading: (text) => chalk.bold(text),
    quiet: (text) => chalk.dim(text),
    warning: (text) => chalk.yellow(text),
    error: (text) => chalk.red(text),
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

/** The layout of what is told on standard error. */
export const errorLayout = async (color: boolean, io: Io): Promise<Pick<Layout, 'width' | 'style'>> => ({
  width: columnsOf(io.stderr) ?? Infinity,
  style: await styleFor({ flag: color, env: io.env, output: io.stderr }),
});
