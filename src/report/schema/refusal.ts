import { BOUND_ROW } from './bounds.ts';
import { DESIGN_PROPERTIES, DESIGN_VIOLATION } from './design.ts';
import { list, NOTICE, NUMBER, published, record, TEXT } from './common.ts';

/** What `--json` prints where no theorem covers the setting. */
export const REFUSAL_SCHEMA = published('refusal', 'Why no theorem covers a setting (exit code 3).', {
  ...record(
    {
      schema: { const: 'dpcompose.refusal/1' },
      code: TEXT,
      message: TEXT,
      reference: { type: ['string', 'null'] },
      lowerBound: {
        type: ['object', 'null'],
        description:
          'What any claim would have to exceed, where a counterexample says: with so many instances, at epsilon (any: at every one) or at order alpha; supremum is its limit as instances are added.',
        properties: {
          instances: { type: 'integer', minimum: 1 },
          epsilon: { anyOf: [NUMBER, { const: 'any' }] },
          delta: NUMBER,
          alpha: NUMBER,
          supremum: NUMBER,
        },
        required: ['instances', 'epsilon', 'supremum'],
      },
      path: TEXT,
      label: TEXT,
      type: TEXT,
      bounds: list(BOUND_ROW),
      warnings: list(NOTICE),
      counterexample: {
        type: 'object',
        description: 'A run in which a bound for fixed parameters lets a budget be exceeded.',
      },
      properties: DESIGN_PROPERTIES,
      violations: list(DESIGN_VIOLATION),
      more: { type: 'integer', minimum: 0, description: 'How many further violations are left out.' },
    },
    ['path', 'label', 'type', 'bounds', 'warnings', 'counterexample', 'properties', 'violations', 'more'],
  ),
});
