import type { Plan, PlanRow } from '../../lazy/planning/plan.ts';
import type { Layout, Line } from '../kit/columns.ts';
import { aboutText, probabilityText, mostText, parameterText } from './number.ts';
import { planStatement, problemText } from './plan-statement.ts';
import { paragraphs, section } from './sections.ts';
import { grouped } from '../kit/prose.ts';

const marked = (row: PlanRow, best: PlanRow | null, cells: readonly string[]): Line => ({
  cells: [`${row === best ? '*' : ' '} ${row.audit.id ?? ''}`, ...cells],
  best: row === best,
});

function parameters({ rows, best }: Plan, layout: Layout): string {
  const convex = rows.some(({ audit }) => audit.measure.type === 'regularised-multiplicative-weights');
  const lines = rows.map((row) => {
    const { setting, measure } = row.audit;
    const own =
      measure.type === 'regularised-multiplicative-weights'
        ? [parameterText(measure.beta), parameterText(measure.lambda)]
        : [];
    const cells = [grouped(setting.batch), parameterText(setting.eta), probabilityText(setting.fakeSwitch), ...own];
    return marked(row, best, cells);
  });
  return section(['  parameters', 'B', 'eta', 'p', ...(convex ? ['beta', 'lambda'] : [])], lines, layout);
}

const HEADS = { 'randomized-response': 'RR steps', 'bounded-range': 'BR steps', gaussian: 'Gaussian' } as const;

function privacy({ rows, best }: Plan, layout: Layout): string {
  const kinds = rows[0]?.audit.accounting.map(({ resampling }) => resampling) ?? [];
  const lines = rows.map((row) => {
    const { audit, claimsTarget, meetsTarget } = row;
    const claim = `${mostText((audit.moved ?? audit.theorem).epsilon.upper)}${claimsTarget ? '' : ' (no)'}`;
    const exact = audit.accounting.map(({ epsilon }) => mostText(epsilon.upper));
    return marked(row, best, [claim, ...exact, meetsTarget ? 'yes' : 'no']);
  });
  const head = ['  epsilon', 'Thm 3.2, claimed', ...kinds.map((kind) => HEADS[kind]), 'meets target'];
  return section(head, lines, layout);
}

function regrets({ rows, best, guessing }: Plan, layout: Layout): string {
  const lines = rows.map((row) => {
    const { claimed, safe } = row.regret;
    return marked(row, best, [claimed === null ? '' : aboutText(claimed), mostText(safe)]);
  });
  const guess = { cells: ['  guessing', '', mostText(guessing)], best: false };
  return section(['  expected regret', 'claimed, times a constant', 'safe'], [...lines, guess], layout);
}

/** Parameters for a target, with what they cost in privacy and in regret, for a person. */
export function lazyPlanTable(plan: Plan, layout: Layout): string {
  return paragraphs(
    [
      layout.style.heading(problemText(plan.problem)),
      parameters(plan, layout),
      privacy(plan, layout),
      regrets(plan, layout),
      ...planStatement(plan),
    ],
    layout,
  );
}
