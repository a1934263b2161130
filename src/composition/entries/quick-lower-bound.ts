import { nonadaptiveOptimum } from '../../bounds/bounded-range/nonadaptive-optimum.ts';
import { pureOptimum } from '../../bounds/dp-optimal/dp-optimal.ts';
import { failureOf } from '../../bounds/core/entries.ts';
import { gaussian } from '../../bounds/closed-form/gaussian.ts';
import { asLower, type LowerBound } from '../../numeric/enclosure.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure } from '../../privacy/finite-loss-curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { midpointResponse } from '../../privacy/mechanisms/records.ts';
import type { PureGroup } from '../../privacy/pure-group.ts';
import type { Query } from '../../privacy/query.ts';

/** Sums of more equal mechanisms than this take a while. */
const MOST = 1e7;

const patient = { exhausted: () => false };

/** The randomized responses that an entry may be; null where it is none, or they are too many. */
function responsesOf({ mechanism, count }: Entry): PureGroup | null {
  const epsilon = mechanism.type === 'dp' ? mechanism.epsilon : midpointResponse(mechanism);
  return epsilon === null || epsilon.isZero() ? null : { epsilon, count: Math.min(count, MOST) };
}

/** Of how many entries the curves are taken. */
const FEW = 3;

/** About how much an entry reveals: the variance of its losses. */
function weight(entry: Entry): number {
  const { mechanism, count } = entry;
  const epsilon = mechanism.type === 'bounded-range' ? mechanism.epsilon.div(2) : responsesOf(entry)?.epsilon;
  return count * (epsilon?.toNumber() ?? 0) ** 2;
}

/** The entries that reveal most, about. */
const strongest = (entries: readonly Entry[]): readonly Entry[] =>
  entries.length <= FEW
    ? entries
    : entries
        .map((entry) => ({ entry, own: weight(entry) }))
        .sort((a, b) => b.own - a.own)
        .slice(0, FEW)
        .map(({ entry }) => entry);

/** The curve of one entry's mechanisms alone; null where it has none that is quick. */
function curveOf(entry: Entry): PrivacyCurve | null {
  const { mechanism, count } = entry;
  if (mechanism.type === 'bounded-range') {
    if (mechanism.epsilon.isZero()) return null;
    const losses = nonadaptiveOptimum(mechanism.epsilon, Math.min(count, MOST), 'lower');
    return curveWithFailure(losses, NEVER, 'tight');
  }
  const responses = responsesOf(entry);
  if (responses === null) return null;
  const failure = mechanism.type === 'dp' ? failureOf([{ ...entry, count: responses.count }]) : NEVER;
  return curveWithFailure(pureOptimum([responses], patient), failure, 'tight');
}

/** The curve of all Gaussian noise; null where there is none. */
function gaussianCurve(entries: readonly Entry[]): PrivacyCurve | null {
  const normal = entries
    .filter(({ mechanism }) => mechanism.type === 'gaussian' || mechanism.type === 'gdp')
    .map((entry) => ({ ...entry, kind: 'noninteractive' as const }));
  if (normal.length === 0) return null;
  const applied = gaussian.apply({ entries: normal, adaptivity: 'adaptive', order: 'any' }, patient);
  return 'curve' in applied ? applied.curve : null;
}

/**
 * An impossibility lower bound for exactly these classes, as far as that takes milliseconds: the most that an adversary
 * gains who uses the mechanisms of one entry alone, or all Gaussian noise, and of other noise only sees on which side
 * it lies; null where there is none.
 *
 * @param entries - equal mechanisms in one entry
 */
export function quickLowerBoundOf(entries: readonly Entry[]): (query: Query) => LowerBound | null {
  return (query) => {
    const curves = [gaussianCurve(entries), ...strongest(entries).map(curveOf)].filter((curve) => curve !== null);
    const lowers = curves.flatMap((curve) => {
      const { lower } = query.solveFor === 'epsilon' ? curve.epsilon(query.delta) : curve.delta(query.epsilon);
      return lower === null ? [] : [lower];
    });
    return lowers.length === 0 ? null : asLower(Math.max(...lowers));
  };
}
