import * as z from 'zod/mini';
import { inTexts } from '../document/core/exact-value.ts';
import { formatPath } from '../document/core/quote.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { EVIDENCE, type StoreTime, type Terms } from './rules/terms.ts';
import type { Totals } from './state.ts';
import {
  constant,
  list,
  mapped,
  object,
  optional,
  plain,
  union,
  type Codec,
  type Members,
  entry,
  terms,
  time,
  totals,
} from './terms-codec.ts';
import { LEDGER_SCHEMA } from './chain.ts';
import { failed, type Failed, type Flaw, type Place } from './fault.ts';
import { numberOf, type Fields, type Sealed, type TransactionLink } from './line.ts';

/** What stands for the hashes of a ledger that is not made yet. */
export const NOT_MADE = '0'.repeat(64);

/** Where a ledger comes from that did not begin by itself: a record of another one, by that one's id and its hash. */
export type Origin = { readonly id: string; readonly hash: string } & (
  | { readonly kind: 'nested' }
  /** It goes on from the totals that the other ledger ended with. */
  | { readonly kind: 'converted'; readonly totals: Totals }
);

/** The first record of a ledger. */
export interface Header {
  /** The version of the program that made it. */
  readonly version: string;
  readonly at: string | null;
  readonly id: string;
  readonly terms: Terms;
  readonly origin: Origin | null;
}

/** A ledger that is made together with a record of another. */
export interface Successor {
  readonly id: string;
  /** How it is called from the ledger whose record this is, see `Store.reference`. */
  readonly name: string;
  readonly terms: Terms;
  /** The totals that it goes on from. */
  readonly totals: Totals;
}

/** Another place in which a ledger goes on under the same id. */
export interface MovedTo {
  /** The address of the store, without anything secret. */
  readonly store: string;
  /** Its name there. */
  readonly name: string;
}

/** One nested ledger, or several on disjoint parts of the data, all of the same terms. */
export interface Nested {
  readonly ids: readonly string[];
  /** How they are called from the ledger that pays, see `Store.reference`; as many as there are ids. */
  readonly names: readonly string[];
  readonly terms: Terms;
}

/** The signature of a request by an approver, in ledgers of earlier versions: it is kept, and not looked at. */
export interface Approval {
  readonly key: string;
  readonly signature: string;
}

/** A request to launch, all of it or nothing. */
export type LaunchRequest =
  | {
      readonly entries: readonly Entry[];
      /** The evidence by which their guarantees were verified: the hash of a file, as `sha256:HEX`. */
      readonly evidence?: string | null;
      readonly approvals?: readonly Approval[] | null;
    }
  | { readonly nested: Nested; readonly label: string | null };

type MechanismRequest = Extract<LaunchRequest, { entries: unknown }>;

/** A request about a part of the budget that is held, by the name of the hold. */
export type ReservationEvent =
  | ({ readonly event: 'hold'; readonly hold: string; readonly until: StoreTime } & MechanismRequest)
  /** What is held is launched; the mechanisms are those of the hold. */
  | ({ readonly event: 'commit'; readonly hold: string } & Omit<MechanismRequest, 'approvals'>)
  | { readonly event: 'release'; readonly hold: string; readonly label: string | null };

/** An event in the life of a ledger. */
export type Event =
  | ({ readonly event: 'spend' } & Extract<LaunchRequest, { entries: unknown }>)
  | ({ readonly event: 'nest' } & Extract<LaunchRequest, { nested: unknown }>)
  /** A refusal by which the ledger ended. */
  | { readonly event: 'halt'; readonly asked: LaunchRequest }
  /** A refusal that changes nothing, where terms ask for them to be recorded; `code`: the finer code of the refusal. */
  | { readonly event: 'refuse'; readonly code: string; readonly asked: LaunchRequest }
  | ReservationEvent
  /** Mechanisms that ran without having been granted. */
  | ({ readonly event: 'incurred' } & Omit<MechanismRequest, 'approvals'>)
  /** What this record launched never ran; nothing is given back. */
  | { readonly event: 'void'; readonly voids: number; readonly label: string }
  /** A mechanism, by its number in the order of launches (from 1), was asked or ended. */
  | { readonly event: 'query' | 'close'; readonly mechanism: number; readonly label: string | null }
  /** The ledger ended here and goes on in another one. */
  | { readonly event: 'convert'; readonly to: Successor }
  /**
   * The ledger is added to in another place from here on; an `adopt` that follows was made there. One that follows here says that it
   * has `arrived`: from then on the move is over, and nothing completes it once more.
   */
  | { readonly event: 'move'; readonly to: MovedTo; readonly arrived: boolean }
  /** The beginning of a record that stood at the end was set aside; whether it was once acknowledged is not known. */
  | { readonly event: 'recover'; readonly aside: Aside; readonly label: string | null }
  /** The ledger goes on in another place than before; who says so answers for its not being added to there any more. */
  | { readonly event: 'adopt'; readonly label: string | null }
  /** Something for people to know. */
  | { readonly event: 'note'; readonly label: string };

/** Bytes that were taken from the end of a ledger. */
export interface Aside {
  readonly bytes: number;
  /** The bytes, where they are text, or else in base 64. */
  readonly text: string | null;
  readonly base64: string | null;
  /** Their hash, where they are too many for a record, and are kept in a file beside the ledger. */
  readonly sha256: string | null;
}

/** What people note with any record. */
export interface RecordMetadata {
  /** The time, for people to read. */
  readonly at: string | null;
  /** Who asked for it, in their own words. */
  readonly actor: string | null;
  /** A name for the request: one that is asked again under the same name is not recorded twice. */
  readonly key: string | null;
}

/** A record after the header. */
export type LedgerRecord = Event & RecordMetadata & { readonly totals: Totals };

// Made anew in each place: the published schema would make one that is shared a definition.
const text = () => plain(z.string());
const whole = plain(z.int().check(z.nonnegative()));
const hash = plain(z.string().check(z.regex(/^[0-9a-f]{64}$/)));
const nonce = plain(z.string().check(z.regex(/^[0-9a-f]{32}$/)));
const at = optional(text());
const actor = optional(text());
const key = optional(text());
const label = optional(text());
const evidence = optional(plain(z.string().check(z.regex(EVIDENCE))));

const origin: Codec<Origin> = union('kind', {
  nested: object({ kind: constant('nested'), id: text(), hash }),
  converted: object({ kind: constant('converted'), id: text(), hash, totals }),
});

/** A member that puts a record in its place: read here, and written where records are sealed. */
const placed = <T>({ schema }: Codec<T>): Codec<T> => ({ schema, exact: () => undefined });

export const headerCodec: Codec<Header> = mapped(
  object({
    schema: constant(LEDGER_SCHEMA),
    version: text(),
    seq: constant(0),
    nonce: placed(nonce),
    at,
    id: text(),
    terms,
    origin: optional(origin),
    home: placed(text()),
  }),
  {
    read: ({ version, at, id, terms, origin }): Header => ({ version, at, id, terms, origin }),
    write: (header) => ({ schema: LEDGER_SCHEMA, seq: 0, ...header, nonce: '', home: '' }) as const,
  },
);

const seq = placed(whole);
// That these are the hashes of other records is known by the time they are read.
const ledger = placed(text());
const prev = placed(text());
const together = placed(
  optional(
    object<TransactionLink>({
      ids: list(text(), 2),
      names: list(text(), 2),
      head: {
        schema: z.nullable(object({ ledger: text(), header: hash, seq: whole, hash }).schema),
        exact: (head) => head && { ...head },
      },
    }),
  ),
);

type Common = RecordMetadata & Pick<LedgerRecord, 'totals'>;

const record = <T extends object>(own: Members<T>) =>
  object<T & Common>({
    seq,
    nonce: placed(nonce),
    at,
    actor,
    key,
    ...own,
    totals,
    together,
    home: placed(text()),
    ledger,
    prev,
  } as unknown as Members<T & Common>);

const entries = list(entry, 1);
const nested = object<Nested>({ ids: list(text(), 1), names: list(text(), 1), terms });
const successor = object<Successor>({ id: text(), name: text(), terms, totals });
const aside = object<Aside>({
  bytes: whole,
  text: optional(text()),
  base64: optional(text()),
  sha256: optional(text()),
});
const conversation = record({ event: plain(z.literal(['query', 'close'])), mechanism: whole, label });

const approvals = () => optional(list(object<Approval>({ key: text(), signature: text() }), 1));

/** Members of what was refused: `mechanisms` with `evidence`, or `nested` with `label`. */
const refused = {
  mechanisms: optional(entries),
  evidence,
  approvals: approvals(),
  label,
  nested: optional(nested),
};

type Requested = { readonly [K in keyof typeof refused]: (typeof refused)[K] extends Codec<infer T> ? T : never };

const isOneRequest = z.refine<Requested>(({ mechanisms, nested }) => (mechanisms === null) !== (nested === null));

const askedBy = ({ mechanisms, evidence, approvals, label, nested }: Requested): LaunchRequest =>
  nested === null ? { entries: mechanisms ?? [], evidence, approvals } : { nested, label };

const membersOf = (request: LaunchRequest): Requested =>
  'entries' in request
    ? {
        mechanisms: request.entries,
        evidence: request.evidence ?? null,
        approvals: request.approvals ?? null,
        label: null,
        nested: null,
      }
    : { mechanisms: null, evidence: null, approvals: null, ...request };

type Of<E extends LedgerRecord['event']> = Extract<LedgerRecord, { event: E }>;

type OfMechanisms = Common & Pick<Requested, 'evidence' | 'approvals'> & { readonly mechanisms: readonly Entry[] };

/** A record of mechanisms, with members of its own before them and after. */
const launching = <E extends 'spend' | 'hold' | 'commit' | 'incurred'>(event: E, before: object, after: object = {}) =>
  mapped(
    record({
      event: constant(event),
      ...before,
      mechanisms: entries,
      evidence,
      ...after,
    } as unknown as Members<OfMechanisms>),
    {
      read: ({ mechanisms, ...rest }) => ({ ...rest, entries: mechanisms }) as unknown as Of<E>,
      write: (recorded) => {
        const { entries, evidence = null, approvals = null, ...rest } = recorded as unknown as Of<'spend'>;
        return { ...rest, mechanisms: entries, evidence, approvals };
      },
    },
  );

/** A record of a refusal, with members of its own before what was refused. */
function refusing<E extends 'halt' | 'refuse'>(event: E, own: object = {}): Codec<Of<E>> {
  const { schema, exact } = record({ event: constant(event), ...own, ...refused } as unknown as Members<Requested>);
  return mapped(
    { schema: schema.check(isOneRequest), exact },
    {
      read: ({ mechanisms, evidence, approvals, label, nested, ...rest }) =>
        ({ ...rest, asked: askedBy({ mechanisms, evidence, approvals, label, nested }) }) as unknown as Of<E>,
      write: (recorded) => {
        const { asked: request, ...rest } = recorded as unknown as Of<'halt'>;
        return { ...rest, ...membersOf(request) };
      },
    },
  );
}

export const recordCodec: Codec<LedgerRecord> = union('event', {
  spend: launching('spend', {}, { approvals: approvals() }),
  hold: launching('hold', { hold: text(), until: time }, { approvals: approvals() }),
  commit: launching('commit', { hold: text() }),
  release: record({ event: constant('release'), hold: text(), label }),
  incurred: launching('incurred', {}),
  void: record({ event: constant('void'), voids: whole, label: text() }),
  nest: record({ event: constant('nest'), label, nested }),
  halt: refusing('halt'),
  refuse: refusing('refuse', { code: text() }),
  query: conversation,
  close: conversation,
  convert: record({ event: constant('convert'), to: successor }),
  move: record({
    event: constant('move'),
    to: object<MovedTo>({ store: text(), name: text() }),
    arrived: plain(z.boolean()),
  }),
  recover: record({ event: constant('recover'), aside, label }),
  adopt: record({ event: constant('adopt'), label }),
  note: record({ event: constant('note'), label: text() }),
});

/** The fields of a header, in the order in which they are written, in the place where the ledger is made. */
export function headerFields(
  header: Header,
  { nonce, placeId }: { readonly nonce: string; readonly placeId: string },
): Fields {
  const { schema, version, seq, ...rest } = inTexts(headerCodec.exact(header)!) as Fields;
  return { schema, version, seq, nonce, ...rest, home: placeId };
}

/** The fields of a record beside those that put it in its place, with exact numbers. */
export const exactRecord = (recorded: LedgerRecord): ExactForm => recordCodec.exact(recorded) as ExactForm;

/** The same as they are written. */
export const recordFields = (recorded: LedgerRecord): Fields => inTexts(exactRecord(recorded)) as Fields;

/** The content of a record; or which of its fields is not as it should be. */
function read<T extends object>({ schema }: Codec<T>, { fields }: Sealed, place: Place): T | Failed<Flaw> {
  const parsed = z.safeParse(schema, fields);
  if (parsed.success) return parsed.data;
  const path = (parsed.error.issues[0]?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
  return failed({ code: 'malformed-record', ...place, path: formatPath(path) });
}

/** Where a record is in a ledger without flaws. */
const placeOf = (sealed: Sealed): Place => ({ line: numberOf(sealed) + 1, record: numberOf(sealed) });

export const readHeader = (sealed: Sealed): Header | Failed<Flaw> => read(headerCodec, sealed, { line: 1, record: 0 });

export const readRecord = (sealed: Sealed, place: Place = placeOf(sealed)): LedgerRecord | Failed<Flaw> =>
  read(recordCodec, sealed, place);
