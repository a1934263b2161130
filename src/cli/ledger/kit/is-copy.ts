import { notAtHome } from '../../../ledger/journal/whereabouts.ts';
import { succeeded, type Named } from './named-ledger.ts';

/** Whether the last record of a ledger was written in another place. */
export async function isCopy(ledger: Named): Promise<boolean> {
  const { store, file } = ledger;
  const away = await notAtHome(store, file, succeeded(await store.ends(file), ledger));
  return away?.fault.code === 'moved';
}
