import { ANSWER, PLAN_TOTALS, QUERY } from './answer.ts';
import { BOUND_ROW } from './bounds.ts';
import { list, NOTICE, published, record, TEXT } from './common.ts';

/** What `compose --json` prints. */
export const COMPOSE_SCHEMA = published(
  'compose',
  'The certified cost of a composition, as compose --json prints it.',
  {
    ...record(
      {
        schema: { const: 'dpcompose.compose/1' },
        version: TEXT,
        input: { type: 'object', description: 'The specification in normal form.' },
        query: QUERY,
        answer: ANSWER,
        bounds: list(BOUND_ROW),
        plan: PLAN_TOTALS,
        warnings: list(NOTICE),
      },
      ['plan'],
    ),
  },
);
