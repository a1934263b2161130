import * as z from 'zod/mini';
import { type ExactValue, inTexts } from '../document/core/exact-value.ts';
import * as field from '../document/core/fields.ts';
import { toEntry, entrySchema } from '../document/mechanism/entry-schema.ts';
import { exactEntry, type ExactForm } from '../document/structure/normal-form.ts';
import type { Entry } from '../privacy/mechanism.ts';
import {
  budgetKeys,
  EVIDENCE,
  STORE_TIME,
  CONCURRENCIES,
  DECLARED_BOUNDS,
  DELTAS,
  ON_EXCESS,
  type ApprovalTerms,
  type CompositorTerms,
  type FilterTerms,
  type OdometerTerms,
  type Rule,
  type Terms,
  type Window,
} from './rules/terms.ts';
import type { Conflict } from './fault.ts';
import type { Reservation, Totals } from './state.ts';

/** A kind of value in a ledger file: how it is read, and how it is written, with exact numbers. */
export interface Codec<T> {
  readonly schema: z.ZodMiniType<T>;
  /** The written value; undefined where it is left out. */
  readonly exact: (value: T) => ExactValue | undefined;
}

/** Values that are written as they are read. */
export const plain = <T extends ExactValue | undefined>(schema: z.ZodMiniType<T>): Codec<T> => ({
  schema,
  exact: (value) => value,
});

export const constant = <T extends string | number>(value: T): Codec<T> => plain(z.literal(value));

/** A member that is left out where there is nothing to say, which is read as null. */
export const optional = <T>({ schema, exact }: Codec<T>): Codec<T | null> => ({
  schema: z.pipe(
    z.optional(schema),
    z.transform((value): T | null => value ?? null),
  ),
  exact: (value) => (value === null ? undefined : exact(value)),
});

/** A list, of at least `minimum`. */
export const list = <T>({ schema, exact }: Codec<T>, minimum = 0): Codec<readonly T[]> => ({
  schema: z.array(schema).check(...(minimum === 0 ? [] : [z.minLength(minimum)])),
  exact: (values) => values.flatMap((value) => exact(value) ?? []),
});

/** A codec for each member of an object. */
export type Members<T> = { readonly [K in keyof T]: Codec<T[K]> };

/** An object with these members and no others, which are written in this order. */
export function object<T extends object>(members: Members<T>): Codec<T> {
  const all = Object.entries(members) as [keyof T & string, Codec<T[keyof T]>][];
  const schemas = Object.fromEntries(all.map(([key, { schema }]) => [key, schema]));
  return {
    schema: z.strictObject(schemas) as unknown as z.ZodMiniType<T>,
    exact: (value) =>
      Object.fromEntries(
        all.flatMap(([key, { exact }]) => {
          const form = exact(value[key]);
          return form === undefined ? [] : [[key, form]];
        }),
      ),
  };
}

/** The members of a union in whose `key` the name N may stand. */
type Named<T, K extends string, N> = T extends Readonly<Record<K, infer Names>> ? (N extends Names ? T : never) : never;

/** One of several objects, by the name in its `key`. */
export function union<K extends string, T extends Readonly<Record<K, string>>>(
  key: K,
  options: { readonly [N in T[K]]: Codec<Named<T, K, N>> },
): Codec<T> {
  const codecs = options as unknown as Readonly<Record<string, Codec<T>>>;
  const schemas = [...new Set(Object.values(codecs))].map(({ schema }) => schema);
  return {
    schema: z.discriminatedUnion(
      key,
      schemas as unknown as [z.core.$ZodTypeDiscriminable],
    ) as unknown as z.ZodMiniType<T>,
    exact: (value) => codecs[value[key]]!.exact(value),
  };
}

/** A value that the program has in another form than the file. */
export const mapped = <A, B>(
  { schema, exact }: Codec<A>,
  { read, write }: { readonly read: (value: A) => B; readonly write: (value: B) => NoInfer<A> },
): Codec<B> => ({ schema: z.pipe(schema, z.transform(read)), exact: (value) => exact(write(value)) });

const delta = plain(field.delta);
const deltas = plain(z.enum(DELTAS));
const alpha = plain(field.alpha);
const conversion = { delta, deltaPrime: delta, deltas };

const rule: Codec<Rule> = union('id', {
  pure: object({ id: constant('pure') }),
  basic: object({ id: constant('basic'), deltas }),
  'approximate-dp': object({ id: constant('approximate-dp'), ...conversion }),
  'zcdp-optimal': object({ id: constant('zcdp-optimal'), ...conversion }),
  zcdp: object({ id: constant('zcdp') }),
  'approximate-zcdp': object({ id: constant('approximate-zcdp'), deltas }),
  rdp: object({ id: constant('rdp'), alpha }),
  'approximate-rdp': object({ id: constant('approximate-rdp'), alpha, deltas }),
  'rdp-curve': object({ id: constant('rdp-curve'), alphas: list(alpha) }),
  gdp: object({ id: constant('gdp') }),
});

const budget = object({
  epsilon: plain(z.optional(field.epsilon)),
  epsilons: plain(z.optional(z.array(field.epsilon))),
  rho: plain(z.optional(field.rho)),
  mu: plain(z.optional(field.mu)),
  delta: plain(z.optional(field.delta)),
});

const onExcess = plain(z.enum(ON_EXCESS));
export const time = plain(z.string().check(z.regex(STORE_TIME)));
const text = () => plain(z.string());
const window = object<Window>({ opens: optional(time), closes: optional(time) });
const approvals = object<ApprovalTerms>({
  required: plain(z.int().check(z.positive())),
  approvers: list(object<ApprovalTerms['approvers'][number]>({ name: text(), key: text() }), 1),
});

/** A member that is not there where there is nothing to say. */
const absent = <T>({ schema, exact }: Codec<T>): Codec<T | undefined> => ({
  schema: z.optional(schema),
  exact: (value) => (value === undefined ? undefined : exact(value)),
});

const common = {
  concurrency: plain(z.enum(CONCURRENCIES)),
  maxMechanisms: plain(z.nullable(z.int().check(z.positive()))),
  distance: plain(field.distance),
  neighbours: plain(z.nullable(z.string())),
  evidence: plain(z.optional(z.literal('required'))),
  window: absent(window),
  approvals: absent(approvals),
  refusals: plain(z.optional(z.literal('recorded'))),
};

const anyFilter = object({
  mode: constant('filter'),
  rule,
  budget,
  onExcess,
  ...common,
  conversions: plain(z.optional(z.literal('forbidden'))),
});
const ofItsRule = z.refine<z.output<typeof anyFilter.schema>>(
  (terms) => Object.keys(terms.budget).join() === budgetKeys(terms.rule.id).join(),
  { path: ['budget'] },
);
// The check on the keys of a budget ties it to its rule, which is more than the type of the schema says.
const filter = { ...anyFilter, schema: anyFilter.schema.check(ofItsRule) } as unknown as Codec<FilterTerms>;

/** A value with whole numbers as texts, as documents are read, wherever they stand in it. */
function withWholeNumbersAsTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return Number.isSafeInteger(value) ? String(value) : value;
  if (Array.isArray(value)) return value.map(withWholeNumbersAsTexts);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withWholeNumbersAsTexts(member)]));
}

/** A mechanism in normal form, whose counts and numbers of batches are numbers of JSON. */
export const entry: Codec<Entry> = {
  schema: z.pipe(z.pipe(z.transform(withWholeNumbersAsTexts), entrySchema), z.transform(toEntry)),
  exact: exactEntry,
};

/** The terms of a ledger in its header. */
export const terms: Codec<Terms> = union('mode', {
  filter,
  odometer: object<OdometerTerms>({ mode: constant('odometer'), rule, ...common }),
  compositor: object<CompositorTerms>({
    mode: constant('compositor'),
    bound: plain(z.enum(DECLARED_BOUNDS)),
    declared: list(entry),
    budget: object({ epsilon: plain(field.epsilon), delta }),
    onExcess,
    ...common,
  }),
});

const isTime = (value: unknown): boolean => typeof value === 'string' && STORE_TIME.test(value);

const isAmounts = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every((amount) => typeof amount === 'string');

const isHold = (value: unknown): value is Reservation => {
  if (typeof value !== 'object' || value === null) return false;
  const { id, until, launched, spent, mechanisms, evidence, ...more } = value as Readonly<Record<string, unknown>>;
  const isEvidence = evidence === undefined || (typeof evidence === 'string' && EVIDENCE.test(evidence));
  const isWhat = typeof id === 'string' && Array.isArray(mechanisms) && mechanisms.length > 0 && isEvidence;
  return (
    isWhat && isTime(until) && Number.isSafeInteger(launched) && isAmounts(spent) && Object.keys(more).length === 0
  );
};

/** The members of totals that most ledgers leave out. */
function areMore({ incurred, clock, held, ...more }: Readonly<Record<string, unknown>>): boolean {
  const isCount = incurred === undefined || (Number.isSafeInteger(incurred) && Number(incurred) > 0);
  const isClock = clock === undefined || isTime(clock);
  const isHeld = held === undefined || (Array.isArray(held) && held.length > 0 && held.every(isHold));
  return isCount && isClock && isHeld && Object.keys(more).length === 0;
}

const isTotals = (value: unknown): value is Totals => {
  if (typeof value !== 'object' || value === null) return false;
  const { launched, spent, halted, ...more } = value as Readonly<Record<string, unknown>>;
  const isHalted = halted === null || halted === 'insufficient-budget' || halted === 'count-limit';
  return Number.isSafeInteger(launched) && isAmounts(spent) && isHalted && areMore(more);
};

// Checked by hand: this is read once for every record of a long ledger.
export const totals: Codec<Totals> = {
  schema: z.custom<Totals>(isTotals).register(field.published, {
    description: 'How many mechanisms were launched, the running totals of the rule, and why the ledger has halted.',
    type: 'object',
    properties: {
      launched: { type: 'integer', minimum: 0 },
      spent: { type: 'object', additionalProperties: { type: 'string' } },
      halted: { enum: ['insufficient-budget', 'count-limit', null] },
      incurred: { type: 'integer', minimum: 1, description: 'How many of them ran without a grant.' },
      clock: {
        type: 'string',
        pattern: STORE_TIME.source,
        description: 'The latest time, by the clock of the store, that a decision depended on.',
      },
      held: {
        type: 'array',
        minItems: 1,
        description: 'The open reservations, not spent.',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string' },
            until: { type: 'string', pattern: STORE_TIME.source },
            launched: { type: 'integer', minimum: 1 },
            spent: { type: 'object', additionalProperties: { type: 'string' } },
            mechanisms: { type: 'array', minItems: 1, items: { type: 'object' } },
            evidence: { type: 'string', pattern: EVIDENCE.source },
          },
          required: ['id', 'until', 'launched', 'spent', 'mechanisms'],
          additionalProperties: false,
        },
      },
    },
    required: ['launched', 'spent', 'halted'],
    additionalProperties: false,
  }),
  exact: ({ launched, spent, halted, incurred, clock, held }) => ({
    launched,
    spent,
    halted,
    ...(incurred !== undefined && { incurred }),
    ...(clock !== undefined && { clock }),
    ...(held !== undefined && { held: held as unknown as readonly ExactValue[] }),
  }),
};

/** The terms of a ledger with exact numbers, always with the same keys in the same order. */
export const exactTerms = (value: Terms): ExactForm => terms.exact(value) as ExactForm;

/** Whether two ledgers have the same terms. */
export const areSameTerms = (a: Terms, b: Terms): boolean =>
  JSON.stringify(inTexts(exactTerms(a))) === JSON.stringify(inTexts(exactTerms(b)));

/** The values of an object by the paths that lead to them: `rule.id`. */
function leaves(value: unknown, path = ''): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, member]) => leaves(member, path === '' ? key : `${path}.${key}`));
}

/**
 * The first way in which a ledger has other terms than are wanted of it; null where it has the same, or any will do. One that never
 * becomes an odometer is as good where that was not asked for.
 */
export function otherTerms(has: Terms, target: Terms | null): Extract<Conflict, { code: 'other-budget' }> | null {
  if (target === null) return null;
  const actual = new Map(leaves(inTexts(exactTerms(has))));
  const expected = new Map(leaves(inTexts(exactTerms(target))));
  for (const path of new Set([...expected.keys(), ...actual.keys()])) {
    const [is, should] = [actual.get(path) ?? 'nothing', expected.get(path) ?? 'nothing'];
    const isStricter = path === 'conversions' && should === 'nothing';
    if (is !== should && !isStricter) return { code: 'other-budget', path, found: is, expected: should };
  }
  return null;
}
