import { type Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { ELEMENTARY_ERROR, UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { Rational } from '../../numeric/rational.ts';
import { atomsTransform, type LogAtom } from '../../privacy/atoms-transform.ts';
import type { FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { RandomizedResponse, ShuffledReports } from '../../privacy/mechanism.ts';
import { reportLosses, type ReportLosses, type Side } from '../../privacy/shuffling/report-atoms.ts';
import { reportCurve } from '../../privacy/shuffling/report-curve.ts';
import {
  binaryReports,
  dominatingReports,
  thirdSymbolReports,
  type ReportLaw,
} from '../../privacy/shuffling/report-law.ts';
import { atomicPair } from '../../privacy/single-pair.ts';
import { rational, type Alike } from './alike-losses.ts';

/**
 * The pair that dominates shuffled reports; or one that some of the class have: k-ary response with every other user on a third
 * symbol, and binary response with every other user on one of the two values, forward or backward.
 */
export type ReportsPair = 'above' | AttainedReports;
export const ATTAINED_REPORTS = ['third', 'forward', 'backward'] as const;
export type AttainedReports = (typeof ATTAINED_REPORTS)[number];

/** Whether mechanisms of the class have a pair: binary response has no third symbol, and no other k-ary response is binary. */
export const hasReportsPair = ({ categories }: ShuffledReports, pair: AttainedReports): boolean =>
  categories === undefined || categories.eq(2) === (pair !== 'third');

function lawOf({ users, localEpsilon, categories }: ShuffledReports, pair: ReportsPair): ReportLaw {
  const [n, k] = [users.toNumber(), categories?.toNumber()];
  if (pair === 'above') return dominatingReports(n, localEpsilon, k ?? null);
  return pair === 'third'
    ? thirdSymbolReports(n, localEpsilon, k ?? 3)
    : binaryReports(n, localEpsilon, pair === 'forward');
}

/** What is made once for a mechanism, as long as that is there. */
const LOSSES = new WeakMap<ShuffledReports, Map<ReportsPair, ReportLosses>>();

function lossesOf(mechanism: ShuffledReports, pair: ReportsPair): ReportLosses {
  const byPair = LOSSES.get(mechanism) ?? new Map<ReportsPair, ReportLosses>();
  LOSSES.set(mechanism, byPair);
  const side: Side = pair === 'above' ? 'above' : 'below';
  const losses = byPair.get(pair) ?? reportLosses(lawOf(mechanism, pair), side);
  byPair.set(pair, losses);
  return losses;
}

/** Shuffled reports for composing, with the chance of what is left out, from above. */
export function ofShuffledReports(
  mechanism: ShuffledReports,
  pair: ReportsPair,
  count: number,
): Alike & { readonly leak: () => Decimal } {
  const { leak, ...losses } = lossesOf(mechanism, pair);
  return { count, ...losses, lattice: null, leak: () => decimalFromDouble(leak()) };
}

/** The curve of one shuffle alone. */
export const reportsCurve = (mechanism: ShuffledReports, pair: ReportsPair): FiniteLossCurve =>
  reportCurve(lawOf(mechanism, pair));

/**
 * k-ary randomized response: with d = e^epsilon + k - 1 the losses epsilon, -epsilon and 0 with the chances e^epsilon / d, 1 / d and
 * (k - 2) / d. It is its own exchange.
 */
export function ofRandomizedResponse({ epsilon, categories }: RandomizedResponse, count: number): Alike {
  const [e, k] = [epsilon.toNumber(), categories.toNumber()];
  // ln d - epsilon = ln(1 + (k - 1) e^-epsilon)
  const beyond = Math.log1p((k - 1) * Math.exp(-e));
  const atoms: LogAtom[] = [
    { loss: e, logMass: -beyond },
    ...(k > 2 ? [{ loss: 0, logMass: Math.log(k - 2) - e - beyond }] : []),
    { loss: -e, logMass: -e - beyond },
  ];
  const massError = 2 * ELEMENTARY_ERROR + (16 + 8 * (e + Math.log(k))) * (ELEMENTARY_ERROR + U);
  const unit = rational(epsilon);
  return {
    count,
    pair: () => atomicPair(atoms, 2 * U * e, massError),
    transform: () => atomsTransform(atoms, 2 * U, massError),
    outcomes: atoms.length,
    lattice: unit && { unit, offset: Rational.ZERO },
  };
}
