import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { finitePair } from '../mechanisms.ts';
import { fc } from './properties.ts';
import { lawsOf, type TwoLaws } from './two-laws.ts';

export const TOTAL = 1000;

/** Shares of 1,000, some of them 0 more often than by chance. */
const masses = (size: number, zeros: number): fc.Arbitrary<number[]> =>
  fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 1, max: TOTAL }) },
        { weight: zeros, arbitrary: fc.constant(0) },
      ),
      {
        minLength: size,
        maxLength: size,
      },
    )
    .map((parts) => {
      const sum = parts.reduce((a, b) => a + b, 0) || 1;
      const shares = parts.map((part) => Math.max(part === 0 ? 0 : 1, Math.floor((part / sum) * (TOTAL - size))));
      shares[0]! += TOTAL - shares.reduce((a, b) => a + b, 0);
      return shares;
    });

/** Two distributions on the same two to four outcomes, in thousandths. */
export type Thousandths = readonly [number[], number[]];

/** Random ones; `zeros`: how often, against 4, an outcome has no mass. */
export const thousandths = (zeros: number): fc.Arbitrary<Thousandths> =>
  fc.integer({ min: 2, max: 4 }).chain((size) => fc.tuple(masses(size, zeros), masses(size, zeros)));

export const lawsOfThousandths = ([p, q]: Thousandths): TwoLaws => lawsOf(p, q, TOTAL);

export const entryOfThousandths = ([p, q]: Thousandths, direction: 'either' | 'fixed' = 'fixed'): Entry => {
  const texts = (all: readonly number[]): string[] => all.map((mass) => new Decimal(mass).div(TOTAL).toString());
  return finitePair(texts(p), texts(q), { direction });
};
