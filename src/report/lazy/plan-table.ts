import type { AlternativePrivacy } from '../../lazy/alternatives/alternative.ts';
import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import { isWithoutY } from '../../lazy/core/setting.ts';
import type { Theorem32 } from '../../lazy/theorems/theorem-3-2.ts';
import type { Layout } from '../kit/columns.ts';
import { pageText, paragraph, type Block } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import { lazyHeading } from './kit/heading.ts';
import { aboutText, probabilityText, mostText, parameterText } from './kit/number.ts';
import { planStatement, problemText } from './plan-statement.ts';

const idOf = ({ audit }: PlanRow): string => audit.id ?? '';

function parameters({ rows, best }: Plan): Block {
  const isConvex = rows.some(({ audit }) => audit.measure.type === 'regularised-multiplicative-weights');
  const own = (name: 'beta' | 'lambda'): Column<PlanRow> => [
    name,
    ({ audit: { measure } }) =>
      measure.type === 'regularised-multiplicative-weights' ? parameterText(measure[name]) : '',
  ];
  const withoutY: Column<PlanRow> = [
    'c',
    ({ audit: { setting } }) => (isWithoutY(setting) ? parameterText(setting.switchRate) : ''),
  ];
  return table(rows, [
    ['parameters', idOf, { best: (row) => row === best, titled: true }],
    ['B', ({ audit }) => grouped(audit.setting.batch)],
    ['eta', ({ audit }) => parameterText(audit.setting.eta)],
    ['p', ({ audit: { setting } }) => (isWithoutY(setting) ? '' : probabilityText(setting.fakeSwitch))],
    ...(isConvex ? [own('beta'), own('lambda')] : [withoutY]),
  ]);
}

const claimOf = (theorem: Theorem32 | null, claimsTarget: boolean): string =>
  theorem === null ? '' : `${mostText(theorem.epsilon.upper)}${claimsTarget ? '' : ' (no)'}`;

const HEADS = { 'randomized-response': 'RR steps', 'bounded-range': 'BR steps', gaussian: 'Gaussian' } as const;

function privacy({ rows, best }: Plan): Block {
  const claim = ({ audit, claimsTarget }: PlanRow): string => claimOf(audit.moved ?? audit.theorem, claimsTarget);
  const exact = (rows[0]?.audit.accounting ?? []).map(({ resampling }, at): Column<PlanRow> => {
    return [HEADS[resampling], ({ audit }) => mostText(audit.accounting[at]!.epsilon.upper)];
  });
  return table(rows, [
    ['epsilon', idOf, { best: (row) => row === best, titled: true }],
    ['Thm 3.2 claims', claim],
    ...exact,
    ['target met', ({ meetsTarget }) => (meetsTarget ? 'yes' : 'no')],
  ]);
}

const regrets = ({ rows, best }: Plan): Block =>
  table(rows, [
    ['expected regret', idOf, { best: (row) => row === best, titled: true }],
    ['claimed, times a constant', ({ regret: { claimed } }) => (claimed === null ? '' : aboutText(claimed))],
    ['safe', ({ regret: { safe } }) => mostText(safe)],
  ]);

const PRIVACY = { 'reads-nothing': 'yes', target: 'yes', none: 'no' } as const satisfies Record<
  AlternativePrivacy,
  string
>;

const others = ({ others: learners, instead }: Plan): Block =>
  table(learners, [
    ['other learners', ({ id }) => id, { best: (other) => other === instead, titled: true }],
    ['B', (other) => (other.kind === 'proved' && other.noise ? grouped(other.noise.batch) : '')],
    ['meets target', (other) => (other.kind === 'rate' ? 'claimed' : PRIVACY[other.privacy])],
    ['rate only', (other) => (other.kind === 'rate' ? aboutText(other.value) : '')],
    ['safe regret', (other) => (other.kind === 'proved' ? mostText(other.regret) : '')],
  ]);

/** Parameters for a target, with what they cost in privacy and in regret, for a person. */
export const lazyPlanTable = (plan: Plan, layout: Layout): string =>
  pageText(
    [
      lazyHeading(problemText(plan.problem)),
      parameters(plan),
      privacy(plan),
      regrets(plan),
      others(plan),
      ...planStatement(plan).map(paragraph),
    ],
    layout,
  );
