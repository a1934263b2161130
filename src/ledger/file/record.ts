import * as z from 'zod/mini';
import { inTexts } from '../../document/core/exact-value.ts';
import { published } from '../../document/core/fields.ts';
import { formatPath } from '../../document/core/quote.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { EVIDENCE } from '../core/evidence.ts';
import type { Terms } from '../core/terms.ts';
import type { Totals } from '../core/totals.ts';
import { constant, list, mapped, object, optional, plain, union, type Codec, type Members } from './codec.ts';
import { LEDGER_SCHEMA } from './ends.ts';
import { failed, type Failed, type Flaw, type Place } from './fault.ts';
import type { Fields, Sealed } from './line.ts';
import { entry, terms } from './terms-codec.ts';

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

/** One nested ledger, or several on disjoint parts of the data, all of the same terms. */
export interface Nested {
  readonly ids: readonly string[];
  readonly terms: Terms;
}

/** A request to launch, all of it or nothing. */
export type Asked =
  | {
      readonly entries: readonly Entry[];
      /** The evidence by which their guarantees were verified: the hash of a file, as `sha256:HEX`. */
      readonly evidence?: string | null;
    }
  | { readonly nested: Nested; readonly label: string | null };

/** An event in the life of a ledger. */
export type Event =
  | ({ readonly event: 'spend' } & Extract<Asked, { entries: unknown }>)
  | ({ readonly event: 'nest' } & Extract<Asked, { nested: unknown }>)
  /** A refusal by which the ledger ended. */
  | { readonly event: 'halt'; readonly asked: Asked }
  /** A mechanism, by its number in the order of launches (from 1), was asked or ended. */
  | { readonly event: 'query' | 'close'; readonly mechanism: number; readonly label: string | null }
  /** The ledger ended here and goes on in another one, of this id. */
  | { readonly event: 'convert'; readonly to: string };

/** A record after the header. */
export type Recorded = Event & { readonly at: string | null; readonly totals: Totals };

// Made anew in each place: the published schema would make one that is shared a definition.
const text = () => plain(z.string());
const whole = plain(z.int().check(z.nonnegative()));
const hash = plain(z.string().check(z.regex(/^[0-9a-f]{64}$/)));
const at = optional(text());
const label = optional(text());
const evidence = optional(plain(z.string().check(z.regex(EVIDENCE))));

const isTotals = (value: unknown): value is Totals => {
  if (typeof value !== 'object' || value === null) return false;
  const { launched, spent, halted, ...more } = value as Readonly<Record<string, unknown>>;
  const isHalted = halted === null || halted === 'insufficient-budget' || halted === 'count-limit';
  const isSpent =
    typeof spent === 'object' && spent !== null && Object.values(spent).every((each) => typeof each === 'string');
  return Number.isSafeInteger(launched) && isSpent && isHalted && Object.keys(more).length === 0;
};

// Checked by hand: this is read once for every record of a long ledger.
const totals: Codec<Totals> = {
  schema: z.custom<Totals>(isTotals).register(published, {
    description: 'How many mechanisms were launched, the running totals of the rule, and why the ledger has halted.',
    type: 'object',
    properties: {
      launched: { type: 'integer', minimum: 0 },
      spent: { type: 'object', additionalProperties: { type: 'string' } },
      halted: { enum: ['insufficient-budget', 'count-limit', null] },
    },
    required: ['launched', 'spent', 'halted'],
    additionalProperties: false,
  }),
  exact: ({ launched, spent, halted }) => ({ launched, spent, halted }),
};

const origin: Codec<Origin> = union('kind', {
  nested: object({ kind: constant('nested'), id: text(), hash }),
  converted: object({ kind: constant('converted'), id: text(), hash, totals }),
});

/** The header of a ledger file, without its hash. */
export const headerCodec: Codec<Header> = mapped(
  object({
    schema: constant(LEDGER_SCHEMA),
    version: text(),
    seq: constant(0),
    at,
    id: text(),
    terms,
    origin: optional(origin),
  }),
  {
    read: ({ version, at, id, terms, origin }): Header => ({ version, at, id, terms, origin }),
    write: (header) => ({ schema: LEDGER_SCHEMA, seq: 0, ...header }) as const,
  },
);

/** A member that puts a record in its place: read here, and written by `append`. */
const placing = ({ schema }: Codec<string> | Codec<number>): Codec<unknown> => ({ schema, exact: () => undefined });
const seq = placing(whole);
// That these are the hashes of other records is known by the time they are read.
const ledger = placing(text());
const prev = placing(text());

/** A record with these members of its own. */
const record = <T extends object>(own: Members<T>) =>
  object<T & Pick<Recorded, 'at' | 'totals'>>({
    seq,
    at,
    ...own,
    totals,
    ledger,
    prev,
  } as unknown as Members<T & Pick<Recorded, 'at' | 'totals'>>);

const entries = list(entry, 1);
const nested = object<Nested>({ ids: list(text(), 1), terms });
const conversation = record({ event: plain(z.literal(['query', 'close'])), mechanism: whole, label });

/** Members of what was refused: `mechanisms` with `evidence`, or `nested` with `label`. */
const refused = record({
  event: constant('halt'),
  mechanisms: optional(entries),
  evidence,
  label,
  nested: optional(nested),
});

const isOneRequest = z.refine<z.output<typeof refused.schema>>(
  ({ mechanisms, nested }) => (mechanisms === null) !== (nested === null),
);

type Spend = Extract<Recorded, { event: 'spend' }>;

/** A record after the header, without its hash. */
export const recordCodec: Codec<Recorded> = union('event', {
  spend: mapped(record({ event: constant('spend'), mechanisms: entries, evidence }), {
    read: ({ mechanisms, ...rest }): Spend => ({ ...rest, entries: mechanisms }),
    write: ({ entries, evidence = null, ...rest }: Spend) => ({ ...rest, mechanisms: entries, evidence }),
  }),
  nest: record({ event: constant('nest'), label, nested }),
  halt: mapped(
    { ...refused, schema: refused.schema.check(isOneRequest) },
    {
      read: ({ mechanisms, evidence, label, nested, ...rest }) => ({
        ...rest,
        asked: nested === null ? { entries: mechanisms ?? [], evidence } : { nested, label },
      }),
      write: ({ asked, ...rest }) =>
        'entries' in asked
          ? { ...rest, mechanisms: asked.entries, evidence: asked.evidence ?? null, label: null, nested: null }
          : { ...rest, mechanisms: null, evidence: null, ...asked },
    },
  ),
  query: conversation,
  close: conversation,
  convert: record({ event: constant('convert'), to: text() }),
});

/** The fields of a header, in the order in which they are written. */
export const headerFields = (header: Header): Fields => inTexts(headerCodec.exact(header)!) as Fields;

/** The fields of a record beside those that put it in its place, with exact numbers. */
export const exactRecord = (recorded: Recorded): ExactForm => recordCodec.exact(recorded) as ExactForm;

/** The same as they are written. */
export const recordFields = (recorded: Recorded): Fields => inTexts(exactRecord(recorded)) as Fields;

/** The content of a record; or which of its fields is not as it should be. */
function read<T extends object>({ schema }: Codec<T>, { fields }: Sealed, place: Place): T | Failed<Flaw> {
  const parsed = z.safeParse(schema, fields);
  if (parsed.success) return parsed.data;
  const path = (parsed.error.issues[0]?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
  return failed({ code: 'malformed-record', ...place, path: formatPath(path) });
}

/** The content of a header. */
export const readHeader = (sealed: Sealed): Header | Failed<Flaw> => read(headerCodec, sealed, { line: 1, record: 0 });

/** The content of a record after the header. */
export const readRecord = (sealed: Sealed, place: Place): Recorded | Failed<Flaw> => read(recordCodec, sealed, place);
