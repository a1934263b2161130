import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, logarithm, logSum } from '../../numeric/enclosure-arithmetic.ts';
import type { Directions } from '../../privacy/curve.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import type { Entry, Selection } from '../../privacy/mechanism.ts';
import { isZeroLoss, momentOf, momentsOfOneRun, typesWith } from '../../privacy/mechanisms/records.ts';
import { runCount } from '../../privacy/selection/run-law.ts';
import type { Bound, Composition, Effort } from '../core/bound.ts';
import { failureOf } from '../core/entries.ts';
import { logConversionFactor, momentCurve, sumOfMoments } from '../core/moment-curve.ts';
import { largestLoss, orderBreakpoints } from '../renyi/renyi.ts';
import { orderCells } from './order-cells.ts';
import { oneRun } from './run-profile.ts';

/** At least the supremum over a of ln of f'(a)^l f'(tau(a))^(1 - l) / m, l = 1 + lambda, and of its rounding. */
function steepest({ logS, logT }: ReturnType<typeof orderCells>, lambda: number): number {
  let most = -Infinity;
  for (let i = 0; i < logS.length; i++) most = Math.max(most, (1 + lambda) * logS[i]! - lambda * logT[i]!);
  const size = (1 + 2 * lambda) * (Math.abs(logS[0]!) + Math.abs(logT[0]!));
  return most + size * 2 ** -50;
}

/** The log-moments of a selection by moments and profile of one run; null where one of them is not known. */
function momentsBySteepness(selection: Selection, composition: Composition, effort: Effort): LogMoment | null {
  const { of, runs } = selection;
  const moments = momentsOfOneRun(of);
  if (moments === null || !failureOf(of).upper.isZero()) return null;
  const profiles = oneRun(selection, composition, effort)?.profiles;
  if (profiles === undefined) return null;
  const count = runCount(runs);
  const logMean = logarithm(count.mean);
  const inDirection = (own: keyof Directions<LogMoment>, exchanged: keyof Directions<LogMoment>): LogMoment => {
    let known: ReturnType<typeof orderCells> | null = null;
    return (lambda) => {
      known ??= orderCells(count, profiles[exchanged]);
      const best = add(add(moments[own](lambda), logMean), exactly(steepest(known, lambda)));
      return count.none.upper > 0 ? logSum(logarithm(count.none), best) : best;
    };
  };
  const [remove, addition] = [inDirection('remove', 'add'), inDirection('add', 'remove')];
  return (lambda) => fromAbove(remove(lambda), addition(lambda));
}

const fromAbove = (a: Enclosure, b: Enclosure): Enclosure => {
  const upper = Math.max(0, a.upper, b.upper);
  return enclosure(0, Number.isNaN(upper) ? Infinity : upper);
};

function sharperMoment(entry: Entry, composition: Composition, effort: Effort): LogMoment {
  const { mechanism } = entry;
  if (mechanism.type !== 'selection' || isZeroLoss(mechanism)) return momentOf(entry);
  return momentsBySteepness(mechanism, composition, effort) ?? momentOf(entry);
}

/**
 * Renyi composition in which selections go by the profile of one run: exp((l - 1) D_l) is at most
 * f(0) + exp((l - 1) D_l of one run) sup over a of f'(a)^l f'(tau(a))^(1 - l), f and tau as in `selectionProfile`.
 *
 * [derived] The best output is y with probability Q(y) times the mean of f'(F) over masses F of one randomized test, whose mass under
 * the neighbor is at least tau(F); a^l b^(1 - l) is jointly convex. By Hoelder's inequality for tau it is at most what Theorem 2 of
 * Papernot and Steinke (2022) says, and for Poisson laws it is Theorem 6 with the best of its parameters.
 */
export const selectionRdp: Bound = {
  id: 'selection-rdp',
  name: 'Renyi composition of private selections',
  reference: 'derived; weaker: Papernot, Steinke 2022, Thm 2 and 6',
  exposition: {
    statement:
      'Renyi divergences add up, as in rdp. That of a private selection follows from the Renyi divergence and the privacy profile of one run.',
    formula: [
      "exp((a - 1) R) = f(0) + exp((a - 1) R_1(a)) sup over x of f'(x)^a f'(tau(x))^(1 - a), f(x) = E[x^K]",
      'tau(x): the least probability that a test of probability x has under the neighbor',
      'R <= R_1(a) + (1 + shape) ((1 - 1/b) R_1(b) + ln(1/gamma) / b) + ln E[K] / (a - 1) in rdp, negative binomial K, any b > 1',
      'R <= ln(exp(-m) + m exp((a - 1)(R_1(a) + m d_1(ln(a / (a - 1)))))) / (a - 1) in rdp, Poisson K of mean m',
    ],
    departures: [
      'The supremum is derived; Theorems 2 and 6 of the paper follow from it.',
      'The term exp(-m) of Poisson K is not in print, where the formula is false for m below 1.',
    ],
    works: ['papernot-steinke-2022', 'mironov-2017', 'canonne-kamath-steinke-2020'],
    slack: 'one order of Renyi divergence stands for the whole distribution of the loss',
    coverage: {
      types: ['selection'],
      beside: typesWith('moment').filter((type) => type !== 'selection'),
      noninteractive: ['selection'],
      adaptivity: 'any',
      conditions: [],
    },
  },
  isSlow: ({ entries }) => entries.some(({ mechanism }) => mechanism.type === 'selection'),
  apply(composition, effort) {
    const { entries } = composition;
    const found = [...new Set(entries.map(({ mechanism }) => mechanism.type))];
    if (!found.includes('selection')) return { reason: { code: 'needs-types', needs: ['selection'], found } };
    const parts = entries.map((entry) => ({ moment: sharperMoment(entry, composition, effort), count: entry.count }));
    const curve = momentCurve({
      logMoment: sumOfMoments(parts),
      logFactor: logConversionFactor,
      maximum: largestLoss(entries),
      breakpoints: orderBreakpoints(entries),
    });
    return { curve: curveWithFailure(curve, failureOf(entries), 'upper-only') };
  },
};
