import * as z from 'zod/mini';
import { alpha, count, delta, distance, epsilon, issueOf, mu, published, rho } from '../../document/core/fields.ts';
import { noNumber } from '../../document/core/forms.ts';
import type { Path, Mistake, Problem } from '../../document/core/input-error.ts';
import { describe, quote } from '../../document/core/quote.ts';
import { version } from '../../document/core/version-field.ts';
import {
  CONCURRENCIES,
  DELTAS,
  ON_EXCESS,
  RULE_IDS,
  RULE_AMOUNTS,
  impliedRule,
  type Amount,
  type FilterTerms,
  type RuleId,
} from '../rules/terms.ts';
import {
  readTemplate,
  type Template,
  type BudgetLine,
  type Budgets,
  type Scope,
  canCoincide,
  templateText,
} from './budgets.ts';
import type { InputError } from '../../document/core/specification.ts';
import { Diagnostics, validate, addition } from '../../document/core/validate.ts';
import { readDocument, type DocumentOptions } from '../../document/syntax/read-document.ts';
import { ONE } from '../../numeric/decimal.ts';
import { refusalOfTerms } from '../open.ts';

const template = z
  .pipe(
    z.unknown(),
    z.transform((value, context): Template => {
      const result = typeof value === 'string' ? readTemplate(value) : 'it must be text';
      if (typeof result !== 'string') return result;
      const missing = value === undefined;
      const message = missing
        ? 'name is missing; it must be the name of a ledger'
        : `name must be the name of a ledger, got ${describe(value)}: ${result}`;
      const hint = 'Write a name such as "all", or "day/{day}" for a ledger for each day.';
      context.issues.push(issueOf({ code: missing ? 'missing-key' : 'wrong-type', message, hint }, value));
      return z.NEVER;
    }),
  )
  .register(published, {
    type: 'string',
    minLength: 1,
    maxLength: 200,
    description:
      'The name of the ledger in the store. With {key} in it, there is a ledger for each value of the key, created on first use.',
  });

/** The rules that a line may name: those whose budget is written in numbers. */
const LINE_RULES = RULE_IDS.filter((id) => id !== 'rdp-curve');

const described = <S extends z.ZodMiniType>(schema: S, description: string): S => {
  published.add(schema, { description });
  return schema;
};

const lineKeys = z.strictObject({
  name: template,
  of: z.optional(
    described(
      z.enum(['data', 'people']),
      'data: each value of the key is a disjoint partition of the data; people: each is a person or a group who makes requests.',
    ),
  ),
  rule: z.optional(
    described(z.enum(LINE_RULES), 'The composition rule; may be omitted if the budget implies it: see "ledger init".'),
  ),
  epsilon: z.optional(epsilon),
  delta: z.optional(delta),
  rho: z.optional(rho),
  mu: z.optional(mu),
  alpha: z.optional(alpha),
  'delta-prime': z.optional(delta),
  deltas: z.optional(described(z.enum(DELTAS), "The composition of the mechanisms' own deltas.")),
  'on-excess': z.optional(
    described(z.enum(ON_EXCESS), 'Whether a request that exceeds the budget is denied, or halts the ledger for good.'),
  ),
  concurrency: z.optional(
    described(z.enum(CONCURRENCIES), 'Whether interactive mechanisms run concurrently, or one after the other.'),
  ),
  'max-mechanisms': z.optional(count),
  distance: z.optional(distance),
  neighbours: z.optional(described(z.string(), 'The neighboring relation: add-remove, replace-one, or your words.')),
  'require-evidence': z.optional(
    described(z.boolean(), 'Whether mechanisms are launched only with a hash of evidence for their guarantee.'),
  ),
  'record-refusals': z.optional(described(z.boolean(), 'Whether denied requests are recorded, too.')),
  'fixed-budget': z.optional(
    described(z.boolean(), 'Whether the ledger can never become an odometer, from which its budget could be raised.'),
  ),
});

published.add(lineKeys, { description: 'A budget: of one ledger, or of one for each value of a key.' });

const document = z.strictObject({
  dpcompose: version,
  name: z.optional(z.string()),
  ledgers: z.array(z.pipe(noNumber('each item'), lineKeys)).check(z.minLength(1)),
});

/** A whole document of budgets: its type, its validation and, with `published`, its JSON Schema. */
export const budgetsSchema = z.pipe(noNumber('the document'), document);

export type ParsedBudgets = z.infer<typeof document>;
export type ParsedLine = ParsedBudgets['ledgers'][number];

const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(document.shape),
  ledgers: Object.keys(lineKeys.shape),
};

/** The keys that an object of budgets may have; `path` leads to it. */
const budgetsKeys = (path: Path): readonly string[] =>
  KEYS[path.filter((step) => typeof step === 'string').join('.')] ?? [];

/** Terms of `ledger init` that have another name in a line. */
const AS_IN_TERMS: Readonly<Record<string, string>> = {
  evidence: 'In a file of budgets this is "require-evidence": true.',
  refusals: 'In a file of budgets this is "record-refusals": true.',
  conversions: 'In a file of budgets, "fixed-budget": true forbids conversions; they are allowed by default.',
};

/** A mistake in a line, and the key at which it stands; null for the line itself. */
export interface LineMistake {
  readonly key: string | null;
  readonly problem: Problem;
}

/** The keys under which the numbers of rules stand in a document. */
const KEY_OF: Readonly<Record<Exclude<Amount, 'orders'>, keyof ParsedLine>> = {
  epsilon: 'epsilon',
  delta: 'delta',
  rho: 'rho',
  mu: 'mu',
  alpha: 'alpha',
  deltaPrime: 'delta-prime',
  deltas: 'deltas',
};

const AMOUNTS = Object.keys(KEY_OF) as (keyof typeof KEY_OF)[];

const mistake = (key: string | null, code: Problem['code'], message: string, hint: string): LineMistake => ({
  key,
  problem: { code, message, hint },
});

const NO_RULE = mistake(
  null,
  'missing-key',
  'the composition rule is missing, and you cannot change it later',
  'With epsilon and delta add rule: "zcdp-optimal" for many small mechanisms, "basic" for few large ones.',
);

const NO_BUDGET = mistake(
  null,
  'missing-key',
  'the budget is missing',
  'Add epsilon, such as "epsilon": 1; epsilon, delta and a rule; or rho, or mu.',
);

function amountMistakes(id: RuleId, line: ParsedLine): LineMistake[] {
  const { budget, rule, optional } = RULE_AMOUNTS[id];
  const needs = [...new Set([...budget, ...rule])];
  return AMOUNTS.flatMap((amount) => {
    const key = KEY_OF[amount];
    const isPresent = line[key] !== undefined;
    if (!isPresent && needs.includes(amount)) {
      return [mistake(null, 'missing-key', `the rule ${id} needs ${key}`, addition(key) ?? `Add ${key}.`)];
    }
    if (isPresent && !needs.includes(amount) && !optional.includes(amount)) {
      return [mistake(key, 'conflicting-keys', `${key} is not for the rule ${id}`, `Remove ${key}.`)];
    }
    return [];
  });
}

/** What no theorem covers of ledgers for parts of the data. */
function dataMistakes({ neighbours, distance }: ParsedLine): LineMistake[] {
  const mistakes: LineMistake[] = [];
  if (neighbours === 'replace-one') {
    const message =
      'replacing a record by one of another partition affects two ledgers, which the budget of one does not cover';
    mistakes.push(
      mistake('neighbours', 'conflicting-keys', message, 'Write add-remove, or use one ledger for all data.'),
    );
  }
  if (distance !== undefined && !distance.eq(1)) {
    const message =
      'data at a distance other than 1 may differ in several partitions, which the budget of one does not cover';
    mistakes.push(mistake('distance', 'conflicting-keys', message, 'Remove distance, or use one ledger for all data.'));
  }
  return mistakes;
}

const pick = (names: readonly Amount[], values: Readonly<Partial<Record<Amount, unknown>>>): object =>
  Object.fromEntries(names.filter((name) => values[name] !== undefined).map((name) => [name, values[name]]));

/** The terms of the ledgers of a line, or what is wrong with it. */
function termsOfLine(line: ParsedLine, scope: Scope): FilterTerms | readonly LineMistake[] {
  const { epsilon, delta, rho, mu, alpha, deltas = 'sum', neighbours = null } = line;
  const id = line.rule ?? impliedRule({ epsilon, delta, rho, mu, alpha });
  if (id === null) return [epsilon === undefined && delta === undefined ? NO_BUDGET : NO_RULE];
  const mistakes = [...amountMistakes(id, line), ...(scope === 'data' ? dataMistakes(line) : [])];
  if (mistakes.length > 0) return mistakes;
  const own = RULE_AMOUNTS[id];
  const values = { epsilon, delta, rho, mu, alpha, deltas, deltaPrime: line['delta-prime'] ?? delta };
  const terms = {
    mode: 'filter',
    rule: { id, ...pick([...own.rule, ...own.optional], values) },
    budget: pick(own.budget, values),
    onExcess: line['on-excess'] ?? 'refuse',
    concurrency: line.concurrency ?? 'concurrent',
    maxMechanisms: line['max-mechanisms']?.toNumber() ?? null,
    distance: line.distance ?? ONE,
    neighbours,
    ...(line['require-evidence'] === true && { evidence: 'required' as const }),
    ...(line['record-refusals'] === true && { refusals: 'recorded' as const }),
    ...(line['fixed-budget'] === true && { conversions: 'forbidden' as const }),
    // The table says which numbers each rule has; the types of rules and budgets say the same.
  } as unknown as FilterTerms;
  const refusal = refusalOfTerms(terms);
  if (refusal === null) return terms;
  if (refusal.code === 'invalid-terms') {
    const key = refusal.path === 'rule.deltaPrime' ? 'delta-prime' : null;
    return [mistake(key, 'out-of-range', `${refusal.path} must be ${refusal.allowed}`, 'Correct it.')];
  }
  const message = `whether ${id} composes concurrently is an open question`;
  return [
    mistake(
      line.rule === undefined ? null : 'rule',
      'conflicting-keys',
      message,
      'Add "concurrency": "sequential", or choose another rule.',
    ),
  ];
}

/** Budgets; or everything that is wrong with the document. */
export type BudgetsReading =
  | { readonly kind: 'budgets'; readonly budgets: Budgets }
  | { readonly kind: 'errors'; readonly errors: readonly InputError[]; readonly more: number };

const KINDS = 'data, if each value is a partition of the data, or people, if each makes requests';

/** Who the ledgers of a line are for; null where the line does not say, or should not. */
function scopeOf({ name, of }: ParsedLine): Scope | Mistake['problem'] {
  if (name.key === null) {
    if (of === undefined) return 'all';
    const message = 'of is only for a line with a {key} in its name';
    return { code: 'conflicting-keys', message, hint: 'Remove of, or add a key to the name.' };
  }
  if (of !== undefined) return of;
  const hint = `Add "of": ${KINDS}.`;
  return { code: 'missing-key', message: `of is missing: it says what the values of ${name.key} are`, hint };
}

/** Lines that could name the same ledger, and keys that are meant in two ways. */
function contradictions({ ledgers }: ParsedBudgets): Mistake[] {
  return ledgers.flatMap(({ name, of }, index) => {
    const before = ledgers.slice(0, index);
    const same = before.find((earlier) => canCoincide(earlier.name, name));
    const other = before.find((earlier) => name.key !== null && earlier.name.key === name.key && earlier.of !== of);
    const mistakes: Mistake[] = [];
    if (same !== undefined) {
      const message = `this could name the same ledger as ${quote(templateText(same.name))}`;
      const problem = { code: 'duplicate-name', message, hint: 'Put one of them in a folder: "day/{day}".' } as const;
      mistakes.push({ path: ['ledgers', index, 'name'], anchor: 'value', problem });
    }
    if (other !== undefined && of !== undefined) {
      const message = `${name.key ?? ''} stands for ${other.of ?? 'something else'} in another line`;
      const problem = { code: 'duplicate-name', message, hint: 'Rename one of the two keys.' } as const;
      mistakes.push({ path: ['ledgers', index, 'of'], anchor: 'value', problem });
    }
    return mistakes;
  });
}

/** Reads budgets (in UTF-8; JSON unless another syntax is given); all mistakes are reported together, each with its place. */
export function readBudgets(input: string | Uint8Array, options: DocumentOptions = {}): BudgetsReading {
  const diagnostics = new Diagnostics({ keysOf: budgetsKeys, types: [], misplaced: (key) => AS_IN_TERMS[key] ?? null });
  const check = (value: unknown): Budgets | null => {
    const parsed = validate(budgetsSchema, value, diagnostics);
    if (parsed === undefined) return null;
    for (const mistake of contradictions(parsed)) diagnostics.note(mistake);
    const lines = parsed.ledgers.flatMap((line, index): BudgetLine[] => {
      const path = ['ledgers', index];
      const scope = scopeOf(line);
      if (typeof scope !== 'string') {
        const at = line.of === undefined ? path : [...path, 'of'];
        diagnostics.note({ path: at, anchor: line.of === undefined ? 'value' : 'key', problem: scope });
      }
      const terms = termsOfLine(line, typeof scope === 'string' ? scope : 'all');
      if (!('mode' in terms)) {
        for (const { key, problem } of terms) {
          diagnostics.note({
            path: key === null ? path : [...path, key],
            anchor: key === null ? 'value' : 'key',
            problem,
          });
        }
        return [];
      }
      return typeof scope === 'string' ? [{ name: line.name, scope, terms }] : [];
    });
    return { name: parsed.name ?? null, lines };
  };
  const { document, errors, more } = readDocument(input, diagnostics, check, options);
  return document === null ? { kind: 'errors', errors, more } : { kind: 'budgets', budgets: document };
}
