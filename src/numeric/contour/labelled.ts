import { type Approximate, enclosure, type Enclosure, width as widthOf } from '../enclosure.ts';
import { fromDouble, toDouble, type DoubleDouble } from '../double-double.ts';
import { leadingDigits, UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Watch } from '../watch.ts';
import { logKappa } from './aliasing.ts';
import { beyondCurve } from './beyond-curve.ts';
import { aboutComposed, composedLine, type ComposedLine, type ComposedLoss } from './composed-loss.ts';
import { layOut, sumOf, type Contour, type LaidOut } from './contour.ts';
import type { Line } from './line.ts';
import { cutAt, JUMPS, LEFT_OUT, saddlePoint, splitWith, USUAL_JUMPS, windowOf, type Split } from './split.ts';
import { logOtherOf } from './transform.ts';

/** Whether some of its losses may bear labels, or are of their kind. */
export const isOutlined = ({ groups }: ComposedLoss): boolean =>
  groups.some(({ transform }) => transform.typical !== undefined);

/** Epsilons next to each other in the ratio e^STRETCH are served by one split. */
const STRETCH = 0.08;
/** A saddle point is looked for from at most so many inverse epsilons on, where losses may have jumps. */
const MOST = 30;
/** No stretch is longer than so many deviations of the sum. */
const WIDE = 2;
/**
 * Saddle points are looked for from the left, as if the typical sum were so many times as large: where one loss far out begins to decide, what
 * is known of moments only about has false ones.
 */
const LEFT = 1.5;
/** A first look is at so many parts of what a normal loss of the typical sum has. */
const START = 0.8;
/** A loss is looked at as if it had a deviation of at least this share of its mean. */
const CONSTANT = 1e-4;
/** Below this share of the typical sum all epsilons are. */
const SMALL = 0.02;
/** A split of so few terms of moments is not bettered; one of more than so many is drawn for a larger width. */
const FEW_TERMS = 1.25e5;
const MANY_TERMS = 2e6;
const WIDER = 100;
/** A part that has no end in sight takes more than was planned: of so many terms it is given up. */
const MOST_TERMS = 100 * MANY_TERMS;
const UNKNOWN = (): Enclosure => enclosure(-Infinity, 0);
/** Where the bulk has so many deviations at the inverse of a saddle point, about, its nodes are more than another split has. */
const SLOWEST = 12;
/** Of ln delta, what the saddle point is off by where losses have no jumps. */
const MISSED_BY_FEW = 0.5;
/** A curve so many times as wide as was asked is drawn by other windows too. */
const NARROW = 30;
/** But for one that is as narrow as this, where so many other windows after it are not narrower. */
const NARROW_ENOUGH = 1e-5;
const VAIN = 2;
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

/** A tilt less than half an inverse deviation from one, that like losses have too. */
function sharedTilt(c: number, deviation: number): number {
  const digits = Math.max(6, Math.ceil(Math.log2(2 * c * deviation)));
  return digits < 50 ? leadingDigits(c * (1 + 2 ** -digits), digits) : c;
}

/** Places in the ratio e^STRETCH, the same for all losses. */
const placeAt = (step: number): number => Math.exp(STRETCH * step);
const stepOf = (place: number): number => Math.log(place) / STRETCH;

/**
 * The stretch of epsilons that an epsilon lies in. Stretches are of a share STRETCH of epsilon, but from 2 deviations on no longer
 * than that, until they are of a share STRETCH of what epsilon is more than the mean.
 */
function stretchOf(
  { smallest, mean, deviation }: Scales,
  epsilon: number,
): { readonly from: number; readonly to: number } {
  if (epsilon <= smallest) return { from: 0, to: smallest };
  const first = placeAt(Math.ceil(stepOf((WIDE * deviation) / STRETCH)));
  const length = STRETCH * first;
  const second = Math.max(0, mean) + first;
  if (epsilon < first) {
    const at = Math.floor(stepOf(epsilon));
    return { from: placeAt(at), to: placeAt(at + 1) };
  }
  const start = Math.max(first, smallest);
  if (epsilon < second) {
    const at = Math.floor((epsilon - start) / length);
    return { from: start + at * length, to: Math.min(second, start + (at + 1) * length) };
  }
  const offset = Math.max(0, mean);
  const base = Math.max(start, second) - offset;
  const at = Math.floor(stepOf((epsilon - offset) / base));
  return { from: offset + base * placeAt(at), to: offset + base * placeAt(at + 1) };
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

const drawn =
  (laid: LaidOut): Part['draw'] =>
  (watch) =>
    laid.draw(MOST_TERMS, watch)?.logValue ?? UNKNOWN;

/** ln of a curve of which a Chernoff bound is all that counts. */
function belowChernoff({ value, error }: Approximate, c: number): (epsilon: DoubleDouble) => Enclosure {
  const top = value + error + logKappa(c) + 1e-12 * (1 + c + Math.abs(value));
  return (x) => {
    const move = c * toDouble(x);
    return enclosure(-Infinity, Math.min(0, top - move + 4 * U * (Math.abs(top) + Math.abs(move))));
  };
}

/** Where a falling function is about 0: by steps down or up that grow, then by secants; -Infinity below the least place. */
function crossingOf(
  gap: (x: number) => number,
  start: number,
  least: number,
  [down, up]: readonly [down: number, up: number],
): number {
  let x = start;
  let [low, high, lowGap, highGap] = [-Infinity, Infinity, NaN, NaN];
  for (let step = 0; step < 60; step++) {
    const value = gap(x);
    if (Math.abs(value) < 0.05) break;
    if (value > 0) [low, lowGap] = [x, value];
    else [high, highGap] = [x, value];
    if (low === -Infinity) {
      if (x < least) return -Infinity;
      x -= down * (step + 1);
    } else if (high === Infinity) {
      if (x > 40) return x;
      x += up * (step + 1);
    } else {
      if (high - low < 1e-4) break;
      const secant = low + (lowGap * (high - low)) / (lowGap - highGap);
      x =
        step % 3 === 2
          ? (low + high) / 2
          : Math.min(high - 0.02 * (high - low), Math.max(low + 0.02 * (high - low), secant));
    }
  }
  return x;
}

/**
 * @param largest - no sum of losses exceeds it: lines of what lies beyond do not exist, and the middle of a stretch must not
 */
export function labelledCurve(loss: ComposedLoss, largest: number): LabelledCurve {
  const bearsLabels = loss.groups.some(({ transform }) => transform.labelled !== undefined);
  const typical = typicalSum(loss);
  const smallest = placeAt(Math.floor(stepOf(Math.max(1e-290, SMALL * typical))));
  const { mean, variance } = aboutComposed(loss, 0);
  const scales = { smallest, mean, deviation: Math.max(Math.sqrt(variance), CONSTANT * Math.abs(mean)) };

  let cachedLogOther: Approximate | null = null;
  /** ln E[e^-S]. */
  function logOther(): Approximate {
    return (cachedLogOther ??= loss.groups.reduce(
      (sum, { transform, count }) => {
        const { value, error } = logOtherOf(transform);
        const next = sum.value + count * value;
        return { value: next, error: sum.error + count * error + 4 * U * (count * Math.abs(value) + Math.abs(next)) };
      },
      { value: 0, error: 0 },
    ));
  }

  /** A part of the measure on its own line; null where its moments are not known. */
  function partOf(part: ComposedLoss, split: Split, line: Line, logWhole: number, width: number): Part | null {
    const { from, to } = line;
    const also = [split.place];
    const saddle = saddlePoint(part, from + (to - from) / 2, split.c);
    const c = sharedTilt(saddle, Math.sqrt(aboutComposed(part, saddle).variance));
    const { value } = aboutComposed(part, c);
    if (value + logKappa(c) - c * from < logWhole + LEFT_OUT) {
      const own = composedLine(part, c, also);
      return own.moment.error === Infinity ? null : { c, line: own, work: 0, draw: () => belowChernoff(own.moment, c) };
    }
    const goal = { line: { side: 'above', c, from, to, steepness: c * (c + 1) } as const, width, logWhole, also };
    const laid = layOut(part, null, goal);
    if (laid === null) return null;
    return { c, line: laid.line, work: laid.work(), draw: drawn(laid) };
  }

  /** The curve on a stretch by one split. */
  function contourOfPlan({ split, bulk, jumps }: Plan, isCut: boolean, watch: Watch): Contour {
    const curves = [
      bulk.draw(watch),
      ...(jumps ? [jumps.draw(watch)] : []),
      beyondCurve(split, bulk.line, jumps?.line ?? null, logOther()),
      () => enclosure(-Infinity, Math.min(0, split.logLost)),
    ];
    return {
      c: (jumps && jumps.work > 0 ? jumps : bulk).c,
      size: bulk.work + (jumps?.work ?? 0),
      isCut,
      logValue: (x) => sumOf(curves.map((curve) => curve(x))),
    };
  }

  function contourOn(line: Line, targetWidth: number, watch: Watch): Contour {
    const { from, to } = line;
    const epsilon = from + (to - from) / 2;
    const scale = stretchOf(scales, epsilon).to;
    const normal = bearsLabels
      ? Math.min(MOST / scale, epsilon / typical ** 2)
      : (epsilon - mean) / scales.deviation ** 2;
    const cut = cutAt(loss, epsilon, scale, Math.max(1 / Math.max(scale, LEFT * typical), normal));
    const usual = splitWith(loss, cut, windowOf(USUAL_JUMPS, scale), epsilon);
    // Where the curve is lowest, at the end of the stretch.
    let logWhole = Math.min(
      usual.logDelta,
      ...[null, windowOf(USUAL_JUMPS, scale)].map((jump) => splitWith(loss, cut, jump, to).logDelta),
    );
    // Without jumps terms fall as those of the bulk do, besides which few jumps do not fall: where that is soon enough, it comes first.
    const hasFewNodes = typical * cut.c * SLOWEST > 1 && cut.logDelta < usual.logDelta + MISSED_BY_FEW;
    const windows = !bearsLabels ? [null] : hasFewNodes ? [null, ...JUMPS] : [...JUMPS, null];
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
        const candidate = planWith(loss.outline ?? loss, window, width);
        if (candidate !== null && (best === null || candidate.work < best.work)) best = candidate;
        if (best !== null && best.work < FEW_TERMS) break;
      }
      return best;
    };
    /** The curve by one window. */
    const contourBy = (best: Plan, width: number): Contour => {
      let chosen = best;
      for (let tries = 0; ; tries++) {
        const contour = contourOfPlan(chosen, width > targetWidth, watch);
        const { upper } = contour.logValue(fromDouble(to));
        if (upper > logWhole - MISSED || tries === 2) return contour;
        logWhole = upper;
        chosen = planWith(loss, chosen.window, width) ?? chosen;
      }
    };
    /** By the first window that is about as narrow as was asked, or the narrowest. */
    const narrowest = (first: Plan, width: number): Contour | null => {
      let best: { readonly contour: Contour; readonly reached: number } | null = null;
      let inVain = 0;
      for (const window of [first.window, ...windows.filter((other) => other !== first.window)]) {
        const own = window === first.window && !loss.outline ? first : planWith(loss, window, width);
        if (own === null || (own !== first && !loss.outline && own.work > MANY_TERMS)) continue;
        const contour = contourBy(own, width);
        const reached = widthOf(contour.logValue(fromDouble(epsilon)));
        if (best === null || reached < best.reached) [best, inVain] = [{ contour, reached }, 0];
        else inVain++;
        if (reached <= NARROW * width || (inVain === VAIN && best.reached <= NARROW_ENOUGH)) break;
      }
      return best?.contour ?? null;
    };
    for (let width = targetWidth; width < 1; width *= WIDER) {
      const planned = plan(width);
      if (planned === null || planned.work > MANY_TERMS) continue;
      const contour = narrowest(planned, width);
      if (contour !== null) return contour;
    }
    return { c: cut.c, size: 0, isCut: true, logValue: () => enclosure(-Infinity, 0) };
  }

  const places = new Map<number, { readonly place: number; readonly c: number }>();
  /** About the epsilon of a whole ln delta, and the tilt there: many targets need few. */
  function placeOf(logDelta: number): { readonly place: number; readonly c: number } {
    const cachedPlace = places.get(logDelta);
    if (cachedPlace !== undefined) return cachedPlace;
    // Of losses without labels about as of a normal loss, so that none is looked at far out.
    const deviations = Math.sqrt(-2 * Math.min(-0.1, logDelta));
    let c = deviations / (LEFT * (bearsLabels ? typical : scales.deviation));
    const gap = (log: number): number => {
      const epsilon = Math.exp(log);
      const scale = stretchOf(scales, epsilon).to;
      const cut = cutAt(loss, epsilon, scale, c);
      c = cut.c;
      // With jumps it is no larger.
      if (cut.logDelta < logDelta - 1) return cut.logDelta - logDelta;
      const { logDelta: value } = splitWith(loss, cut, windowOf(USUAL_JUMPS, scale), epsilon);
      return Math.min(value, cut.logDelta) - logDelta;
    };
    const normal = smallest + mean + START * deviations * scales.deviation;
    const start = bearsLabels ? Math.max(smallest, START * deviations * typical) : normal;
    const steps = bearsLabels ? ([1.5, 0.7] as const) : ([0.2, 0.2] as const);
    const place = Math.exp(crossingOf(gap, Math.log(start), Math.log(smallest) - 2, steps));
    places.set(logDelta, { place, c });
    return { place, c };
  }

  return {
    lineOf(epsilon) {
      const { from, to } = stretchOf(scales, epsilon);
      return { side: 'above', c: NaN, from, to: largest > from ? Math.min(to, largest) : to, steepness: NaN };
    },
    contourOn,
    epsilonAbout(logDelta) {
      const near = Math.round(logDelta);
      const { place, c } = placeOf(near);
      return Math.max(0, place + (near - logDelta) / c);
    },
  };
}
