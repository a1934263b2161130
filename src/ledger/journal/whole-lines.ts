import { failed, Interrupted, type Failed } from '../records/fault.ts';
import type { RawLine } from '../records/raw-line.ts';
import type { Store } from './store.ts';
import { headNamedBy } from '../records/together.ts';

/** Why the lines of a ledger cannot be copied as they are: its end is not settled. Null where they can. */
async function unsettledEnd(store: Store, name: string): Promise<Failed | null> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed') return ends;
  const { rest, last } = ends;
  const seq = Number(last.fields.seq);
  if (rest.kind === 'torn') {
    return failed({ code: 'unfinished-record', line: seq + 2, record: seq + 1, bytes: rest.bytes });
  }
  const head = rest.kind === 'whole' ? headNamedBy(last) : null;
  return head && failed({ code: 'unsettled', head: head.ledger, because: 'unfinished-record' });
}

async function* bytesOf(batches: AsyncIterable<readonly RawLine[]>, name: string): AsyncGenerator<readonly Buffer[]> {
  try {
    for await (const batch of batches) {
      const long = batch.find(({ tooLong }) => tooLong);
      if (long !== undefined) {
        throw new Interrupted(failed({ code: 'line-too-long', line: long.number, record: long.number - 1 }));
      }
      yield batch.map(({ bytes }) => bytes);
    }
  } catch (error) {
    throw error instanceof Interrupted ? new Interrupted({ ledger: name, ...error.failed }) : error;
  }
}

/** The lines of a ledger as they were written, each without its newline, in batches; fails where its end does not say what counts. */
export async function wholeLines(store: Store, name: string): Promise<AsyncIterable<readonly Buffer[]> | Failed> {
  const unsettled = await unsettledEnd(store, name);
  if (unsettled !== null) return unsettled;
  const batches = await store.records(name);
  return 'kind' in batches ? batches : bytesOf(batches, name);
}
