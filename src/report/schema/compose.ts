import { BOUND_IDS } from '../../bounds/bound.ts';
import { BOUND_ROW } from './bounds.ts';
import { BRACKET, DECIMAL, list, NOTICE, published, record, TEXT } from './common.ts';

/** What `compose --json` prints. */
export const COMPOSE_SCHEMA = published(
  'compose',
  'The certified cost of a composition, as compose --json prints it.',
  {
    ...record({
      schema: { const: 'dpcompose.compose/1' },
      version: TEXT,
      input: { type: 'object', description: 'The specification in normal form.' },
      query: {
        oneOf: [
          record({ solveFor: { const: 'epsilon' }, delta: { type: 'number' } }),
          record({ solveFor: { const: 'delta' }, epsilon: { type: 'number' } }),
        ],
      },
      answer: record(
        {
          epsilon: BRACKET,
          delta: BRACKET,
          bound: { enum: BOUND_IDS },
          tight: { type: 'boolean', description: 'lower and upper meet to the tolerance' },
          decimal: DECIMAL,
        },
        ['decimal'],
      ),
      bounds: list(BOUND_ROW),
      warnings: list(NOTICE),
    }),
  },
);
