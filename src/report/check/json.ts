import type { RiskVerdict } from '../../composition/risk/limits.ts';
import type { SpecifiedChange } from '../../composition/check/check.ts';
import { PLACE } from '../compose/error-json.ts';
import {
  choice,
  described,
  document,
  documentText,
  is,
  list,
  object,
  oneOf,
  optional,
  orNull,
  type AnyCodec,
  type ValueOf,
} from '../kit/codec.ts';
import { BRACKET, BUDGET, COUNT, FLAG, GIVEN, TEXT, TEXT_OR_NULL, whole } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/bound-row-json.ts';
import { statusOf, STATUSES, type CheckItem, type CheckReport } from './results.ts';
import { checkRefusalReference, checkRefusalText, outcomeText } from './words.ts';

const notEmpty = <C extends AnyCodec>(codec: C): C => ({ ...codec, schema: { ...codec.schema, minItems: 1 } });

const ALLOWED = described('What may be spent, with all digits.', BUDGET);
const FILES = notEmpty(list(object({ path: TEXT, name: optional(TEXT) })));
const POSITIVE = whole(1);

const PLACED = { file: TEXT, path: TEXT, label: optional(TEXT) };

const next = described(
  'What is known of a smaller change: exceeds: for certain not enough; undecided: cannot be shown to be; refused: no theorem; none: there is none; unknown: the time was over.',
  choice('exceeds', 'undecided', 'refused', 'none', 'unknown'),
);

const CHANGE = described(
  'A change of one mechanism with which the composition would be within the budget.',
  oneOf(
    object({ ...PLACED, kind: is('count'), from: POSITIVE, to: POSITIVE, next }),
    object({
      ...PLACED,
      kind: is('parameter'),
      parameter: choice('epsilon', 'rho', 'mu', 'scale', 'sigma', 'factor'),
      from: GIVEN,
      to: GIVEN,
      next,
    }),
  ),
);

const LIMIT_STATUS = choice('within', 'exceeds', 'undecided');

const RISK = described(
  'How well neighbouring data are told apart, beside what is allowed.',
  oneOf(
    object({ measure: is('advantage'), most: GIVEN, value: BRACKET, status: LIMIT_STATUS }),
    object({
      measure: is('true-positive-rate'),
      falsePositiveRate: GIVEN,
      most: GIVEN,
      value: BRACKET,
      status: LIMIT_STATUS,
    }),
  ),
);

const COMPARED = object({
  files: FILES,
  budget: described('Null where risks alone are limited.', orNull(ALLOWED)),
  status: LIMIT_STATUS,
  epsilon: described('At the delta of the budget.', orNull(BRACKET)),
  bound: orNull(ROW_ID),
  delta: described('At the epsilon of the budget, where that had to be asked.', orNull(BRACKET)),
  risks: optional(list(RISK)),
  message: TEXT,
  changes: list(CHANGE),
  warnings: list(WARNING),
});

const REFUSED = object({
  files: FILES,
  budget: orNull(ALLOWED),
  status: is('refused'),
  code: TEXT,
  message: TEXT,
  reference: TEXT_OR_NULL,
});

const UNREADABLE = object({
  files: FILES,
  budget: orNull(ALLOWED),
  status: is('unreadable'),
  errors: list(object({ file: TEXT, code: TEXT, path: TEXT, message: TEXT, hint: TEXT, ...PLACE }), { minItems: 1 }),
  more: described('How many further mistakes are left out.', COUNT),
});

const RESULT = oneOf(COMPARED, REFUSED, UNREADABLE);

/** The outcome of a check, with the status that is the worst of any specification. */
export const CHECK = document(
  'check',
  'What came of comparing specifications with their budgets, as check --json prints it.',
  {
    policy: optional(TEXT),
    name: optional(TEXT),
    status: described('The first of these that holds of any specification.', choice(...STATUSES)),
    scopes: list(object({ name: optional(TEXT), together: FLAG, results: notEmpty(list(RESULT)) })),
  },
);

const changeOf = (change: SpecifiedChange, { files }: CheckItem): ValueOf<typeof CHANGE> => {
  const placed = { file: files[change.specification]?.path ?? '', label: change.entry.label };
  return change.kind === 'count' ? { ...change, ...placed } : { ...change, ...placed, parameter: change.name };
};

const riskOf = ({ limit, value, kind: status }: RiskVerdict): ValueOf<typeof RISK> =>
  limit.measure === 'advantage'
    ? { ...limit, value, status }
    : { ...limit, falsePositiveRate: limit.at, value, status };

function resultOf(item: CheckItem): ValueOf<typeof RESULT> {
  const { files, budget, outcome } = item;
  switch (outcome.kind) {
    case 'refused': {
      const { kind: status, refusal } = outcome;
      const [message, reference] = [checkRefusalText(refusal), checkRefusalReference(refusal)];
      return { files, budget, status, code: refusal.code, message, reference };
    }
    case 'unreadable':
      return {
        files,
        budget,
        status: outcome.kind,
        errors: outcome.unreadable.flatMap(({ file, errors }) => errors.map((error) => ({ ...error, file }))),
        more: outcome.unreadable.reduce((sum, { more }) => sum + more, 0),
      };
    case 'within':
    case 'exceeds':
    case 'undecided': {
      const { kind: status, spent, risks } = outcome;
      return {
        files,
        budget,
        status,
        epsilon: spent?.answer.epsilon ?? null,
        bound: spent?.answer.bound ?? null,
        delta: spent?.delta ?? null,
        risks: risks.length === 0 ? null : risks.map(riskOf),
        message: outcomeText(item),
        changes: outcome.changes.map((change) => changeOf(change, item)),
        warnings: spent?.answer.warnings ?? [],
      };
    }
  }
}

/** A check as `dpcompose.check/1`. */
export const checkJson = (report: CheckReport, version: string): string =>
  documentText(CHECK, {
    ...report,
    version,
    status: statusOf(report),
    scopes: report.scopes.map((scope) => ({ ...scope, results: scope.items.map(resultOf) })),
  });
