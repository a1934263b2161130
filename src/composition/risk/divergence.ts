import { Decimal } from '../../numeric/decimal.ts';
import { add, maximum, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { asLower, asUpper, enclosure, exactly, type Bracket, type Enclosure } from '../../numeric/enclosure.ts';
import { pureDpMoment } from '../../privacy/log-moment.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { pureKl } from '../../privacy/pure-kl.ts';
import { byMoment, entryDivergence } from './entry-divergence.ts';
import type { Profiles } from './profile.ts';

/** A divergence between the results on two neighbouring data sets. */
export type Divergence =
  | { readonly kind: 'total-variation' | 'kl' }
  /** `order` above 1, perhaps Infinity: that is the largest loss. */
  | { readonly kind: 'renyi'; readonly order: Decimal };

const ONE = new Decimal(1);

/**
 * The largest sum over mechanisms that may be chosen along the way, whichever order the neighbours stand in: of each of two
 * orders the sum of the largest of each mechanism is at most that, and attained by mechanisms fixed in advance.
 */
function ofEntries(entries: readonly Entry[], order: Decimal): Bracket {
  const isSampled = entries.some(({ mechanism }) => mechanism.type === 'sampled');
  const each = entries.map((entry) => ({ count: entry.count, value: entryDivergence(entry, order, isSampled) }));
  const sumIn = (direction: 'remove' | 'add'): Enclosure =>
    each.reduce((sum, { count, value }) => {
      const { lower, upper } = value[direction];
      // Rounded outward nothing would be something, and an infinite sum would have a finite lower end.
      if (upper === 0) return sum;
      if (sum.lower === Infinity || lower === Infinity) return exactly(Infinity);
      return add(sum, multiply(exactly(count), enclosure(lower ?? 0, upper)));
    }, exactly(0));
  const { lower, upper } = maximum(sumIn('remove'), sumIn('add'));
  return { lower: asLower(Math.max(0, lower)), upper };
}

/** What is known of whoever has no loss above `largest`: that of randomized response. */
function ofLargest(largest: number, order: Decimal): Bracket {
  if (!Number.isFinite(largest)) return { lower: null, upper: asUpper(Infinity) };
  const e = exactly(largest);
  const { upper } = order.eq(1) ? pureKl(e) : order.isFinite() ? byMoment(pureDpMoment(e), order) : e;
  return { lower: null, upper };
}

/**
 * The smallest divergence that can be claimed, in nats but for total variation: of the results on any two neighbouring data
 * sets, in whichever order, at most `upper`; mechanisms of the declared classes have at least `lower`.
 *
 * Total variation is delta at epsilon 0. Renyi divergences of the conditional distributions add up, adaptively and
 * concurrently: D_a <= sum of the largest of each mechanism, also for a = 1 (Kullback-Leibler) and a = infinity (the largest
 * loss). Where something may be revealed they are infinite. Of parts of a plan only the largest loss is used.
 *
 * Source: van Erven, Harremoes (2014), Thm 28 and Thm 5 (continuity in the order); Mironov (2017), Prop 1; concurrently
 * Henzinger, Safavi, Vadhan (2025), Thm 13.4. That the sums are attained is derived.
 */
export function divergence({ atZero, claimed, entries }: Profiles, each: Divergence): Bracket {
  if (each.kind === 'total-variation') return atZero.delta;
  const order = each.kind === 'renyi' ? each.order : ONE;
  const byLargest = ofLargest(Math.max(...claimed.map(({ largest }) => largest)), order);
  if (entries === null) return byLargest;
  const { lower, upper } = ofEntries(entries, order);
  return { lower, upper: asUpper(Math.max(lower ?? 0, Math.min(upper, byLargest.upper))) };
}
