import * as z from 'zod/mini';
import type { Entry } from '../../privacy/mechanism.ts';
import { toEntry } from '../../document/mechanism/entries.ts';
import { published } from '../../document/core/fields.ts';
import { inTexts } from '../../document/core/exact-value.ts';
import { exactEntry, type ExactForm } from '../../document/structure/normal-form.ts';
import { formatPath } from '../../document/core/quote.ts';
import type { Terms } from '../core/terms.ts';
import type { Totals } from '../core/totals.ts';
import { LEDGER_SCHEMA } from './ends.ts';
import { failed, type Failed, type Flaw, type Place } from './fault.ts';
import type { Fields, Sealed } from './line.ts';
import { EVIDENCE } from '../core/evidence.ts';
import { entry, exactTerms, termsForm, termsOf, termsSchema } from './terms-form.ts';

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

/** What somebody wanted to launch, all of it or nothing. */
export type Asked =
  | {
      readonly entries: readonly Entry[];
      /** What their guarantees were verified by: the hash of a file, as `sha256:HEX`. */
      readonly evidence?: string | null;
    }
  | { readonly nested: Nested; readonly label: string | null };

/** What happened. */
export type Event =
  | ({ readonly event: 'spend' } & Extract<Asked, { entries: unknown }>)
  | ({ readonly event: 'nest' } & Extract<Asked, { nested: unknown }>)
  /** What was asked was refused, and the ledger ended by that. */
  | { readonly event: 'halt'; readonly asked: Asked }
  /** A mechanism, by its number in the order of launches (from 1), was asked or ended. */
  | { readonly event: 'query' | 'close'; readonly mechanism: number; readonly label: string | null }
  /** The ledger ended here and goes on in another one, of this id. */
  | { readonly event: 'convert'; readonly to: string };

export type EventName = Event['event'];

/** A record after the header. */
export type Recorded = Event & { readonly at: string | null; readonly totals: Totals };

const whole = z.int().check(z.nonnegative());
const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const at = z.optional(z.string());
const label = z.optional(z.string());
const evidence = z.optional(z.string().check(z.regex(EVIDENCE)));

const isTotals = (value: unknown): value is Totals => {
  if (typeof value !== 'object' || value === null) return false;
  const { launched, spent, halted, ...more } = value as Readonly<Record<string, unknown>>;
  const isHalted = halted === null || halted === 'insufficient-budget' || halted === 'count-limit';
  const isSpent =
    typeof spent === 'object' && spent !== null && Object.values(spent).every((each) => typeof each === 'string');
  return Number.isSafeInteger(launched) && isSpent && isHalted && Object.keys(more).length === 0;
};

// Told by hand: this is read once for every record of a long ledger.
const totals = z.custom<Totals>(isTotals).register(published, {
  description: 'How many mechanisms were launched, the running totals of the rule, and why the ledger has halted.',
  type: 'object',
  properties: {
    launched: { type: 'integer', minimum: 0 },
    spent: { type: 'object', additionalProperties: { type: 'string' } },
    halted: { enum: ['insufficient-budget', 'count-limit', null] },
  },
  required: ['launched', 'spent', 'halted'],
  additionalProperties: false,
});

/** The header of a ledger file, without its hash. */
export const headerSchema = z.strictObject({
  schema: z.literal(LEDGER_SCHEMA),
  version: z.string(),
  seq: z.literal(0),
  at,
  id: z.string(),
  terms: termsSchema,
  origin: z.optional(
    z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('nested'), id: z.string(), hash }),
      z.strictObject({ kind: z.literal('converted'), id: z.string(), hash, totals }),
    ]),
  ),
});

const entries = z.array(entry).check(z.minLength(1));
const nested = z.strictObject({ ids: z.array(z.string()).check(z.minLength(1)), terms: termsSchema });
// That the hashes are those of other records is known by then.
const chained = { totals, ledger: z.string(), prev: z.string() };

/** A record after the header, without its hash. */
export const recordSchema = z.discriminatedUnion('event', [
  z.strictObject({ seq: whole, at, event: z.literal('spend'), mechanisms: entries, evidence, ...chained }),
  z.strictObject({ seq: whole, at, event: z.literal('nest'), label, nested, ...chained }),
  z
    .strictObject({
      seq: whole,
      at,
      event: z.literal('halt'),
      mechanisms: z.optional(entries),
      evidence,
      label,
      nested: z.optional(nested),
      ...chained,
    })
    .check(z.refine(({ mechanisms, nested }) => (mechanisms === undefined) !== (nested === undefined))),
  z.strictObject({ seq: whole, at, event: z.literal(['query', 'close']), mechanism: whole, label, ...chained }),
  z.strictObject({ seq: whole, at, event: z.literal('convert'), to: z.string(), ...chained }),
]);

/** Totals with their members in the order in which they are written. */
const totalsFields = ({ launched, spent, halted }: Totals): Fields => ({ launched, spent, halted });

const originFields = (origin: Origin): Fields => ({
  kind: origin.kind,
  id: origin.id,
  hash: origin.hash,
  ...(origin.kind === 'converted' ? { totals: totalsFields(origin.totals) } : {}),
});

/** The fields of a header, in the order in which they are written. */
export const headerFields = ({ version, at: time, id, terms, origin }: Header): Fields => ({
  schema: LEDGER_SCHEMA,
  version,
  seq: 0,
  ...(time === null ? {} : { at: time }),
  id,
  terms: termsForm(terms),
  ...(origin === null ? {} : { origin: originFields(origin) }),
});

const labelField = (label: string | null): ExactForm => (label === null ? {} : { label });

function askedForm(asked: Asked): ExactForm {
  if ('entries' in asked) {
    const { entries: launched, evidence: hashed = null } = asked;
    return { mechanisms: launched.map(exactEntry), ...(hashed === null ? {} : { evidence: hashed }) };
  }
  const { ids, terms } = asked.nested;
  return { ...labelField(asked.label), nested: { ids, terms: exactTerms(terms) } };
}

/** What happened, with exact numbers. */
export function exactEvent(event: Event): ExactForm {
  switch (event.event) {
    case 'spend':
    case 'nest':
      return askedForm(event);
    case 'halt':
      return askedForm(event.asked);
    case 'query':
    case 'close':
      return { mechanism: event.mechanism, ...labelField(event.label) };
    case 'convert':
      return { to: event.to };
  }
}

/** The fields of a record beside those that put it in its place. */
export const recordFields = (recorded: Recorded): Fields => ({
  ...(recorded.at === null ? {} : { at: recorded.at }),
  event: recorded.event,
  ...(inTexts(exactEvent(recorded)) as Fields),
  totals: totalsFields(recorded.totals),
});

/** What a record says, by a schema; or which of its fields is not as it should be. */
function read<S extends z.ZodMiniType>(schema: S, { fields }: Sealed, place: Place): z.output<S> | Failed<Flaw> {
  const parsed = z.safeParse(schema, fields);
  if (parsed.success) return parsed.data;
  const path = (parsed.error.issues[0]?.path ?? []).map((step) => (typeof step === 'number' ? step : String(step)));
  return failed({ code: 'malformed-record', ...place, path: formatPath(path) });
}

const isFailed = (value: unknown): value is Failed<Flaw> =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'failed';

/** What a header says. */
export function readHeader(record: Sealed): Header | Failed<Flaw> {
  const parsed = read(headerSchema, record, { line: 1, record: 0 });
  if (isFailed(parsed)) return parsed;
  const { version, id, terms, origin } = parsed;
  return { version, at: parsed.at ?? null, id, terms: termsOf(terms), origin: origin ?? null };
}

type ParsedRecord = z.output<typeof recordSchema>;

type ParsedNested = z.output<typeof nested>;

const nestedOf = ({ ids, terms }: ParsedNested): Nested => ({ ids, terms: termsOf(terms) });

function eventOf(parsed: ParsedRecord): Event {
  switch (parsed.event) {
    case 'spend':
      return { event: 'spend', entries: parsed.mechanisms.map(toEntry), evidence: parsed.evidence ?? null };
    case 'nest':
      return { event: 'nest', nested: nestedOf(parsed.nested), label: parsed.label ?? null };
    case 'halt': {
      const { mechanisms, nested, label, evidence } = parsed;
      const asked: Asked =
        nested === undefined
          ? { entries: (mechanisms ?? []).map(toEntry), evidence: evidence ?? null }
          : { nested: nestedOf(nested), label: label ?? null };
      return { event: 'halt', asked };
    }
    case 'query':
    case 'close':
      return { event: parsed.event, mechanism: parsed.mechanism, label: parsed.label ?? null };
    case 'convert':
      return { event: 'convert', to: parsed.to };
  }
}

/** What a record after the header says. */
export function readRecord(record: Sealed, place: Place): Recorded | Failed<Flaw> {
  const parsed = read(recordSchema, record, place);
  if (isFailed(parsed)) return parsed;
  return { ...eventOf(parsed), at: parsed.at ?? null, totals: parsed.totals };
}
