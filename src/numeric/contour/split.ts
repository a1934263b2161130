import { approximateLogSum } from '../enclosure-arithmetic.ts';
import { aboutComposed, type ComposedLoss } from './composed-loss.ts';
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
 * e^(-c epsilon) for any c <= -1. Q is what the other distribution has where losses are finite, over the probability of finite
 * losses under P: of a step E[e^-L] = T, which is 1 only where neither has outcomes of its own.
 */

/** How nearly a saddle point is found: relatively, and of epsilon. */
const NEAR = 0.01;

/** ln c moves by no more than this at first, and twice as much with every step. */
const FARTHEST = 0.5;
const MOST_STEPS = 80;

/**
 * The saddle point c > 0 of e^(K(c) - c epsilon) / (c (c + 1)): where mean(c) = epsilon + 1 / c + 1 / (1 + c), both sides of which are
 * monotone. By Newton's method in ln c, held between what is known on both sides; where the mean leaps, the nearer side of the leap.
 */
export function saddlePoint(loss: ComposedLoss, epsilon: number, start: number): number {
  let [low, high] = [
    { c: 0, excess: -Infinity },
    { c: Infinity, excess: Infinity },
  ];
  for (let step = 0, c = start; step < MOST_STEPS && c > 1e-18 && c < 1e18; step++) {
    const { mean, variance } = aboutComposed(loss, c);
    const excess = mean - epsilon - 1 / c - 1 / (1 + c);
    if (excess < 0) low = { c, excess };
    else high = { c, excess };
    if (Math.abs(excess) < NEAR * Math.min(epsilon, 1 / c) || high.c - low.c < NEAR * low.c) break;
    const most = FARTHEST * 2 ** step;
    const move = -excess / (c * variance + 1 / c + c / ((1 + c) * (1 + c)));
    const next = c * Math.exp(Math.max(-most, Math.min(most, move)));
    const isBracketed = low.c > 0 && high.c < Infinity;
    const isNewton = next > low.c && next < high.c && !(isBracketed && step % 3 === 2);
    if (!isBracketed && !isNewton) break;
    // The height of the integrand falls by half of the excess times the step.
    if (isNewton && Math.abs(move) < NEAR / 4 && Math.abs(excess * c * move) < NEAR) break;
    c = isNewton ? next : Math.sqrt(low.c * high.c);
  }
  return -low.excess < high.excess ? low.c : high.c;
}

/** ln delta(epsilon), about, by the saddle point c. */
function saddleValue(loss: ComposedLoss, c: number, epsilon: number): number {
  const { value, variance } = aboutComposed(loss, c);
  const width2 = variance + 1 / (c * c) + 1 / ((1 + c) * (1 + c));
  return value - c * epsilon - Math.log(c) - Math.log1p(c) - 0.5 * Math.log(2 * Math.PI * width2);
}

/** A part of the losses that are labelled `beyond`. */
interface BeyondGroup {
  readonly beyond: BeyondLoss;
  readonly bulk: LossTransform;
  /** The losses with and without labels. */
  readonly whole: LossTransform;
  readonly count: number;
}

/** A composed loss with labels. */
interface Labelled {
  readonly bulk: ComposedLoss;
  readonly jumps: ComposedLoss | null;
  readonly beyond: readonly BeyondGroup[];
  /** ln of at most the probability that has been left out. */
  readonly logLost: number;
  /** Few groups that are about as these together. */
  readonly aboutBeyond: readonly BeyondGroup[];
}

/** The groups without labels, with those that are jumps, and beyond. */
function labelledGroups({ groups }: ComposedLoss, labels: LossLabels) {
  const parts = groups.map(({ transform, count }) => {
    const own = transform.labelled?.(labels);
    const logLost = own ? Math.log(count) + own.logLost : -Infinity;
    return {
      count,
      whole: transform,
      bulk: own?.bulk ?? transform,
      jump: own?.jump ?? null,
      beyond: own?.beyond,
      logLost,
    };
  });
  return {
    logLost: parts.reduce((sum, part) => approximateLogSum(sum, part.logLost), -Infinity),
    bulk: parts.map(({ bulk, count }) => ({ transform: bulk, count })),
    jumps: parts.map(({ bulk, jump, count }) => ({ transform: bulk, count, jump })),
    beyond: parts.flatMap(({ beyond, bulk, whole, count }) => (beyond ? [{ beyond, bulk, whole, count }] : [])),
  };
}

function labelled(loss: ComposedLoss, labels: LossLabels): Labelled {
  const { outline, ...whole } = loss;
  const all = labelledGroups(loss, labels);
  const few = outline ? labelledGroups(outline, labels) : all;
  const partOf = (kind: 'bulk' | 'jumps'): ComposedLoss =>
    outline
      ? { ...whole, groups: all[kind], outline: { ...whole, groups: few[kind] } }
      : { ...whole, groups: all[kind] };
  return {
    bulk: partOf('bulk'),
    jumps: all.jumps.some(({ jump }) => jump !== null) ? partOf('jumps') : null,
    beyond: all.beyond,
    aboutBeyond: few.beyond,
    logLost: all.logLost,
  };
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
/** Windows of jumps over epsilon, in the order in which they are tried. */
export const USUAL_JUMPS = [0.4, 0.88] as const;
export const JUMPS = [USUAL_JUMPS, [0.2, 0.44], [0.1, 0.22], [0.65, 0.93], [0.05, 0.11], [0.02, 0.044]] as const;

export const windowOf = ([from, to]: readonly [number, number], epsilon: number): LossWindow => ({
  from: from * epsilon,
  to: to * epsilon,
});

/** Of the whole, what may be unknown of the losses beyond, and be left out. */
export const LEFT_OUT = Math.log(1e-11);
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

/** Places c < -1 at which E[1_A e^(cS)] e^(-c epsilon) is looked at, by -1 - c over what windows are multiples of. */
const DEPTHS = [0.15, 0.5, 1.5, 4, 10, 25, 60, 150, 400, 1000, 3000];

/** About ln of what is not known of the losses beyond, and a place c where it is that: the first where it is little enough, or its least. */
function aboutRest(
  { bulk, aboutBeyond: beyond }: Labelled,
  epsilon: number,
  scale: number,
  enough: number,
): { readonly log: number; readonly c: number } {
  const { groups, muSquared } = bulk.outline ?? bulk;
  let best = { log: Infinity, c: -1 };
  for (const depth of [0, ...DEPTHS]) {
    const c = -1 - depth / scale;
    const values = new Map(groups.map(({ transform }) => [transform, aboutOf(transform, c).value]));
    const whole = groups.reduce(
      (sum, { transform, count }) => sum + count * values.get(transform)!,
      (muSquared.upper * c * (c + 1)) / 2,
    );
    const shares = beyond.map((group) => Math.log(group.count) + group.beyond.about(c) - values.get(group.bulk)!);
    const share = shares.reduce(approximateLogSum, -Infinity);
    const log = whole + share + Math.exp(Math.min(700, share)) - c * epsilon;
    if (log < best.log) best = { log, c };
    else if (log > best.log + 10) break;
    if (log < enough) break;
  }
  return best;
}

/** How a curve is split at an epsilon. */
export interface Split extends Labelled {
  readonly labels: LossLabels;
  /** The saddle point of what has no label. */
  readonly c: number;
  /** ln delta, about. */
  readonly logDelta: number;
  /** The place by which the losses beyond are bounded. */
  readonly place: number;
}

/** What of the losses is beyond, at about the nearest window for which next to nothing is unknown. */
export interface Cut {
  readonly window: LossWindow;
  readonly c: number;
  readonly place: number;
  /** ln of the curve of what is beyond, and of all, about. */
  readonly logBeyond: number;
  readonly logDelta: number;
}

export function cutAt(loss: ComposedLoss, epsilon: number, scale: number, start: number): Cut {
  let c = start;
  for (const [at, ends] of BEYOND.entries()) {
    const window = windowOf(ends, scale);
    const parts = labelled(loss, { beyond: window, jump: null });
    c = saddlePoint(parts.bulk, epsilon, c);
    const logBeyond = logBeyondAbout(parts.aboutBeyond, epsilon);
    const logDelta = approximateLogSum(saddleValue(parts.bulk, c, epsilon), logBeyond);
    const enough = logDelta + LEFT_OUT;
    const rest = parts.beyond.length === 0 ? { log: -Infinity, c: -1 } : aboutRest(parts, epsilon, scale, enough);
    if (rest.log < enough || at === BEYOND.length - 1) return { window, c, place: rest.c, logBeyond, logDelta };
  }
  throw new Error('There are windows.');
}

/** The same with jumps from a window on. */
export function splitWith(loss: ComposedLoss, cut: Cut, jump: LossWindow | null, epsilon: number): Split {
  const labels = { beyond: cut.window, jump };
  const parts = labelled(loss, labels);
  const { c, place } = cut;
  const logDelta = [parts.bulk, parts.jumps].reduce(
    (sum, part) =>
      part === null ? sum : approximateLogSum(sum, saddleValue(part, saddlePoint(part, epsilon, c), epsilon)),
    cut.logBeyond,
  );
  return { ...parts, labels, c, place, logDelta };
}
