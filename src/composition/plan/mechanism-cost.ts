import { orderBreakpoints } from '../../bounds/renyi/renyi.ts';
import { sumOfMoments } from '../../bounds/core/moment-curve.ts';
import { Decimal, decimalFromDouble, ZERO, decimalAbove } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { add, divide, expm1, log1p, logarithm, minimum, multiply } from '../../numeric/enclosure-arithmetic.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import type { Entry, Rdp, ApproximateDp } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, momentOf, hasTradeOff, isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { inBothOrders } from '../theorems/parallel.ts';
import { byEpsilonDelta, isDp, NOTHING, type Cost } from './cost.ts';
import { isPure, measureOf, type Measure } from './rules.ts';
import type { Context, Plan } from './resolved-node.ts';
import type { Place } from '../core/outcome.ts';

/** Orders minus 1 at which a Renyi curve is kept: neighbours so close that what lies between costs little. */
const RATIO = 1.02;
const LEAST = 1e-2;
const MOST = 1e5;

function allOrders(): number[] {
  const steps = Math.ceil(Math.log(MOST / LEAST) / Math.log(RATIO));
  return Array.from({ length: steps + 1 }, (_, i) => LEAST * RATIO ** i);
}

/** Renyi DP at these orders minus 1, rounded up, as a log-moment says; orders at which it says nothing are left out. */
function renyiAt(moment: LogMoment, lambdas: readonly number[]): Rdp['orders'] {
  return lambdas.flatMap((lambda) => {
    const { upper } = divide(moment(lambda), exactly(lambda));
    if (!Number.isFinite(upper)) return [];
    return [{ alpha: decimalFromDouble(lambda).plus(1), epsilon: decimalAbove(upper) }];
  });
}

const INFINITE = new Decimal(Infinity);

/** An (e, 0)-DP mechanism by its Renyi guarantees alone, that of order infinity among them, which is e. */
function byRenyi(entry: Entry): Entry {
  const { mechanism } = entry;
  if (!hasPurePart(mechanism)) return entry;
  const last = { alpha: INFINITE, epsilon: epsilonDeltaOf(mechanism).epsilon };
  const orders = mechanism.type === 'dp' ? [] : renyiAt(momentOf(entry), allOrders());
  return { ...entry, mechanism: { type: 'rdp', orders: [...orders, last] } };
}

/**
 * The Renyi guarantee of so many instances that each run `entries`, of which at most one gets different data, however late:
 * the divergence of order a is at most ln(1 + l (e^((a-1) e) - 1)) / (a - 1), e that of one instance.
 *
 * [derived] Let L be the likelihood ratio of a whole run, which is that of the one instance that differs in it, if any.
 * E_Q[L^a - 1] is the sum over the instances of its part where that one differs, and this part is all of E_Q[L^a - 1] for
 * an adversary who behaves the same but stops as soon as another instance is about to differ, as L = 1 there. A mechanism attains
 * it in the limit (see renyiOfOne of the counterexamples).
 */
export function renyiOfSparse(entries: readonly Entry[], instances: number): Rdp {
  const moment = sumOfMoments(entries.map((entry) => ({ moment: momentOf(entry), count: entry.count })));
  const many = exactly(instances);
  const together: LogMoment = (lambda) => {
    const alone = moment(lambda);
    // l e^x where e^x overflows.
    return minimum(log1p(multiply(many, expm1(alone))), add(alone, logarithm(many)));
  };
  const breakpoints = orderBreakpoints(entries);
  const ends = (breakpoints.at(-1) ?? Infinity) < MOST;
  return { type: 'rdp', orders: renyiAt(together, ends ? breakpoints : [...breakpoints, ...allOrders()]) };
}

/**
 * How a mechanism may enter a composition; what keeps it out is reported. Answers that are not discrete leave (e, 0)-DP its
 * Renyi guarantees, and one mechanism alone, which does not compose, as it is.
 *
 * That a guarantee against fixed questions is enough for (e, 0)-DP is derived: a ratio of probabilities that is at most
 * e^epsilon for every list of questions stays so when the answers choose them.
 */
export function admittedMeasure(
  entry: Entry,
  place: Place,
  late: boolean,
  context: Pick<Context, 'uncovered' | 'alone'> & { readonly plan: Pick<Plan, 'setting'> },
): Measure {
  const { plan, uncovered, alone } = context;
  const { setting } = plan;
  const measure = measureOf(entry, setting);
  if (measure === 'any' || measure === 'nothing') return measure;
  if (setting.adaptiveAdversary === 'denied' && !isPure(entry)) {
    uncovered({ code: 'oblivious-guarantee', type: entry.mechanism.type, ...place });
    return measure;
  }
  const composes = setting.discrete === 'denied' && !alone;
  if (!composes || measure === 'renyi' || measure === 'f-dp') return measure;
  if (measure === 'pure' && !late) return 'renyi';
  uncovered({ code: 'answers-not-discrete', type: entry.mechanism.type, ...place });
  return measure;
}

/**
 * Whether an interactive or continual mechanism enters by its trade-off function although its communication is not stated
 * to be finite, because no other gets different data: at once, or late where sets of instances are paid one by one.
 */
export function isAlone({ mechanism, kind }: Entry, late: boolean, { only, way, plan }: Context): boolean {
  const { adaptiveAdversary, finiteCommunication } = plan.setting;
  if (only === null || kind === 'noninteractive' || adaptiveAdversary === 'denied') return false;
  if (finiteCommunication === 'stated') return false;
  if (!hasTradeOff(mechanism) || isZeroLoss(mechanism)) return false;
  if (late) return way.late === 'sets' && !isPure({ mechanism });
  return way.late === 'sets' || (only === 'at once' && way.late === 'each');
}

/** Whether a delta that every instance pays counts for both orders of neighbours. */
export const countsTwice = ({ plan, side }: Context): boolean =>
  plan.setting.symmetric === 'denied' && side === 'claim';

/** RR(0, d) for each mechanism, RR(e, 0) for those whose data differ. */
function split(entry: Entry<ApproximateDp>, context: Context): Cost {
  const { epsilon, delta } = entry.mechanism;
  const always = countsTwice(context) ? inBothOrders(delta) : delta;
  return {
    differing: epsilon.isZero() ? [] : [{ ...entry, mechanism: { type: 'dp', epsilon, delta: ZERO } }],
    created: [{ ...entry, mechanism: { type: 'dp', epsilon: ZERO, delta: always } }],
  };
}

/**
 * The cost of a mechanism of this measure.
 *
 * Where its data may start to differ late only a bound on every ratio stays what it is given what was answered before, as
 * (e, 0)-DP and bounded range have it; so have guarantees that hold for questions that are fixed only.
 *
 * @param late - whether it runs in instances of which not all may differ, and in which it may show late that they do:
 * continual ones then pay for every instance what a theorem does not leave to those that differ
 */
export function mechanismCost(declared: Entry, measure: Measure, late: boolean, context: Context): Cost {
  const { setting } = context.plan;
  const entry = setting.adaptiveAdversary === 'denied' && measure !== 'any' ? byEpsilonDelta(declared) : declared;
  const once: Entry = { ...entry, kind: 'noninteractive' };
  const everyInstance = (paid: Entry): Cost =>
    context.side === 'claim' ? { differing: [], created: [paid] } : { differing: [paid], created: [] };
  const ratios = (): Entry => (entry.mechanism.type === 'bounded-range' ? entry : byEpsilonDelta(entry));
  switch (measure) {
    case 'nothing':
      return NOTHING;
    case 'any':
      return { differing: [entry], created: [] };
    case 'pure':
      return { differing: [late ? ratios() : entry], created: [] };
    case 'approximate': {
      const paid = byEpsilonDelta(entry);
      return late && isDp(paid) ? split(paid, context) : { differing: [paid], created: [] };
    }
    case 'renyi': {
      const paid = isPure(entry) ? byRenyi(entry) : entry;
      return late ? everyInstance(paid) : { differing: [paid], created: [] };
    }
    case 'alone':
    case 'f-dp':
      if (late && isPure(entry)) return { differing: [ratios()], created: [] };
      return late ? everyInstance(once) : { differing: [once], created: [] };
  }
}
