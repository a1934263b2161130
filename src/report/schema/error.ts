import { published, record, TEXT } from './common.ts';

const place = { type: 'integer', minimum: 1 };
const FILE = { type: 'string', description: 'The file in which it stands; - for standard input, absent for options.' };

/** What `--json` prints where the input is wrong, or a ledger cannot be used. */
export const ERROR_SCHEMA = published(
  'error',
  'Every mistake of an input (exit code 2), or what is wrong with a ledger (exit codes 1, 4 and 74).',
  {
    ...record({
      schema: { const: 'dpcompose.error/1' },
      version: TEXT,
      message: { ...TEXT, description: 'The first mistake with its place, and how many others there are.' },
      file: { type: ['string', 'null'], description: 'The file in which the places are; null of a command line.' },
      errors: {
        type: 'array',
        minItems: 1,
        items: record({ code: TEXT, file: FILE, path: TEXT, message: TEXT, hint: TEXT, line: place, column: place }, [
          'file',
          'line',
          'column',
        ]),
      },
      more: { type: 'integer', minimum: 0, description: 'How many further mistakes are left out.' },
    }),
  },
);
