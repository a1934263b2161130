import type { Inapplicability, MechanismType } from '../../bounds/core/bound.ts';
import { listed } from './prose.ts';

/** A mistake, and a hint on how to fix it. */
export interface Message {
  /** A clause without a final stop. */
  readonly message: string;
  /** A sentence. */
  readonly hint: string;
}

/** The meaning of a code and its remedy; both are sentences. */
export interface Explanation {
  readonly meaning: string;
  readonly remedy: string;
}

/** The explanation of every code of one kind. */
export type Explanations<Code extends string> = Readonly<Record<Code, Explanation>>;

/**
 * The texts of a code, the one place where they are written: its message and its hint, complete or with holes for what
 * they are about. The meaning and the remedy that `explain` tells are the same, unless others are given, as they must be
 * where there are holes.
 */
export type Text<T> = (
  | { readonly message: string; readonly meaning?: string }
  | { readonly message: (about: T) => string; readonly meaning: string }
) &
  (
    | { readonly hint: string; readonly remedy?: string }
    | { readonly hint: (about: T) => string; readonly remedy: string }
  );

/** The members of a union in whose `key` the name N may stand. */
export type Named<T, K extends string, N> =
  T extends Readonly<Record<K, infer Names>> ? (N extends Names ? T : never) : never;

/** The texts of every name that stands in the `key` of a union: one that is left out does not compile. */
export type Texts<K extends string, T extends Readonly<Record<K, string>>> = {
  readonly [N in T[K]]: Text<Named<T, K, N>>;
};

/** The message and the hint of a code, with their holes filled. */
export const filledIn = <T>({ message, hint }: Text<T>, about: T): Message => ({
  message: typeof message === 'string' ? message : message(about),
  hint: typeof hint === 'string' ? hint : hint(about),
});

/** A clause as a sentence. */
const sentence = (clause: string): string =>
  `${clause.charAt(0).toUpperCase()}${clause.slice(1)}${clause.endsWith('.') ? '' : '.'}`;

/** What a code means and what to do about it, whatever it is about; `before`: what its message completes. */
const explanationOf = ({ message, meaning, hint, remedy }: Text<never>, before = ''): Explanation => ({
  meaning: meaning ?? sentence(`${before}${message as string}`),
  remedy: remedy ?? (hint as string),
});

/** The same of every code of a table. */
export const explanationsOf = <Code extends string>(
  texts: Readonly<Record<Code, Text<never>>>,
  before?: string,
): Explanations<Code> =>
  Object.fromEntries(
    Object.entries<Text<never>>(texts).map(([code, text]) => [code, explanationOf(text, before)]),
  ) as Explanations<Code>;

/** A type as it is written; mechanisms on samples have none of their own. */
const typeText = (type: MechanismType): string => (type === 'sampled' ? 'a subsampled one' : type);

function typesText({ needs, found: all }: Named<Inapplicability, 'code', 'needs-types'>): string {
  const others = all.filter((type) => !needs.includes(type));
  const types = (others.length > 0 ? others : all).map(typeText);
  return `holds for ${listed(needs, 'or')} mechanisms only; the list has ${listed(types)}`;
}

const OTHERS = 'No action needed: the answer uses the bounds that apply.';

/** Why a theorem does not cover a composition, in words that follow its name. */
const INAPPLICABILITIES: Texts<'code', Inapplicability> = {
  'needs-types': {
    message: typesText,
    meaning: 'The bound holds for mechanisms of certain types only, and others are listed.',
    hint: 'Describe the others by a guarantee of those types, if they have one, or use the bounds that apply.',
  },
  'needs-noninteractive': {
    message: ({ kinds }) =>
      `holds for noninteractive mechanisms only; the list has ${listed(kinds.filter((kind) => kind !== 'noninteractive'))} ones`,
    meaning: 'The bound holds for noninteractive mechanisms only, and some are interactive or continual.',
    hint: 'Set "kind" to "noninteractive" if a mechanism answers once.',
  },
  'needs-nonadaptive': {
    message: 'holds if every mechanism is fixed in advance (--nonadaptive)',
    meaning: 'The bound holds if every mechanism is fixed in advance.',
    hint: 'Add --nonadaptive if your mechanisms are.',
  },
  'is-dp-optimal': {
    message: 'adds nothing to dp-optimal if no noise of a known distribution and no finite pair is composed',
    hint: OTHERS,
  },
  'is-exact-otherwise': {
    message: ({ bound }) => `is for adaptively chosen mechanisms; fixed in advance, ${bound} is exact`,
    meaning: 'The bound is for adaptively chosen mechanisms; of those fixed in advance another is exact.',
    hint: OTHERS,
  },
  'too-large': {
    message: ({ limit }) => `is computed for at most ${limit} only`,
    meaning: 'The bound is computed only up to a number of mechanisms that is exceeded.',
    hint: OTHERS,
  },
  'needs-mixture': {
    message: 'is for bounded-range mechanisms together with others, and the list has only one of the two',
    hint: OTHERS,
  },
  'needs-alone': {
    message: 'is for one selection alone, and the list has more',
    hint: 'Compose selections with others by Renyi bounds, or by the guarantees of pure mechanisms.',
  },
  'no-sampling-theorem': {
    message: 'has no theorem for one of the sampling schemes',
    meaning: 'dpcompose has no theorem for a sampling scheme under its neighboring relation.',
    hint: 'Use poisson or random-allocation with add-remove neighbors, or without-replacement with replace-one neighbors.',
  },
  needless: {
    message: ({ bound }) => `is not computed where ${bound} is exact`,
    meaning: 'Another bound is exact, so this one, which takes longer, cannot be smaller.',
    hint: 'No action needed; to see its value, name the bound in --bounds.',
  },
  interrupted: {
    message: 'did not finish within --max-seconds',
    hint: 'Allow more time, or use the bounds that finished.',
  },
};

/** Why a theorem does not cover a composition, in words that follow its name. */
export const inapplicabilityMessage = (reason: Inapplicability): string =>
  filledIn<never>(INAPPLICABILITIES[reason.code], reason as never).message;

/** What every reason for which a bound does not apply is. */
export const inapplicabilityExplanations = (): Explanations<Inapplicability['code']> =>
  explanationsOf(INAPPLICABILITIES, 'the bound ');
