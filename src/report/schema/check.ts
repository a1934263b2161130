import { ROW_IDS } from './bounds.ts';
import { BRACKET, BRACKET_OR_NULL, GIVEN, list, NOTICE, published, record, TEXT, type JsonSchema } from './common.ts';

const BUDGET: JsonSchema = {
  description: 'What may be spent, with all digits.',
  ...record({ epsilon: GIVEN, delta: GIVEN }),
};

const FILES: JsonSchema = {
  ...list(record({ path: TEXT, name: TEXT }, ['name'])),
  minItems: 1,
};

const next: JsonSchema = {
  enum: ['exceeds', 'undecided', 'refused', 'none', 'unknown'],
  description:
    'What is known of a smaller change: exceeds: for certain not enough; undecided: cannot be shown to be; refused: no theorem; none: there is none; unknown: the time was over.',
};

const CHANGE: JsonSchema = {
  description: 'A change of one mechanism with which the composition would be within the budget.',
  oneOf: [
    record(
      {
        file: TEXT,
        path: TEXT,
        label: TEXT,
        kind: { const: 'count' },
        from: { type: 'integer', minimum: 1 },
        to: { type: 'integer', minimum: 1 },
        next,
      },
      ['label'],
    ),
    record(
      {
        file: TEXT,
        path: TEXT,
        label: TEXT,
        kind: { const: 'parameter' },
        parameter: { enum: ['epsilon', 'rho', 'mu', 'scale', 'sigma', 'factor'] },
        from: GIVEN,
        to: GIVEN,
        next,
      },
      ['label'],
    ),
  ],
};

const place = { type: 'integer', minimum: 1 };

const RESULT: JsonSchema = {
  oneOf: [
    record({
      files: FILES,
      budget: BUDGET,
      status: { enum: ['within', 'exceeds', 'undecided'] },
      epsilon: { description: 'At the delta of the budget.', ...BRACKET },
      bound: { enum: ROW_IDS },
      delta: { description: 'At the epsilon of the budget, where that had to be asked.', ...BRACKET_OR_NULL },
      message: TEXT,
      changes: list(CHANGE),
      warnings: list(NOTICE),
    }),
    record({
      files: FILES,
      budget: { anyOf: [BUDGET, { type: 'null' }] },
      status: { const: 'refused' },
      code: TEXT,
      message: TEXT,
      reference: { type: ['string', 'null'] },
    }),
    record({
      files: FILES,
      budget: { anyOf: [BUDGET, { type: 'null' }] },
      status: { const: 'unreadable' },
      errors: {
        type: 'array',
        minItems: 1,
        items: record({ file: TEXT, code: TEXT, path: TEXT, message: TEXT, hint: TEXT, line: place, column: place }, [
          'line',
          'column',
        ]),
      },
      more: { type: 'integer', minimum: 0, description: 'How many further mistakes are left out.' },
    }),
  ],
};

/** What `check --json` prints. */
export const CHECK_SCHEMA = published(
  'check',
  'What came of comparing specifications with their budgets, as check --json prints it.',
  record(
    {
      schema: { const: 'dpcompose.check/1' },
      version: TEXT,
      policy: TEXT,
      name: TEXT,
      status: {
        enum: ['unreadable', 'exceeds', 'undecided', 'refused', 'within'],
        description: 'The first of these that holds of any specification.',
      },
      scopes: list(
        record({ name: TEXT, together: { type: 'boolean' }, results: { ...list(RESULT), minItems: 1 } }, ['name']),
      ),
    },
    ['policy', 'name'],
  ),
);
