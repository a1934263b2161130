import { productDown } from '../../numeric/round-up.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import type { Entry, Mechanism, MechanismKind, Rdp } from '../../privacy/mechanism.ts';
import { compareQuotients } from '../../privacy/mechanisms/quotient.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { approximateDpOf } from '../charges/approximate-dp-of.ts';
import { muSquaredOf } from '../charges/mu-squared.ts';
import { renyiOf, renyiOrder } from '../charges/renyi.ts';
import { rhoOf } from '../charges/rho.ts';
import { isMechanism, type Guarantee } from '../core/guarantee.ts';

/** Each kind is also one of the kinds after it. */
const KINDS: readonly MechanismKind[] = ['noninteractive', 'interactive', 'continual'];

/** Whether a guarantee is of the type of the slot's and no stronger, where that type is ordered. */
function isWeaker(guarantee: Guarantee, slot: Mechanism): boolean {
  if (!isMechanism(guarantee) || guarantee.type !== slot.type) return false;
  const [own, most] = [guarantee, slot].map((each) => recordOf(each).strength?.(each));
  return own !== undefined && most !== undefined && compareQuotients(own, most) <= 0;
}

function atEveryOrder({ orders }: Rdp, guarantee: Guarantee, kind: MechanismKind): boolean {
  const at = renyiOf(guarantee, kind);
  return orders.every(({ alpha, epsilon }) => {
    const own = at(renyiOrder(alpha));
    return own?.delta.isZero() === true && own.epsilon.lte(epsilon);
  });
}

/** Whether a guarantee implies that of the slot's mechanism. */
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
