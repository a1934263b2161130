import { Interrupted } from '../../../ledger/records/fault.ts';
import type { Listed, Store } from '../../../ledger/journal/store.ts';
import { faultFailure } from './failure.ts';
import { succeeded } from './named-ledger.ts';

/** Every ledger of a store, one after the other; throws what ends the command where the list breaks off. */
export async function* eachListed(store: Store): AsyncGenerator<Listed> {
  const batches = await store.list();
  if ('kind' in batches) succeeded(batches, { file: store.address });
  else {
    try {
      for await (const batch of batches) yield* batch;
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      throw faultFailure(error.failed.fault, error.failed.ledger ?? store.address);
    }
  }
}
