import { Decimal, encloseDecimal, toUpper, ZERO } from '../../numeric/decimal.ts';
import { asUpper, enclosure } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import { totalEpsilon } from '../../privacy/pure.ts';
import type { Bound } from '../core/bound.ts';
import { failuresOf, onlyTypes, pureGroups, PURE_PARTS } from '../core/entries.ts';
import { WITH_PURE_PART } from '../../privacy/mechanisms/records.ts';

/**
 * Basic composition: (sum e_i, sum d_i)-DP, in exact decimals. Below sum e_i it claims nothing (delta 1; for negative
 * epsilon what symmetry gives), below sum d_i nothing either (epsilon Infinity).
 *
 * Source: Dwork, Kenthapadi, McSherry, Mironov, Naor (2006), Theorem 1; adaptively and concurrently as
 * (e, d)-DP guarantees compose.
 */
export const basic: Bound = {
  id: 'basic',
  name: 'basic composition',
  reference: 'Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, Thm 1',
  exposition: {
    statement:
      'Mechanisms that are (e_i, d_i)-DP are together (sum e_i, sum d_i)-DP, however they are chosen and interleaved.',
    formula: [
      'e = sum e_i',
      'd = sum d_i',
      'computed in exact decimals; below sum e_i it claims nothing, nor below sum d_i',
    ],
    departures: [],
    works: ['dwork-2006'],
    slack: 'it adds up the worst cases, as if every mechanism lost its most at once',
    coverage: PURE_PARTS,
  },
  apply(composition) {
    const covered = onlyTypes(composition, WITH_PURE_PART);
    if ('reason' in covered) return covered;
    const epsilonSum = totalEpsilon(pureGroups(covered.entries));
    const sums = failuresOf(covered.entries).map((parts) =>
      parts.reduce((sum, { delta, count }) => sum.plus(delta.times(count)), ZERO),
    );
    const deltaSum = Decimal.min(1, Decimal.max(...sums));
    return {
      curve: {
        delta(epsilon) {
          if (epsilon.gte(epsilonSum)) return { lower: null, upper: toUpper(deltaSum), exact: deltaSum.toString() };
          if (epsilon.gte(0) || epsilon.negated().lt(epsilonSum)) return { lower: null, upper: asUpper(1), exact: '1' };
          const exponent = encloseDecimal(epsilon);
          const mirrored = multiply(exponential(exponent), enclosure(0, toUpper(deltaSum)));
          return { lower: null, upper: asUpper(Math.min(1, add(negate(expm1(exponent)), mirrored).upper)) };
        },
        epsilon(delta) {
          if (delta.gte(1)) return { lower: null, upper: asUpper(0), exact: '0' };
          if (delta.lt(deltaSum)) return { lower: null, upper: asUpper(Infinity) };
          return { lower: null, upper: toUpper(epsilonSum), exact: epsilonSum.toString() };
        },
      },
    };
  },
};
