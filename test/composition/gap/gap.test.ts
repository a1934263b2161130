import { readFileSync } from 'node:fs';
import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { gap, gapBetween, type GapQuestion, type GapRow, type Optimum } from '../../../src/composition/gap/gap.ts';
import { Decimal, decimalFromDouble } from '../../../src/numeric/decimal.ts';
import { enclosure } from '../../../src/numeric/enclosure.ts';

const question = (
  each: string,
  count: readonly number[],
  solveFor: GapQuestion['solveFor'],
  ...given: readonly string[]
): GapQuestion => ({
  each: [new Decimal(each)],
  count,
  solveFor,
  given: given.map((text) => new Decimal(text)),
});

const only = (rows: readonly GapRow[]): GapRow => {
  const [row] = rows;
  if (row === undefined || rows.length !== 1) throw new Error(`${rows.length} rows`);
  return row;
};

/** The adaptive optimum and its distance from the other; a test of rows that have none fails. */
function known(row: GapRow) {
  if ('reason' in row.gap) throw new Error(row.gap.reason.code);
  return row.gap;
}

interface Question {
  readonly k: number;
  readonly epsilon: string;
  readonly epsilonTotal: string;
}

const golden = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../fixtures/golden/${name}.json`, import.meta.url), 'utf8'));
const optima = golden('adaptive') as readonly (Question & { readonly lower: number; readonly upper: number })[];
const { brNonadaptiveDelta } = golden('reference') as {
  brNonadaptiveDelta: readonly (Question & { readonly result: string })[];
};

describe('the gap between nonadaptive and adaptive', () => {
  it('is 7 % of delta for 30 mechanisms of 0.1-bounded range at epsilon 1', () => {
    const same = ({ k, epsilon, epsilonTotal }: Question): boolean =>
      k === 30 && epsilon === '0.1' && Number(epsilonTotal) === 1;
    const adaptive = optima.find(same)!;
    const nonadaptive = Number(brNonadaptiveDelta.find(same)!.result);
    const { ratio, difference } = known(only(gap(question('0.1', [30], 'delta', '1')).rows));
    expect(ratio!.lower).toBeLessThanOrEqual(adaptive.upper / nonadaptive - 1);
    expect(ratio!.upper).toBeGreaterThanOrEqual(adaptive.lower / nonadaptive - 1);
    expect(ratio!.upper - ratio!.lower).toBeLessThan(3e-4);
    expect(difference.lower).toBeLessThanOrEqual(adaptive.upper - nonadaptive);
    expect(difference.upper).toBeGreaterThanOrEqual(adaptive.lower - nonadaptive);
  });

  it('is certainly there between -(k - 1) e and (k - 1) e, and nowhere else', () => {
    const { rows } = gap(question('0.5', [4], 'delta', '-2.5', '-1.5', '-0.7', '0', '0.7', '1.5', '1.9'));
    expect(rows.map((row) => known(row).ratio!.lower > 0)).toEqual([false, false, true, true, true, false, false]);
    for (const row of rows) {
      const { adaptive, ratio, difference } = known(row);
      if (ratio!.lower > 0) continue;
      expect(adaptive).toEqual(row.nonadaptive);
      expect([ratio, difference]).toEqual([enclosure(0, 0), enclosure(0, 0)]);
    }
  });

  it('is nothing for one mechanism, which has nothing to adapt to', () => {
    expect(known(only(gap(question('0.1', [1], 'epsilon', '1e-6')).rows)).ratio).toEqual(enclosure(0, 0));
    expect(known(only(gap(question('0.1', [1], 'delta', '0.05')).rows)).ratio).toEqual(enclosure(0, 0));
  });

  it('is nothing where the epsilon solved for is at least (k - 1) e', () => {
    const { rows } = gap(question('0.1', [2, 10], 'epsilon', '1e-6'));
    expect(rows.map((row) => row.nonadaptive.lower >= 0.1 * (row.count - 1))).toEqual([true, false]);
    expect(rows.map((row) => known(row).difference.upper > 0)).toEqual([false, true]);
  });

  it('has no ratio to an optimum of 0', () => {
    const beyond = only(gap(question('0.1', [3], 'delta', '0.3')).rows);
    expect(beyond.nonadaptive).toMatchObject({ lower: 0, upper: 0 });
    expect(known(beyond)).toMatchObject({ ratio: null, difference: { lower: 0, upper: 0 } });
    expect(gap(question('0.1', [3], 'delta', '0.3', '1')).largest).toBeNull();
  });

  it('is not known beyond what is computed, with the reason', () => {
    const { rows, largest } = gap(question('9', [2, 20_000], 'epsilon', '0.01'));
    expect(rows[1]!.gap).toMatchObject({ reason: { code: 'too-large' } });
    expect(rows[1]!.nonadaptive.lower).toBeGreaterThan(20);
    expect(largest?.row).toBe(rows[0]);
  });

  it('is told for every combination, in order', () => {
    const many = { ...question('0.1', [1, 2], 'delta', '0', '0.05'), each: [new Decimal('0.1'), new Decimal('0.2')] };
    const { rows, question: asked } = gap(many, { tolerance: 0.1 });
    expect(asked).toBe(many);
    expect(rows.map(({ each, count, given }) => [each, count, given].join(' '))).toEqual([
      '0.1 1 0',
      '0.1 1 0.05',
      '0.1 2 0',
      '0.1 2 0.05',
      '0.2 1 0',
      '0.2 1 0.05',
      '0.2 2 0',
      '0.2 2 0.05',
    ]);
  });

  it('is the largest where it is the largest for certain, and nowhere above', () => {
    const { rows, largest } = gap(question('0.1', [2, 10, 30], 'epsilon', '1e-6'));
    const ratios = rows.map((row) => known(row).ratio!);
    expect(largest!.row).toBe(rows[1]);
    expect(largest!.ratio.lower).toBe(Math.max(...ratios.map(({ lower }) => lower)));
    expect(largest!.ratio.upper).toBe(Math.max(...ratios.map(({ upper }) => upper)));
  });

  it('stays certain when there is no time, and says how wide it is', () => {
    const asked = question('0.5', [20, 50], 'epsilon', '1e-6');
    const hasty = gap(asked, { tolerance: 1e-6, exhausted: () => true });
    const careful = gap(asked, { tolerance: 1e-6 });
    expect(careful.warnings).toEqual([]);
    expect(hasty.warnings).toMatchObject([{ code: 'tolerance-not-met', asked: 1e-6, rows: 2 }]);
    hasty.rows.forEach((row, index) => {
      const [wide, narrow] = [known(row).ratio!, known(careful.rows[index]!).ratio!];
      expect(wide.lower).toBeLessThanOrEqual(narrow.upper);
      expect(wide.upper).toBeGreaterThanOrEqual(narrow.lower);
      expect(wide.upper - wide.lower).toBeGreaterThan(narrow.upper - narrow.lower);
    });
  });

  it('tells which row is computed', () => {
    const told: number[] = [];
    gap(question('0.1', [2, 3, 4], 'delta', '0.15'), { progress: (row) => told.push(row) });
    expect([...new Set(told)]).toEqual([0, 1, 2]);
  });
});

describe('the gap between two enclosures', () => {
  const positive = fc.double({ min: 1e-300, max: 1e300, noNaN: true });

  it('contains that of all optima inside them, in exact arithmetic', () => {
    const inside = fc.array(positive, { minLength: 4, maxLength: 4 }).map((list) => list.sort((a, b) => a - b));
    fc.assert(
      fc.property(inside, fc.boolean(), ([a, b, c, d], crossed) => {
        // Nonadaptive in [a, b] and adaptive in [c, d], or overlapping: [a, c] and [b, d].
        const [nonadaptive, adaptive] = crossed
          ? [enclosure(a!, c!), enclosure(b!, d!)]
          : [enclosure(a!, b!), enclosure(c!, d!)];
        const { ratio, difference } = gapBetween(nonadaptive, adaptive);
        const [least, most] = [decimalFromDouble(nonadaptive.lower), decimalFromDouble(nonadaptive.upper)];
        const from = Decimal.max(0, decimalFromDouble(adaptive.lower).minus(most));
        const to = decimalFromDouble(adaptive.upper).minus(least);
        const at = (x: number): Decimal => new Decimal(x === Infinity ? Infinity : decimalFromDouble(x));
        expect(at(difference.lower).lte(from)).toBe(true);
        expect(at(difference.upper).gte(to)).toBe(true);
        expect(at(ratio!.lower).times(most).lte(from)).toBe(true);
        expect(at(ratio!.upper).times(least).gte(to)).toBe(true);
      }),
    );
  });

  const infinite: Optimum = enclosure(0, Infinity);

  it('is never not a number', () => {
    expect(gapBetween(enclosure(0, 1), enclosure(0.5, 2))).toMatchObject({ ratio: { lower: 0, upper: Infinity } });
    expect(gapBetween(infinite, infinite)).toMatchObject({
      ratio: { lower: 0, upper: Infinity },
      difference: { lower: 0, upper: Infinity },
    });
    expect(gapBetween(enclosure(0, 0), enclosure(0.5, 2)).ratio).toBeNull();
    expect(gapBetween(enclosure(0, 0), enclosure(0, 0)).difference).toEqual(enclosure(0, 0));
  });

  it('does not exist where the adaptive optimum is below the other: one of them is wrong', () => {
    expect(() => gapBetween(enclosure(2, 2.1), enclosure(1.8, 1.9))).toThrow('nothing below 2 can be claimed');
  });
});
