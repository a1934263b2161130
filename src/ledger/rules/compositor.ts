import { BOUNDS } from '../../bounds/all.ts';
import type { Bound } from '../../bounds/core/bound.ts';
import type { CompositorTerms } from './terms.ts';
import { mergeEqual, mechanismKey } from '../../privacy/mechanism-key.ts';
import {
  type DeclaredTogether,
  isMechanism,
  type Guarantee,
  type CompiledRule,
  type Added,
  type Launch,
  type Caveat,
} from './rule.ts';
import type { Entry, Mechanism, ApproximateDp, MechanismKind, Rdp } from '../../privacy/mechanism.ts';
import type { Refusal } from './refusal.ts';
import { atDistance, otherRelation } from './distance.ts';
import { assumedOf } from './accumulator.ts';
import { Decimal, ZERO, productDown } from '../../numeric/decimal.ts';
import { compareQuotients } from '../../privacy/mechanisms/record.ts';
import { recordOf, withOneAnswer } from '../../privacy/mechanisms/records.ts';
import { approximateDpOf, muSquaredOf, rhoOf, renyiOf, renyiOrder } from './charges.ts';

const effort = { exhausted: () => false };

/** The bound for all that is declared, or why it gives none: the mechanisms are chosen adaptively, in any order. */
export const appliedToDeclared = ({ bound, entries }: Omit<DeclaredTogether, 'type'>): ReturnType<Bound['apply']> =>
  BOUNDS[bound].apply(
    { entries: mergeEqual(withOneAnswer(entries), 'any'), adaptivity: 'adaptive', order: 'any' },
    effort,
  );

/** Each kind is also one of the kinds after it. */
const KINDS: readonly MechanismKind[] = ['noninteractive', 'interactive', 'continual'];

/** Whether a guarantee is of the type of the slot's and no stronger, where that type is ordered. */
function isWeaker(guarantee: Guarantee, slot: Mechanism): boolean {
  if (!isMechanism(guarantee) || guarantee.type !== slot.type) return false;
  const [own, limit] = [guarantee, slot].map((mechanism) => recordOf(mechanism).strength?.(mechanism));
  return own !== undefined && limit !== undefined && compareQuotients(own, limit) <= 0;
}

function atEveryOrder({ orders }: Rdp, guarantee: Guarantee, kind: MechanismKind): boolean {
  const at = renyiOf(guarantee, kind);
  return orders.every(({ alpha, epsilon }) => {
    const own = at(renyiOrder(alpha));
    return own?.delta.isZero() === true && own.epsilon.lte(epsilon);
  });
}

function implies(guarantee: Guarantee, kind: MechanismKind, slot: Mechanism): boolean {
  if (isMechanism(guarantee) && mechanismKey(guarantee) === mechanismKey(slot)) return true;
  if (slot.type === 'dp') {
    const own = approximateDpOf(guarantee);
    return own !== null && own.epsilon.lte(slot.epsilon) && own.delta.lte(slot.delta);
  }
  if (slot.type === 'gdp') return muSquaredOf(guarantee)?.lte(productDown(slot.mu, slot.mu)) === true;
  if (slot.type === 'zcdp') {
    const own = rhoOf(guarantee, kind);
    return own !== null && own.delta.lte(slot.delta ?? 0) && own.rho.lte(slot.rho);
  }
  return slot.type === 'rdp' ? atEveryOrder(slot, guarantee, kind) : isWeaker(guarantee, slot);
}

/**
 * Whether a mechanism may be run in a declared slot: it is of the slot's kind or a simpler one, and its guarantee implies
 * the slot's. Noise of a family does where its sensitivity is at most as large a share of the noise: the trade-off curves
 * of a log-concave density and its shifts are ordered by the shift.
 */
export const isDominatedBy = (guarantee: Guarantee, kind: MechanismKind, slot: Entry): boolean =>
  KINDS.indexOf(kind) <= KINDS.indexOf(slot.kind) && implies(guarantee, kind, slot.mechanism);

/**
 * The slots in which all alternatives of a launch may be run, the smallest first: that in which the fewest of the declared
 * mechanisms may be run, of equal ones the one that was declared first.
 *
 * A slot below another one, whose own mechanism may be run in that, so comes before it: what may be run in it may be run in
 * the other, and the other's own mechanism besides, unless they are for the same. Of slots of which neither is below the
 * other, the one is taken that fewer of what was declared could need.
 */
function fittingSlots(slots: readonly Entry[]): (launch: Launch) => number[] {
  const sizes = new Map<number, bigint>();
  const sizeOf = (i: number): bigint => {
    const cached = sizes.get(i);
    if (cached !== undefined) return cached;
    const size = slots.reduce(
      (sum, slot) => sum + (isDominatedBy(slot.mechanism, slot.kind, slots[i]!) ? BigInt(slot.count) : 0n),
      0n,
    );
    sizes.set(i, size);
    return size;
  };
  return ({ guarantees, kind }) =>
    [...slots.keys()]
      .filter((i) => guarantees.every((guarantee) => isDominatedBy(guarantee, kind, slots[i]!)))
      .sort((i, j) => (sizeOf(i) < sizeOf(j) ? -1 : sizeOf(i) > sizeOf(j) ? 1 : i - j));
}

/**
 * The rule of a compositor: whatever takes the place of something declared may run, as often as it was declared. Each
 * takes the smallest free slot that dominates it, see fittingSlots. Where the slots are ordered, one below the next, nothing
 * is refused that any other choice would have left a slot for: what runs above a free slot does not fit in that one, so
 * that all slots above the last free one are full of what fits nowhere else.
 *
 * Which slot comes next, and what is run in it, may depend on all that was seen; that the parameters were fixed is what
 * the bound behind the guarantee asks for [Haney et al. 2023, Thm 1.8]. So the slot is settled when something is launched,
 * and stays: to settle it later, by what else is asked for, would choose the parameters of what ran by what was seen
 * since, which the bounds do not cover, even where each run by itself finds a slot for all [derived]: of a slot of
 * 2.4-Gaussian privacy and one of (2.8, 0)-DP either takes randomized response of epsilon 2; after it, by its answer, the
 * one or the other makes a delta(2.7) of 0.7449, where the two that were declared have 0.7409. What fits in either of two
 * slots of which none is below the other may therefore take the one that a later launch would have needed.
 */
function declaredSlots(together: DeclaredTogether, guarantee: ApproximateDp, caveats: readonly Caveat[]): CompiledRule {
  const { entries: slots } = together;
  const fittingFor = fittingSlots(slots);
  const names = slots.map((_, i) => `slot${i}`);
  const isBeyond = (counts: readonly Decimal[]): boolean => slots.some(({ count }, i) => counts[i]!.gt(count));
  const free = (counts: readonly Decimal[], i: number): Decimal =>
    Decimal.max(ZERO, new Decimal(slots[i]!.count).minus(counts[i]!));
  return {
    names,
    limits: slots.map(({ count }) => new Decimal(count)),
    initial: slots.map(() => ZERO),
    extend(counts, launch): Added {
      const fitting = fittingFor(launch);
      const [first] = fitting;
      if (first === undefined) return { refusal: { code: 'unverified', reason: 'not-declared' } };
      let remaining = new Decimal(launch.count);
      const after = [...counts];
      for (const i of fitting) {
        const used = Decimal.min(remaining, free(counts, i));
        after[i] = counts[i]!.plus(used);
        remaining = remaining.minus(used);
      }
      after[first] = after[first]!.plus(remaining);
      return { spent: after };
    },
    combine: (counts, more) => counts.map((count, i) => count.plus(more[i]!)),
    excess(counts) {
      const over = slots.findIndex(({ count }, i) => counts[i]!.gt(count));
      if (over < 0) return null;
      const [total, limit] = [String(counts[over]), String(slots[over]!.count)];
      return { code: 'insufficient-budget', coordinate: names[over]!, total, limit };
    },
    capacity: (counts, launch) => fittingFor(launch).reduce((sum, i) => sum.plus(free(counts, i)), ZERO),
    // The bound is for what was declared, and says nothing of more.
    reading: (counts) => (isBeyond(counts) ? { ...guarantee, epsilon: new Decimal(Infinity) } : guarantee),
    underlying: (counts) => (isBeyond(counts) ? null : together),
    guarantee,
    left: () => null,
    caveats,
  };
}

/** The declared entries, at the ledger's distance; or the first entry that has no guarantee there. */
export function declaredAtDistance({ declared, distance, neighbours }: CompositorTerms): readonly Entry[] | Refusal {
  const scaled: Entry[] = [];
  for (const entry of declared) {
    const refusal = otherRelation(entry, { neighbours });
    if (refusal !== null) return refusal;
    const mechanism = atDistance(entry.mechanism, distance);
    if (!mechanism) {
      const type = entry.mechanism.type;
      return { code: 'no-theorem', reason: 'no-map', found: type, distance: distance.toString() };
    }
    scaled.push({ ...entry, mechanism: mechanism as Mechanism });
  }
  return scaled;
}

/** The slots of what is declared, at the ledger's distance, ready for decisions. */
export const compileSlots = (terms: CompositorTerms, declared: readonly Entry[]): CompiledRule =>
  declaredSlots(
    { type: 'declared', bound: terms.bound, entries: declared },
    { type: 'dp', ...terms.budget },
    assumedOf('discrete-answers', terms.concurrency),
  );
