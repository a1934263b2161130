import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import { issueOf, probabilityOfOutcome, published } from '../core/fields.ts';
import { atMost } from '../core/lists.ts';
import { shorten } from '../core/quote.ts';
import type { Problem } from '../core/input-error.ts';

const ONE = new Decimal(1);

/** What is wrong with the sum of probabilities, each from 0 to 1; null if it is 1. */
function sumProblem(name: string, values: readonly Decimal[]): Problem | null {
  const sum = values.reduce((total, value) => total.plus(value), new Decimal(0));
  if (sum.eq(ONE)) return null;
  const last = values.at(-1)?.plus(ONE.minus(sum));
  const mended = last !== undefined && values.length > 1 && last.gte(0) && last.lte(1);
  return {
    code: 'wrong-sum',
    message: `${name} must sum to exactly 1, got ${shorten(sum.toString())}`,
    hint: mended
      ? `Correct the probabilities; with the others as they are, the last would be ${shorten(last.toString())}.`
      : 'Write the probability of every outcome, as exact decimals.',
  };
}

/** A list of probabilities, one for each outcome, that sum to exactly 1. */
export function distribution(name: 'p' | 'q', most: number) {
  const summingToOne = z
    .array(probabilityOfOutcome)
    .check(z.minLength(1))
    .check(
      z.check(
        ({ value, issues }) => {
          if (!value.every((item) => Decimal.isDecimal(item))) return;
          const problem = sumProblem(name, value);
          if (problem !== null) issues.push(issueOf(problem, value));
        },
        { when: ({ value }) => Array.isArray(value) && value.length > 0 },
      ),
    );
  return z
    .pipe(atMost(most, name, 'probabilities', 'Merge outcomes whose probabilities have the same ratio.'), summingToOne)
    .register(published, {
      description: 'The probability of each outcome: numbers from 0 to 1 that sum to exactly 1.',
      maxItems: most,
    });
}

/** Refuses an object whose two lists of probabilities differ in length. */
export const sameOutcomes = (one: 'p' | 'q', other: 'p' | 'q') =>
  z.check<Readonly<Record<string, unknown>>>(
    ({ value, issues }) => {
      const [a, b] = [value[one], value[other]];
      if (!Array.isArray(a) || !Array.isArray(b) || a.length === 0 || b.length === 0 || a.length === b.length) return;
      issues.push(
        issueOf(
          {
            code: 'unequal-lengths',
            message: `${one} and ${other} must list the same outcomes, got ${a.length} in ${one} and ${b.length} in ${other}`,
            hint: 'Give both lists the same order, with 0 for an outcome that cannot happen.',
          },
          value,
        ),
      );
    },
    // Also beside mistakes in single keys: all are reported at once.
    { when: ({ value }) => typeof value === 'object' && value !== null },
  );
