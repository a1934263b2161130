import { Decimal, decimalFromDouble, ZERO } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket, type UpperBound } from '../../numeric/enclosure.ts';
import { advance } from '../../numeric/watch.ts';
import type { Directions, PrivacyCurve } from '../../privacy/curve.ts';
import type { Selection } from '../../privacy/mechanism.ts';
import { valueKey } from '../../privacy/mechanism-key.ts';
import type { Bound, Composition, Effort } from '../core/bound.ts';
import { Kept, sessionOf } from '../core/session.ts';
import { gaussian } from '../closed-form/gaussian.ts';
import { dpOptimal } from '../dp-optimal/dp-optimal.ts';
import { lossDistribution } from '../loss-distribution/loss-distribution.ts';
import { rdp, zcdp } from '../renyi/renyi.ts';

/** The bounds whose curve is that of the mechanisms themselves, and those that stand in for them. */
const EXACT: readonly Bound[] = [dpOptimal, gaussian, lossDistribution];
const OTHERS: readonly Bound[] = [rdp, zcdp];

function curveBy(bound: Bound, run: Composition, effort: Effort): PrivacyCurve[] {
  const applied = bound.apply(run, effort);
  return 'curve' in applied ? [applied.curve] : [];
}

/** The curves of one run, the least of which holds at every epsilon; of both orders of the neighbors. */
interface RunCurves {
  readonly curves: readonly Directions<PrivacyCurve>[];
  /** Whether the orders have curves of their own. */
  readonly isDirected: boolean;
  /** Whether there is one curve, of a pair that mechanisms of the class have, exchanged in the other order. */
  readonly isAttained: boolean;
}

/** Every order of the neighbors of one curve. */
function ordersOf(curve: PrivacyCurve): Directions<PrivacyCurve> {
  const [first, second = first, ...more] = curve.pairs ?? [];
  if (curve.directions !== undefined) return curve.directions;
  return first !== undefined && second !== undefined && more.length === 0
    ? { remove: first, add: second }
    : { remove: curve, add: curve };
}

/** The curves of the mechanisms of one run, composed; null where no theorem gives one. */
function runCurves(run: Composition, effort: Effort): RunCurves | null {
  const all: PrivacyCurve[] = [];
  for (const bound of [...EXACT, ...OTHERS]) {
    all.push(...curveBy(bound, run, effort));
    if (all.at(-1)?.pairs !== undefined) break;
  }
  const attained = all.find(({ pairs }) => pairs !== undefined && pairs.length <= 2);
  const used = attained === undefined ? all : [attained];
  return used.length === 0
    ? null
    : {
        curves: used.map(ordersOf),
        isDirected: used.some(({ directions }) => directions !== undefined),
        isAttained: attained !== undefined,
      };
}

/** Most epsilons at which a curve is asked for stand so near to each other, in parts of its own epsilon at a small delta. */
const PARTS = 96;
const SMALL_DELTA = new Decimal('1e-6');
const LEAST = 1e-9;
/** What the curve of larger losses says is not asked for. */
export const MOST = 500;

/** Epsilons from 0 up to `most`, so far apart, or by such a part of themselves, up to the first one that is enough. */
export function spaced(
  distance: number,
  growth: number,
  most: number,
  isEnough: (epsilon: number) => boolean,
): readonly number[] {
  const epsilons = [0];
  for (let x = 0; x < most && !isEnough(x); epsilons.push(x)) x = Math.min(most, x + Math.max(distance, x * growth));
  return epsilons;
}

/** The delta of one order of the neighbors, from above, at real epsilons. */
export interface RunProfile {
  /** At any epsilon: by chords in e^epsilon, above which a hockey-stick divergence does not rise. */
  readonly delta: (epsilon: number) => UpperBound;
  /** At an epsilon, as it is computed; a lower end only where the curve is attained. */
  readonly at: (epsilon: number) => Bracket;
  /** The distance of the epsilons between which chords are taken: a power of 2. */
  readonly step: number;
  /** From where on the delta does not fall, as far as is known; Infinity where it always may. */
  readonly largest: number;
}

/** 1 - e^-x + e^-x delta: the delta at -x, of the exchanged delta at x. */
const mirrored = (x: number, { lower, upper }: Bracket): Bracket => {
  const of = (delta: number): number => -Math.expm1(-x) + Math.exp(-x) * delta;
  return {
    lower: lower === null ? null : asLower(of(lower) * (1 - 2 ** -48)),
    upper: asUpper(Math.min(1, of(upper) * (1 + 2 ** -48))),
  };
};

/** The profiles of both orders of the neighbors, from the least of several curves. */
function runProfiles({ curves, isAttained }: RunCurves, effort: Effort): Directions<RunProfile> {
  const scale = Math.min(...curves.map(({ remove }) => remove.epsilon(SMALL_DELTA).upper));
  const step = 2 ** Math.floor(Math.log2(Math.min(MOST, Math.max(LEAST, scale)) / PARTS));
  const largest = Math.min(
    ...curves.map(({ remove, add }) => Math.max(remove.epsilon(ZERO).upper, add.epsilon(ZERO).upper)),
  );
  const ofDirection = (direction: keyof Directions<PrivacyCurve>): ((epsilon: number) => Bracket) => {
    const known = new Map<number, Bracket>();
    return (epsilon) => {
      const before = known.get(epsilon);
      if (before !== undefined) return before;
      advance(effort);
      const exact = decimalFromDouble(epsilon);
      const values = curves.map((curve) => curve[direction].delta(exact));
      const value: Bracket = {
        lower: isAttained ? values[0]!.lower : null,
        upper: asUpper(Math.min(1, ...values.map(({ upper }) => upper))),
      };
      known.set(epsilon, value);
      return value;
    };
  };
  const [remove, add] = [ofDirection('remove'), ofDirection('add')];
  const profile = (own: (epsilon: number) => Bracket, exchanged: (epsilon: number) => Bracket): RunProfile => {
    const at = (epsilon: number): Bracket => (epsilon >= 0 ? own(epsilon) : mirrored(-epsilon, exchanged(-epsilon)));
    return {
      at,
      step,
      largest,
      delta(epsilon) {
        if (epsilon < -MOST) return asUpper(1);
        if (epsilon >= largest) return own(largest).upper;
        const low = Math.floor(epsilon / step) * step;
        const high = Math.min(low + step, largest);
        const [left, right] = [at(low).upper, at(high).upper];
        const share = (Math.expm1(epsilon - low) / Math.expm1(high - low)) * (1 - 2 ** -44);
        return asUpper(Math.max(right, left - (left - right) * share) * (1 + 2 ** -48));
      },
    };
  };
  return { remove: profile(remove, add), add: profile(add, remove) };
}

/** The profiles of one run, and of what curves they are. */
interface OneRun extends Omit<RunCurves, 'curves'> {
  readonly profiles: Directions<RunProfile>;
  /** Whether one order of the neighbors is as good as the other. */
  readonly isOwnExchange: boolean;
}

/** Each with the effort of who asked first: its watches serve no other. */
const RUNS = new Kept<{ readonly effort: Effort; readonly run: OneRun | null }>(8);

/** What is known of the mechanisms of one run, composed; null where no theorem gives a curve. */
export function oneRun(
  { of }: Selection,
  { adaptivity, order }: Omit<Composition, 'entries'>,
  effort: Effort,
): OneRun | null {
  const made = (): OneRun | null => {
    const curves = runCurves({ entries: of, adaptivity, order }, effort);
    if (curves === null) return null;
    const { isDirected, isAttained } = curves;
    const isOwnExchange = curves.curves.every(({ remove, add }) => remove === add);
    return { isDirected, isAttained, isOwnExchange, profiles: runProfiles(curves, effort) };
  };
  const key = valueKey([of, adaptivity, order, effort.tolerance, effort.sparing]);
  const kept = sessionOf(effort).get(RUNS, key, () => ({ effort, run: made() }));
  const isOwn = kept.effort.exhausted === effort.exhausted && kept.effort.interrupted === effort.interrupted;
  return isOwn ? kept.run : made();
}
