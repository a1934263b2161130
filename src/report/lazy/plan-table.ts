import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph, type Block } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { lazyHeading } from './heading.ts';
import { aboutText, probabilityText, mostText, parameterText } from './number.ts';
import { planStatement, problemText } from './plan-statement.ts';

const idOf = ({ audit }: PlanRow): string => audit.id ?? '';

function parameters({ rows, best }: Plan): Block {
  const isConvex = rows.some(({ audit }) => audit.measure.type === 'regularised-multiplicative-weights');
  const own = (name: 'beta' | 'lambda'): Column<PlanRow> => [
    name,
    ({ audit: { measure } }) =>
      measure.type === 'regularised-multiplicative-weights' ? parameterText(measure[name]) : '',
  ];
  return table(rows, [
    ['parameters', idOf, { best: (row) => row === best, titled: true }],
    ['B', ({ audit }) => grouped(audit.setting.batch)],
    ['eta', ({ audit }) => parameterText(audit.setting.eta)],
    ['p', ({ audit }) => probabilityText(audit.setting.fakeSwitch)],
    ...(isConvex ? [own('beta'), own('lambda')] : []),
  ]);
}

const HEADS = { 'randomized-response': 'RR steps', 'bounded-range': 'BR steps', gaussian: 'Gaussian' } as const;

function privacy({ rows, best }: Plan): Block {
  const claim = ({ audit, claimsTarget }: PlanRow): string =>
    `${mostText((audit.moved ?? audit.theorem).epsilon.upper)}${claimsTarget ? '' : ' (no)'}`;
  const exact = (rows[0]?.audit.accounting ?? []).map(({ resampling }, at): Column<PlanRow> => {
    return [HEADS[resampling], ({ audit }) => mostText(audit.accounting[at]!.epsilon.upper)];
  });
  return table(rows, [
    ['epsilon', idOf, { best: (row) => row === best, titled: true }],
    ['Thm 3.2, claimed', claim],
    ...exact,
    ['meets target', ({ meetsTarget }) => (meetsTarget ? 'yes' : 'no')],
  ]);
}

const regrets = ({ rows, best, guessing }: Plan): Block =>
  table(
    [
      ...rows.map((row) => ({ name: idOf(row), ...row.regret, isBest: row === best })),
      { name: 'guessing', claimed: null, safe: guessing, isBest: false },
    ],
    [
      ['expected regret', ({ name }) => name, { best: ({ isBest }) => isBest, titled: true }],
      ['claimed, times a constant', ({ claimed }) => (claimed === null ? '' : aboutText(claimed))],
      ['safe', ({ safe }) => mostText(safe)],
    ],
  );

/** Parameters for a target, with what they cost in privacy and in regret, for a person. */
export const lazyPlanTable = (plan: Plan, layout: Layout): string =>
  pageText(
    [
      lazyHeading(problemText(plan.problem)),
      parameters(plan),
      privacy(plan),
      regrets(plan),
      ...planStatement(plan).map(paragraph),
    ],
    layout,
  );
