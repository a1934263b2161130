import type * as z from 'zod/mini';
import { numbers, published, targetDelta, targetEpsilon } from '../document/core/fields.ts';
import type { Form } from '../document/core/forms.ts';
import { listExample } from '../document/core/value-text.ts';
import { ENTRY_SCHEMAS } from '../document/mechanism/entry-schema.ts';
import { BESIDE_SAMPLING } from '../document/mechanism/sampling.ts';
import { common } from '../document/mechanism/written-type.ts';
import { documentSchema } from '../document/structure/document-schema.ts';
import { TRAINING } from '../document/training-read.ts';
import { Decimal } from '../numeric/decimal.ts';
import { RELATIONS, TRAINING_SCHEMES } from '../privacy/mechanism.ts';
import type { NumberField } from '../privacy/mechanisms/parameters.ts';

// The forms of the page, made of the schemas that read documents; the build writes them into the page.

/** A value that is typed, or chosen from words. */
export interface Field {
  readonly name: string;
  readonly kind: 'number' | 'word' | 'text';
  /** What it is, and what may be typed. */
  readonly about: string;
  readonly example: string;
  /** Those that are allowed; of a text, those that are suggested. */
  readonly words: readonly string[];
  /** What it is where nothing is typed; empty: nothing. */
  readonly standard: string;
  /** The field beside which alone it means something. */
  readonly beside?: string;
}

/** A type of mechanism. */
export interface TypeForm {
  readonly type: string;
  readonly about: string;
  /** Its own keys. */
  readonly fields: readonly Field[];
  /** The ways to write it, each of which has some of those keys. */
  readonly ways: readonly { readonly needs: readonly string[]; readonly allows: readonly string[] }[];
}

/** Everything that is typed on the page. */
export interface Forms {
  readonly types: readonly TypeForm[];
  /** The keys that every mechanism may have. */
  readonly common: readonly Field[];
  readonly target: readonly Field[];
  readonly settings: readonly Field[];
  readonly training: readonly Field[];
}

const BESIDE: readonly string[] = BESIDE_SAMPLING;

/** Private selection is written as a document: its runs are a list, and their law has keys of its own. */
const isTyped = (name: string): boolean => name !== 'best-of';

type Schema = z.ZodMiniType;

/** The parts of zod's definitions that say what a schema takes. */
interface Definition {
  readonly type: string;
  readonly innerType?: Schema;
  readonly out?: Schema;
  readonly defaultValue?: unknown;
  readonly entries?: Readonly<Record<string, string>>;
  readonly values?: readonly string[];
  readonly shape?: Readonly<Record<string, Schema>>;
}

const definitionOf = (schema: Schema): Definition => schema._zod.def;

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> => definitionOf(schema).shape ?? {};

const numberForm = ({ name, about, allowed, example }: Pick<NumberField, 'name' | 'about' | 'allowed' | 'example'>) =>
  ({
    name,
    kind: 'number',
    about: `${about}: ${allowed.replace(String(Number.MAX_SAFE_INTEGER), '2^53 - 1')}.`,
    example: example.replaceAll('"', ''),
    words: [],
  }) as const;

/** A default as it would be typed. */
const textOf = (value: unknown): string =>
  Decimal.isDecimal(value) || typeof value === 'string' ? value.toString() : '';

const aboutOf = (schema: Schema): string => {
  const about = published.get(schema)?.description;
  return typeof about === 'string' ? about : '';
};

/** Words that stand in place of an object, as of a sampling. */
function wordsInPlace(schema: Schema): readonly string[] {
  const ways = published.get(schema)?.anyOf as readonly { readonly enum?: readonly string[] }[] | undefined;
  return ways?.find((way) => way.enum !== undefined)?.enum ?? [];
}

function fieldOf(name: string, schema: Schema, standard = ''): Field {
  const { type, innerType, defaultValue, entries } = definitionOf(schema);
  const number = numbers.get(schema);
  if (number !== undefined) return { ...numberForm(number), name, standard };
  if (innerType !== undefined)
    return fieldOf(name, innerType, defaultValue === undefined ? standard : textOf(defaultValue));
  const field = { name, about: aboutOf(schema), example: listExample(name) ?? '', standard };
  const words = type === 'boolean' ? ['false', 'true'] : Object.values(entries ?? {});
  const all = words.length > 0 ? words : wordsInPlace(schema);
  return all.length > 0 ? { ...field, kind: 'word', words: all } : { ...field, kind: 'text', words: [] };
}

const fieldsOf = (shape: Readonly<Record<string, Schema>>, names: readonly string[]): readonly Field[] =>
  names.map((name) => fieldOf(name, shape[name]!));

/** The ways to write a type; one where its schema knows no others. */
function waysOf(schema: Schema, names: readonly string[]): TypeForm['ways'] {
  const forms = published.get(schema)?.oneOf as
    readonly { readonly required: Form['needs']; readonly properties: Readonly<Record<string, false>> }[] | undefined;
  const isOptional = (name: string): boolean =>
    ['optional', 'default'].includes(definitionOf(shapeOf(schema)[name]!).type);
  return (forms ?? [{ required: [], properties: {} }]).map(({ required, properties }) => {
    const [own, isNeeded] = [
      names.filter((name) => !(name in properties)),
      (name: string): boolean => required.includes(name) || !isOptional(name),
    ];
    return { needs: own.filter(isNeeded), allows: own.filter((name) => !isNeeded(name)) };
  });
}

const typesOf = (schema: Schema): readonly TypeForm[] => {
  const shape = shapeOf(schema);
  const names = Object.keys(shape).filter((name) => name !== 'type' && !(name in common));
  const form = { about: aboutOf(schema), fields: fieldsOf(shape, names), ways: waysOf(schema, names) };
  return (definitionOf(shape.type!).values ?? []).map((type) => ({ type, ...form }));
};

/** The forms of everything that can be typed. */
export function pageForms(): Forms {
  const document = shapeOf(definitionOf(documentSchema).out!);
  const relation = (field: Field): Field => (field.name === 'neighbours' ? { ...field, words: RELATIONS } : field);
  const { examples, batch, epochs, noiseMultiplier, targetEpsilon: budget, recordsPerPerson } = TRAINING;
  const training = [examples, batch, epochs, noiseMultiplier, budget, recordsPerPerson].map((field) => ({
    ...numberForm(field),
    standard: '',
  }));
  const scheme = { name: 'scheme', kind: 'word', about: 'How batches are drawn.', example: '', standard: '' } as const;
  return {
    types: ENTRY_SCHEMAS.flatMap((schema) => typesOf(schema)).filter(({ type }) => type !== 'selection'),
    common: fieldsOf(common, Object.keys(common).filter(isTyped)).map((field) =>
      BESIDE.includes(field.name) ? { ...field, beside: 'sampling' } : field,
    ),
    target: [fieldOf('delta', targetDelta), fieldOf('epsilon', targetEpsilon)],
    settings: fieldsOf(document, ['adaptivity', 'order', 'neighbours', 'name']).map(relation),
    training: [...training, { ...scheme, words: TRAINING_SCHEMES }],
  };
}
