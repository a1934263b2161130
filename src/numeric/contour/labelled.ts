import { type Approximate, enclosure, type Enclosure } from '../enclosure.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../double-double.ts';
import { approximateLogSum } from '../log-sum.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Watch } from '../watch.ts';
import { logKappa } from './aliasing.ts';
import { aboutComposed, composedLine, type ComposedLine, type ComposedLoss } from './composed-loss.ts';
import { layOut, sumOf, type Contour } from './contour.ts';
import type { Line } from './line.ts';
import { aboutOf, type BeyondLoss, type LossLabels, type LossTransform, type LossWindow } from './transform.ts';

/*
 * The curve of losses of which a few are far larger than all others. E[e^(cL)] of such a loss has a second peak far out, so that no
 * one line serves. Each step draws a label from its outcome alone: beyond, jump, or none. That changes nothing about the pair of
 * distributions, and splits the curve:
 *
 *   delta(epsilon) = delta of what has a step beyond + delta of what has none but a jump + delta of what has neither,
 *
 * each the same integral of its own measure on a line of its own. Where a step is beyond, the sum S exceeds epsilon nearly surely:
 * P(A) - e^epsilon Q(A) <= delta_A <= P(A) - e^epsilon Q(A) + E[1_A (e^(epsilon - S) - 1)+], whose last term is at most E[1_A e^(cS)]
 * e^(-c epsilon) for any c <= -1.
 */

/** A part of the losses that are labelled `beyond`. */
interface BeyondGroup {
  readonly beyond: BeyondLoss;
  readonly bulk: LossTransform;
  readonly count: number;
}

/** A composed loss with labels. */
interface Labelled {
  readonly bulk: ComposedLoss;
  readonly jumps: ComposedLoss | null;
  readonly beyond: readonly BeyondGroup[];
  /** Few groups that are about as these together. */
  readonly aboutBeyond: readonly BeyondGroup[];
}

/** Whether some of its losses bear labels. */
export const bearsLabels = ({ groups }: ComposedLoss): boolean =>
  groups.some(({ transform }) => transform.labelled !== undefined);

/** The groups without labels, with those that are jumps, and beyond. */
function labelledGroups({ groups }: ComposedLoss, labels: LossLabels) {
  const parts = groups.map(({ transform, count }) => {
    const own = transform.labelled?.(labels);
    return { count, bulk: own?.bulk ?? transform, jump: own?.jump ?? null, beyond: own?.beyond };
  });
  return {
    bulk: parts.map(({ bulk, count }) => ({ transform: bulk, count })),
    jumps: parts.map(({ bulk, jump, count }) => ({ transform: bulk, count, jump })),
    beyond: parts.flatMap(({ beyond, bulk, count }) => (beyond ? [{ beyond, bulk, count }] : [])),
  };
}

function labelled(loss: ComposedLoss, labels: LossLabels): Labelled {
  const { outline, ...whole } = loss;
  const all = labelledGroups(loss, labels);
  const few = outline ? labelledGroups(outline, labels) : all;
  const made = (kind: 'bulk' | 'jumps'): ComposedLoss =>
    outline
      ? { ...whole, groups: all[kind], outline: { ...whole, groups: few[kind] } }
      : { ...whole, groups: all[kind] };
  const hasJumps = few.jumps.some(({ jump }) => jump !== null && aboutOf(jump, 0).value > -Infinity);
  return { bulk: made('bulk'), jumps: hasJumps ? made('jumps') : null, beyond: all.beyond, aboutBeyond: few.beyond };
}

/** The windows in which losses become `beyond`, over epsilon: from the nearest. */
const BEYOND = [
  [1.05, 1.3],
  [1.2, 1.9],
  [1.5, 2.4],
  [2, 3.2],
  [3, 5],
  [5, 8],
  [9, 14],
  [20, 32],
  [60, 96],
  [300, 480],
  [3e3, 4.8e3],
  [1e5, 1.6e5],
  [1e7, 1.6e7],
] as const;
/** The same of jumps, in the order in which they are tried. */
const USUAL_JUMPS = [0.4, 0.88] as const;
const JUMPS = [USUAL_JUMPS, [0.2, 0.44], [0.1, 0.22], [0.65, 0.93], [0.05, 0.11], [0.02, 0.044]] as const;

const windowOf = ([from, to]: readonly [number, number], epsilon: number): LossWindow => ({
  from: from * epsilon,
  to: to * epsilon,
});

/** Of the whole, what may be unknown of the losses beyond, and be left out. */
const LEFT_OUT = Math.log(1e-11);
/** Of the whole, what is so small is not looked into. */
const NEGLIGIBLE = Math.log(1e-13);

/** The saddle point c > 0 of e^(K(c) - c epsilon) / (c (c + 1)): where mean(c) = epsilon + 1 / c + 1 / (1 + c), both sides of which are monotone. */
export function saddlePoint(loss: ComposedLoss, epsilon: number, start: number): number {
  const excess = (c: number): number => aboutComposed(loss, c).mean - epsilon - 1 / c - 1 / (1 + c);
  let [low, high] = [start, start];
  let [below, above] = [NaN, NaN];
  for (let c = start, factor = 4; ; factor *= 2) {
    const value = excess(c);
    if (value < 0) {
      [low, below] = [c, value];
      if (!Number.isNaN(above) || c > 1e18) break;
      c *= factor;
    } else {
      [high, above] = [c, value];
      if (!Number.isNaN(below) || c < 1e-18) break;
      c /= factor;
    }
  }
  if (Number.isNaN(above)) return low;
  if (Number.isNaN(below)) return high;
  let [a, b] = [Math.log(low), Math.log(high)];
  for (let step = 0; step < 40 && b - a > 1e-3; step++) {
    const secant = a - (below * (b - a)) / (above - below);
    const middle = step % 3 === 2 ? (a + b) / 2 : Math.min(b - 0.02 * (b - a), Math.max(a + 0.02 * (b - a), secant));
    const value = excess(Math.exp(middle));
    if (value < 0) [a, below] = [middle, value];
    else [b, above] = [middle, value];
    if (Math.abs(value) < 1e-3 * epsilon) return Math.exp(middle);
  }
  return Math.exp(-below < above ? a : b);
}

/** ln delta(epsilon), about, by the saddle point c. */
function saddleValue(loss: ComposedLoss, c: number, epsilon: number): number {
  const { value, variance } = aboutComposed(loss, c);
  const width2 = variance + 1 / (c * c) + 1 / ((1 + c) * (1 + c));
  return value - c * epsilon - Math.log(c) - Math.log1p(c) - 0.5 * Math.log(2 * Math.PI * width2);
}

/** About ln(P(A) - e^epsilon Q(A)) of the losses beyond. */
function logBeyondAbout(groups: readonly BeyondGroup[], epsilon: number): number {
  const logAny = (c: number): number => {
    const none = groups.reduce(
      (sum, { beyond, count }) => sum + count * Math.log1p(-Math.min(1 - 1e-16, Math.exp(beyond.about(c)))),
      0,
    );
    return none === 0 ? -Infinity : Math.log(-Math.expm1(none));
  };
  const [own, other] = [logAny(0), logAny(-1) + epsilon];
  return other < own ? own + Math.log(-Math.expm1(other - own)) : -Infinity;
}

/** Places c < -1 at which E[1_A e^(cS)] e^(-c epsilon) is looked at, by (-1 - c) epsilon. */
const DEPTHS = [0.15, 0.5, 1.5, 4, 10, 25, 60, 150, 400, 1000, 3000];

/** About ln of what is not known of the losses beyond, at its least, and the place c where it is that. */
function aboutRest(
  { bulk, aboutBeyond: beyond }: Labelled,
  epsilon: number,
): { readonly log: number; readonly c: number } {
  let best = { log: Infinity, c: -1 };
  for (const depth of [0, ...DEPTHS]) {
    const c = -1 - depth / epsilon;
    const shares = beyond.map(
      ({ beyond: own, bulk: { about }, count }) => Math.log(count) + own.about(c) - about!(c).value,
    );
    const share = shares.reduce(approximateLogSum, -Infinity);
    const log = aboutComposed(bulk, c).value + share + Math.exp(Math.min(700, share)) - c * epsilon;
    if (log < best.log) best = { log, c };
    else if (log > best.log + 10) break;
  }
  return best;
}

/** How a curve is split at an epsilon. */
interface Split extends Labelled {
  readonly labels: LossLabels;
  /** The saddle point of what has no label. */
  readonly c: number;
  /** ln delta, about. */
  readonly logDelta: number;
  /** The place by which the losses beyond are bounded. */
  readonly place: number;
}

/** What of the losses is beyond, at about the nearest window for which next to nothing is unknown. */
interface Cut {
  readonly window: LossWindow;
  readonly c: number;
  readonly place: number;
  /** ln of the curve of what is beyond, and of all, about. */
  readonly logBeyond: number;
  readonly logDelta: number;
}

function cutAt(loss: ComposedLoss, epsilon: number, scale: number, start: number): Cut {
  let c = start;
  for (const [at, ends] of BEYOND.entries()) {
    const window = windowOf(ends, scale);
    const parts = labelled(loss, { beyond: window, jump: null });
    c = saddlePoint(parts.bulk, epsilon, c);
    const logBeyond = logBeyondAbout(parts.aboutBeyond, epsilon);
    const logDelta = approximateLogSum(saddleValue(parts.bulk, c, epsilon), logBeyond);
    const rest = parts.beyond.length === 0 ? { log: -Infinity, c: -1 } : aboutRest(parts, epsilon);
    if (rest.log < logDelta + LEFT_OUT || at === BEYOND.length - 1)
      return { window, c, place: rest.c, logBeyond, logDelta };
  }
  throw new Error('There are windows.');
}

/** The same with jumps from a window on. */
function splitWith(loss: ComposedLoss, cut: Cut, jump: LossWindow | null, epsilon: number): Split {
  const labels = { beyond: cut.window, jump };
  const parts = labelled(loss, labels);
  const { c, place } = cut;
  if (jump === null) return { ...parts, labels, c, place, logDelta: cut.logDelta };
  const logDelta = [parts.bulk, parts.jumps].reduce(
    (sum, part) =>
      part === null ? sum : approximateLogSum(sum, saddleValue(part, saddlePoint(part, epsilon, c), epsilon)),
    cut.logBeyond,
  );
  return { ...parts, labels, c, place, logDelta };
}

/**
 * Encloses ln of the curve of the losses beyond. Groups of which next to nothing is beyond count with the most that it may be, on
 * which no loss is below 0.
 */
function beyondCurve(
  { beyond, place, logDelta }: Split,
  bulk: ComposedLine,
  jumps: ComposedLine | null,
): (epsilon: DoubleDouble) => Enclosure {
  const most = beyond.map((group) => ({ ...group, logMost: Math.log(group.count) + group.beyond.logMost() }));
  const logSum = (groups: typeof most): number =>
    groups.reduce((sum, each) => approximateLogSum(sum, each.logMost), -Infinity);
  const logMost = Math.min(0, logSum(most));
  const isSmall = ({ logMost: own }: (typeof most)[number]): boolean =>
    own < logDelta + NEGLIGIBLE - Math.log(beyond.length);
  const [small, large] = [most.filter(isSmall), most.filter((group) => !isSmall(group))];
  if (large.length === 0) return () => enclosure(-Infinity, logMost);
  const bulks = new Map(bulk.lines.map((line) => [line.transform, line]));
  let [own, ownError, other, otherError, share] = [0, 0, 0, 0, 0];
  for (const group of large) {
    const known = group.beyond.moments(place);
    if (known === null) return () => enclosure(-Infinity, logMost);
    const { count } = group;
    const [p, q, at] = known;
    const [logP, logQ] = [p, q].map(({ value }) => count * Math.log1p(-Math.min(1, Math.exp(value))));
    own += logP!;
    other += logQ!;
    // The slope of ln(1 - e^x) is -e^x / (1 - e^x).
    ownError += ((count * p.error * Math.exp(p.value)) / -Math.expm1(p.value)) * 1.1 + 8 * U * Math.abs(logP!);
    otherError += ((count * q.error * Math.exp(q.value)) / -Math.expm1(q.value)) * 1.1 + 8 * U * Math.abs(logQ!);
    const whole = bulks.get(group.bulk)!.others.at(-1)!;
    share += count * Math.exp(at.value + at.error - whole.value + whole.error);
  }
  const jumping = (jumps?.lines ?? []).reduce((sum, { count, jump, others }) => {
    const [one, whole] = [jump?.others.at(-1), others.at(-1)!];
    return one ? sum + count * Math.exp(one.value + one.error - whole.value + whole.error) : sum;
  }, 0);
  const besides = small.reduce((sum, { bulk: own, logMost: log }) => {
    const whole = bulks.get(own)!.others.at(-1)!;
    return sum + Math.exp(log - whole.value + whole.error);
  }, 0);
  const all = bulk.others.at(-1)!;
  // M of all is that of the bulk times 1 and the shares of what are jumps, and beyond, at most.
  const logRest = all.value + all.error + share + jumping + besides + Math.log(share);
  const left = Math.exp(logSum(small)) * (1 + 1e-9);
  return (x) => {
    const epsilon = toDouble(x);
    const [p, q] = [-Math.expm1(own), -Math.exp(epsilon) * Math.expm1(other)];
    const off = ownError * 1.1 + Math.exp(epsilon) * otherError * 1.1 + 16 * U * (p + q * (1 + epsilon));
    const rest = Math.exp(logRest - place * epsilon + 1e-12 * (Math.abs(logRest) + Math.abs(place * epsilon)));
    const [lower, upper] = [p - q - off, Math.min(p, p - q + rest) + off + left];
    return enclosure(
      lower > 0 ? Math.log(lower) - 1e-15 : -Infinity,
      Math.min(logMost, upper > 0 ? Math.log(upper) + 1e-15 : -Infinity),
    );
  };
}

/** Epsilons next to each other in the ratio e^STRETCH are served by one split. */
const STRETCH = 0.08;
/** No stretch is longer than so many deviations of the sum. */
const WIDE = 2;
/** Below this share of the typical sum all epsilons are. */
const SMALL = 0.02;
/** A split of so few terms of moments is not bettered; one of more than so many is drawn for a larger width. */
const FEW_TERMS = 1.25e5;
const MANY_TERMS = 2e6;
const WIDER = 100;
/** Where the bulk has so many deviations at the inverse of a saddle point, about, its nodes are more than another split has. */
const SLOWEST = 12;
/** Of ln delta, what the saddle point is off by where losses have no jumps. */
const MISSED_BY_FEW = 0.5;
/** A curve that is below its first estimate by more is drawn anew. */
const MISSED = 1.5;

/** About how large the sum usually is. */
const typicalSum = ({ groups, outline, muSquared }: ComposedLoss): number =>
  Math.sqrt(
    (outline?.groups ?? groups).reduce<number>(
      (sum, { transform, count }) => sum + count * (transform.typical?.() ?? transform.on(0).deviation) ** 2,
      muSquared.upper,
    ),
  );

/** What a loss is like: below `smallest` no epsilon differs from 0 by much; and the mean and the deviation of the loss. */
interface Scales {
  readonly smallest: number;
  readonly mean: number;
  readonly deviation: number;
}

/**
 * The stretch of epsilons that an epsilon lies in. Stretches are of a share STRETCH of epsilon, but from 2 deviations on no longer
 * than that, until they are of a share STRETCH of what epsilon is more than the mean.
 */
function stretchOf(
  { smallest, mean, deviation }: Scales,
  epsilon: number,
): { readonly from: number; readonly to: number } {
  if (epsilon <= smallest) return { from: 0, to: smallest };
  const length = WIDE * deviation;
  const [first, second] = [length / STRETCH, Math.max(0, mean) + length / STRETCH];
  /** The stretch of x among those that begin at `start` and grow in the ratio e^STRETCH, off by `offset`. */
  const growing = (start: number, end: number, offset: number): { readonly from: number; readonly to: number } => {
    const base = start - offset;
    const at = Math.floor(Math.log((epsilon - offset) / base) / STRETCH);
    const place = (step: number): number => Math.min(end, offset + base * Math.exp(step * STRETCH));
    return { from: place(at), to: place(at + 1) };
  };
  if (epsilon < first) return growing(smallest, first, 0);
  const start = Math.max(first, smallest);
  if (epsilon < second) {
    const at = Math.floor((epsilon - start) / length);
    return { from: start + at * length, to: Math.min(second, start + (at + 1) * length) };
  }
  return growing(Math.max(start, second), Infinity, Math.max(0, mean));
}

/** The curve of a loss that bears labels. */
export interface LabelledCurve {
  /** About the epsilon at which ln delta is a target. */
  readonly epsilonAbout: (logDelta: number) => number;
  /** The stretch that serves an epsilon. */
  readonly lineOf: (epsilon: number) => Line;
  /** The curve on a stretch, to about the relative width. */
  readonly contourOn: (line: Line, width: number, watch: Watch) => Contour;
}

/** A part of the measure on a line, that is to be drawn. */
interface Part {
  readonly c: number;
  readonly line: ComposedLine;
  /** How many terms of moments that takes. */
  readonly work: number;
  readonly draw: (watch: Watch) => (epsilon: DoubleDouble) => Enclosure;
}

/** A split with its parts. */
interface Plan {
  readonly split: Split;
  readonly window: (typeof JUMPS)[number] | null;
  readonly bulk: Part;
  readonly jumps: Part | null;
  readonly work: number;
}

/** ln of a curve of which a Chernoff bound is all that counts. */
function belowChernoff({ value, error }: Approximate, c: number): (epsilon: DoubleDouble) => Enclosure {
  const top = value + error + logKappa(c) + 1e-12 * (1 + c + Math.abs(value));
  return (x) => {
    const move = c * toDouble(x);
    return enclosure(-Infinity, Math.min(0, top - move + 4 * U * (Math.abs(top) + Math.abs(move))));
  };
}

export function labelledCurve(loss: ComposedLoss): LabelledCurve {
  const typical = typicalSum(loss);
  const smallest = Math.max(1e-290, SMALL * typical);
  const { mean, variance } = aboutComposed(loss, 0);
  const scales = { smallest, mean, deviation: Math.sqrt(variance) };

  /** A part of the measure on its own line; null where its moments are not known. */
  function partOf(part: ComposedLoss, split: Split, line: Line, logWhole: number, width: number): Part | null {
    const { from, to } = line;
    const also = [split.place];
    const c = saddlePoint(part, from + (to - from) / 2, split.c);
    const { value } = aboutComposed(part, c);
    if (value + logKappa(c) - c * from < logWhole + LEFT_OUT) {
      const own = composedLine(part, c, also);
      return own.moment.error === Infinity ? null : { c, line: own, work: 0, draw: () => belowChernoff(own.moment, c) };
    }
    const goal = { line: { side: 'above', c, from, to, steepness: c * (c + 1) } as const, width, logWhole, also };
    const laid = layOut(part, null, goal);
    if (laid === null) return null;
    return { c, line: laid.line, work: laid.work(), draw: (watch) => laid.draw(Infinity, watch)!.logValue };
  }

  /** The curve on a stretch by one split. */
  function drawn({ split, bulk, jumps }: Plan, watch: Watch): Contour {
    const curves = [
      bulk.draw(watch),
      ...(jumps ? [jumps.draw(watch)] : []),
      beyondCurve(split, bulk.line, jumps?.line ?? null),
    ];
    return {
      c: (jumps && jumps.work > 0 ? jumps : bulk).c,
      size: bulk.work + (jumps?.work ?? 0),
      isCut: true,
      logValue: (x) => sumOf(curves.map((curve) => curve(x))),
    };
  }

  function contourOn(line: Line, asked: number, watch: Watch): Contour {
    const { from, to } = line;
    const epsilon = from + (to - from) / 2;
    const scale = Math.max(to, smallest);
    const cut = cutAt(loss, epsilon, scale, 1 / scale);
    const usual = splitWith(loss, cut, windowOf(USUAL_JUMPS, scale), epsilon);
    let logWhole = Math.min(usual.logDelta, cut.logDelta);
    // Without jumps terms fall as those of the bulk do, besides which few jumps do not fall: where that is soon enough, it comes first.
    const hasFewNodes = typical * cut.c * SLOWEST > 1 && cut.logDelta < usual.logDelta + MISSED_BY_FEW;
    const windows = hasFewNodes ? [null, ...JUMPS] : [...JUMPS, null];
    const planWith = (of: ComposedLoss, window: (typeof JUMPS)[number] | null, width: number): Plan | null => {
      const split =
        of === loss && window === USUAL_JUMPS ? usual : splitWith(of, cut, window && windowOf(window, scale), epsilon);
      const bulk = partOf(split.bulk, split, line, logWhole, width);
      const jumps = bulk && split.jumps && partOf(split.jumps, split, line, logWhole, width);
      if (bulk === null || (split.jumps !== null && jumps === null)) return null;
      return { split, bulk, jumps, window, work: bulk.work + (jumps?.work ?? 0) };
    };
    const plan = (width: number): Plan | null => {
      let best: Plan | null = null;
      for (const window of windows) {
        const found = planWith(loss.outline ?? loss, window, width);
        if (found !== null && (best === null || found.work < best.work)) best = found;
        if (best !== null && best.work < FEW_TERMS) break;
      }
      return best;
    };
    for (let width = asked; width < 1; width *= WIDER) {
      const planned = plan(width);
      if (planned === null || planned.work > MANY_TERMS) continue;
      let best = loss.outline ? planWith(loss, planned.window, width) : planned;
      if (best === null) continue;
      for (let tries = 0; ; tries++) {
        const found = drawn(best, watch);
        const { upper } = found.logValue(fromDouble(epsilon));
        if (upper > logWhole - MISSED || tries === 2) return found;
        logWhole = upper;
        best = planWith(loss, best.window, width) ?? best;
      }
    }
    return { c: cut.c, size: 0, isCut: true, logValue: () => enclosure(-Infinity, 0) };
  }

  return {
    lineOf(epsilon) {
      const { from, to } = stretchOf(scales, epsilon);
      return { side: 'above', c: NaN, from, to, steepness: NaN };
    },
    contourOn,
    epsilonAbout(logDelta) {
      let c = 1 / smallest;
      const gap = (log: number): number => {
        const epsilon = Math.exp(log);
        const scale = Math.max(epsilon, smallest);
        const cut = cutAt(loss, epsilon, scale, c);
        c = cut.c;
        // With jumps it is no larger.
        if (cut.logDelta < logDelta - 1) return cut.logDelta - logDelta;
        const { logDelta: value } = splitWith(loss, cut, windowOf(USUAL_JUMPS, scale), epsilon);
        return Math.min(value, cut.logDelta) - logDelta;
      };
      let x = Math.log(smallest) + 3;
      let [low, high, lowGap, highGap] = [-Infinity, Infinity, NaN, NaN];
      for (let step = 0; step < 60; step++) {
        const value = gap(x);
        if (Math.abs(value) < 0.05) break;
        if (value > 0) [low, lowGap] = [x, value];
        else [high, highGap] = [x, value];
        if (low === -Infinity) {
          if (x < Math.log(smallest) - 2) return 0;
          x -= 1.5 * (step + 1);
        } else if (high === Infinity) {
          if (x > 40) return Math.exp(x);
          x += 0.7 * (step + 1);
        } else {
          if (high - low < 1e-4) break;
          const secant = low + (lowGap * (high - low)) / (lowGap - highGap);
          x =
            step % 3 === 2
              ? (low + high) / 2
              : Math.min(high - 0.02 * (high - low), Math.max(low + 0.02 * (high - low), secant));
        }
      }
      return Math.exp(x);
    },
  };
}
