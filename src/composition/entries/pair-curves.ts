import { ALL_BOUNDS } from '../../bounds/all.ts';
import type { BoundId, Composition } from '../../bounds/core/bound.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { Entry, Gdp, Mechanism } from '../../privacy/mechanism.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { mergeEqual } from '../../privacy/mechanism-key.ts';
import { effectiveOrder } from '../../privacy/query.ts';
import { effortFor, type ComposeOptions, type EntriesProblem } from './compose-entries.ts';

/** The curves of single pairs, and the bound by which they are computed. */
export interface BoundPairs {
  readonly bound: BoundId;
  readonly curves: readonly PrivacyCurve[];
}

function pairsIn(composition: Composition, options: ComposeOptions): BoundPairs | null {
  for (const bound of ALL_BOUNDS) {
    const { id } = bound;
    if (id !== 'dp-optimal' && id !== 'gaussian' && id !== 'loss-distribution') continue;
    const applied = bound.apply(composition, effortFor(id, bound.isSlow?.(composition) === true, options));
    if ('curve' in applied && applied.curve.pairs !== undefined) return { bound: id, curves: applied.curve.pairs };
  }
  return null;
}

/**
 * The curves of the single pairs of distributions of which the largest is, at every epsilon, the smallest claim for a
 * list of mechanisms: what holds for each of them holds for the mechanisms, and the mechanisms may have each of them.
 * Null where no such pairs are known.
 */
export function pairCurves(
  { entries, adaptivity, order: declared }: EntriesProblem,
  options: ComposeOptions = {},
): BoundPairs | null {
  if (adaptivity === 'parameters') return null;
  const order = effectiveOrder(adaptivity, declared);
  return pairsIn({ entries: mergeEqual(entries, order), adaptivity, order }, options);
}

const Down = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_DOWN });

/** Gaussian noise of this rho, or a little less. */
const gaussianOf = (rho: Decimal): Gdp => ({ type: 'gdp', mu: new Decimal(new Down(rho.times(2)).sqrt()) });

/**
 * A mechanism of a class that has a pair: bounded range contains RR(e, e/2), which is RR(e/2); rho-zCDP, and Renyi DP of
 * finite orders where rho is the least e / a, Gaussian noise with mu^2 = 2 rho. All others are taken themselves.
 */
function legalMechanism(mechanism: Mechanism): Mechanism {
  if (mechanism.type === 'bounded-range') {
    return { type: 'dp', epsilon: mechanism.epsilon.times('0.5'), delta: new Decimal(0) };
  }
  if (mechanism.type === 'zcdp') return gaussianOf(mechanism.rho);
  if (mechanism.type !== 'rdp' || mechanism.orders.some(({ alpha }) => !alpha.isFinite())) return mechanism;
  return gaussianOf(Decimal.min(...mechanism.orders.map(({ alpha, epsilon }) => new Down(epsilon).div(alpha))));
}

/** Every mechanism may also answer once only, and approximate zCDP reveal everything with probability delta beside. */
function legalUse(entry: Entry): Entry[] {
  const { mechanism } = entry;
  const once: Entry = { ...entry, kind: 'noninteractive', mechanism: legalMechanism(mechanism) };
  if (mechanism.type !== 'zcdp' || mechanism.delta === undefined) return [once];
  return [once, { ...once, mechanism: { type: 'dp', epsilon: new Decimal(0), delta: mechanism.delta } }];
}

/**
 * Mechanisms of the declared classes whose composition, fixed in advance, has pairs that are known: of each entry of which
 * none is known it is assumed that it answers a constant. Empty where there is none.
 */
export const attainingEntries = (entries: readonly Entry[], options: ComposeOptions = {}): readonly Entry[] =>
  mergeEqual(
    entries
      .flatMap(legalUse)
      .filter((entry) => pairsIn({ entries: [entry], adaptivity: 'nonadaptive', order: 'any' }, options) !== null),
    'any',
  );

/** The curves of the single pairs of what {@link attainingEntries} finds. */
export const attainedCurves = (attaining: readonly Entry[], options: ComposeOptions = {}): readonly PrivacyCurve[] =>
  attaining.length === 0
    ? []
    : (pairsIn({ entries: attaining, adaptivity: 'nonadaptive', order: 'any' }, options)?.curves ?? []);
