import { orderBreakpoints } from '../../bounds/renyi/entries.ts';
import { sumOfMoments } from '../../bounds/core/moment-curve.ts';
import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import { add, divide, expm1, log1p, logarithm, minimum, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { decimalAbove } from '../../numeric/short-decimal.ts';
import type { LogMoment } from '../../privacy/log-moment.ts';
import type { Entry, Rdp } from '../../privacy/mechanism.ts';
import { epsilonDeltaOf, hasPurePart, momentOf } from '../../privacy/mechanisms/records.ts';

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
export function byRenyi(entry: Entry): Entry {
  const { mechanism } = entry;
  if (!hasPurePart(mechanism)) return entry;
  const last = { alpha: INFINITE, epsilon: epsilonDeltaOf(mechanism).epsilon };
  const orders = mechanism.type === 'dp' ? [] : renyiAt(momentOf(entry), allOrders());
  return { ...entry, mechanism: { type: 'rdp', orders: [...orders, last] } };
}

/**
 * The Renyi guarantee of so many instances that each run `each`, of which at most one gets different data, however late:
 * the divergence of order a is at most ln(1 + l (e^((a-1) e) - 1)) / (a - 1), e that of one instance.
 *
 * [derived] Let L be the likelihood ratio of a whole run, which is that of the one instance that differs in it, if any.
 * E_Q[L^a - 1] is the sum over the instances of its part where that one differs, and this part is all of E_Q[L^a - 1] for
 * whoever behaves the same but stops as soon as another instance is about to differ, as L = 1 there. A mechanism attains
 * it in the limit (see renyiOfOne of the counterexamples).
 */
export function renyiOfSparse(each: readonly Entry[], instances: number): Rdp {
  const one = sumOfMoments(each.map((entry) => ({ moment: momentOf(entry), count: entry.count })));
  const many = exactly(instances);
  const together: LogMoment = (lambda) => {
    const alone = one(lambda);
    // l e^x where e^x overflows.
    return minimum(log1p(multiply(many, expm1(alone))), add(alone, logarithm(many)));
  };
  const breakpoints = orderBreakpoints(each);
  const ends = (breakpoints.at(-1) ?? Infinity) < MOST;
  return { type: 'rdp', orders: renyiAt(together, ends ? breakpoints : [...breakpoints, ...allOrders()]) };
}
