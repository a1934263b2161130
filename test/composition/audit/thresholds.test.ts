import { describe, expect, it } from 'vitest';
import { auditThresholds, type Cut, type Scores } from '../../../src/composition/audit/thresholds.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fc } from '../../reference/properties.ts';

const scores = (members: readonly number[], others: readonly number[]): Scores => ({
  members: Float64Array.from(members),
  others: Float64Array.from(others),
});

const audited = (all: Scores, cut: Cut, delta = '0', confidence = '0.95') =>
  auditThresholds(all, cut, new Decimal(confidence), new Decimal(delta));

const upTo = (n: number, from = 0): number[] => Array.from({ length: n }, (_, i) => from + i);

describe('what scores show at a threshold', () => {
  // Beta quantiles and normal quantiles by mpmath with 30 digits: n0, n1, false positives, true positives, thresholds.
  it.each([
    [500, 500, 9, 104, 3, '1e-5', 0.037830355801838, 0.16615269923401, 1.4797352091395, 0.8069575347429],
    [500, 400, 0, 30, 1, '0', 0.0073506100519078, 0.051171679604669, 1.9404029362498, 0.80605916404446],
    [1000, 1000, 900, 999, 1, '1e-5', 0.91789466564442, 0.99444107572017, 2.6924765713518, 1.1479240705391],
    [20, 20, 0, 20, 1, '0', 0.16843347098309, 0.83156652901691, 1.5967704654112, 1.9207483052695],
  ])('of %i and %i scores, %i and %i beyond it, %i in all', (n0, n1, fp, tp, count, delta, fpr, tpr, epsilon, mu) => {
    const all = scores(
      [...Array<number>(n1 - tp).fill(0), ...Array<number>(tp).fill(2)],
      [...Array<number>(n0 - fp).fill(0), ...Array<number>(fp).fill(2)],
    );
    // The others show nothing, and cost confidence.
    const thresholds = [1, ...upTo(count - 1, 5)];
    const [first] = audited(all, { kind: 'thresholds', thresholds }, delta);
    expect([first!.falsePositives, first!.truePositives]).toEqual([fp, tp]);
    expect(first!.falsePositiveRate).toBeGreaterThanOrEqual(fpr * (1 - 1e-13));
    expect(first!.falsePositiveRate).toBeCloseTo(fpr, 11);
    expect(first!.truePositiveRate).toBeLessThanOrEqual(tpr * (1 + 1e-13));
    expect(first!.truePositiveRate).toBeCloseTo(tpr, 11);
    expect(first!.epsilon).toBeLessThanOrEqual(epsilon * (1 + 1e-13));
    expect(first!.epsilon).toBeCloseTo(epsilon, 9);
    expect(first!.mu).toBeLessThanOrEqual(mu * (1 + 1e-13));
    expect(first!.mu).toBeCloseTo(mu, 9);
  });

  it('at rank k is that of k - 1 false positives, above the k-th largest score and not at it', () => {
    const all = scores([9, 8, 7.5, 7, 6, 1], upTo(10));
    const [ranked] = audited(all, { kind: 'ranks', ranks: [3] });
    const [fixed] = audited(all, { kind: 'thresholds', thresholds: [7.1] });
    expect([ranked!.threshold, ranked!.falsePositives, ranked!.truePositives]).toEqual([7, 2, 3]);
    expect({ ...fixed!, rank: 3, threshold: 7 }).toEqual(ranked);
    // Equal scores are not passed, and are counted as if they were.
    const ties = scores([2, 2, 2, 3], [1, 2, 2, 2]);
    const [tied] = audited(ties, { kind: 'ranks', ranks: [3] });
    expect([tied!.threshold, tied!.falsePositives, tied!.truePositives]).toEqual([2, 0, 1]);
    expect(tied!.falsePositiveRate).toBe(
      audited(scores([1], upTo(4)), { kind: 'ranks', ranks: [3] })[0]!.falsePositiveRate,
    );
  });

  it('is infinite scores too', () => {
    const all = scores([Infinity, Infinity, 0], [-Infinity, 0, Infinity]);
    const [first, second] = audited(all, { kind: 'ranks', ranks: [1, 3] });
    expect([first!.truePositives, second!.truePositives]).toEqual([0, 3]);
  });
});

describe('scores', () => {
  /** Binary scores of randomized response, whose true epsilon is the logarithm of (1 - p) / p. */
  it('show more than is true at most as often as they say, exactly, with equal scores too', () => {
    const [n, p] = [14, 0.2];
    const epsilon = Math.log((1 - p) / p);
    const law = (q: number): number[] => {
      let mass = (1 - q) ** n;
      return Array.from({ length: n + 1 }, (_, i) => {
        if (i > 0) mass *= ((n - i + 1) * q) / (i * (1 - q));
        return mass;
      });
    };
    const [ofMembers, ofOthers] = [law(1 - p), law(p)];
    const binary = (ones: number): number[] => upTo(n).map((i) => (i < ones ? 1 : 0));
    const cuts: readonly Cut[] = [
      { kind: 'ranks', ranks: [1, 3, 7] },
      { kind: 'thresholds', thresholds: [0.5] },
      { kind: 'split' },
    ];
    for (const cut of cuts) {
      let [above, something] = [0, 0];
      ofMembers.forEach((chance, ones) => {
        ofOthers.forEach((other, zeros) => {
          const shown = Math.max(
            ...audited(scores(binary(ones), binary(zeros)), cut, '0', '0.6').map((threshold) => threshold.epsilon),
          );
          if (shown > epsilon) above += chance * other;
          if (shown > 0) something += chance * other;
        });
      });
      expect(above).toBeLessThanOrEqual(0.4);
      expect(something).toBeGreaterThan(0.1);
    }
  });

  const CUTS: readonly Cut[] = [
    { kind: 'ranks', ranks: [1, 5] },
    { kind: 'thresholds', thresholds: [-0.5, 0, 1] },
  ];
  const lists = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 5, maxLength: 60 });

  it('of members that are higher never show less, nor a smaller delta or confidence', () => {
    const cases = fc.record({ members: lists, others: lists, cut: fc.constantFrom(...CUTS) });
    fc.assert(
      fc.property(cases, ({ members, others, cut }) => {
        const best = (all: Scores, delta?: string, confidence?: string) => {
          const rows = audited(all, cut, delta, confidence);
          return rows.map(({ epsilon, mu, truePositiveRate }) => ({ epsilon, mu, truePositiveRate }));
        };
        const own = best(scores(members, others), '1e-3');
        const stronger = best(scores([...members.slice(1), 100], others), '1e-3');
        own.forEach((row, i) => {
          expect(stronger[i]!.truePositiveRate).toBeGreaterThanOrEqual(row.truePositiveRate);
          expect(stronger[i]!.epsilon).toBeGreaterThanOrEqual(row.epsilon);
          expect(stronger[i]!.mu).toBeGreaterThanOrEqual(row.mu);
          expect(best(scores(members, others), '0.01')[i]!.epsilon).toBeLessThanOrEqual(row.epsilon);
          expect(best(scores(members, others), '1e-3', '0.99')[i]!.epsilon).toBeLessThanOrEqual(row.epsilon);
        });
      }),
    );
  });

  it('show nothing where both kinds are alike, and do not depend on their order', () => {
    const same = upTo(200);
    for (const cut of [...CUTS, { kind: 'split' } as const]) {
      const rows = audited(scores(same, same), cut, '0', '0.999');
      expect(Math.max(...rows.map(({ epsilon, mu }) => Math.max(epsilon, mu)))).toBe(0);
    }
    const shuffled = upTo(200).sort((a, b) => ((a * 37) % 101) - ((b * 37) % 101));
    for (const cut of CUTS) {
      expect(audited(scores(shuffled, same), cut)).toEqual(audited(scores(same, same), cut));
    }
  });

  it('are left as they are', () => {
    const all = scores([3, 1, 2], [2, 0, 1]);
    audited(all, { kind: 'split' });
    audited(all, { kind: 'ranks', ranks: [1] });
    expect([...all.members, ...all.others]).toEqual([3, 1, 2, 2, 0, 1]);
  });

  it('of a split are cut by a rank that half of them chose', () => {
    const all = scores(upTo(400, 250), upTo(400));
    const [row] = audited(all, { kind: 'split' });
    expect(row!.rank).toBeGreaterThan(0);
    expect(row!.falsePositives).toBe(row!.rank! - 1);
    expect(row!.epsilon).toBeGreaterThan(1);
  });
});
