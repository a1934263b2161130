import type { MechanismType } from '../../bounds/core/bound.ts';
import type { Exposition } from '../../bounds/core/exposition.ts';
import { typesWith, WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';
import type { RuleId } from './terms.ts';

/** The statement of a rule of ledgers, and the mechanisms that it counts. */
export interface RuleExposition extends Exposition {
  readonly types: readonly MechanismType[];
  /** Whether mechanisms may have a delta of their own. */
  readonly delta: boolean;
}

const PRODUCT =
  'The product form of the deltas, 1 - prod (1 - d_i), is derived: mechanisms reveal everything with probability d_i, independently of all else, and are (e_i, 0)-DP otherwise.';
const AT_OTHER_DELTAS =
  'The guarantee at another delta follows from the accumulated sum, after subtracting the share of delta that is left for the d_i (derived).';
const DP: readonly MechanismType[] = WITH_PURE_PART;
const RHO: readonly MechanismType[] = [...new Set([...DP, ...typesWith('muSquared'), ...typesWith('rho')])];
const RENYI: readonly MechanismType[] = [...new Set([...RHO, ...typesWith('moment')])];
const MU: readonly MechanismType[] = [...DP, 'gaussian', 'gdp'];

/** What `filter-rules.ts` and `converting-rules.ts` implement, in words. */
export const RULE_EXPOSITIONS: Readonly<Record<RuleId, RuleExposition>> = {
  pure: {
    statement: 'Mechanisms may run while the sum of their epsilons is at most the budget.',
    formula: ['sum e_i <= e', 'in exact decimals'],
    departures: [],
    works: ['rogers-roth-ullman-vadhan-2016', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: DP,
    delta: false,
  },
  basic: {
    statement: 'Mechanisms may run while the sums of their epsilons and of their deltas are at most the budget.',
    formula: ['sum e_i <= e', 'sum d_i <= d, or 1 - prod (1 - d_i) <= d', 'in exact decimals'],
    departures: [PRODUCT],
    works: ['rogers-roth-ullman-vadhan-2016', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: DP,
    delta: true,
  },
  'approximate-dp': {
    statement:
      "Mechanisms may run while the sum of their squared epsilons is at most what advanced composition with a part d' of delta allows. The rest of delta covers their own deltas.",
    formula: [
      "sqrt(2 ln(1 / d') S) + S / 2 <= e, S = sum e_i^2",
      "d' + sum d_i <= d, or 1 - (1 - d') prod (1 - d_i) <= d",
    ],
    departures: [
      'The inequality is printed the wrong way round in Haney et al. 2023, Thm 3.7 and Example B.2; their proof has it as here.',
      PRODUCT,
      AT_OTHER_DELTAS,
    ],
    works: ['whitehouse-2023', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: DP,
    delta: true,
  },
  'zcdp-optimal': {
    statement:
      "Mechanisms may run while the sum of their rho is at most rho*, which a part d' of delta converts to the budget. The rest of delta covers their own deltas.",
    formula: [
      'sum rho_i <= rho*, the largest rho with',
      "  inf over a > 1 of exp((a - 1)(a rho - e)) / (a - 1) (1 - 1 / a)^a <= d'",
      'rho_i: e_i tanh(e_i / 2) of (e_i, 0)-DP, e_i^2 / 8 of bounded range, mu^2 / 2 of Gaussian noise',
      "d' + sum d_i <= d, or 1 - (1 - d') prod (1 - d_i) <= d",
    ],
    departures: [
      'The rule joins the zCDP filter to the optimal conversion (derived). The rho of (e_i, 0)-DP is the tight e_i tanh(e_i / 2) (Steinke, "Tight RDP & zCDP Bounds from Pure DP").',
      PRODUCT,
      AT_OTHER_DELTAS,
    ],
    works: ['haney-2023', 'henzinger-safavi-vadhan-2025', 'canonne-kamath-steinke-2020', 'cesar-rogers-2021'],
    types: RHO,
    delta: true,
  },
  zcdp: {
    statement: 'Mechanisms may run while the sum of their rho is at most the budget.',
    formula: ['sum rho_i <= rho', 'rho_i as in zcdp-optimal'],
    departures: ['The rho of (e_i, 0)-DP, e_i tanh(e_i / 2), is derived; in print it is e_i^2 / 2, which is larger.'],
    works: ['feldman-zrnic-2021', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: RHO,
    delta: false,
  },
  'approximate-zcdp': {
    statement: 'Mechanisms may run while the sums of their rho and of their deltas are at most the budget.',
    formula: ['sum rho_i <= rho', 'sum d_i <= d, or 1 - prod (1 - d_i) <= d'],
    departures: [PRODUCT],
    works: ['whitehouse-2023', 'haney-2023'],
    types: RHO,
    delta: true,
  },
  rdp: {
    statement: 'Mechanisms may run while the sum of their Renyi epsilons at one order is at most the budget.',
    formula: ['sum e_i(a) <= e, at one order a > 1 that is fixed at the start'],
    departures: [],
    works: ['feldman-zrnic-2021', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: RENYI,
    delta: false,
  },
  'approximate-rdp': {
    statement:
      'Mechanisms may run while the sums of their Renyi epsilons at one order and of their deltas are at most the budget.',
    formula: [
      'sum e_i(a) <= e, at one order a > 1 that is fixed at the start',
      'sum d_i <= d, or 1 - prod (1 - d_i) <= d',
    ],
    departures: ['It is derived from the rule for approximate zCDP, at this one order.', PRODUCT],
    works: ['feldman-zrnic-2021', 'whitehouse-2023'],
    types: RENYI,
    delta: true,
  },
  'rdp-curve': {
    statement:
      'Mechanisms may run while the sum of their Renyi epsilons is at most the budget at every one of several orders.',
    formula: ['sum e_i(a) <= e(a), at every order a'],
    departures: [
      'That the rule of each single order holds is in print; that all of them hold together is derived. To be within the budget at some order is not enough.',
    ],
    works: ['haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: RENYI,
    delta: false,
  },
  gdp: {
    statement: 'Mechanisms may run while the sum of the squares of their mu is at most that of the budget.',
    formula: [
      'sum mu_i^2 <= mu^2',
      'mu_i: sensitivity / sigma of Gaussian noise, -2 Phi^-1(1 / (1 + e^e_i)) of (e_i, 0)-DP',
      'mu_i of a finite pair that answers once: max -Phi^-1(alpha) - Phi^-1(beta) over the corners of its trade-off function',
    ],
    departures: [],
    works: ['smith-thakurta-2022', 'haney-2023', 'henzinger-safavi-vadhan-2025'],
    types: MU,
    delta: false,
  },
};
