import type { Ends } from '../records/ends.ts';
import { failed, type Failed, type NotAtHome } from '../records/fault.ts';
import { presentOf } from './present.ts';
import type { Store } from './store.ts';

/**
 * Why nothing can be added to a ledger in this place, whatever is asked: it was moved away, or its last record was written in
 * another place, so that this is a copy. Null where neither is so.
 */
export async function notAtHome(store: Store, name: string, ends: Ends): Promise<Failed<NotAtHome> | Failed | null> {
  const present = presentOf(ends);
  if (present.kind === 'failed') return present;
  const home = await store.home(name);
  if (typeof home !== 'string') return home;
  if (ends.last.fields.home !== home) return failed({ code: 'moved' });
  const { movedTo } = present;
  return movedTo === undefined ? null : failed({ code: 'moved-away', to: `${movedTo.name} in ${movedTo.store}` });
}
