import { Decimal } from '../../numeric/decimal.ts';
import { renyiOf, renyiOrder } from '../charges/renyi.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Guarantee } from '../core/guarantee.ts';
import type { RuleId } from '../core/terms.ts';
import { summed, type Coordinate } from './accumulate.ts';
import { positiveDelta, wrongMeasure, type FilterRule } from './filter-rule.ts';

const ZERO = new Decimal(0);

/** Why a rule knows no Renyi epsilon of a guarantee at an order. */
export const noRenyi = (rule: RuleId, guarantee: Guarantee, alpha: Decimal): { readonly refusal: Refusal } =>
  guarantee.type === 'rdp' || guarantee.type === 'approximate-rdp'
    ? { refusal: { code: 'unverified', reason: 'order-too-high', alpha: alpha.toString() } }
    : wrongMeasure(rule, guarantee);

/** One order with its epsilon, as the guarantee it is. */
const atOrder = (alpha: Decimal, epsilon: Decimal) => ({ type: 'rdp', orders: [{ alpha, epsilon }] }) as const;

/**
 * Renyi DP at one order alpha > 1, fixed at the start: sum of the mechanisms' epsilons at alpha <= epsilon.
 *
 * Source: Feldman, Zrnic 2021 (noninteractive); concurrently Haney et al. 2023, Thm 4.6 and 4.9.
 */
export const rdpRule: FilterRule<'rdp'> = {
  id: 'rdp',
  name: 'Renyi differential privacy at one order',
  reference: 'Feldman, Zrnic 2021; Haney et al. 2023, Thm 4.6 and 4.9; Henzinger, Safavi, Vadhan 2025, Cor 13.8',
  concurrent: 'proved',
  assumes: 'adaptive-adversaries',
  accumulator: ({ alpha }, budget) => ({
    coordinates: [summed('epsilon', budget?.epsilon ?? null)],
    charge(guarantee, { kind }) {
      const behind = renyiOf(guarantee, kind)(renyiOrder(alpha));
      if (!behind) return noRenyi('rdp', guarantee, alpha);
      return behind.delta.isZero() ? { parts: [behind.epsilon] } : positiveDelta('rdp', guarantee);
    },
    reading: ([epsilon]) => atOrder(alpha, epsilon!),
    guarantee: budget && atOrder(alpha, budget.epsilon),
    leftOf: ([epsilon]) => atOrder(alpha, epsilon!),
  }),
};

/**
 * d_i-approximate Renyi DP at one order, one mechanism after the other: sums of the epsilons and of the d_i, or
 * 1 - prod (1 - d_i).
 *
 * [derived] As for approximate zCDP, at this one order. Where interactive mechanisms are asked in turns it is an open
 * question (Haney et al. 2023, Sec 4).
 */
export const approximateRdpRule: FilterRule<'approximate-rdp'> = {
  id: 'approximate-rdp',
  name: 'approximate Renyi differential privacy at one order',
  reference: 'Feldman, Zrnic 2021; Whitehouse, Ramdas, Rogers, Wu 2023; derived',
  concurrent: 'open',
  assumes: 'adaptive-adversaries',
  accumulator({ alpha, deltas }, budget) {
    const delta: Coordinate = { name: 'delta', adding: deltas, initial: ZERO, limit: budget?.delta ?? null };
    return {
      coordinates: [summed('epsilon', budget?.epsilon ?? null), delta],
      charge(guarantee, { kind }) {
        const behind = renyiOf(guarantee, kind)(renyiOrder(alpha));
        return behind ? { parts: [behind.epsilon, behind.delta] } : noRenyi('approximate-rdp', guarantee, alpha);
      },
      reading: ([epsilon, total]) => ({
        type: 'approximate-rdp',
        alpha,
        epsilon: epsilon!,
        delta: Decimal.min(1, total!),
      }),
      guarantee: budget && { type: 'approximate-rdp', alpha, ...budget },
      leftOf: ([epsilon, rest]) => ({ type: 'approximate-rdp', alpha, epsilon: epsilon!, delta: rest! }),
    };
  },
};
