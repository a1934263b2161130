import { performance } from 'node:perf_hooks';
import { discretisedMethod } from '../../src/bounds/loss-distribution/discretised-method.ts';
import { chunkPairs } from '../../src/bounds/loss-distribution/dp-chunks.ts';
import { failureOf, pureGroups } from '../../src/bounds/core/entries.ts';
import { tiltedCurve } from '../../src/bounds/loss-distribution/tilted-curve.ts';
import { compose } from '../../src/composition/compose/compose.ts';
import { curveWithFailure } from '../../src/privacy/finite-loss-curve.ts';
import type { ApproximateDp, Entry } from '../../src/privacy/mechanism.ts';
import { totalEpsilon } from '../../src/privacy/pure.ts';
import { decimal } from '../mechanisms.ts';
import { approximately, ofDouble, shifted, type Interval, type Real } from './fixed-point.ts';
import { entryOf, queryOf, type CaseSpec } from './specification.ts';
import { exactDelta, truthOf } from './truth-of.ts';
import type { Truth } from './truth.ts';

interface Claim {
  /** The bound that makes it. */
  readonly by: string;
  readonly lower: number | null;
  readonly upper: number;
}

interface Claims {
  /** What the user is told. */
  readonly answer: Claim;
  /** Every theorem that applies. */
  readonly all: readonly Claim[];
}

export interface Verdict {
  /** What is wrong; empty where all holds. */
  readonly misses: readonly string[];
  /** (upper - lower) / upper of the answer; null where that says nothing (both 0, or an infinite upper end). */
  readonly width: number | null;
  readonly solvedFor: 'epsilon' | 'delta';
  /** Milliseconds of the code under test, and of the comparison. */
  readonly work: number;
  readonly reference: number;
  readonly answer: Claim;
}

/** No refinement starts after this many milliseconds: widths then depend on the machine, what must hold does not. */
const PATIENCE = 300;

function runningOut(patience: number): () => boolean {
  const begin = performance.now();
  return () => performance.now() - begin > patience;
}

/** The discretised method called directly: packs of randomized responses, each pack `repeat` times. */
function discretisedClaims(
  spec: CaseSpec,
  discretised: NonNullable<CaseSpec['discretised']>,
  patience: number,
): Claims {
  const { packs, repeat } = discretised;
  const entries = spec.entries.map((entry) => entryOf(entry) as Entry<ApproximateDp>);
  const groups = [...new Set(packs)].flatMap((pack) => {
    const own = entries.filter((_, i) => packs[i] === pack).map((entry) => ({ ...entry, count: entry.count / repeat }));
    return chunkPairs(pureGroups(own)).map((pair) => ({ pair, count: repeat }));
  });
  const tolerance = spec.tolerance ?? 1e-6;
  const method = discretisedMethod(groups, totalEpsilon(pureGroups(entries)), tolerance);
  const losses = tiltedCurve(method, tolerance, { exhausted: runningOut(patience) });
  const curve = curveWithFailure(losses, failureOf(entries), 'tight');
  const query = queryOf(spec.query);
  const bracket = query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
  const answer = { by: 'discretised', lower: bracket.lower, upper: bracket.upper };
  return { answer, all: [answer] };
}

function claimsOf(spec: CaseSpec, patience: number): Claims {
  if (spec.discretised) return discretisedClaims(spec, spec.discretised, patience);
  const query = queryOf(spec.query);
  const exhausted = runningOut(patience);
  const options = {
    exhausted,
    ...(spec.tolerance === undefined ? {} : { tolerance: spec.tolerance }),
    ...(spec.bounds === undefined ? {} : { bounds: spec.bounds }),
  };
  const outcome = compose(
    { entries: spec.entries.map(entryOf), adaptivity: spec.adaptivity ?? 'adaptive', order: spec.order ?? 'any' },
    query,
    options,
  );
  if (outcome.kind === 'refusal') throw new Error(`refused: ${outcome.refusal.code}`);
  const { answer } = outcome;
  const asked = query.solveFor;
  return {
    answer: { by: 'answer', lower: answer[asked].lower, upper: answer[asked].upper },
    all: answer.bounds.flatMap((row) =>
      row.applies ? [{ by: row.id, lower: row[asked].lower, upper: row[asked].upper }] : [],
    ),
  };
}

/** The sign of x - y for a double and the end of an interval. */
function compareDouble(x: number, y: bigint, bits: number): number {
  if (!Number.isFinite(x)) return Math.sign(x);
  // 1100 bits hold every double exactly.
  const all = Math.max(bits, 1100);
  const difference = ofDouble(x)(all) - shifted(y, all - bits);
  return difference > 0n ? 1 : difference < 0n ? -1 : 0;
}

const shown = (x: number): string => x.toPrecision(17);
const shownInterval = ({ low, high, bits }: Interval): string =>
  `[${shown(approximately(low, bits))}, ${shown(approximately(high, bits))}]`;

/** What lower bounds may not exceed; null where they are compared with nothing. */
const lowerLimit = ({ means, deltaAt, attainedAt }: Truth): Truth['deltaAt'] | null =>
  means === 'adversary' ? (attainedAt ?? null) : deltaAt;

function judgeDelta(claims: Claims, truth: Truth, epsilon: Real): string[] {
  const value = truth.deltaAt(epsilon);
  const lowest = lowerLimit(truth);
  return [...claims.all, claims.answer].flatMap(({ by, lower, upper }) => {
    const misses: string[] = [];
    if (compareDouble(upper, value.low, value.bits) < 0)
      misses.push(`${by} claims ${shown(upper)}, truth ${shownInterval(value)}`);
    if (lowest === null || lower === null || compareDouble(lower, value.high, value.bits) <= 0) return misses;
    const limit = lowest(epsilon);
    if (compareDouble(lower, limit.high, limit.bits) > 0) {
      misses.push(`${by} has the lower bound ${shown(lower)}, truth ${shownInterval(limit)}`);
    }
    return misses;
  });
}

/** An epsilon is right where the delta there is at most the target; it is the smallest where no smaller one is right. */
function judgeEpsilon(claims: Claims, truth: Truth, target: Real): string[] {
  const known = new Map<number, Interval>();
  const deltaAt = (epsilon: number): Interval => {
    const found = known.get(epsilon) ?? truth.deltaAt(ofDouble(epsilon));
    known.set(epsilon, found);
    return found;
  };
  const above = ({ low, bits }: Interval): boolean => low > target(bits);
  const below = ({ high, bits }: Interval): boolean => high < target(bits);
  // The delta falls along epsilon: who claims more than what was found right is right, and so is a lower bound below a right one.
  let [right, attainedAt] = [Infinity, -Infinity];
  const upperMiss = ({ by, upper }: Claim): string | null => {
    if (upper < 0) return `${by} claims a negative epsilon ${shown(upper)}`;
    if (!Number.isFinite(upper) || upper >= right) return null;
    if (above(deltaAt(upper)))
      return `${by} claims epsilon ${shown(upper)}, where delta is ${shownInterval(deltaAt(upper))}`;
    right = upper;
    return null;
  };
  const lowerMiss = ({ by, lower }: Claim): string | null => {
    const limit = lowerLimit(truth);
    if (limit === null || lower === null || lower <= Math.max(0, attainedAt)) return null;
    const own = lower === Infinity ? truth.failure : deltaAt(lower);
    const attained = below(own) && lower < Infinity ? limit(ofDouble(lower)) : own;
    // At the failure probability itself the largest loss is the answer: the curve is flat beyond it.
    const beyond = lower > truth.maximum * (1 + 1e-12) && below({ ...truth.failure, high: truth.failure.low });
    if (below(attained) || beyond) {
      return `${by} has the lower bound ${shown(lower)} on epsilon, where delta is ${shownInterval(attained)}`;
    }
    attainedAt = lower;
    return null;
  };
  const every = [...claims.all, claims.answer];
  return [
    ...every.toSorted((a, b) => a.upper - b.upper).map(upperMiss),
    ...every.toSorted((a, b) => (b.lower ?? -Infinity) - (a.lower ?? -Infinity)).map(lowerMiss),
  ].filter((miss) => miss !== null);
}

function judgeForm({ answer, all }: Claims): string[] {
  const misses: string[] = [];
  for (const { by, lower, upper } of [...all, answer]) {
    if (Number.isNaN(upper) || Number.isNaN(lower ?? 0)) misses.push(`${by} is not a number`);
    else if (lower !== null && lower > upper) misses.push(`${by} is crossed: ${shown(lower)} > ${shown(upper)}`);
  }
  const basic = all.find(({ by }) => by === 'basic');
  if (basic && answer.upper > basic.upper) misses.push(`${shown(answer.upper)} is above basic ${shown(basic.upper)}`);
  return misses;
}

function widthOf({ lower, upper }: Claim): number | null {
  if (lower === null || upper === 0 || upper === Infinity) return null;
  return Math.max(0, upper - lower) / upper;
}

/** Compares one case with the truth; `patience` in milliseconds. */
export function judge(spec: CaseSpec, patience = PATIENCE): Verdict {
  const solvedFor = 'delta' in spec.query ? 'epsilon' : 'delta';
  const begin = performance.now();
  let claims: Claims;
  try {
    claims = claimsOf(spec, patience);
  } catch (error) {
    const thrown = { by: 'answer', lower: null, upper: NaN };
    const misses = [`throws ${error instanceof Error ? error.message : String(error)}`];
    return { misses, width: null, solvedFor, work: performance.now() - begin, reference: 0, answer: thrown };
  }
  const middle = performance.now();
  const form = judgeForm(claims);
  const truth = truthOf(spec);
  const misses =
    form.length > 0
      ? form
      : 'delta' in spec.query
        ? judgeEpsilon(claims, truth, exactDelta(spec.query.delta))
        : judgeDelta(claims, truth, exactDelta(decimal(spec.query.epsilon).toString()));
  return {
    misses,
    width: widthOf(claims.answer),
    solvedFor,
    work: middle - begin,
    reference: performance.now() - middle,
    answer: claims.answer,
  };
}
