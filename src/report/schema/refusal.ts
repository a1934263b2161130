import { BOUND_ROW } from './bounds.ts';
import { DESIGN_PROPERTIES, DESIGN_VIOLATION } from './design.ts';
import { list, NOTICE, NUMBER, published, record, TEXT } from './common.ts';

/** A key to write or to remove, in the object at a path; the document itself where that is empty. */
const KEY_CHANGE = record({
  path: TEXT,
  key: TEXT,
  value: { type: ['string', 'number', 'boolean', 'null'] },
});

/** What `--json` prints where no theorem covers the setting. */
export const REFUSAL_SCHEMA = published('refusal', 'Why no theorem covers a setting (exit code 3).', {
  ...record(
    {
      schema: { const: 'dpcompose.refusal/1' },
      version: TEXT,
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
      mends: {
        description:
          'What would mend it, any one of them; changes: keys to write, or to remove (null), where it is a matter of keys.',
        ...list(record({ message: TEXT, changes: list(KEY_CHANGE) })),
      },
      elements: {
        description: 'Of no-bound: the mechanisms that keep the nearest bounds from applying.',
        ...list(record({ path: TEXT, label: TEXT, type: TEXT }, ['label'])),
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
    [
      'mends',
      'elements',
      'path',
      'label',
      'type',
      'bounds',
      'warnings',
      'counterexample',
      'properties',
      'violations',
      'more',
    ],
  ),
});
