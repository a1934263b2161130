import { describe, expect, it } from 'vitest';
import { bestForExperts } from '../../src/learning/planning/best-for-experts.ts';
import { safeRegretOfExperts } from '../../src/learning/planning/regret.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Chart } from '../../src/output/chart/chart.ts';
import { boundedRange1, boundedRange2, FIGURES } from '../../src/output/figures/figures.ts';
import { lazyPlans, lazyRates } from '../../src/output/figures/lazy-figures.ts';

/** The upper ends of a line, by x. */
function line({ panels }: Chart, panel: number, name: string): Map<number, number> {
  const points = panels[panel]?.lines.find((each) => each.name === name)?.points ?? [];
  return new Map(points.flatMap(({ x, upper }) => (upper === null ? [] : [[x, upper] as const])));
}

describe('figures of papers', () => {
  const charts = FIGURES.map(({ draw }) => draw());

  it('have different names, and a description', () => {
    expect(new Set(FIGURES.map(({ name }) => name)).size).toBe(FIGURES.length);
    for (const { description } of charts) expect(description).toMatch(/\.$/);
  });

  it('have values at all points', () => {
    for (const { panels } of charts) {
      for (const { points } of panels.flatMap(({ lines }) => lines)) {
        expect(points.length).toBeGreaterThan(30);
        expect(points.every(({ upper }) => upper !== null && Number.isFinite(upper))).toBe(true);
      }
    }
  });
});

describe('Figure 1 on bounded range', () => {
  const chart = boundedRange1.draw();

  it('has the order that the paper describes: dp above DR19 above OptKL above MGF above the optimum', () => {
    const order = ['ε-DP OptComp', 'DR19', 'OptKL', 'MGF', 'BR OptComp (nonadaptive)'];
    for (const panel of [0, 1, 2]) {
      const at = order.map((name) => line(chart, panel, name).get(200) ?? NaN);
      expect(at).toEqual([...at].sort((a, b) => b - a));
    }
  });

  it('has the values that compose gives', () => {
    expect(line(chart, 1, 'ε-DP OptComp').get(100)).toBeCloseTo(4.774567588, 8);
    expect(line(chart, 1, 'DR19').get(100)).toBeCloseTo(3.128260885, 8);
    expect(line(chart, 1, 'OptKL').get(100)).toBeCloseTo(2.753243528, 8);
    expect(line(chart, 1, 'MGF').get(100)).toBeCloseTo(2.728629998, 8);
    expect(line(chart, 1, 'BR OptComp (nonadaptive)').get(100)).toBeCloseTo(2.246026213, 8);
  });

  it('shows what the paper says: about four times as many queries as the optimum of differential privacy', () => {
    const budget = line(chart, 1, 'ε-DP OptComp').get(50) ?? NaN;
    const fitting = [...line(chart, 1, 'BR OptComp (nonadaptive)')].filter(([, epsilon]) => epsilon <= budget);
    expect(Math.max(...fitting.map(([count]) => count)) / 50).toBeGreaterThan(3.5);
  });
});

describe('Figure 2 on bounded range', () => {
  const chart = boundedRange2.draw();

  it.each([0.1, 1, 5, 10])('has the functions of the paper at lambda %d', (lambda) => {
    const ratio = 1 / (Math.E - 1);
    const maxkl = ratio - 1 - Math.log(ratio);
    expect(line(chart, 0, 'Improved DRV10').get(lambda)).toBeCloseTo((lambda ** 2 + lambda) / 2, 10);
    expect(line(chart, 0, 'DR19').get(lambda)).toBeCloseTo((lambda ** 2 / 4 + lambda) / 2, 10);
    expect(line(chart, 0, 'KL-improved DR19').get(lambda)).toBeCloseTo(lambda ** 2 / 8 + lambda * maxkl, 10);
    let highest = 0;
    for (let t = 0; t <= 1; t += 1e-4) {
      const p = (Math.exp(-t) - Math.exp(-1)) / (1 - Math.exp(-1));
      highest = Math.max(highest, lambda * (1 - t) + Math.log(1 + p * Math.expm1(-lambda)));
    }
    expect(line(chart, 0, 'General MGF').get(lambda)).toBeCloseTo(highest, 5);
    expect(line(chart, 0, 'General MGF').get(lambda)).toBeGreaterThanOrEqual(highest);
  });
});

describe('Figure 1 on lazy online learning', () => {
  const chart = lazyRates.draw();
  const [claimed, proved] = ['L2P, claimed', 'L2P, as proved here'];
  const bestPrior = (panel: number, alpha: number): number =>
    Math.min(...['AKST23b', 'KMS+21', 'AFKT23b'].map((name) => line(chart, panel, name).get(alpha) ?? Infinity));

  it('has the lines of the paper and one more, what is proved here', () => {
    const convex = [claimed, proved, 'AKST23b', 'KMS+21', 'non-private'];
    const experts = [claimed, proved, 'AFKT23b', 'non-private'];
    expect(chart.panels.map(({ lines }) => lines.map(({ name }) => name))).toEqual([convex, convex, experts]);
  });

  it('tells what is claimed, what is proved and prior work apart by their strokes', () => {
    for (const { name, stroke } of chart.panels.flatMap(({ lines }) => lines)) {
      expect(stroke).toBe(name === claimed ? 'dashed' : name === proved ? 'solid' : 'dotted');
    }
    expect(chart.notes.join(' ')).toContain('Dashed: claimed');
  });

  it.each([0, 1, 2])('is as it is described in panel %d', (panel) => {
    for (const [alpha, beta] of line(chart, panel, proved)) {
      const prior = bestPrior(panel, alpha);
      const said = line(chart, panel, claimed).get(alpha) ?? NaN;
      expect(beta).toBeGreaterThanOrEqual(said - 1e-12);
      if (panel === 1) {
        expect(beta).toBeGreaterThanOrEqual(prior - 1e-12);
        if (alpha < 0.5) expect(said).toBeLessThan(prior);
      } else {
        expect(beta - prior < -1e-12).toBe(alpha > 1 / 6 + 1e-12 && alpha < 1);
        expect(Math.abs(said - 0.5) < 1e-12).toBe(alpha <= 0.25);
      }
    }
  });
});

describe('the picture of proved regret', () => {
  const chart = lazyPlans.draw();
  const [without, root, tree, free, guess] = [
    'L2P without y',
    'perturbed leader, square root',
    'perturbed leader, tree',
    'Hedge, no privacy',
    'guessing',
  ] as const;
  const at = (panel: number, name: string, x: number): number => line(chart, panel, name).get(x)!;
  const places = (panel: number): number[] => [...line(chart, panel, without).keys()];

  it('has the same lines in both panels, dotted where nothing is read or nothing is private', () => {
    for (const { lines } of chart.panels) {
      expect(lines.map(({ name }) => name)).toEqual([without, root, tree, free, guess]);
      expect(lines.map(({ stroke }) => stroke === 'dotted')).toEqual([false, false, false, true, true]);
    }
  });

  it('has regrets of at most 1 in a round, and private ones that are not below Hedge', () => {
    for (const panel of [0, 1]) {
      for (const x of places(panel)) {
        const hedge = at(panel, free, x);
        for (const name of [without, root, tree, guess]) {
          expect(at(panel, name, x)).toBeLessThanOrEqual(1);
          expect(at(panel, name, x)).toBeGreaterThanOrEqual(hedge * (1 - 1e-12));
        }
      }
    }
  });

  it('is as it is described over epsilon', () => {
    for (const name of [without, root, tree]) {
      const values = places(0).map((x) => at(0, name, x));
      for (const [index, value] of values.slice(1).entries()) expect(value).toBeLessThanOrEqual(values[index]!);
    }
    for (const x of places(0)) {
      for (const name of [root, tree]) expect(at(0, without, x)).toBeLessThanOrEqual(at(0, name, x));
      for (const name of [without, root]) expect(at(0, name, x)).toBeLessThanOrEqual(at(0, tree, x));
    }
    expect(at(0, without, 10) / at(0, free, 10)).toBeCloseTo(1, 3);
    expect(at(0, root, 10) / at(0, tree, 10)).toBeCloseTo(1, 3);
  });

  it('is as it is described over rounds', () => {
    for (const x of places(1)) {
      const lowest = Math.min(...[root, tree, guess].map((name) => at(1, name, x)));
      expect(at(1, without, x) <= lowest).toBe(x < 6.4e6);
      if (x > 6.5e6) expect(at(1, root, x)).toBeLessThan(at(1, tree, x));
    }
  });

  it('has what lazy plan has, but for a quicker search', () => {
    const problem = { problem: 'ope', rounds: 1e6, experts: 1000, delta: new Decimal('1e-8') } as const;
    const { named } = bestForExperts({ ...problem, epsilon: new Decimal(1) }, 'bounded-range');
    expect((at(0, without, 1) * 1e6) / safeRegretOfExperts(named.setting, 1000)).toBeCloseTo(1, 1);
  });
});
