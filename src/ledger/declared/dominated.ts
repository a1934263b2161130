import type { Decimal } from '../../numeric/decimal.ts';
import { mechanismKey } from '../../privacy/mechanism-key.ts';
import type { Entry, Mechanism, MechanismKind, Rdp } from '../../privacy/mechanism.ts';
import { approximateDpOf } from '../charges/approximate-dp-of.ts';
import { muSquaredOf } from '../charges/mu-squared.ts';
import { renyiOf, renyiOrder } from '../charges/renyi.ts';
import { rhoOf } from '../charges/rho.ts';
import type { Guarantee } from '../core/guarantee.ts';

/** Each kind is also one of the kinds after it. */
const KINDS: readonly MechanismKind[] = ['noninteractive', 'interactive', 'continual'];

const isMechanism = (guarantee: Guarantee): guarantee is Mechanism =>
  guarantee.type !== 'approximate-zcdp' && guarantee.type !== 'approximate-rdp';

/** Whether a.sensitivity / a.noise <= b.sensitivity / b.noise. */
const ratioWithin = (sensitivity: Decimal, noise: Decimal, slotSensitivity: Decimal, slotNoise: Decimal): boolean =>
  sensitivity.times(slotNoise).lte(slotSensitivity.times(noise));

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
  switch (slot.type) {
    case 'dp': {
      const own = approximateDpOf(guarantee);
      return own !== null && own.epsilon.lte(slot.epsilon) && own.delta.lte(slot.delta);
    }
    case 'bounded-range':
      return guarantee.type === 'bounded-range' && guarantee.epsilon.lte(slot.epsilon);
    case 'laplace':
      return (
        guarantee.type === 'laplace' &&
        ratioWithin(guarantee.sensitivity, guarantee.scale, slot.sensitivity, slot.scale)
      );
    case 'gaussian':
      return (
        guarantee.type === 'gaussian' &&
        ratioWithin(guarantee.sensitivity, guarantee.sigma, slot.sensitivity, slot.sigma)
      );
    case 'gdp':
      return muSquaredOf(guarantee)?.lte(slot.mu.times(slot.mu)) === true;
    case 'zcdp': {
      const own = rhoOf(guarantee, kind);
      return own !== null && own.delta.isZero() && own.rho.lte(slot.rho);
    }
    case 'rdp':
      return atEveryOrder(slot, guarantee, kind);
    case 'discrete-laplace':
    case 'discrete-gaussian':
    case 'finite-pair':
      return false;
  }
}

/**
 * Whether a mechanism may be run in a declared slot: it is of the slot's kind or a simpler one, and its guarantee implies
 * the slot's. Noise of a family does where its sensitivity is at most as large a share of the noise: the trade-off curves
 * of a log-concave density and its shifts are ordered by the shift.
 */
export const isDominatedBy = (guarantee: Guarantee, kind: MechanismKind, slot: Entry): boolean =>
  KINDS.indexOf(kind) <= KINDS.indexOf(slot.kind) && implies(guarantee, kind, slot.mechanism);
