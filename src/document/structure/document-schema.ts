import * as z from 'zod/mini';
import { designSchema, designKeys } from '../design/schema.ts';
import { issueOf, published } from '../core/fields.ts';
import { noNumber } from '../core/forms.ts';
import { nodesSchema, STRUCTURE_KEYS } from './structure-schema.ts';
import { orderField, targetSchema, TARGET_KEYS } from '../core/question-schema.ts';
import { version } from '../core/version-field.ts';
import { keysOfLaw } from '../core/value-text.ts';
import { type Belonging, type Path, STRUCTURE_TYPES, member, type Vocabulary } from '../core/input-error.ts';
import { ENTRY_KEYS, MECHANISM_TYPES } from '../mechanism/entry-schema.ts';

const fact = (description: string) => z.optional(z.boolean()).register(published, { description });

/** Assumptions of theorems on interactive and continual mechanisms. */
const facts = {
  discrete: fact(
    'Whether every answer of an interactive or continual mechanism has countably many possible values, as rounded ones have; assumed by default.',
  ),
  adaptiveAdversary: fact(
    'Whether guarantees of interactive and continual mechanisms hold against adversaries who choose each message after seeing the answers so far; assumed by default.',
  ),
  symmetric: fact('Whether the neighboring relation is symmetric; assumed by default.'),
  finiteCommunication: fact(
    'Whether interactive and continual mechanisms have finitely many possible messages and answers and end after finitely many, so that their distributions compose concurrently; not assumed.',
  ),
};

const contradictionFree = z.check<Readonly<Record<string, unknown>>>(({ value, issues }) => {
  if (value.finiteCommunication !== true || value.discrete !== false) return;
  const message = 'discrete is false, but finitely many possible answers ("finiteCommunication": true) are discrete';
  const hint = 'Correct one of the two.';
  issues.push(issueOf({ code: 'conflicting-keys', message, hint }, value, ['discrete']));
});

const document = z
  .strictObject({
    dpcompose: version,
    name: z.optional(z.string()),
    adaptivity: z._default(z.enum(['adaptive', 'nonadaptive', 'parameters']), 'adaptive'),
    order: orderField,
    neighbours: z.optional(z.string()).register(published, {
      description: 'The neighboring relation, in words; repeated with the guarantee.',
    }),
    ...facts,
    target: z.optional(targetSchema),
    mechanisms: nodesSchema,
    design: z.optional(designSchema),
  })
  .check(contradictionFree);

/** Those facts in a validated document. */
export type ParsedFacts = Pick<z.infer<typeof document>, keyof typeof facts>;

/** A whole specification document: its type, its validation and, with `published`, its JSON Schema. */
export const documentSchema = z.pipe(noNumber('the document'), document);

/** The keys of a document. */
export const DOCUMENT_KEYS: readonly string[] = Object.keys(document.shape);

/** Keys that stand at the top of a document and might be looked for elsewhere. */
const TOP = DOCUMENT_KEYS.filter((key) => !['name', 'mechanisms', 'dpcompose'].includes(key));

const INTO = (what: string): string => `Write "kind" at what it holds (${what}).`;

/** Keys that go by another name, or stand elsewhere, in elements of a type. */
const TWINS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  group: {
    of: 'A group has "mechanisms", a list.',
    each: 'A group has "mechanisms", a list.',
    kind: INTO('each of its "mechanisms"'),
    sparsity: 'All of a group runs on the same data; "type": "parallel" or "partition" has "sparsity".',
    instances: 'A group is there once; "type": "parallel" has "instances".',
  },
  parallel: {
    differing: 'How many instances differ is "sparsity" here.',
    users: 'How many instances there are is "instances" here.',
    each: 'A parallel has "of", which all instances run.',
    mechanisms: 'A parallel has "of": {"type": "group", "mechanisms": [...]}.',
    count: 'How many instances there are is "instances" here.',
  },
  partition: {
    differing: 'In how many parts neighbors differ is "sparsity" here.',
    each: 'A partition has "of", a list with one element for each part.',
    mechanisms: 'A partition has "of", a list with one element for each part.',
    kind: INTO('each element of "of"'),
    instances: 'A partition has as many parts as "of" has elements.',
  },
  local: {
    sparsity: 'How many users differ is "differing" here.',
    instances: 'How many users there are is "users" here.',
    mechanisms: 'A local protocol has "of", what every user runs, or "each", a list of what each runs.',
    kind: INTO('"of", or each element of "each"'),
  },
};

/** Whether elements of some type have a key. */
const isOfElement = (key: string): boolean =>
  [...ENTRY_KEYS.values(), ...STRUCTURE_KEYS.values()].some((keys) => keys.includes(key));

/** The hint for a key that has its meaning elsewhere, or goes by another name here; null where there is none. */
function misplaced(key: string, path: Path, object: unknown): string | Belonging | null {
  if (path.length === 0) {
    const isOfTarget = TARGET_KEYS.includes(key);
    const belongs = `${isOfTarget ? 'in the target, or ' : ''}in an item of mechanisms`;
    return isOfTarget || isOfElement(key) ? { belongs } : null;
  }
  const type = member(object, 'type');
  const twin = typeof type === 'string' ? TWINS[type]?.[key] : undefined;
  if (twin !== undefined) return twin;
  if (key === 'else' && member(object, 'if') !== undefined) {
    return 'There is no else: write a second "if" on the same variables behind this one.';
  }
  if (key === 'name' && typeof type === 'string') return 'The name of an element is "label".';
  return TOP.includes(key) ? `Move it to the top of the document, where "${key}" stands.` : null;
}

/** The words that a specification may hold. */
export const DOCUMENT_VOCABULARY: Vocabulary = {
  types: [...MECHANISM_TYPES, ...STRUCTURE_TYPES],
  misplaced,
  keysOf: (path, object) => {
    if (path[0] === 'design') return designKeys(path);
    if (path.length === 0) return DOCUMENT_KEYS;
    const law = keysOfLaw(object);
    if (law !== null) return law;
    const type = member(object, 'type');
    if (typeof type === 'string') return ENTRY_KEYS.get(type) ?? STRUCTURE_KEYS.get(type) ?? [];
    return TARGET_KEYS;
  },
};
