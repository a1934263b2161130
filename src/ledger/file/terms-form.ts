import * as z from 'zod/mini';
import { BOUND_IDS } from '../../bounds/core/bound.ts';
import { toEntry } from '../../document/mechanism/entries.ts';
import { entrySchema } from '../../document/mechanism/entry-schema.ts';
import { alpha, delta, distance, epsilon, mu, rho } from '../../document/core/fields.ts';
import { inTexts, type TextValue } from '../../document/core/exact-value.ts';
import { exactEntry, type ExactForm } from '../../document/structure/normal-form.ts';
import type { DeclaredBound, RuleId, Terms } from '../core/terms.ts';

const deltas = z.enum(['sum', 'product']);
const conversion = { delta, deltaPrime: delta, deltas };

const rule = z.discriminatedUnion('id', [
  z.strictObject({ id: z.literal('pure') }),
  z.strictObject({ id: z.literal('basic'), deltas }),
  z.strictObject({ id: z.literal('approximate-dp'), ...conversion }),
  z.strictObject({ id: z.literal('zcdp-optimal'), ...conversion }),
  z.strictObject({ id: z.literal('zcdp') }),
  z.strictObject({ id: z.literal('approximate-zcdp'), deltas }),
  z.strictObject({ id: z.literal('rdp'), alpha }),
  z.strictObject({ id: z.literal('approximate-rdp'), alpha, deltas }),
  z.strictObject({ id: z.literal('rdp-curve'), alphas: z.array(alpha) }),
  z.strictObject({ id: z.literal('gdp') }),
]);

const BUDGET_KEYS: Readonly<Record<RuleId, readonly string[]>> = {
  pure: ['epsilon'],
  basic: ['epsilon', 'delta'],
  'approximate-dp': ['epsilon'],
  'zcdp-optimal': ['epsilon'],
  zcdp: ['rho'],
  'approximate-zcdp': ['rho', 'delta'],
  rdp: ['epsilon'],
  'approximate-rdp': ['epsilon', 'delta'],
  'rdp-curve': ['epsilons'],
  gdp: ['mu'],
};

const common = {
  concurrency: z.enum(['concurrent', 'sequential']),
  maxMechanisms: z.nullable(z.int().check(z.positive())),
  distance,
  neighbours: z.nullable(z.string()),
  evidence: z.optional(z.literal('required')),
};
const onExcess = z.enum(['halt', 'refuse']);

const filter = z
  .strictObject({
    mode: z.literal('filter'),
    rule,
    budget: z.strictObject({
      epsilon: z.optional(epsilon),
      epsilons: z.optional(z.array(epsilon)),
      rho: z.optional(rho),
      mu: z.optional(mu),
      delta: z.optional(delta),
    }),
    onExcess,
    ...common,
  })
  .check(
    z.refine(({ rule: { id }, budget }) => Object.keys(budget).sort().join() === [...BUDGET_KEYS[id]].sort().join(), {
      path: ['budget'],
    }),
  );

/** An entry in normal form, whose count is a number of JSON. */
export const entry = z.pipe(
  z.transform((value: unknown) =>
    typeof value === 'object' && value !== null && 'count' in value && typeof value.count === 'number'
      ? { ...value, count: String(value.count) }
      : value,
  ),
  entrySchema,
);

const isDeclaredBound = (id: string): id is DeclaredBound => id !== 'br-nonadaptive';

/** The terms of a ledger as its header has them. */
export const termsSchema = z.discriminatedUnion('mode', [
  filter,
  z.strictObject({ mode: z.literal('odometer'), rule, ...common }),
  z.strictObject({
    mode: z.literal('compositor'),
    bound: z.enum(BOUND_IDS.filter(isDeclaredBound)),
    declared: z.array(entry),
    budget: z.strictObject({ epsilon, delta }),
    onExcess,
    ...common,
  }),
]);

/** The terms that their form in a header means. */
export function termsOf(parsed: z.output<typeof termsSchema>): Terms {
  // The check on the keys of a budget ties it to its rule, which is more than the type of the schema says.
  if (parsed.mode !== 'compositor') return parsed as Terms;
  return { ...parsed, declared: parsed.declared.map(toEntry) };
}

const TERM_KEYS = [
  'mode',
  'rule',
  'bound',
  'declared',
  'budget',
  'onExcess',
  'concurrency',
  'maxMechanisms',
  'distance',
  'neighbours',
  'evidence',
] as const;

const RULE_KEYS = ['id', 'alpha', 'alphas', 'delta', 'deltaPrime', 'deltas'];
const AMOUNT_KEYS = ['epsilon', 'epsilons', 'rho', 'mu', 'delta'];

/** An object with its members in the order of `keys`. */
const ordered = (value: object, keys: readonly string[]): ExactForm =>
  Object.fromEntries(Object.entries(value as ExactForm).sort(([a], [b]) => keys.indexOf(a) - keys.indexOf(b)));

/** The terms of a ledger with exact numbers, always with the same keys in the same order. */
export function exactTerms(terms: Terms): ExactForm {
  const declared = terms.mode === 'compositor' ? { declared: terms.declared.map(exactEntry) } : {};
  const rule = 'rule' in terms ? { rule: ordered(terms.rule, RULE_KEYS) } : {};
  const budget = 'budget' in terms ? { budget: ordered(terms.budget, AMOUNT_KEYS) } : {};
  return ordered({ ...terms, ...declared, ...rule, ...budget }, TERM_KEYS);
}

/** The terms of a ledger as a header has them. */
export const termsForm = (terms: Terms): Readonly<Record<string, TextValue>> =>
  inTexts(exactTerms(terms)) as Readonly<Record<string, TextValue>>;
