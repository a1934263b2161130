import { auditNotes } from '../../lazy/accounting/audit-notes.ts';
import type { Plan, PlanProblem, PlanRow } from '../../lazy/planning/plan.ts';
import { jsonDecimal, jsonNumber, type Json } from '../kit/json-value.ts';
import { jsonAccounting, jsonNotes, jsonTheorem } from './audit-json.ts';
import { jsonMeasure, jsonSetting, lazyDocument } from './json.ts';
import { choiceText } from './plan-statement.ts';

function jsonProblem(problem: PlanProblem): Json {
  const target = { epsilon: jsonDecimal(problem.epsilon), delta: jsonDecimal(problem.delta) };
  if (problem.problem === 'ope') {
    return { problem: 'ope', rounds: problem.rounds, experts: problem.experts, ...target };
  }
  const { rounds, dimension, lipschitz, diameter } = problem;
  const size = { dimension, lipschitz: jsonDecimal(lipschitz), diameter: jsonDecimal(diameter) };
  return { problem: 'oco', rounds, ...size, ...target };
}

function jsonRow(row: PlanRow, { epsilon }: PlanProblem): Json {
  const { audit, regret, claimsTarget, meetsTarget, chosen } = row;
  return {
    id: audit.id,
    ...jsonSetting(audit.setting),
    measure: jsonMeasure(audit.measure),
    delta1: jsonDecimal(audit.theorem.input.delta1),
    delta0: jsonDecimal(audit.theorem.input.delta0),
    theorem: jsonTheorem(audit.theorem),
    moved: audit.moved === null ? null : jsonTheorem(audit.moved),
    accounting: jsonAccounting(audit),
    claimsTarget,
    meetsTarget,
    regret: {
      claimed: regret.claimed === null ? null : { status: 'claimed', value: jsonNumber(regret.claimed) },
      safe: { status: 'guaranteed', upper: jsonNumber(regret.safe) },
    },
    chosen:
      chosen === null
        ? null
        : {
            limit: chosen.limit.by,
            others: chosen.others.map(({ parameter, value, regret: other }) => ({
              parameter: parameter === 'fakeSwitch' ? 'p' : parameter,
              value,
              regret: jsonNumber(other),
            })),
            why: choiceText(row),
          },
    notes: jsonNotes(auditNotes(audit, epsilon)),
  };
}

/** A plan as `dpcompose.lazy/1`. */
export function lazyPlanJson(plan: Plan, version: string): string {
  const { problem, rows, missing, best, guessing, claimedRate } = plan;
  return lazyDocument('plan', version, {
    input: jsonProblem(problem),
    claimedRate: { status: 'claimed', value: jsonNumber(claimedRate) },
    rows: rows.map((row) => jsonRow(row, problem)),
    best: best === null ? null : best.audit.id,
    guessing: { status: 'guaranteed', upper: jsonNumber(guessing) },
    missing: missing.map(({ id, reason, fakeSwitch }) => ({ id, code: reason, p: jsonNumber(fakeSwitch) })),
  });
}
