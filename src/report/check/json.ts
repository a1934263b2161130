import type { SpecifiedChange } from '../../composition/check/check.ts';
import { statusOf, type CheckItem, type CheckReport, type CheckScope } from './results.ts';
import { checkRefusalReference, checkRefusalText, outcomeText } from './words.ts';
import { warningRow } from '../compose/json.ts';
import { jsonBracket, jsonDecimal, jsonDocument, type Json } from '../kit/json-value.ts';

const changeJson = (change: SpecifiedChange, { files }: CheckItem): Json => ({
  file: files[change.specification]?.path ?? '',
  path: change.path,
  ...(change.entry.label === null ? {} : { label: change.entry.label }),
  kind: change.kind,
  ...(change.kind === 'count'
    ? { from: change.from, to: change.to }
    : { parameter: change.name, from: jsonDecimal(change.from), to: jsonDecimal(change.to) }),
  next: change.next,
});

function outcomeJson(item: CheckItem): Readonly<Record<string, Json>> {
  const { outcome } = item;
  switch (outcome.kind) {
    case 'refused': {
      const { refusal } = outcome;
      return { code: refusal.code, message: checkRefusalText(refusal), reference: checkRefusalReference(refusal) };
    }
    case 'unreadable':
      return {
        errors: outcome.unreadable.flatMap(({ file, errors }) =>
          errors.map(({ code, path, message, hint, line, column }) => ({
            file,
            code,
            path,
            message,
            hint,
            ...(line === undefined ? {} : { line }),
            ...(column === undefined ? {} : { column }),
          })),
        ),
        more: outcome.unreadable.reduce((sum, { more }) => sum + more, 0),
      };
    case 'within':
    case 'exceeds':
    case 'undecided': {
      const { answer, delta, changes } = outcome;
      return {
        epsilon: jsonBracket(answer.epsilon),
        bound: answer.bound,
        delta: delta === null ? null : jsonBracket(delta),
        message: outcomeText(item),
        changes: changes.map((change) => changeJson(change, item)),
        warnings: answer.warnings.map(warningRow),
      };
    }
  }
}

function itemJson(item: CheckItem): Json {
  const { files, budget, outcome } = item;
  return {
    files: files.map(({ path, name }) => ({ path, ...(name === null ? {} : { name }) })),
    budget: budget === null ? null : { epsilon: jsonDecimal(budget.epsilon), delta: jsonDecimal(budget.delta) },
    status: outcome.kind,
    ...outcomeJson(item),
  };
}

const scopeJson = ({ name, together, items }: CheckScope): Json => ({
  ...(name === null ? {} : { name }),
  together,
  results: items.map(itemJson),
});

/** What came of a check as `dpcompose.check/1`. */
export function checkJson(report: CheckReport, version: string): string {
  return jsonDocument({
    schema: 'dpcompose.check/1',
    version,
    ...(report.policy === null ? {} : { policy: report.policy }),
    ...(report.name === null ? {} : { name: report.name }),
    status: statusOf(report),
    scopes: report.scopes.map(scopeJson),
  });
}
