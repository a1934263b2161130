import * as z from 'zod/mini';
import { type Decimal, ONE } from '../../numeric/decimal.ts';
import { MECHANISM_KINDS, type Mechanism } from '../../privacy/mechanism.ts';
import type { NumberField } from '../../privacy/mechanisms/parameters.ts';
import type { Figures } from '../../privacy/mechanisms/record.ts';
import { recordOf, type MechanismWith } from '../../privacy/mechanisms/records.ts';
import type { ExactValue } from '../core/exact-value.ts';
import { count, numberField, published } from '../core/fields.ts';
import { runs } from './run-law.ts';
import { samplingKeys } from './sampling.ts';

/** The keys that every mechanism may have. */
export const common = {
  count: z._default(count, ONE).register(published, { default: 1 }),
  label: z.optional(z.string()),
  kind: z._default(z.enum(MECHANISM_KINDS), 'noninteractive'),
  ...samplingKeys,
  'best-of': z.optional(runs),
};

/** A type of mechanism as documents and flags write it. */
export interface Syntax<S extends z.ZodMiniObject> {
  readonly schema: S;
  /** The mechanism that validated keys mean. */
  readonly mechanismOf: (parsed: z.infer<S>) => Mechanism;
  /** How many of it validated keys mean for each that is counted; absent: one. */
  readonly rounds?: (parsed: z.infer<S>) => number;
}

/** A type that is another way to write mechanisms of those that are modelled; typed by its schema. */
export const alias = <S extends z.ZodMiniObject>(type: Syntax<S>): Syntax<S> => type;

/** Keys with exact values. */
export type Keys = Readonly<Record<string, ExactValue>>;

/** How a mechanism of one type is written out again, and put in words. */
export interface Wording<M extends Mechanism> {
  /** Its guarantee, or the noise that it adds: `(0.1, 0)-DP`, `Laplace noise of scale 3`. */
  readonly words: (mechanism: M, figures: Figures) => string;
  /** Its keys in the normal form; absent, as null: its parameters by their names. */
  readonly normal?: (mechanism: M) => Keys | null;
  /** Its keys as they were written, where that is another form than the normal one; else null. */
  readonly written?: (mechanism: M) => Keys | null;
}

/** A type of mechanisms that are modelled; typed by its schema. */
export const writtenType = <S extends z.ZodMiniObject, M extends Mechanism>(
  type: Syntax<S> & Wording<M>,
): Syntax<S> & Wording<M> => type;

/** A number that may be left out where it has a standard value. */
const keyOf = (field: NumberField): z.ZodMiniType<Decimal> =>
  field.standard === undefined ? numberField(field) : z._default(numberField(field), field.standard);

/** A type that is written by the parameters of its record. */
export function plainType<T extends MechanismWith<'plain'>['type']>(type: T) {
  const { parameters, plain } = recordOf({ type });
  const numbers = Object.entries<NumberField>(parameters);
  const keys = Object.fromEntries(numbers.map(([name, field]) => [name, keyOf(field)]));
  return writtenType({
    schema: z
      .strictObject({ type: z.literal(type), ...keys, ...common })
      .register(published, { description: plain!.description }),
    mechanismOf: (parsed) =>
      Object.fromEntries(
        ['type', ...Object.keys(keys)].map((name) => [name, (parsed as Readonly<Record<string, unknown>>)[name]]),
      ) as unknown as Mechanism,
    words: plain!.words,
  });
}

/** A parameter that one of the forms of a validated mechanism has. */
export function required<T>(value: T | null | undefined): T {
  if (value === undefined || value === null) throw new Error('A validated entry lacks a parameter of its form.');
  return value;
}
