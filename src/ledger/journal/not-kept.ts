import { failed, type Failed, type DamagedStore } from '../records/fault.ts';

/** A database has taken what was added to a ledger, and has it not. */
export const notKept = (ledger: string): Failed<DamagedStore> => ({
  ...failed({
    code: 'damaged-store',
    reason: 'what was recorded is not there: something in the database lets it fall, such as a trigger',
  }),
  ledger,
});
