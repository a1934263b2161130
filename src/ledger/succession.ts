import { type Refused, type LedgerState, totalsOf } from './state.ts';
import type { Opened } from './open.ts';
import type { Terms } from './rules/terms.ts';
import { type Failed, failed } from './fault.ts';
import {
  spendIn,
  metadataOf,
  withKeyLookup,
  usedKey,
  type Ended,
  type SpendResult,
  type RecordOptions,
  proposeOne,
} from './spend-in.ts';
import { presentOf, type Present } from './present.ts';
import { recordFields, type Nested, type Event } from './record.ts';
import type { Store, Transacted, Propose } from './store.ts';
import { scan } from './history.ts';

/** The name and the id of a ledger that is to be made. */
export interface NewLedgerId {
  readonly name: string;
  readonly id: string;
}

async function firstObstacle(store: Store, children: readonly NewLedgerId[]): Promise<Failed | null> {
  for (const { name } of children) {
    const fault = await store.obstacle(name);
    if (fault !== null) return { ...fault, ledger: name };
  }
  return null;
}

async function isKeyUsed(store: Store, name: string, options: RecordOptions): Promise<boolean | Failed> {
  if (options.key == null) return false;
  const looked = await store.transact(
    [name],
    proposeOne<boolean>((_, earlier) => [null, earlier !== null]),
    withKeyLookup(options),
  );
  return looked.kind === 'failed' ? looked : looked.value;
}

/**
 * Launches ledgers of these terms in a ledger: one, or several on disjoint parts of the data. The price is recorded and they
 * are made in one transaction, so that no ledger is ever there that was not paid for.
 */
export async function nestIn(
  store: Store,
  name: string,
  request: { readonly children: readonly NewLedgerId[]; readonly terms: Terms; readonly label: string | null },
  options: RecordOptions,
): Promise<Transacted<SpendResult> | Failed> {
  const { children, terms, label } = request;
  const inTheWay = await firstObstacle(store, children);
  if (inTheWay !== null) {
    // Asked again under its key, the ledgers are there already.
    const isAgain = await isKeyUsed(store, name, options);
    if (isAgain !== true) return isAgain === false ? inTheWay : isAgain;
  }
  const nested: Nested = {
    ids: children.map(({ id }) => id),
    names: children.map((child) => store.reference(name, child.name)),
    terms,
  };
  const launched = await spendIn(store, [name], { nested, label }, options);
  return launched.kind === 'failed' ? launched : { ...launched, value: launched.value[0]! };
}

/** The result of a conversion, and the ledger before it. */
export interface Converted {
  readonly before: Present;
  readonly decision: Opened | Refused | Ended;
}

/** Ends a ledger and makes the one that it becomes, which goes on from its totals, in one transaction. */
export async function convertIn(
  store: Store,
  name: string,
  target: NewLedgerId,
  become: (state: LedgerState) => Opened | Refused,
  options: RecordOptions,
): Promise<Transacted<Converted> | Failed> {
  const noted = metadataOf(options);
  const inTheWay = await firstObstacle(store, [target]);
  if (inTheWay !== null) return inTheWay;
  const reference = store.reference(name, target.name);
  const propose = proposeOne<Converted>((before, earlier) => {
    const { state, successor } = before;
    if (successor !== null) return [null, { before, decision: { kind: 'ended', successor } }];
    const used = usedKey(earlier, noted);
    if (used !== null) return used;
    const decision = become(state);
    if (decision.kind === 'refused') return [null, { before, decision }];
    const to = { id: target.id, name: reference, terms: decision.state.terms, totals: totalsOf(decision.state) };
    return [recordFields({ event: 'convert', to, ...noted, totals: totalsOf(state) }), { before, decision }];
  });
  return store.transact([name], propose, withKeyLookup(options));
}

/** An event that changes nothing of what was spent. */
export type Annotation = Extract<Event, { event: 'note' | 'void' | 'adopt' | 'recover' }>;

const proposing = (annotation: Annotation, options: RecordOptions): Propose<Present> =>
  proposeOne((before, earlier) => {
    // The last record of a ledger that has ended is the one that says so.
    if (before.successor !== null) return failed({ code: 'converted', successor: before.successor });
    const metadata = metadataOf(options);
    const used = usedKey(earlier, metadata);
    return used ?? [recordFields({ ...annotation, ...metadata, totals: totalsOf(before.state) }), before];
  });

/** Whether a ledger is where its last record was written, with nothing at its end that is to be settled. */
async function isHere(store: Store, name: string): Promise<Present | null> {
  const ends = await store.ends(name);
  if (ends.kind === 'failed' || ends.rest.kind !== 'none' || ends.last.fields.home !== (await store.placeId(name)))
    return null;
  const present = presentOf(ends);
  return present.kind === 'present' && present.movedTo === undefined ? present : null;
}

/** Lets a ledger go on in this place; nothing is recorded where it is here already. The result is the ledger before it. */
export async function adoptIn(
  store: Store,
  name: string,
  label: string | null,
  options: RecordOptions,
): Promise<Transacted<Present> | Failed> {
  const present = await isHere(store, name);
  if (present !== null) return { kind: 'transacted', value: present, records: [null], settled: 'none' };
  return await annotateIn(store, name, { event: 'adopt', label }, options);
}

/** Records an event that changes nothing of what was spent; the result is the ledger before it. */
export const annotateIn = (
  store: Store,
  name: string,
  annotation: Exclude<Annotation, { event: 'recover' }>,
  options: RecordOptions,
): Promise<Transacted<Present> | Failed> =>
  store.transact<Present>([name], proposing(annotation, options), {
    ...withKeyLookup(options),
    ...(annotation.event === 'adopt' && { adopt: true, goesOnAt: { store: store.address, name } }),
  });

const LAUNCHES: readonly Event['event'][] = ['spend', 'nest', 'commit', 'incurred'];

/**
 * Records that what a record launched never ran; nothing is given back: that it did not run is known only from those who say so,
 * and may depend on what was seen. The record is looked for first: what is there never changes.
 */
export async function voidIn(
  store: Store,
  name: string,
  { voids, label }: { readonly voids: number; readonly label: string },
  options: RecordOptions,
): Promise<Transacted<Present> | Failed> {
  const target = { launches: false };
  const scanned = await scan(store, name, {
    record: ({ place, recorded }) => {
      if (place.record === voids) target.launches = LAUNCHES.includes(recorded.event);
      return null;
    },
  });
  if (scanned.kind === 'failed') return scanned;
  if (!target.launches) return failed({ code: 'nothing-to-void', voids });
  return await annotateIn(store, name, { event: 'void', voids, label }, options);
}

/** Sets aside what stands at the end of a ledger and is no record, and keeps it in one; the result is the ledger before it. */
export async function recoverIn(
  store: Store,
  name: string,
  label: string | null,
  options: RecordOptions,
): Promise<Transacted<Present> | Failed> {
  if (store.recover === undefined) return failed({ code: 'nothing-to-recover' });
  return await store.recover<Present>(name, (aside) => proposing({ event: 'recover', aside, label }, options), {
    ...options,
    goesOnAt: { store: store.address, name },
  });
}
