import type { GuaranteeKind } from '../../lazy/accounting/resampling-guarantee.ts';
import type { Measure } from '../../lazy/core/measure.ts';
import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import { csvText } from '../kit/csv.ts';

const KINDS: readonly GuaranteeKind[] = ['randomized-response', 'bounded-range', 'gaussian'];

const regularisation = (measure: Measure, name: 'beta' | 'lambda'): Decimal | null =>
  measure.type === 'regularised-multiplicative-weights' ? measure[name] : null;

/** One record for each set of parameters. */
export const lazyPlanCsv = ({ rows }: Plan): string =>
  csvText(rows, [
    ['parameters', ({ audit }) => audit.id],
    ['batch', ({ audit }) => audit.setting.batch],
    ['eta', ({ audit }) => audit.setting.eta.toString()],
    ['p', ({ audit }) => audit.setting.fakeSwitch.toString()],
    ['beta', ({ audit }) => regularisation(audit.measure, 'beta')?.toString() ?? null],
    ['lambda', ({ audit }) => regularisation(audit.measure, 'lambda')?.toString() ?? null],
    ['epsilon_claimed', ({ audit }) => (audit.moved ?? audit.theorem).epsilon.upper],
    ['claims_target', ({ claimsTarget }) => claimsTarget],
    ...KINDS.map(
      (kind) =>
        [
          `epsilon_${kind.replaceAll('-', '_')}`,
          ({ audit }: PlanRow) => audit.accounting.find(({ resampling }) => resampling === kind)?.epsilon.upper ?? null,
        ] as const,
    ),
    ['meets_target', ({ meetsTarget }) => meetsTarget],
    ['regret_claimed', ({ regret }) => regret.claimed],
    ['regret_safe', ({ regret }) => regret.safe],
  ]);
