import type { Store } from '../journal/store.ts';

/** In a database a ledger goes by the same name wherever it is named. */
export const references: Pick<Store, 'reference' | 'resolve'> = {
  reference: (_, to) => to,
  resolve: (_, reference) => reference,
};
