import type { Problem } from './input-error.ts';

/** How the first line of every ledger begins, whatever its version. */
const START = '{"schema":"dpcompose.ledger/';

/** Whether what was given in the place of a document is a ledger. */
export const isLedger = (input: string | Uint8Array): boolean =>
  typeof input === 'string'
    ? input.startsWith(START)
    : new TextDecoder().decode(input.subarray(0, START.length)) === START;

/** That a ledger was given in the place of a document. */
export const ledgerGiven = (hint = 'Run dpcompose ledger status with its name.'): Problem => ({
  code: 'missing-key',
  message: 'this is a ledger, not a specification',
  hint,
});
