import { BOUND_ROW } from './bounds.ts';
import { list, NOTICE, published, record, TEXT } from './common.ts';

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
        description: 'What any claim would have to exceed, where that is known.',
      },
      path: TEXT,
      type: TEXT,
      bounds: list(BOUND_ROW),
      warnings: list(NOTICE),
    },
    ['path', 'type', 'bounds', 'warnings'],
  ),
});
