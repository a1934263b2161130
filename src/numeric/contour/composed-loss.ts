import type { Enclosure } from '../enclosure.ts';
import type { Rational } from '../rational.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Approximate } from '../approximate.ts';
import type { LossTransform } from './transform.ts';

/** `count` independent losses of one law. */
export interface LossGroup {
  readonly transform: LossTransform;
  readonly count: number;
}

/** Losses that are all `offset` plus a multiple of `unit`, a positive number. */
export interface LossLattice {
  readonly unit: Rational;
  readonly offset: Rational;
}

/** A composed privacy loss: independent losses, and one of Gaussian noise. */
export interface ComposedLoss {
  readonly groups: readonly LossGroup[];
  /** mu^2 of the Gaussian noise: its loss is normal with that variance and half of it as its mean. */
  readonly muSquared: Enclosure;
  /** On which the sum lies; null where it lies on none that is known. */
  readonly lattice: LossLattice | null;
  /** A part of the probability all of whose losses lie on a lattice, where the rest has a density; null where none is apart. */
  readonly atoms: AtomicPart | null;
}

/** Losses that a composed loss has with a share of the probability. */
export interface AtomicPart {
  readonly loss: ComposedLoss;
  /** ln of the share. */
  readonly logShare: Approximate;
}

/** ln E[e^(cL)] of a composed loss. */
export function composedMoment({ groups, muSquared }: ComposedLoss, c: number): Approximate {
  const half = (c * (c + 1)) / 2;
  let value = muSquared.upper * half;
  let error = (muSquared.upper - muSquared.lower + 4 * U * muSquared.upper) * Math.abs(half);
  let size = Math.abs(value);
  for (const { transform, count } of groups) {
    const one = transform.logMoment(c);
    value += count * one.value;
    error += count * one.error;
    size += Math.abs(count * one.value);
  }
  return { value, error: error + (groups.length + 4) * U * size };
}

/** At least the standard deviation under the tilt e^(cL). */
export const deviationAt = ({ groups, muSquared }: ComposedLoss, c: number): number =>
  Math.sqrt(
    groups.reduce<number>((sum, { transform, count }) => sum + count * transform.on(c).deviation ** 2, muSquared.upper),
  );

/** For a difference quotient, over 1 and the deviation. */
const SMALL = 1e-4;

/** About the mean under the tilt e^(cL), the slope of ln E[e^(cL)]. */
export function meanAt(loss: ComposedLoss, c: number): number {
  const means = loss.groups.map(({ transform, count }) => count * (transform.on(c).mean ?? NaN));
  const mean = means.reduce((sum, each) => sum + each, loss.muSquared.upper * (c + 0.5));
  if (!Number.isNaN(mean)) return mean;
  const nearest = c === 0 ? 1 : Math.min(Math.abs(c), 1 + c);
  const h = SMALL * Math.min(nearest, 1 / (deviationAt(loss, c) + 1e-300));
  return (composedMoment(loss, c + h).value - composedMoment(loss, c - h).value) / (2 * h);
}
