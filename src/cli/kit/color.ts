import { PLAIN, type Style } from '../../report/kit/style.ts';
import type { Io, Output } from './io.ts';

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
