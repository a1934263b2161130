import type { GuaranteeKind } from '../../lazy/accounting/resampling-guarantee.ts';
import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import { csvText } from '../kit/csv.ts';

const KINDS: readonly GuaranteeKind[] = ['randomized-response', 'bounded-range', 'gaussian'];

function record({ audit, regret, claimsTarget, meetsTarget }: PlanRow) {
  const { setting, measure, theorem, moved, accounting } = audit;
  const own =
    measure.type === 'regularised-multiplicative-weights'
      ? [measure.beta.toString(), measure.lambda.toString()]
      : [null, null];
  const exact = KINDS.map((kind) => accounting.find(({ resampling }) => resampling === kind)?.epsilon.upper ?? null);
  return [
    audit.id,
    setting.batch,
    setting.eta.toString(),
    setting.fakeSwitch.toString(),
    ...own,
    (moved ?? theorem).epsilon.upper,
    claimsTarget,
    ...exact,
    meetsTarget,
    regret.claimed,
    regret.safe,
  ];
}

/** One record for each set of parameters. */
export function lazyPlanCsv({ rows }: Plan): string {
  const header = ['parameters', 'batch', 'eta', 'p', 'beta', 'lambda', 'epsilon_claimed', 'claims_target'];
  const exact = KINDS.map((kind) => `epsilon_${kind.replaceAll('-', '_')}`);
  return csvText([...header, ...exact, 'meets_target', 'regret_claimed', 'regret_safe'], rows.map(record));
}
