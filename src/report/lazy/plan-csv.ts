import type { Alternative } from '../../lazy/alternatives/alternative.ts';
import type { GuaranteeKind } from '../../lazy/accounting/resampling-guarantee.ts';
import type { Measure } from '../../lazy/core/measure.ts';
import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { csvText } from '../kit/csv.ts';

const KINDS: readonly GuaranteeKind[] = ['randomized-response', 'bounded-range', 'gaussian'];

const regularisation = (measure: Measure, name: 'beta' | 'lambda'): Decimal | null =>
  measure.type === 'regularised-multiplicative-weights' ? measure[name] : null;

/** A set of parameters of L2P, or another learner. */
type Line = { readonly row: PlanRow } | { readonly row: null; readonly other: Alternative };

type Cell = string | number | boolean | null;

/** One record for each set of parameters, then one for each other learner. */
export const lazyPlanCsv = ({ rows, others }: Plan): string => {
  const lines: readonly Line[] = [...rows.map((row) => ({ row })), ...others.map((other) => ({ row: null, other }))];
  const column =
    (ofRow: (row: PlanRow) => Cell, ofOther: (other: Alternative) => Cell = () => null) =>
    (line: Line): Cell =>
      line.row === null ? ofOther(line.other) : ofRow(line.row);
  return csvText(lines, [
    [
      'parameters',
      column(
        ({ audit }) => audit.id ?? null,
        ({ id }) => id,
      ),
    ],
    [
      'batch',
      column(
        ({ audit }) => audit.setting.batch,
        (other) => (other.kind === 'proved' ? (other.noise?.batch ?? null) : null),
      ),
    ],
    ['eta', column(({ audit }) => audit.setting.eta.toString())],
    ['p', column(({ audit }) => audit.setting.fakeSwitch?.toString() ?? '')],
    ['c', column(({ audit }) => audit.setting.switchRate?.toString() ?? '')],
    ['beta', column(({ audit }) => regularisation(audit.measure, 'beta')?.toString() ?? null)],
    ['lambda', column(({ audit }) => regularisation(audit.measure, 'lambda')?.toString() ?? null)],
    ['epsilon_claimed', column(({ audit }) => (audit.moved ?? audit.theorem)?.epsilon.upper ?? null)],
    [
      'claims_target',
      column(
        ({ claimsTarget }) => claimsTarget,
        (other) => other.kind === 'rate',
      ),
    ],
    ...KINDS.map(
      (kind) =>
        [
          `epsilon_${kind.replaceAll('-', '_')}`,
          column(({ audit }) => audit.accounting.find(({ resampling }) => resampling === kind)?.epsilon.upper ?? null),
        ] as const,
    ),
    [
      'meets_target',
      column(
        ({ meetsTarget }) => meetsTarget,
        (other) => other.kind === 'proved' && other.privacy !== 'none',
      ),
    ],
    [
      'regret_claimed',
      column(
        ({ regret }) => regret.claimed,
        (other) => (other.kind === 'rate' ? other.value : null),
      ),
    ],
    [
      'regret_safe',
      column(
        ({ regret }) => regret.safe,
        (other) => (other.kind === 'proved' ? other.regret : null),
      ),
    ],
  ]);
};
