import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';
import { didYouMean } from '../core/suggest.ts';

/** A mistake in a value. */
export const at = (path: Path, problem: Problem): Mistake => ({ path, anchor: 'value', problem });

/** A name that is not `what` it should be. */
export const unknownName = (name: string, what: string, known: readonly string[], hint: string): Problem => ({
  code: 'unknown-name',
  message: `${quote(name)} is not ${what}`,
  hint: `${didYouMean(name, known)}${hint}`,
});

/** A name that two things have. */
export const twice = (name: string, what: string): Problem => ({
  code: 'duplicate-name',
  message: `${quote(name)} is the name of two ${what}`,
  hint: 'Give each a name of its own.',
});

/** The names of a list that stand in it before, with their place. */
export const repeated = (names: readonly string[]): { name: string; index: number }[] =>
  names.flatMap((name, index) => (names.indexOf(name) < index ? [{ name, index }] : []));
