import { recoverIn } from '../../src/ledger/succession.ts';
import type { Propose, Store } from '../../src/ledger/store.ts';

/** What a next writer finds and does, without adding anything of its own. */
export interface Settling {
  finished: number;
  removed: number;
  setAside: number;
}

const NOTHING: Propose<null> = (seen) => ({ kind: 'proposal', additions: seen.map(() => null), value: null });

/** A ledger that needs another one to be settled first: the head of its transaction, or the ledger that pays for it. */
const WAITS: ReadonlySet<string> = new Set(['unsettled', 'unfinished-header', 'empty-ledger']);

/** Settles the end of one ledger; why it could not, or null. */
async function settleOne(store: Store, name: string, found: Settling): Promise<string | null> {
  const done = await store.transact([name], NOTHING, { patience: 60 });
  if (done.kind === 'transacted') {
    if (done.settled !== 'none') found[done.settled]++;
    return null;
  }
  if (done.fault.code !== 'unfinished-record') return done.fault.code;
  const recovered = await recoverIn(store, name, null, { patience: 60 });
  if (recovered.kind === 'failed') return recovered.fault.code;
  found.setAside++;
  return null;
}

/** Settles all ledgers, as writers do who come later; what cannot be settled is told. */
export async function settleAll(
  store: Store,
  names: readonly string[],
): Promise<{ readonly found: Settling; readonly problems: readonly string[] }> {
  const found: Settling = { finished: 0, removed: 0, setAside: 0 };
  let left = names.map((name) => ({ name, why: '' }));
  while (left.length > 0) {
    const waiting: typeof left = [];
    const problems: string[] = [];
    for (const { name } of left) {
      const why = await settleOne(store, name, found);
      if (why === null) continue;
      waiting.push({ name, why });
      if (!WAITS.has(why)) problems.push(`${name} cannot be settled: ${why}`);
    }
    if (problems.length > 0) return { found, problems };
    if (waiting.length === left.length) {
      return { found, problems: waiting.map(({ name, why }) => `${name} is never settled: ${why}`) };
    }
    left = waiting;
  }
  return { found, problems: [] };
}
