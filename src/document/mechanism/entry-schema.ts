import * as z from 'zod/mini';
import type { Mechanism } from '../../privacy/mechanism.ts';
import { noNumber } from '../core/forms.ts';
import { finitePair } from './finite-pair.ts';
import { discreteGaussian, gaussian } from './gaussian.ts';
import { dp, gdp, rdp, zcdp } from './guarantees.ts';
import { discreteLaplace, laplace } from './laplace.ts';
import { boundedRange, permuteAndFlip, reportNoisyMax } from './selections.ts';
import type { Syntax, Wording } from './written-type.ts';

/** Every type that may be written, in the order in which messages list them. */
const SYNTAXES = [
  dp,
  boundedRange,
  reportNoisyMax,
  permuteAndFlip,
  laplace,
  gaussian,
  discreteLaplace,
  discreteGaussian,
  finitePair,
  zcdp,
  rdp,
  gdp,
] as const;

const WORDINGS: { readonly [T in Mechanism['type']]: Wording<Extract<Mechanism, { type: T }>> } = {
  dp,
  'bounded-range': boundedRange,
  laplace,
  gaussian,
  'discrete-laplace': discreteLaplace,
  'discrete-gaussian': discreteGaussian,
  'finite-pair': finitePair,
  zcdp,
  rdp,
  gdp,
};

/** How mechanisms of a type are written out. */
export const wordingOf = <M extends Mechanism>({ type }: M): Wording<M> => WORDINGS[type] as unknown as Wording<M>;

type Schemas<T extends readonly unknown[]> = { [I in keyof T]: T[I] extends Syntax<infer S> ? S : never };

/** The schemas of mechanisms, type by type. */
export const ENTRY_SCHEMAS = SYNTAXES.map(({ schema }) => schema) as unknown as Schemas<typeof SYNTAXES>;

/** A mechanism. */
export const entrySchema = z.discriminatedUnion('type', ENTRY_SCHEMAS);

/** A validated entry as it was written, defaults filled in. */
export type ParsedEntry = z.infer<typeof entrySchema>;

/** A list of mechanisms. */
export const entriesSchema = z.array(z.pipe(noNumber('each item'), entrySchema)).check(z.minLength(1));

const BY_TYPE: ReadonlyMap<string, (typeof SYNTAXES)[number]> = new Map(
  SYNTAXES.flatMap((syntax) => [...syntax.schema.shape.type.def.values].map((type) => [type, syntax] as const)),
);

/** The mechanism that a validated entry means. */
export const mechanismOf = (parsed: ParsedEntry): Mechanism =>
  (BY_TYPE.get(parsed.type)!.mechanismOf as (parsed: ParsedEntry) => Mechanism)(parsed);

/** The keys that an entry of each type may have. */
export const ENTRY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  [...BY_TYPE].map(([type, { schema }]) => [type, Object.keys(schema.shape)]),
);

/** The key of a type that comes to mind first. */
export const firstKeyOf = (type: string): string | undefined => BY_TYPE.get(type)?.firstKey;

/** The types a document may name. */
export const MECHANISM_TYPES: readonly string[] = [...BY_TYPE.keys()];
