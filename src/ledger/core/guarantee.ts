import type { Decimal } from '../../numeric/decimal.ts';
import type { ApproximateDp, Entry, Gdp, Mechanism, Rdp, Zcdp } from '../../privacy/mechanism.ts';
import type { DeclaredBound } from './terms.ts';

/** delta-approximate rho-zCDP: apart from a share delta of the outcomes, rho-zCDP. */
export interface ApproximateZcdp {
  readonly type: 'approximate-zcdp';
  readonly rho: Decimal;
  readonly delta: Decimal;
}

/** delta-approximate Renyi DP at one order: apart from a share delta of the outcomes, (alpha, epsilon)-Renyi DP. */
export interface ApproximateRdp {
  readonly type: 'approximate-rdp';
  readonly alpha: Decimal;
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** The guarantee of something that is launched: a mechanism, or a nested ledger. */
export type Guarantee = Mechanism | ApproximateZcdp | ApproximateRdp;

export const isMechanism = (guarantee: Guarantee): guarantee is Mechanism =>
  guarantee.type !== 'approximate-zcdp' && guarantee.type !== 'approximate-rdp';

/** An amount that a ledger can guarantee, spend or have left, in the measure of its rule. A loss may be Infinity. */
export type LedgerGuarantee = ApproximateDp | Zcdp | ApproximateZcdp | Rdp | ApproximateRdp | Gdp;

/** Mechanisms whose parameters were fixed at the start, with the bound for all of them together. */
export interface DeclaredTogether {
  readonly type: 'declared';
  readonly bound: DeclaredBound;
  readonly entries: readonly Entry[];
}

/** The guarantee that an (epsilon, delta) of a ledger was read off from, which says more, at every delta. */
export type Underlying = ApproximateZcdp | DeclaredTogether;
