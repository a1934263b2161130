import { list, NOTICE, published, record, TEXT } from './common.ts';

/** What `validate --json` prints for a valid specification. */
export const VALIDATE_SCHEMA = published(
  'validate',
  'A valid specification in normal form, as validate --json prints it.',
  {
    ...record({
      schema: { const: 'dpcompose.validate/1' },
      version: TEXT,
      valid: { const: true },
      input: { type: 'object', description: 'The specification in normal form.' },
      warnings: list(NOTICE),
    }),
  },
);
