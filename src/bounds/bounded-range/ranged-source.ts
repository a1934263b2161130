import type { Decimal } from '../../numeric/decimal.ts';
import { unlessInterrupted } from '../../numeric/watch.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import { totalEpsilon, type PureGroup } from '../../privacy/pure.ts';
import type { Effort } from '../core/bound.ts';
import type { AdaptiveTable } from './adaptive-table.ts';
import type { AdaptiveTables } from './adaptive-tables.ts';
import { boundedRangeMoments } from './mgf.ts';
import { logConversionFactor } from '../core/moment-curve.ts';

/** What a question to bounded-range mechanisms alone takes beside tables. */
export interface Alone {
  /** The epsilon that is asked, or its lower end so far. */
  readonly place: () => number;
  /** The upper end that a table gives. */
  readonly allowed: (above: AdaptiveTable) => number;
  /** Takes an upper end. */
  readonly lowered: (upper: number) => void;
  /** Takes, and returns, the lower end of a legal adversary's curve. */
  readonly raised: (legal: FiniteLossCurve) => number;
}

/** A way to enclose an answer by tables of bounded-range mechanisms. */
export interface Attempt {
  /** Takes better and better tables, for the upper and for the lower end, and returns the width reached. */
  readonly enclose: (above: AdaptiveTable, below: AdaptiveTable) => number;
  /** How good the adversaries of a table are for the answer: more is better. */
  readonly gain: (below: AdaptiveTable) => number;
  /** Where nothing is joined to the tables. */
  readonly alone?: Alone;
  /** The exponential tilt under which losses gather around the asked tail, about. */
  readonly tilt: number;
  /** By how much the answer grows with the variance of all losses, about, of which rounding to a grid adds some. */
  readonly growth?: number;
  /** Of the usual width, how much narrower it is made where that takes little work and no tolerance is asked; default 0.05. */
  readonly bonus?: number;
}

/** Bounded-range mechanisms, possibly with others among them, whose curve can be enclosed better and better. */
export interface RangedSource {
  /** No loss exceeds this; null where losses are unbounded. */
  readonly maximum: Decimal | null;
  /** Bounds ln E[e^(lambda L)] over everything an adversary may do. */
  readonly logMoment: LogMoment;
  /** Whether only lower ends are asked for: tables say nothing from above. */
  readonly isLower?: boolean;
  /** Makes tables good for a tail of this size until the width is as asked, or as far as it goes. */
  readonly refine: (logDelta: number, asked: number, attempt: Attempt) => void;
}

/** Cells per e of the first, coarse table, and the most that are tried. */
const COARSE = 16;
const FINEST = 4096;

/** And the most of a first table. */
const MOST_AT_FIRST = 128;

/** Numbers of cells are powers of this times the first one: questions that need about as many share a table. */
const RATIO = Math.SQRT2;

/** The next number of cells on that scale, above or below. */
const onScale = (cells: number, round: (x: number) => number): number =>
  Math.round(COARSE * RATIO ** round(Math.log(cells / COARSE) / Math.log(RATIO)));

/** Work of the largest table: about a second where no tolerance is asked, else up to half a minute. */
const USUAL_WORK = 1.7e8;
const MOST_WORK = 1.6e9;

/** Where no tolerance is asked, widths are made this much smaller than usual if that takes little work. */
const BONUS = 0.05;
const BONUS_WORK = 8e6;
/** Where it takes as little, the first table has so many cells: it is enough, and no coarser one is made. */
const QUICK = [128, 64, 32];

/** The most work that a table may take. */
export const affordable = ({ tolerance, sparing }: Effort): number =>
  tolerance === undefined || sparing === true ? USUAL_WORK : MOST_WORK;

/** A tail of usual size, and the fewest cells that say something. */
const USUAL_LOG_DELTA = -16;
const FEWEST = 4;

/** Whether even a coarse table would take too long. */
export const isOutOfReach = (tables: AdaptiveTables): boolean => tables.work(USUAL_LOG_DELTA, FEWEST) > 2 * USUAL_WORK;

/**
 * Calls `attempt` with finer and finer tables until the width it returns is as asked, the effort is spent, or the next
 * table is too large. Widths fall as the square of the number of cells. Which tables those are depends on the question
 * alone; it ends before the first of them where that is given up.
 */
function refineTables(
  tables: AdaptiveTables,
  logDelta: number,
  asked: number,
  effort: Effort,
  attempt: (table: AdaptiveTable) => number,
  bonus: number,
  expected: number,
): void {
  const mostWork = affordable(effort);
  const isQuick = (n: number): boolean => tables.work(logDelta, n) <= BONUS_WORK;
  const first = Math.min(MOST_AT_FIRST, Math.max(COARSE, onScale(Math.sqrt(expected / asked), Math.ceil)));
  let cells = (effort.tolerance === undefined ? QUICK.find(isQuick) : undefined) ?? first;
  while (cells > 2 && tables.work(logDelta, cells) > mostWork) cells = Math.ceil(cells / 2);
  for (;;) {
    const size = cells;
    const reached = unlessInterrupted(() => attempt(tables.table(logDelta, size, effort)));
    if (reached === null) return;
    const enough = reached <= asked;
    const goal = enough && effort.tolerance === undefined ? bonus * asked : asked;
    if (!(reached > goal) || effort.exhausted()) return;
    let wanted = Math.min(FINEST, onScale(cells * Math.min(8, Math.sqrt(reached / goal) * 1.08), Math.ceil));
    const excess = tables.work(logDelta, wanted) / (enough ? BONUS_WORK : mostWork);
    if (enough && excess > 1) return;
    if (excess > 1) wanted = onScale(wanted / excess, Math.floor);
    if (wanted <= cells) return;
    cells = wanted;
  }
}

/** The bounds on the losses of bounded-range mechanisms, equal ones together. */
export const rangesOnly = (groups: readonly PureGroup[]): Pick<RangedSource, 'maximum' | 'logMoment'> => ({
  maximum: totalEpsilon(groups),
  logMoment: boundedRangeMoments(groups, logConversionFactor).logMoment,
});

/** The source that refines these tables. */
export const tableSource = (
  limits: Pick<RangedSource, 'maximum' | 'logMoment'>,
  tables: AdaptiveTables,
  effort: Effort,
): RangedSource => ({
  ...limits,
  refine: (logDelta, asked, { enclose, bonus = BONUS, growth = 0 }) => {
    refineTables(tables, logDelta, asked, effort, (table) => enclose(table, table), bonus, growth * tables.blur);
  },
});
