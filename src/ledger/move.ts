import { failed, type Failed, Interrupted, type NotHere } from './fault.ts';
import { type Restored, type Store, type TransactOptions, isSameStore } from './store.ts';
import { type RawLine, headNamedBy, numberOf, type Sealed } from './line.ts';
import { totalsOf } from './state.ts';
import { metadataOf, type RecordOptions } from './spend-in.ts';
import { presentOf, readPresent, type Present } from './present.ts';
import { recordFields, type Event, type MovedTo } from './record.ts';

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
async function wholeLines(store: Store, name: string): Promise<AsyncIterable<readonly Buffer[]> | Failed> {
  const unsettled = await unsettledEnd(store, name);
  if (unsettled !== null) return unsettled;
  const batches = await store.records(name);
  return 'kind' in batches ? batches : bytesOf(batches, name);
}

/** A ledger by its name, and where it is. */
export interface Located {
  readonly store: Store;
  readonly name: string;
}

/** The fault of a ledger in the place where it goes, whose name may be the same as where it comes from. */
const faultThere = (fault: Failed, { store, name }: Located): Failed => ({
  ...fault,
  ledger: `${name} in ${store.address}`,
});

/** Whether two names lead to one place: what would be a copy there could be spent from beside the other. */
async function isSamePlace(from: Located, to: Located): Promise<boolean> {
  const [fromPlace, toPlace] = [await from.store.placeId(from.name), await to.store.placeId(to.name)];
  return typeof fromPlace === 'string' && fromPlace === toPlace;
}

/** Why no ledger can be made in a place of the lines of another; null where nothing is in the way. */
async function obstacleTo(from: Located, to: Located): Promise<Failed | null> {
  const inTheWay = await to.store.obstacle(to.name);
  if (inTheWay !== null) return faultThere(inTheWay, to);
  return (await isSamePlace(from, to)) ? faultThere(failed({ code: 'same-place' }), to) : null;
}

/** Copies the lines of a ledger; they have to be all there. */
async function copyLines(from: Located, to: Located): Promise<Restored | Failed> {
  const lines = await wholeLines(from.store, from.name);
  if ('kind' in lines) return { ...lines, ledger: from.name };
  if (to.store.restore === undefined) return failed({ code: 'write-failed', reason: 'this store accepts no copies' });
  const restored = await to.store.restore(to.name, lines);
  if (restored.kind !== 'failed') return restored;
  // What is wrong with a line was wrong where it comes from.
  return 'line' in restored.fault || restored.ledger !== undefined
    ? { ledger: from.name, ...restored }
    : faultThere(restored, to);
}

/**
 * Copies a ledger into another store, line for line. The copy tells what was recorded up to now, and is not added to: by its last
 * record it belongs to the place that it was copied from, until somebody says that it goes on in the new one (`adopt`).
 */
export async function copyIn(from: Located, to: Located): Promise<Restored | Failed> {
  return (await obstacleTo(from, to)) ?? (await copyLines(from, to));
}

/** The steps of a move, in their order. */
export type MoveStep = 'ended' | 'copied' | 'adopted' | 'concluded';

/** A ledger that goes on in another place. */
export interface Moved {
  readonly kind: 'moved';
  /** The record by which it ended where it was. */
  readonly departure: Sealed;
  /** The record by which it goes on in the new place; null where it had gone on there before this. */
  readonly adopted: Sealed | null;
}

/** How a ledger is moved. */
export interface MoveOptions extends RecordOptions {
  /** Called after each step that is durable. */
  readonly onStep?: (step: MoveStep) => void;
}

/** That a ledger was moved away, and where to. */
const awayTo = ({ store, name }: MovedTo): Failed<Extract<NotHere, { code: 'moved-away' }>> =>
  failed({ code: 'moved-away', to: `${name} in ${store}`, name, store });

const isSame = (a: MovedTo, b: MovedTo): boolean => isSameStore(a.store, b.store) && a.name === b.name;

/** The record by which a ledger has left, and whether it is recorded that it has arrived. */
interface Departure {
  readonly kind: 'departure';
  readonly departure: Sealed;
  readonly hasArrived: boolean;
}

function departureIn(last: Sealed): Departure {
  if (last.fields.arrived !== true) return { kind: 'departure', departure: last, hasArrived: false };
  const { fields } = last;
  const departure: Sealed = {
    kind: 'record',
    fields: { ...fields, seq: numberOf(last) - 1 },
    hash: String(fields.prev),
  };
  return { kind: 'departure', departure, hasArrived: true };
}

/** The departure of a ledger that has left for this place; null where it has not left. */
async function leftBefore({ store, name }: Located, to: MovedTo): Promise<Departure | Failed | null> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed') return { ...ends, ledger: name };
  const present = presentOf(ends);
  if (present.kind === 'failed') return { ...present, ledger: name };
  const { movedTo } = present;
  if (movedTo === undefined) return null;
  return isSame(movedTo, to) ? departureIn(ends.last) : { ...awayTo(movedTo), ledger: name };
}

/** The fault of a ledger that goes on in another one, by which nothing may follow its last record; null where it does not. */
const ended = ({ successor }: Present): Failed | null => successor && failed({ code: 'converted', successor });

/** A step of a move: adds a record of the event that a ledger as it is asks for, if any, under no key; null where none was. */
async function step(
  { store, name }: Located,
  options: MoveOptions,
  how: Partial<TransactOptions>,
  eventFor: (last: Sealed, present: Present) => Event | Failed | null,
): Promise<Sealed | Failed | null> {
  const { patience, nonce, acceptClock = false } = options;
  const noted = { ...metadataOf(options), key: null };
  const done = await store.transact<null>(
    [name],
    ([view]) => {
      const { ends } = view!;
      const present = presentOf(ends);
      if (present.kind === 'failed') return present;
      const event = eventFor(ends.last, present);
      if (event !== null && 'kind' in event) return event;
      const fields = event && recordFields({ ...event, ...noted, totals: totalsOf(present.state) });
      return { kind: 'proposal', additions: [fields], value: null };
    },
    { patience, acceptClock, ...(nonce && { nonce }), ...how },
  );
  return done.kind === 'failed' ? done : (done.records[0] ?? null);
}

async function leave(from: Located, to: MovedTo, options: MoveOptions): Promise<Sealed | Failed> {
  const how = options.expect === undefined ? {} : { expect: options.expect };
  const departure = await step(
    from,
    options,
    how,
    (_, present) => ended(present) ?? { event: 'move', to, arrived: false },
  );
  return departure!;
}

const isMissing = ({ fault }: Failed): boolean => fault.code === 'no-such-file' || fault.code === 'no-such-ledger';

/** Whether the ledger in the new place is the one that has left the old one. */
async function hasArrived({ store, name }: Located, departure: Sealed): Promise<boolean | Failed> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed') return isMissing(ends) ? false : ends;
  if (ends.last.hash === departure.hash) return true;
  if (ends.header.hash !== departure.fields.ledger || numberOf(ends.last) <= numberOf(departure)) return false;
  const batches = await store.records(name);
  if ('kind' in batches) return batches;
  const seal = Buffer.from(`"hash":"${departure.hash}"}`);
  for await (const batch of batches) {
    for (const { number, bytes } of batch) {
      if (number === numberOf(departure) + 1) return bytes.subarray(-seal.length).equals(seal);
    }
  }
  return false;
}

/** Lets the ledger go on in the new place, if its last record is that by which it has left the old one. */
async function arrive(to: Located, departure: Sealed, options: MoveOptions): Promise<Moved | Failed> {
  const how = { adopt: true, goesOnAt: { store: to.store.address, name: to.name } };
  const adopted = await step(to, options, how, ({ hash }) =>
    hash === departure.hash ? { event: 'adopt', label: 'moved here' } : null,
  );
  return adopted?.kind === 'failed' ? adopted : { kind: 'moved', departure, adopted };
}

/** Records in the old place that the ledger has arrived in the new one; nothing where that stands there already. */
async function conclude(from: Located, departure: Sealed, to: MovedTo, options: MoveOptions): Promise<Failed | null> {
  const done = await step(from, options, { arrivedAt: to }, ({ hash }) =>
    hash === departure.hash ? { event: 'move', to, arrived: true } : null,
  );
  return done?.kind !== 'failed' || done.fault.code === 'moved-away' ? null : { ...done, ledger: from.name };
}

/**
 * Moves a ledger into another store. It ends in the old place first, with a record that says where it goes on; then its lines are
 * copied, that one among them; then a record in the new place says that it goes on there, and one in the old place that it has
 * arrived. Each step is durable before the next, and after none of them it can be added to in both places. Stopped in between, the
 * same call completes the move: a ledger that has left for this place and name is not ended again, and one that has arrived is not
 * copied again. A move that is complete is not made once more: in the new place the ledger may have another name by then, or have
 * been moved on.
 */
export async function moveIn(from: Located, to: Located, options: MoveOptions): Promise<Moved | Failed> {
  const target: MovedTo = { store: to.store.address, name: to.name };
  const before = await leftBefore(from, target);
  if (before?.kind === 'failed') return before;
  // One that has left is looked at again: nothing that comes after its end may be taken along.
  const inTheWay = (before === null ? await obstacleTo(from, to) : null) ?? (await soundToMove(from));
  if (inTheWay !== null) return inTheWay;
  const departure = before?.departure ?? (await leave(from, target, options));
  if (departure.kind === 'failed') return { ...departure, ledger: departure.ledger ?? from.name };
  options.onStep?.('ended');
  const arrived = await hasArrived(to, departure);
  if (typeof arrived !== 'boolean') return faultThere(arrived, to);
  // What became of it since is not known here: it may have another name, or have been moved on.
  if (before?.hasArrived === true) {
    return arrived ? { kind: 'moved', departure, adopted: null } : { ...awayTo(target), ledger: from.name };
  }
  if (!arrived) {
    const copied = await copyLines(from, to);
    // Somebody else may complete the same move.
    if (copied.kind === 'failed' && (await hasArrived(to, departure)) !== true) return copied;
  }
  options.onStep?.('copied');
  const moved = await arrive(to, departure, options);
  if (moved.kind === 'failed') return faultThere(moved, to);
  options.onStep?.('adopted');
  const open = await conclude(from, departure, target, options);
  if (open !== null) return open;
  options.onStep?.('concluded');
  return moved;
}

/** Why a ledger could not arrive if it left: some record is not as it was written. Null where every one is. */
async function soundToMove({ store, name }: Located): Promise<Failed | null> {
  const { verify } = await import('./verify.ts');
  const verified = await verify(store, name);
  if (verified.kind === 'failed') return { ...verified, ledger: name };
  const [flaw] = verified.flaws;
  if (flaw !== undefined) return failed(flaw, name);
  const present = await readPresent(store, name);
  const fault = present.kind === 'failed' ? present : ended(present);
  return fault && { ...fault, ledger: name };
}
