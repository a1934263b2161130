import type { Approximate, Enclosure } from '../enclosure.ts';
import { approximateLogSum } from '../enclosure-arithmetic.ts';
import type { Rational } from '../rational.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import { aboutOf, lineWith, type About, type LineTransform, type LossTransform } from './transform.ts';

/** `count` independent losses of one law. */
export interface LossGroup {
  readonly transform: LossTransform;
  readonly count: number;
  /**
   * Where the composition is that of losses with labels, of which at least one is a jump: what is a jump, beside `transform`, what
   * is none; null in a group that has none.
   */
  readonly jump?: LossTransform | null;
}

/** Losses that are all `offset` plus a multiple of `unit`, a positive number. */
export interface LossLattice {
  readonly unit: Rational;
  readonly offset: Rational;
}

/**
 * A composed privacy loss: independent losses, and one of Gaussian noise. Of losses with labels it is the part of the measure in
 * which all are of `transform`; or, where groups have a `jump`, that in which the others are jumps, at least one of them.
 */
export interface ComposedLoss {
  readonly groups: readonly LossGroup[];
  /** mu^2 of the Gaussian noise: its loss is normal with that variance and half of it as its mean. */
  readonly muSquared: Enclosure;
  /** On which the sum lies; null where it lies on none that is known. */
  readonly lattice: LossLattice | null;
  /** A part of the probability all of whose losses lie on a lattice, where the rest has a density; null where none is apart. */
  readonly atoms: AtomicPart | null;
  /** Of a loss of many groups: few that are about as they together. */
  readonly outline?: ComposedLoss;
}

/** Losses that a composed loss has with a share of the probability. */
export interface AtomicPart {
  readonly loss: ComposedLoss;
  /** ln of the share. */
  readonly logShare: Approximate;
}

/** ln(e^x - 1), x > 0. */
export const logExpm1 = (x: number): number => (x > 40 ? x : Math.log(Math.expm1(x)));

/** ln of n ln(1 + e^x). */
const logOfMany = (n: number, x: number): number =>
  Math.log(n) + (x < -30 ? x : x > 500 ? Math.log(x) : Math.log(Math.log1p(Math.exp(x))));

/** More groups than these are looked at together. */
const MANY_GROUPS = 32;
const FEW_GROUPS = 20;
/** How far apart, in logarithms, losses are that are looked at together: at first, and more until they are few. */
const APART = 0.01;

/**
 * A loss of many groups with an outline: those of about the same usual size and deviation stand for each other. Groups of which no
 * usual size is known stay.
 */
export function withOutline(loss: ComposedLoss): ComposedLoss {
  if (loss.groups.length <= MANY_GROUPS) return loss;
  const sizedGroups = loss.groups.flatMap((group) => {
    const typical = group.transform.typical?.() ?? 0;
    if (!(typical > 0)) return [];
    const { variance } = aboutOf(group.transform, 0);
    return [{ group, sizes: [Math.log(typical), Math.log(variance) / 2], variance }];
  });
  if (sizedGroups.length <= MANY_GROUPS) return loss;
  const others = loss.groups.filter(({ transform }) => !(transform.typical?.() ?? 0));
  for (let apart = APART; ; apart *= 1.5) {
    const cells = new Map<string, (typeof sizedGroups)[number][]>();
    for (const member of sizedGroups) {
      const key = member.sizes.map((size) => Math.round(size / apart)).join(' ');
      cells.set(key, [...(cells.get(key) ?? []), member]);
    }
    if (cells.size > FEW_GROUPS) continue;
    const groups = [...cells.values()].map((members): LossGroup => {
      const count = members.reduce((sum, { group }) => sum + group.count, 0);
      const whole = members.reduce((sum, member) => sum + member.group.count * member.variance, 0);
      const gap = (member: (typeof sizedGroups)[number]): number => Math.abs(member.variance - whole / count);
      const nearest = members.reduce((best, member) => (gap(member) < gap(best) ? member : best));
      return { transform: nearest.group.transform, count: whole / nearest.variance };
    });
    return { ...loss, outline: { ...loss, groups: [...others, ...groups] } };
  }
}

/**
 * About ln M(c) of a composed loss, its slope and its curvature. With at least one jump it is that of the product of the M's times
 * e^R - 1, R the sum of n ln(1 + J / M).
 */
export function aboutComposed(loss: ComposedLoss, c: number): About {
  const { groups, muSquared } = loss.outline ?? loss;
  let value = (muSquared.upper * c * (c + 1)) / 2;
  let mean = muSquared.upper * (c + 0.5);
  let variance: number = muSquared.upper;
  // ln R, and the first two derivatives of R over e^logScale.
  let [logR, logScale, slope, bend] = [-Infinity, -Infinity, 0, 0];
  let hasJumps = false;
  for (const { transform, count, jump } of groups) {
    const aboutBulk = aboutOf(transform, c);
    value += count * aboutBulk.value;
    mean += count * aboutBulk.mean;
    variance += count * aboutBulk.variance;
    if (jump === undefined) continue;
    hasJumps = true;
    if (jump === null) continue;
    const aboutJump = aboutOf(jump, c);
    if (aboutJump.value === -Infinity) continue;
    const x = aboutJump.value - aboutBulk.value;
    logR = approximateLogSum(logR, logOfMany(count, x));
    // n J / (M + J) and its complement.
    const [logShare, complement] = [Math.log(count) - softplusOf(-x), 1 / (1 + Math.exp(Math.min(700, x)))];
    const scale = Math.max(logScale, logShare);
    const [before, own] = [Math.exp(logScale - scale), Math.exp(logShare - scale)];
    const apart = aboutJump.mean - aboutBulk.mean;
    slope = slope * before + own * apart;
    bend = bend * before + own * (complement * apart * apart + aboutJump.variance - aboutBulk.variance);
    logScale = scale;
  }
  if (!hasJumps) return { value, mean, variance };
  if (logR === -Infinity) return { value: -Infinity, mean, variance };
  const r = Math.exp(Math.min(logR, 700));
  // e^R / (e^R - 1) times e^logScale, which is about R where that is small.
  const factor = (logR < -30 ? 1 : r / -Math.expm1(-r)) * Math.exp(logScale - logR);
  const own = slope * factor;
  return {
    value: value + (logR < -30 ? logR : logExpm1(r)),
    mean: mean + own,
    variance: Math.max(0, variance + bend * factor + slope * own * Math.exp(logScale) - own * own),
  };
}

/** About ln M(c) alone, for less. */
export function logMomentAbout(loss: ComposedLoss, c: number): number {
  const { groups, muSquared } = loss.outline ?? loss;
  if (groups.some(({ jump }) => jump !== undefined)) return aboutComposed(loss, c).value;
  return groups.reduce(
    (sum, { transform, count }) => sum + count * (transform.about?.(c) ?? transform.logMoment(c)).value,
    (muSquared.upper * c * (c + 1)) / 2,
  );
}

const softplusOf = (x: number): number => (x > 40 ? x : Math.log1p(Math.exp(x)));

/** The lines of a composed loss at one place, with moments there and at other places. */
export interface ComposedLine {
  readonly lines: readonly GroupLine[];
  readonly muSquared: Enclosure;
  readonly moment: Approximate;
  readonly others: readonly Approximate[];
  /** Of a loss with at least one jump, R(c). */
  readonly jumps: Approximate | null;
}

/** A group on a line. */
export interface GroupLine {
  readonly transform: LossTransform;
  readonly line: LineTransform;
  readonly count: number;
  readonly terms: number;
  /** ln M at the other places. */
  readonly others: readonly Approximate[];
  /** Its jumps, J(c) / M(c), and ln J at the other places; null where it has none. */
  readonly jump: {
    readonly line: LineTransform;
    readonly share: Approximate;
    readonly terms: number;
    readonly others: readonly Approximate[];
  } | null;
}

/** ln(1 + e^x) with an absolute error. */
function softplus({ value, error }: Approximate): Approximate {
  const sum = value > 40 ? value : Math.log1p(Math.exp(value));
  return { value: sum, error: Math.min(1, Math.exp(value)) * Math.expm1(error) + 8 * U * sum };
}

/** Sums, for every place, ln M of each group, and R. */
class Moments {
  readonly value: number[];
  readonly error: number[];
  readonly size: number[];
  readonly jumps: { value: number; error: number }[];

  constructor(muSquared: Enclosure, places: readonly number[]) {
    const halves = places.map((c) => (c * (c + 1)) / 2);
    this.value = halves.map((half) => muSquared.upper * half);
    this.size = this.value.map(Math.abs);
    this.error = halves.map((half) => (muSquared.upper - muSquared.lower + 4 * U * muSquared.upper) * Math.abs(half));
    this.jumps = places.map(() => ({ value: 0, error: 0 }));
  }

  add(count: number, moments: readonly Approximate[], jumps: readonly Approximate[] | null): void {
    moments.forEach(({ value, error }, i) => {
      this.value[i]! += count * value;
      this.error[i]! += count * error;
      this.size[i]! += Math.abs(count * value);
      if (jumps === null) return;
      const { value: other, error: off } = jumps[i]!;
      const more = softplus({ value: other - value, error: off + error + 2 * U * (Math.abs(other) + Math.abs(value)) });
      this.jumps[i]!.value += count * more.value;
      this.jumps[i]!.error += count * more.error;
    });
  }

  /** ln of the composed moment at the i-th place. */
  at(i: number, groups: number, withJumps: boolean): Approximate {
    const [value, error] = [this.value[i]!, this.error[i]! + (groups + 4) * U * this.size[i]!];
    if (!withJumps) return { value, error };
    const { value: r, error: off } = this.jumps[i]!;
    if (!(r > 0)) return { value: -Infinity, error: Infinity };
    // The slope of ln(e^r - 1) is 1 / (1 - e^-r).
    const slope = r > 40 ? 1 : 1 / -Math.expm1(-Math.max(r - off, r / 2));
    const own = off < r / 2 ? (off + (groups + 8) * U * r) * slope : Infinity;
    return { value: value + logExpm1(r), error: error + own + 8 * U * Math.abs(value) };
  }
}

/** @param last - t is at most this */
export function composedLine(
  { groups, muSquared }: ComposedLoss,
  c: number,
  others: readonly number[] = [],
  last = 0,
): ComposedLine {
  const places = [c, ...others];
  const moments = new Moments(muSquared, places);
  const withJumps = groups.some(({ jump }) => jump !== undefined);
  const lines = groups.map(({ transform, count, jump }): GroupLine => {
    const own = lineWith(transform, c, others, last);
    const jumpLine = jump ? lineWith(jump, c, others, last) : null;
    moments.add(count, [own.moment, ...own.others], jumpLine && [jumpLine.moment, ...jumpLine.others]);
    const groupLine = {
      transform,
      line: own.line,
      count,
      terms: own.line.terms ?? transform.terms ?? 1,
      others: own.others,
    };
    if (jumpLine === null) return { ...groupLine, jump: null };
    const log = jumpLine.moment.value - own.moment.value;
    const off =
      jumpLine.moment.error + own.moment.error + 4 * U * (Math.abs(jumpLine.moment.value) + Math.abs(own.moment.value));
    const share = Math.exp(log);
    return {
      ...groupLine,
      jump: {
        line: jumpLine.line,
        share: { value: share, error: share * Math.expm1(off) },
        terms: jumpLine.line.terms ?? jump?.terms ?? 1,
        others: jumpLine.others,
      },
    };
  });
  return {
    lines,
    muSquared,
    jumps: withJumps ? moments.jumps[0]! : null,
    moment: moments.at(0, groups.length, withJumps),
    others: others.map((_, i) => moments.at(i + 1, groups.length, withJumps)),
  };
}

/** ln E[e^(cL)] of a composed loss. */
export const composedMoment = (loss: ComposedLoss, c: number): Approximate => composedLine(loss, c).moment;
