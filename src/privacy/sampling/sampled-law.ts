import { logRational, Rational } from '../../numeric/rational.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { Sampled } from '../mechanism.ts';
import type { LogAtom } from '../atoms-transform.ts';
import { baseLaw, type BaseDensity, type BaseLaw, type Probabilities } from './base-law.ts';
import { logOfRest, rationalOf, ratesOf, recordRates, type RateInDoubles } from './rate.ts';
import { logMixture, ratioOf, type Ratio } from './ratio.ts';
import { isSeveral, isSeveralCovered, recordsOf, severalRatio } from './several-records.ts';

/**
 * Which neighbour's loss is taken: of the one with the record (it is removed), or of the one without (it is added). Where a
 * record is replaced both are alike.
 */
export type Direction = 'remove' | 'add';

/** A probability along u that rises from 0 to 1 about a place, or falls: Phi(+-(u - place) / width). */
export interface Label {
  readonly place: number;
  readonly width: number;
  readonly rises: boolean;
}

/**
 * A stretch of losses that have a density: L = ln f or -ln f, f = g / h the ratio of a law, over a stretch of u that has a density
 * under Q. Its own density is that times g where L = ln f, and that itself where L = -ln f; then h = 1.
 */
export interface SampledPart {
  readonly base: BaseDensity;
  readonly sign: 1 | -1;
  readonly from: number;
  readonly to: number;
  /** The density is multiplied by these. */
  readonly labels: readonly Label[];
}

/** The privacy loss of a sampled mechanism in one direction, under the distribution whose loss it is. */
export interface SampledLaw {
  /** Of one record on the sample. */
  readonly rates: RateInDoubles;
  /** That of its parts. */
  readonly ratio: Ratio;
  /** In descending order of losses. */
  readonly atoms: readonly LogAtom[];
  readonly parts: readonly SampledPart[];
  /** Whether its high losses are ln g, which come when the record is drawn. */
  readonly hasJumps: boolean;
  /** At least the probability, of the finite losses, of what is not in it; of a whole law 0. */
  readonly outside: number;
  /** The probability of an infinite loss. */
  readonly failure: Probabilities;
  /** Bounds the relative errors of losses and probabilities. */
  readonly lossError: number;
  readonly massError: number;
}

/** ln of the probability that the loss is finite; 0 where it never is. */
export const logSurvivalOf = ({ failure }: SampledLaw): number =>
  failure.upper.isZero() || failure.upper.equals(Rational.ONE) ? 0 : logOfRest(ratesOf(failure.upper));

const scaled = ({ lower, upper }: Probabilities, factor: Rational): Probabilities => ({
  lower: lower.times(factor),
  upper: upper.times(factor),
});

/** Of reduced factors, what is beyond them: see `record-factors.ts`. */
const BEYOND = Rational.of(1n, 10n ** 100n);

const exactlyNever: Probabilities = { lower: Rational.ZERO, upper: Rational.ZERO };

const descending = (atoms: readonly LogAtom[]): LogAtom[] => [...atoms].sort((a, b) => b.loss - a.loss);

/** Where every loss is infinite the finite ones, of no probability, are 0. */
const NO_LOSS: LogAtom = { loss: 0, logMass: 0 };

const listed = (own: readonly LogAtom[], base: BaseLaw): LogAtom[] =>
  own.length === 0 && base.density === null ? [NO_LOSS] : descending(own);

/** Logarithms of sums and exponentials of them are taken of doubles; a small loss keeps the relative error of l. */
const errorsOf = (base: BaseLaw, atoms: readonly LogAtom[]): Pick<SampledLaw, 'lossError' | 'massError'> => {
  const farthest = base.atoms.reduce((max, { loss }) => Math.max(max, Math.abs(loss)), 0);
  const deepest = atoms.reduce((max, { logMass }) => Math.max(max, Math.abs(logMass)), 0);
  const lossError = (base.lossError + 8 * U) * (2 + farthest) + 24 * U;
  return { lossError, massError: base.massError + (16 + 4 * deepest) * U + lossError * (1 + farthest) };
};

/** Every record is in the sample with the probability `rate`, on its own: see {@link sampledLaw}. */
function poisson(base: BaseLaw, rate: Rational, direction: Direction): Omit<SampledLaw, 'rates' | 'ratio'> {
  const rates = ratesOf(rate);
  const rest = Rational.ONE.minus(rate);
  const { onlyP, onlyQ, density } = base;
  // What only may be there counts as if it revealed all, whichever side has it: a large but finite loss would rule large tilts.
  const unsure = onlyQ.lower.isZero() ? onlyQ.upper : Rational.ZERO;
  const extra =
    !unsure.isZero() || onlyQ.upper.isZero() || rest.isZero()
      ? []
      : [{ loss: logOfRest(rates), logMass: logRational(onlyQ.upper) }];
  const underQ = [...base.atoms.map(({ loss, logMass }) => ({ loss: logMixture(rates, loss), logMass })), ...extra];
  const isRemoval = direction === 'remove';
  const parts =
    density === null
      ? []
      : [{ base: density, sign: isRemoval ? 1 : -1, from: density.from, to: density.to, labels: [] } as const];
  const own = underQ.map(({ loss, logMass }) =>
    isRemoval ? { loss, logMass: logMass + loss } : { loss: -loss, logMass },
  );
  return {
    atoms: listed(own, base),
    parts,
    hasJumps: isRemoval,
    outside: 0,
    failure: isRemoval
      ? { lower: onlyP.lower.times(rate), upper: onlyP.upper.times(rate).plus(unsure) }
      : rest.isZero()
        ? onlyQ
        : { lower: Rational.ZERO, upper: unsure },
    ...errorsOf(base, own),
  };
}

/** Every set of a share `rate` of the records is as likely: see {@link sampledLaw}. */
function withoutReplacement(base: BaseLaw, rate: Rational): Omit<SampledLaw, 'rates' | 'ratio'> {
  const rates = ratesOf(rate);
  const { density, onlyP, variation } = base;
  const sampled = base.atoms
    .filter(({ loss }) => loss > 0)
    .map(({ loss, logMass }) => ({ loss: logMixture(rates, loss), logMass }));
  const same = base.atoms.find(({ loss }) => loss === 0);
  const unseen = rates.rest * variation + (same ? Math.exp(same.logMass) : 0);
  const own = [
    ...sampled.map(({ loss, logMass }) => ({ loss, logMass: logMass + loss })),
    ...(unseen > 0 ? [{ loss: 0, logMass: Math.log(unseen) }] : []),
    ...sampled.map(({ loss, logMass }) => ({ loss: -loss, logMass })),
  ];
  const parts =
    density === null
      ? []
      : ([1, -1] as const).map((sign) => ({
          base: density,
          sign,
          from: -density.shift / density.slope,
          to: density.to,
          labels: [],
        }));
  return {
    atoms: listed(own, base),
    parts,
    hasJumps: true,
    outside: 0,
    failure: scaled(onlyP, rate),
    ...errorsOf(base, own),
  };
}

/**
 * Several records of one person, or one that is replaced: see {@link severalRatio}. Where records are added and others removed, the one
 * direction is the other with u turned round; where all are added, L = -ln g.
 */
function severalRecords(mechanism: Sampled, direction: Direction): SampledLaw | null {
  if (!isSeveralCovered(mechanism)) return null;
  const base = baseLaw(mechanism.of);
  const rates = recordRates(mechanism);
  const { gained, lost } = recordsOf(mechanism);
  const isTurned = direction === 'add' && lost > 0;
  if (!base?.density) return null;
  const several = severalRatio(rates, base.density.slope, isTurned ? { gained: lost, lost: gained } : { gained, lost });
  if (several === null) return null;
  const isAddition = direction === 'add' && lost === 0;
  const density = { ...base.density, shift: several.shift };
  return {
    rates: ratesOf(rates.rate),
    ratio: several.ratio,
    atoms: [],
    parts: [{ base: density, sign: isAddition ? -1 : 1, from: density.from, to: density.to, labels: [] }],
    hasJumps: !isAddition,
    outside: 0,
    failure: several.ratio.isReduced ? { lower: Rational.ZERO, upper: BEYOND } : exactlyNever,
    ...errorsOf(base, []),
  };
}

/**
 * The law of the loss of a sampled mechanism; null where no theorem of one is known here, or where it is not listed.
 *
 * Poisson sampling, one record added or removed, rate q, a mechanism dominated by (P, Q), P with the record: removals are
 * dominated by ((1 - q) Q + q P, Q), additions by the same exchanged (Zhu, Dong, Wang 2022, Theorem 11).
 *
 * Without replacement, one record replaced, q the share of the records that is drawn, a mechanism on samples of that size
 * dominated by a pair (P, Q) that is its own swap: its profile is at most h(y) = q H_P,Q(1 + (y - 1) / q) for y = e^eps
 * >= 1, and 1 - y + y h(1 / y) below (advanced joint convexity: Balle, Barthe, Gaboardi 2018, Theorem 2, where a sample with
 * the record is compared with one in which another stands for it). h is convex: its slope at 1 is -Q(l > 0) from the right
 * and -(1 - q) P(l > 0) - q Q(l > 0) from the left. So it is the curve of a pair: of ((1 - q) Q + q P, Q) where L > 0, of that
 * mirrored where L < 0, and L = 0 with what is left, (1 - q) TV(P, Q) + P(l = 0) (derived). Pairs of profiles compose, as
 * samples are drawn afresh.
 */
export function sampledLaw(mechanism: Sampled, direction: Direction): SampledLaw | null {
  if (isSeveral(mechanism)) return severalRecords(mechanism, direction);
  const { of, scheme, rate: fraction, neighbours } = mechanism;
  const rate = rationalOf(fraction);
  // What is said without replacement holds for pairs that are their own swap: of a pair of fixed direction for it in either.
  const rates = ratesOf(rate);
  const base = baseLaw(
    of.type === 'finite-pair' && scheme === 'without-replacement' ? { ...of, direction: 'either' } : of,
  );
  if (base === null) return null;
  if (scheme === 'poisson' && neighbours === 'add-remove') {
    return { rates, ratio: ratioOf(rates), ...poisson(base, rate, direction) };
  }
  if (scheme === 'without-replacement' && neighbours === 'replace-one' && base.isSymmetric) {
    return { rates, ratio: ratioOf(rates), ...withoutReplacement(base, rate) };
  }
  return null;
}
