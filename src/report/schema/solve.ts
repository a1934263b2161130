import { ANSWER, QUERY } from './answer.ts';
import { GIVEN, list, NOTICE, published, record, TEXT } from './common.ts';

const FOUND = [
  ...['count', 'multiple', 'epsilon', 'rho', 'mu', 'scale', 'sigma', 'factor'],
  ...['instances', 'sparsity', 'users', 'differing', 'total-epsilon', 'total-delta'],
];

const VALUE = { anyOf: [GIVEN, { type: 'null' }] };

/** What `solve --json` prints. */
export const SOLVE_SCHEMA = published('solve', 'What fits into a budget, as solve --json prints it.', {
  ...record(
    {
      schema: { const: 'dpcompose.solve/1' },
      version: TEXT,
      input: { type: 'object', description: 'The specification in normal form.' },
      budget: { description: 'What may be spent, with all digits.', ...record({ epsilon: GIVEN, delta: GIVEN }) },
      query: { description: 'What was asked of all mechanisms together, instead of a budget.', ...QUERY },
      vary: { ...list(TEXT), description: 'The places of the mechanisms or parts that vary.' },
      find: { enum: FOUND },
      outcome: {
        enum: ['solved', 'unbounded', 'never', 'cut'],
        description:
          'unbounded: every value is within the budget; never: none is shown to be; cut: time was up, and the answer lies between value and exceeding.',
      },
      message: TEXT,
      solution: {
        anyOf: [
          record({
            value: {
              description:
                'With all its digits. Certified to be within the budget; null where none was found before time was up.',
              ...VALUE,
            },
            next: {
              enum: ['exceeds', 'undecided', 'refused', 'none', 'unknown'],
              description: 'What is known of the next larger value (of noise: the next smaller).',
            },
            exceeding: {
              description:
                'The first larger value (of noise: smaller) known to exceed the budget for certain; null where none is known.',
              ...VALUE,
            },
            mechanisms: list({ type: 'object', description: 'A mechanism or part that varies, with that value.' }),
          }),
          { type: 'null' },
        ],
      },
      answer: {
        description: 'What certifies it; null where nothing is left to compose.',
        anyOf: [ANSWER, { type: 'null' }],
      },
      warnings: list(NOTICE),
    },
    ['budget', 'query'],
  ),
});
