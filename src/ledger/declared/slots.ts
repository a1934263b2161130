import { Decimal } from '../../numeric/decimal.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Caveat } from '../core/caveat.ts';
import type { DeclaredTogether, LedgerGuarantee } from '../core/guarantee.ts';
import type { Added, CompiledRule, Launch } from '../core/rule.ts';
import { isDominatedBy } from './dominated.ts';

const ZERO = new Decimal(0);

/** The slots in which all alternatives of a launch may be run: the same mechanism first, then in the order declared. */
function fittingSlots(slots: readonly Entry[], { guarantees, kind }: Launch): number[] {
  const isSame = ({ mechanism, kind: own }: Entry): boolean =>
    own === kind && guarantees.every((each) => each.type === mechanism.type && sameKey(each, mechanism));
  const fitting = [...slots.keys()].filter((i) => guarantees.every((each) => isDominatedBy(each, kind, slots[i]!)));
  return [...fitting.filter((i) => isSame(slots[i]!)), ...fitting.filter((i) => !isSame(slots[i]!))];
}

const sameKey = (a: Launch['guarantees'][number], b: Entry['mechanism']): boolean =>
  a.type !== 'approximate-zcdp' && a.type !== 'approximate-rdp' && mechanismKey(a) === mechanismKey(b);

/**
 * The rule of a compositor: whatever takes the place of something declared may run, as often as it was declared. A slot
 * that the very mechanism was declared for is taken before a larger one.
 *
 * Which slot comes next, and what is run in it, may depend on all that was seen; that the parameters were fixed is what
 * the bound behind the guarantee asks for [Haney et al. 2023, Thm 1.8].
 */
export function declaredSlots(
  together: DeclaredTogether,
  guarantee: LedgerGuarantee,
  caveats: readonly Caveat[],
): CompiledRule {
  const { entries: slots } = together;
  const names = slots.map((_, i) => `slot${i}`);
  const free = (taken: readonly Decimal[], i: number): Decimal =>
    Decimal.max(ZERO, new Decimal(slots[i]!.count).minus(taken[i]!));
  return {
    names,
    limits: slots.map(({ count }) => new Decimal(count)),
    initial: slots.map(() => ZERO),
    extend(taken, launch): Added {
      const fitting = fittingSlots(slots, launch);
      const [first] = fitting;
      if (first === undefined) return { refusal: { code: 'unverified', reason: 'not-declared' } };
      let left = new Decimal(launch.count);
      const after = [...taken];
      for (const i of fitting) {
        const used = Decimal.min(left, free(taken, i));
        after[i] = taken[i]!.plus(used);
        left = left.minus(used);
      }
      after[first] = after[first]!.plus(left);
      return { spent: after };
    },
    excess(taken) {
      const over = slots.findIndex(({ count }, i) => taken[i]!.gt(count));
      if (over < 0) return null;
      const [total, limit] = [String(taken[over]), String(slots[over]!.count)];
      return { code: 'insufficient-budget', coordinate: names[over]!, total, limit };
    },
    capacity: (taken, launch) => fittingSlots(slots, launch).reduce((sum, i) => sum.plus(free(taken, i)), ZERO),
    reading: () => guarantee,
    underlying: () => together,
    guarantee,
    left: () => null,
    caveats,
  };
}
