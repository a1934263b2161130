import { describe, expect, test } from 'vitest';
import { upperAt } from '../../../src/bounds/bounded-range/adaptive-table.ts';
import { deviationsFor } from '../../../src/bounds/bounded-range/adaptive-tables.ts';
import { searchedBoxes } from '../../../src/bounds/bounded-range/choice-boxes.ts';
import { fewChoices } from '../../../src/bounds/bounded-range/nonadaptive.ts';
import { fromDouble } from '../../../src/numeric/double-double.ts';
import { answer, atDelta, atEpsilon, boundedRange, decimal, valueOf } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';

interface Group {
  readonly e: string;
  readonly count: number;
}

const boundOf = (groups: readonly Group[], x: number, work: number): number => {
  const list = groups.map(({ e, count }) => ({ epsilon: decimal(e), count }));
  list.sort((a, b) => b.epsilon.cmp(a.epsilon));
  const search = {
    allowed: (above: Parameters<typeof upperAt>[0]): number => upperAt(above, x),
    isEnough: () => false,
    deviations: deviationsFor(-20),
    work,
  };
  return searchedBoxes(list, search, {});
};

/** The law of a binomial number of smaller losses, and of the larger ones the loss. */
const binomial = (k: number, p: number): number[] => {
  let law = [1];
  for (let n = 0; n < k; n++) law = [...law, 0].map((mass, i) => mass * (1 - p) + (i > 0 ? law[i - 1]! * p : 0));
  return law;
};

/** What is gained at x by one t for each parameter, all outcomes one by one. */
function gainOf(groups: readonly Group[], ts: readonly number[], x: number): number {
  let outcomes = [{ mass: 1, loss: 0 }];
  groups.forEach(({ e, count }, p) => {
    const [t, range] = [ts[p]!, Number(e)];
    const down = (Math.exp(t - range) - Math.exp(-range)) / (1 - Math.exp(-range));
    const law = binomial(count, down);
    outcomes = outcomes.flatMap(({ mass, loss }) =>
      law.map((part, i) => ({ mass: mass * part, loss: loss + count * t - i * range })),
    );
  });
  return outcomes.reduce((sum, { mass, loss }) => sum + mass * Math.max(0, -Math.expm1(x - loss)), 0);
}

const parameter = fc.double({ min: -1.3, max: 0.3, noNaN: true }).map((x) => (10 ** x).toPrecision(3));

describe('adversaries in boxes of choices', () => {
  test('whoever fixes his choices gains no more than the bound, which falls with work', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ e: parameter, count: fc.integer({ min: 1, max: 5 }) }), {
          minLength: 1,
          maxLength: 3,
          selector: ({ e }) => e,
        }),
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 3, maxLength: 3 }),
        (groups, part, shares) => {
          const x = part * groups.reduce((sum, { e, count }) => sum + Number(e) * count, 0);
          const [quick, slow] = [boundOf(groups, x, 1e5), boundOf(groups, x, 4e6)];
          expect(slow).toBeLessThanOrEqual(quick);
          const gain = gainOf(
            groups,
            groups.map(({ e }, p) => Number(e) * shares[p]!),
            x,
          );
          expect(slow).toBeGreaterThanOrEqual(gain * (1 - 1e-9));
          const few = fewChoices(
            groups.map(({ e, count }) => ({ epsilon: decimal(e), count })),
            { exhausted: () => false },
          );
          if (few) expect(slow).toBeGreaterThanOrEqual(Math.exp(few.logDelta(fromDouble(x)).lower) * (1 - 1e-9));
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('many bounded-range mechanisms of a few parameters, fixed in advance', () => {
  const options = { adaptivity: 'nonadaptive', bounds: ['br-nonadaptive'] } as const;
  const groups = [
    { e: '0.1', count: 9 },
    { e: '0.05', count: 8 },
    { e: '0.2', count: 6 },
  ];
  const entries = groups.map(({ e, count }) => boundedRange(e, { count }));

  test('9 of 0.1, 8 of 0.05 and 6 of 0.2 at 0.5, of which these choices gain 0.0071076', () => {
    const { lower, upper } = valueOf(answer(entries, atEpsilon('0.5'), options), 'br-nonadaptive');
    const gain = gainOf(groups, [0.0548125, 0.026625, 0.11978125], 0.5);
    expect(gain).toBeGreaterThan(0.0071076);
    expect(lower!).toBeGreaterThanOrEqual(gain * (1 - 1e-4));
    expect(upper).toBeGreaterThanOrEqual(gain);
    expect(upper).toBeLessThanOrEqual(lower! * 1.0025);
  });

  test('their epsilon at 1e-6 is enclosed to 1e-3', () => {
    const { lower, upper } = valueOf(answer(entries, atDelta('1e-6'), options), 'br-nonadaptive');
    expect(upper).toBeLessThanOrEqual(lower! * 1.001);
  });
});
