import { CONFIDENCE, type Rate } from '../../composition/attack/rate.ts';
import { shortText } from '../kit/number.ts';
import type { Block } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';

/** Runs of an attack. */
interface Runs {
  readonly runs: number;
  readonly seed: number;
}

/** A quantity: what is expected of it, and in runs its mean and an interval; null where there were none. */
export interface Quantity {
  readonly name: string;
  readonly expected: string;
  readonly seen: readonly [mean: string, interval: string] | null;
}

/** A table of the quantities of an attack: expected, and in simulated runs with confidence intervals. */
export function quantities(heading: string, rows: readonly Quantity[], simulated: Runs | null): Block {
  const seen: readonly Column<Quantity>[] =
    simulated === null
      ? []
      : [
          [`${counted(simulated.runs, 'run')}, seed ${simulated.seed}`, (row) => row.seen?.[0] ?? ''],
          [`${(CONFIDENCE * 100).toFixed()}% confidence`, (row) => row.seen?.[1] ?? ''],
        ];
  return table(rows, [[heading, ({ name }) => name], 'expected', ...seen]);
}

/** Four significant digits of a mean or a share. */
export const roughText = (x: number): string => String(Number(x.toPrecision(4)));

/** How often something happened, as a share of all cases, and the interval for its probability. */
export function rateText({ times, of, interval }: Rate): readonly [string, string] {
  if (interval === null) return ['', ''];
  const { lower, upper } = interval;
  return [roughText(times / of), `${shortText(lower, 'down')} to ${shortText(upper, 'up')}`];
}

/** That an interval does not contain what is expected; null where it does. */
export function disagreement(rate: Rate, expected: { readonly lower: number; readonly upper: number }): string | null {
  const { interval } = rate;
  if (interval === null || (interval.lower <= expected.upper && interval.upper >= expected.lower)) return null;
  const chance = Math.round(1 / (1 - CONFIDENCE));
  return `The confidence interval does not contain what is expected: at most one seed in ${grouped(chance)} is like that. Try another --seed, or more --runs.`;
}
