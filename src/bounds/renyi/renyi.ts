import { toLower, ZERO, type Decimal } from '../../numeric/decimal.ts';
import { fromDecimal } from '../../numeric/double-double.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import type { Query } from '../../privacy/curve.ts';
import { curveWithFailure, logSlack } from '../../privacy/finite-loss-curve.ts';
import { zcdpMoment } from '../../privacy/log-moment.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { pureEpsilonOfRdp } from '../../privacy/mechanisms/guarantees.ts';
import {
  rhoOf,
  typesWith,
  WITH_PURE_PART,
  guaranteeOfSelection,
  momentOf,
  hasPurePart,
  isZeroLoss,
  pureEpsilon,
} from '../../privacy/mechanisms/records.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import type { Bound } from '../core/bound.ts';
import { failureOf, onlyTypes } from '../core/entries.ts';
import {
  LARGEST_ZCDP_LAMBDA,
  logConversionFactor,
  minimumOfEpsilon,
  minimumOfLogDelta,
  momentCurve,
  type MomentBound,
  sumOfMoments,
  LARGEST_LAMBDA,
} from '../core/moment-curve.ts';

/** Types in the order in which they are listed: those whose loss has a named bound first. */
const boundedFirst = (types: readonly Mechanism['type'][]): readonly Mechanism['type'][] => [
  ...new Set([...WITH_PURE_PART.filter((type) => type !== 'finite-pair'), ...types]),
];

function largestOf(mechanism: Mechanism): Decimal | null {
  if (isZeroLoss(mechanism)) return ZERO;
  if (mechanism.type === 'rdp') return pureEpsilonOfRdp(mechanism);
  if (mechanism.type === 'selection') {
    const guarantee = guaranteeOfSelection(mechanism);
    return guarantee?.delta.isZero() === true ? guarantee.epsilon : null;
  }
  return hasPurePart(mechanism) ? pureEpsilon(mechanism) : null;
}

/** sum of epsilons where every entry's losses are bounded; else null. */
export function largestLoss(entries: readonly Entry[]): Decimal | null {
  const pure = entries.flatMap(({ mechanism, count }) => {
    const epsilon = largestOf(mechanism);
    return epsilon === null ? [] : [{ epsilon, count }];
  });
  return pure.length === entries.length ? totalEpsilon(pure) : null;
}

/** An order minus 1; for the infinite one, the largest that is looked at. */
const lambdaOf = (alpha: Decimal): number =>
  alpha.isFinite() ? Math.min(toLower(alpha.minus(1)), LARGEST_LAMBDA) : LARGEST_LAMBDA;

/** The orders minus 1 at which some entry's Renyi guarantee changes, up to the smallest last one. */
export function orderBreakpoints(entries: readonly Entry[]): number[] {
  const all = entries.flatMap((entry): readonly Entry[] =>
    entry.mechanism.type === 'selection' ? entry.mechanism.of : [entry],
  );
  const lists = all.flatMap(({ mechanism }) =>
    mechanism.type === 'rdp' ? [mechanism.orders.map(({ alpha }) => lambdaOf(alpha))] : [],
  );
  if (lists.length === 0) return [];
  const last = Math.min(...lists.map((list) => Math.max(...list)));
  return [...new Set(lists.flat())].filter((lambda) => lambda > 0 && lambda <= last).sort((a, b) => a - b);
}

/** The moments of all entries together, as a theorem bounds them. */
const MOMENTS: Readonly<Record<'zcdp' | 'rdp', (entries: readonly Entry[]) => MomentBound>> = {
  zcdp: (entries) => ({
    logMoment: zcdpMoment(
      entries.reduce(
        (sum, entry) => add(sum, multiply(exactly(entry.count), rhoOf(entry) ?? exactly(Infinity))),
        exactly(0),
      ),
    ),
    logFactor: logConversionFactor,
    maximum: largestLoss(entries),
    breakpoints: [LARGEST_ZCDP_LAMBDA],
  }),
  rdp: (entries) => ({
    logMoment: sumOfMoments(entries.map((entry) => ({ moment: momentOf(entry), count: entry.count }))),
    logFactor: logConversionFactor,
    maximum: largestLoss(entries),
    breakpoints: orderBreakpoints(entries),
  }),
};

/**
 * lambda, the Renyi order minus 1, at which a theorem that applies claims what is asked: its formula at that order alone gives the
 * whole claim. Null where the claim is another one: the largest loss, or nothing at all.
 */
export function claimedLambda(id: 'zcdp' | 'rdp', entries: readonly Entry[], query: Query): number | null {
  const bound = MOMENTS[id](entries);
  const { maximum } = bound;
  if (query.solveFor === 'delta') {
    if (maximum?.lte(query.epsilon) === true) return null;
    const { high, low } = fromDecimal(query.epsilon);
    const { lambda, value } = minimumOfLogDelta(bound, add(exactly(high), exactly(low)));
    return value < 0 ? lambda : null;
  }
  const { lambda, value } = minimumOfEpsilon(bound, logSlack(query.delta, failureOf(entries)));
  return maximum === null || value < toLower(maximum) ? lambda : null;
}

/**
 * zCDP composition with the optimal conversion: rho = sum of rho_i, then
 * delta = inf over a > 1 of e^((a-1)(a rho - eps)) / (a-1) (1 - 1/a)^a. Every class has its exact rho, see rhoOf: an
 * (e,0)-DP mechanism e tanh(e/2), Laplace noise e + e^-e - 1, bounded range b - 1 - ln b with b = e / (1 - e^-e), Gaussian
 * noise mu^2/2. What (e, d)-DP and d-approximate zCDP lose to d, and a finite pair to
 * infinite losses, comes on top.
 *
 * Source: Bun, Steinke (2016), Lemma 2.3; Canonne, Kamath, Steinke (2020), Corollary 13.
 */
export const zcdp: Bound = {
  id: 'zcdp',
  name: 'zCDP composition, optimal conversion',
  reference: 'Bun, Steinke 2016, Lemma 2.3; Canonne, Kamath, Steinke 2020, Cor 13',
  exposition: {
    statement: 'The rho of zero-concentrated DP add up, and are converted to (e, d) at the best order.',
    formula: [
      'd(e) = inf over a > 1 of exp((a - 1)(a rho - e)) / (a - 1) (1 - 1 / a)^a',
      'rho = sum rho_i: e_i tanh(e_i / 2) of (e_i, 0)-DP, e_i^2 / 8 of bounded range, mu^2 / 2 of Gaussian noise',
    ],
    departures: [
      'The rho of (e_i, 0)-DP is the tight e_i tanh(e_i / 2) (Steinke, "Tight RDP & zCDP Bounds from Pure DP"); the paper has e_i^2 / 2.',
      'A d-approximate zCDP mechanism is taken as its rho beside a failure of probability d; that is derived.',
    ],
    works: ['bun-steinke-2016', 'canonne-kamath-steinke-2020', 'cesar-rogers-2021'],
    slack:
      'each Renyi curve is replaced by a linear bound, rho times the order, and one order stands for the distribution of the loss',
    coverage: {
      types: boundedFirst(typesWith('rho')),
      noninteractive: [],
      adaptivity: 'any',
      conditions: [],
    },
  },
  apply(composition) {
    const covered = onlyTypes(composition, [...new Set([...WITH_PURE_PART, ...typesWith('rho')])]);
    if ('reason' in covered) return covered;
    const { entries } = covered;
    return { curve: curveWithFailure(momentCurve(MOMENTS.zcdp(entries)), failureOf(entries), 'upper-only') };
  },
};

/**
 * Renyi composition with the optimal conversion: delta = inf over a > 1 of
 * e^((a-1)(R(a) - eps)) / (a-1) (1 - 1/a)^a, R(a) the sum of the entries' Renyi divergences of order a: each class's
 * own largest ((e,0)-DP: randomized response; bounded range: the supremum over its family; Gaussian: a mu^2 / 2). What
 * (e, d)-DP loses to d comes on top as 1 - (1 - delta) prod(1 - d_i). Adaptive, and concurrent for interactive and
 * continual entries.
 *
 * Source: Mironov (2017), Proposition 1; Canonne, Kamath, Steinke (2020), Corollary 13; concurrently Henzinger, Safavi,
 * Vadhan (2025), Theorem 13.4.
 */
export const rdp: Bound = {
  id: 'rdp',
  name: 'Renyi composition, optimal conversion',
  reference: 'Mironov 2017, Prop 1; Canonne, Kamath, Steinke 2020, Cor 13',
  exposition: {
    statement: 'Renyi divergences add up, order by order; the best order is converted to (e, d).',
    formula: [
      'd(e) = inf over a > 1 of exp((a - 1)(R(a) - e)) / (a - 1) (1 - 1 / a)^a',
      'R(a) = sum R_i(a), the largest Renyi divergence of order a of each mechanism',
      'd = 1 - (1 - d(e)) prod(1 - d_i) where mechanisms are (e_i, d_i)-DP',
    ],
    departures: [
      'The conversion is that of Canonne, Kamath and Steinke, which is smaller than the printed one of Mironov.',
      'Guarantees of different orders are taken at the orders where they are given, lowered to the smallest common one.',
    ],
    works: ['mironov-2017', 'canonne-kamath-steinke-2020', 'henzinger-safavi-vadhan-2025'],
    slack: 'one order of Renyi divergence stands for the whole distribution of the loss',
    coverage: {
      types: boundedFirst(typesWith('moment')),
      noninteractive: [],
      adaptivity: 'any',
      conditions: [],
    },
  },
  apply({ entries }) {
    return { curve: curveWithFailure(momentCurve(MOMENTS.rdp(entries)), failureOf(entries), 'upper-only') };
  },
};
