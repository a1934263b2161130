import * as z from 'zod/mini';
import { ELEMENT } from '../mechanism/selection.ts';
import { ONE } from '../../numeric/decimal.ts';
import { MECHANISM_KINDS } from '../../privacy/mechanism.ts';
import { numberOf, wholeNumbers } from '../../privacy/mechanisms/parameters.ts';
import { delta, issueOf, named, numberField, orWord, published, valueRead } from '../core/fields.ts';
import { inOneForm, noNumber } from '../core/forms.ts';
import { NumberText } from '../core/number-text.ts';
import { describe } from '../core/quote.ts';
import { ENTRY_SCHEMAS } from '../mechanism/entry-schema.ts';

const wholeNumber = (name: string, minimum: 0 | 1, about: string, example = '1') =>
  numberOf(wholeNumbers(minimum), name, about, example);

/** Elements of a node are checked apart, level by level: here they are anything. */
const elements = (description: string) =>
  z.array(z.unknown()).check(z.minLength(1)).register(published, { items: ELEMENT, minItems: 1, description });

const element = (name: string, description: string) =>
  valueRead<unknown>((value) => {
    if (typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)) {
      return { value };
    }
    const is = `${name} must be a mechanism or a group of mechanisms`;
    const hint = `Write ${name} as an object such as {"type": "dp", "epsilon": "0.1"}; several mechanisms as {"type": "group", "mechanisms": [...]}.`;
    return value === undefined
      ? { problem: { code: 'missing-key', message: is.replace(' must', ' is missing; it must'), hint } }
      : { problem: { code: 'wrong-type', message: `${is}, got ${describe(value)}`, hint } };
  }).register(published, { ...ELEMENT, description });

const label = z.optional(z.string());

const sparsity = numberField(
  wholeNumber('sparsity', 0, 'How many instances, at most, ever get data in which neighbors differ'),
);
const partsThatDiffer = z.optional(
  numberField(
    wholeNumber(
      'sparsity',
      0,
      'The largest number of parts in which neighbors may differ; default: 2 for replace-one neighbors, otherwise 1',
    ),
  ),
);
const usersWhoDiffer = z
  ._default(
    numberField(wholeNumber('differing', 0, 'How many users, at most, have data in which neighbors differ')),
    ONE,
  )
  .register(published, { default: 1 });

const instances = (name: string, description: string) => orWord(wholeNumber(name, 1, description, '1000'), 'unbounded');

/** Mechanisms that run on the same data, as one part of the whole. */
export const group = z
  .strictObject({ type: z.literal('group'), mechanisms: elements('The elements of the group.'), label })
  .register(published, {
    description: 'Mechanisms on the same data, run concurrently or one after the other, as one part.',
  });

/** Instances of one mechanism, few of which get data in which neighbours differ. */
export const parallel = z
  .strictObject({
    type: z.literal('parallel'),
    sparsity,
    instances: z
      ._default(instances('instances', 'How many instances are created at most'), 'unbounded')
      .register(published, { default: 'unbounded' }),
    deltaCap: z.optional(delta).register(published, {
      description:
        'The limit of 1 - prod(1 - delta) over all instances ever created; no instance may be created beyond it.',
    }),
    firstPairConsistent: z._default(z.boolean(), false).register(published, {
      default: false,
      description: 'Neighbors that agree on the first message to an instance agree on all that follow.',
    }),
    kind: z.optional(z.enum(MECHANISM_KINDS)).register(published, {
      description: 'The kind of mechanisms in "of" that do not say theirs.',
    }),
    of: element('of', 'The element that one instance runs.'),
    label,
  })
  .register(published, {
    description:
      'Any number of instances of one mechanism, created adaptively, of which at most "sparsity" ever get data in which neighbors differ.',
  });

/** Mechanisms on disjoint parts of the data. */
export const partition = z
  .strictObject({
    type: z.literal('partition'),
    of: elements('The element that runs on each part, part by part.'),
    sparsity: partsThatDiffer,
    counted: z._default(z.enum(['parts', 'instances']), 'parts').register(published, {
      default: 'parts',
      description:
        'What "sparsity" counts: parts, or the instances of all parallel elements in "of" together (any other element is one instance).',
    }),
    parts: z.optional(
      numberField(wholeNumber('parts', 1, 'The number of parts, all of which run the one element of "of"', '100')),
    ),
    label,
  })
  .check(
    z.check(({ value, issues }) => {
      if (value.parts === undefined) return;
      const note = (key: string, message: string, hint: string): void => {
        issues.push(issueOf({ code: 'conflicting-keys', message, hint }, value, [key]));
      };
      if (value.of.length > 1)
        note('of', 'parts that all run the same have one element in of', 'Leave parts out, or write one element.');
      if (value.counted !== 'parts')
        note('counted', 'a number of parts is counted by parts', 'Leave parts out, or counted.');
    }),
  )
  .register(published, {
    description:
      'Mechanisms on disjoint parts of the data, every record in one part: neighbors differ in at most "sparsity" parts (a record added or removed: 1; a record replaced: 2). Counted by instances: families of instances, at most "sparsity" of which differ in all.',
    dependentSchemas: { parts: { properties: { of: { maxItems: 1 }, counted: { const: 'parts' } } } },
  });

/** Users who answer a server from their own data. */
export const local = inOneForm(
  z.strictObject({
    type: z.literal('local'),
    differing: usersWhoDiffer,
    users: z.optional(instances('users', 'How many users there are at most')),
    of: z.optional(element('of', 'The element that every user runs, if all run the same.')),
    each: z.optional(elements('The element that each user runs, user by user.')),
    label,
  }),
  [{ needs: ['of'], allows: ['users'] }, { needs: ['each'] }],
  {
    what: 'a local protocol',
    choices: 'of (all users run the same) or each (a list of what each user runs)',
    conflict: 'conflicting-keys',
    description:
      'The local model: users answer a server from their own data, and neighbors differ in the data of at most "differing" users.',
  },
);

/** The schemas of elements that hold others. */
const SCHEMAS = [group, parallel, partition, local] as const;

/** The keys of each such element. */
export const STRUCTURE_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  SCHEMAS.flatMap((schema) =>
    [...schema.shape.type.def.values].map((type): [string, string[]] => [type, Object.keys(schema.shape)]),
  ),
);

const nodeSchema = z.discriminatedUnion('type', [...ENTRY_SCHEMAS, ...SCHEMAS]);

/** A validated element: a mechanism, or what holds others, these as they were written. */
export type ParsedNode = z.infer<typeof nodeSchema>;

/** A list of mechanisms and of what holds such, as a document gives it. */
export const nodesSchema = z
  .array(z.pipe(noNumber('each item'), nodeSchema).register(named, { id: 'element' }))
  .check(z.minLength(1));
