import type { StoreTime } from './rules/terms.ts';
import { randomBytes } from 'node:crypto';
import { failed, type Failed } from './fault.ts';
import { numberOf, seal, type Fields, type Sealed, LONGEST_RECORD, type TransactionLink } from './line.ts';
import { type Propose, type LedgerView, type Store, type TransactOptions, isSameStore } from './store.ts';
import { type MovedTo, headerFields, type Header, readRecord } from './record.ts';

/**
 * 128 random bits, in hexadecimal digits: every record has its own, so that two writers who know nothing of each other
 * never write the same record, and a merge of their ledgers shows both.
 */
export const newNonce = (): string => randomBytes(16).toString('hex');

/** A record that is ready to be kept. */
export interface Prepared {
  /** The line without its newline. */
  readonly line: Buffer;
  readonly record: Sealed;
}

/** A transaction that is ready to be kept: a record or none for each ledger, in the order of their names. */
export interface PreparedTransaction<T> {
  readonly kind: 'prepared';
  readonly value: T;
  readonly records: readonly (Prepared | null)[];
}

/**
 * Where a ledger goes on that was moved away from here; null where it was not, or is to be taken up in the place that it was moved
 * to. That its last record was written elsewhere is not enough: a copy of the file that it left has another place too.
 */
function awayFrom(
  { ends: { last } }: LedgerView,
  placeId: string,
  { adopt, goesOnAt, arrivedAt }: TransactOptions,
): MovedTo | null {
  if (last.fields.event !== 'move') return null;
  const { to, arrived } = last.fields as {
    readonly to?: { readonly store?: unknown; readonly name?: unknown };
    readonly arrived?: unknown;
  };
  const isTo = (at: MovedTo | undefined): boolean =>
    at !== undefined && isSameStore(String(to?.store), at.store) && to?.name === at.name;
  const isHome = last.fields.home === placeId;
  if (adopt === true && !isHome && isTo(goesOnAt)) return null;
  if (arrived !== true && isHome && isTo(arrivedAt)) return null;
  return { name: String(to?.name), store: String(to?.store) };
}

function faultOf(views: readonly LedgerView[], placeIds: readonly string[], options: TransactOptions): Failed | null {
  for (const [i, view] of views.entries()) {
    // Of a copied disk both are in their places.
    const twin = views.slice(0, i).find(({ ends }) => ends.header.hash === view.ends.header.hash);
    if (twin !== undefined) return failed({ code: 'same-ledger', other: twin.name }, view.name);
    const away = awayFrom(view, placeIds[i]!, options);
    if (away !== null) return failed({ code: 'moved-away', to: `${away.name} in ${away.store}`, ...away }, view.name);
    if (options.adopt !== true && view.ends.last.fields.home !== placeIds[i])
      return failed({ code: 'moved' }, view.name);
  }
  const { expect } = options;
  const [first] = views;
  if (expect === undefined || first === undefined || first.ends.last.hash.startsWith(expect)) return null;
  return failed({ code: 'changed', expected: expect, found: first.ends.last.hash }, first.name);
}

const DAY = 86_400_000;

/**
 * The fault of a time, of the last record or of the one that is to be added, that is more than a day after the clock of the store: that
 * is wrong, or one was when the record was made. That a ledger was not used for long says nothing; zones and summer times are less.
 */
export function clockFault(
  times: readonly (readonly [time: unknown, record: number | null])[],
  now: StoreTime,
): Failed | null {
  const later = times.find(([time]) => typeof time === 'string' && Date.parse(time) - Date.parse(now) > DAY);
  return later === undefined ? null : failed({ code: 'clock-behind', time: String(later[0]), now, record: later[1] });
}

function timesOf({ ends: { last } }: LedgerView, { event, at }: Fields) {
  const record = numberOf(last);
  const { clock } = (last.fields.totals ?? {}) as { readonly clock?: unknown };
  // The clock of a ledger never goes back; where nothing is reserved it makes no difference.
  const reserved = event === 'hold' ? clock : undefined;
  return [[last.fields.at, record] as const, [reserved, record] as const, [at, null] as const];
}

function sealAfter(
  { ends: { header, last } }: LedgerView,
  fields: Fields,
  { placeId, nonce }: { readonly placeId: string; readonly nonce: string },
): Prepared {
  const all = { seq: numberOf(last) + 1, nonce, ...fields, home: placeId, ledger: header.hash, prev: last.hash };
  const { text, hash } = seal(all);
  return { line: Buffer.from(text), record: { kind: 'record', fields: all, hash } };
}

/** A store that does not look for what it is asked to look for would grant a request again that it has granted before. */
function requireLookups(views: readonly LedgerView[], { lookups = [] }: TransactOptions): void {
  const other = views.find(({ found }) => found.length !== lookups.length);
  if (other === undefined) return;
  throw new TypeError(
    `The store sought ${other.found.length} of ${lookups.length} records in ${JSON.stringify(other.name)}.`,
  );
}

/**
 * The records that a proposal makes of ledgers that nobody else can add to meanwhile, sealed and linked with each other: what
 * every store does between looking and keeping. `placeIds`: the places of the ledgers, see {@link Store.placeId}. Throws where what
 * was sought (`options.sought`) was not looked for.
 */
export function prepare<T>(
  views: readonly LedgerView[],
  propose: Propose<T>,
  {
    placeIds,
    now,
    store,
    options,
  }: {
    readonly placeIds: readonly string[];
    readonly now: StoreTime;
    readonly store: Pick<Store, 'reference'>;
    readonly options: TransactOptions;
  },
): PreparedTransaction<T> | Failed {
  requireLookups(views, options);
  const wrong = faultOf(views, placeIds, options);
  if (wrong !== null) return wrong;
  const proposal = propose(views, now);
  if (proposal.kind === 'failed') return proposal;
  const { additions, value } = proposal;
  const { nonce = newNonce } = options;
  const parts = views.filter((_, i) => additions[i] != null);
  const ids = parts.map(({ ends }) => String(ends.header.fields.id));
  let head: { readonly name: string; readonly record: Sealed } | null = null;
  const records: (Prepared | null)[] = [];
  for (const [i, view] of views.entries()) {
    const fields = additions[i];
    if (fields == null) {
      records.push(null);
      continue;
    }
    const together: TransactionLink = {
      ids,
      names: parts.map(({ name }) => store.reference(view.name, name)),
      head: head && {
        ledger: store.reference(view.name, head.name),
        header: String(head.record.fields.ledger),
        seq: numberOf(head.record),
        hash: head.record.hash,
      },
    };
    const behind = options.acceptClock === true ? null : clockFault(timesOf(view, fields), now);
    if (behind !== null) return { ...behind, ledger: view.name };
    const all = parts.length > 1 ? { ...fields, together } : fields;
    const sealed = sealAfter(view, all, { placeId: placeIds[i]!, nonce: nonce() });
    if (sealed.line.length > LONGEST_RECORD) {
      return failed({ code: 'too-long', bytes: sealed.line.length, most: LONGEST_RECORD }, view.name);
    }
    head ??= { name: view.name, record: sealed.record };
    records.push(sealed);
  }
  return { kind: 'prepared', value, records: proposal.isTrial === true ? views.map(() => null) : records };
}

/** The first record of a ledger that is made at this place (see `Store.placeId`), ready to be kept; `too-long` where its terms are. */
export function sealHeader(
  header: Header,
  { placeId, nonce = newNonce }: { readonly placeId: string; readonly nonce?: (() => string) | undefined },
): Prepared | Failed<{ readonly code: 'too-long'; readonly bytes: number; readonly most: number }> {
  const fields = headerFields(header, { nonce: nonce(), placeId });
  const { text, hash } = seal(fields);
  const line = Buffer.from(text);
  if (line.length > LONGEST_RECORD) return failed({ code: 'too-long', bytes: line.length, most: LONGEST_RECORD });
  return { line, record: { kind: 'record', fields, hash } };
}

/** A ledger that comes into being with a record of another one. */
export interface NewLedger {
  /** Its name in the store. */
  readonly name: string;
  readonly header: Header;
}

/**
 * The ledgers that come into being with a record: those that it pays for, or the one that goes on from where it ends its own.
 * They follow from the record alone, so that who finds it can make those that are missing.
 */
export function newLedgersOf(
  parent: { readonly name: string; readonly header: Header },
  record: Sealed,
  store: Pick<Store, 'resolve'>,
): readonly NewLedger[] | Failed {
  if (record.fields.event !== 'nest' && record.fields.event !== 'convert') return [];
  const recorded = readRecord(record);
  if ('kind' in recorded) return recorded;
  const common = { version: parent.header.version, at: recorded.at };
  const source = { id: parent.header.id, hash: record.hash };
  if (recorded.event === 'nest') {
    const { ids, names, terms } = recorded.nested;
    return ids.map((id, i) => ({
      name: store.resolve(parent.name, names[i]!),
      header: { ...common, id, terms, origin: { kind: 'nested', ...source } },
    }));
  }
  if (recorded.event !== 'convert') return [];
  const { id, name, terms, totals } = recorded.to;
  const origin = { kind: 'converted', ...source, totals } as const;
  return [{ name: store.resolve(parent.name, name), header: { ...common, id, terms, origin } }];
}
