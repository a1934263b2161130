import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { panelScales, tickText } from '../../../src/output/chart/chart.ts';
import { anyLine, anyScale, chartOf, pointsOf } from './charts.ts';

describe('the scale of an axis', () => {
  it('has its ticks on the axis, in order, and no more of them than there is room for', () => {
    fc.assert(
      fc.property(anyLine, anyScale, anyScale, fc.integer({ min: 2, max: 12 }), (line, x, y, about) => {
        const scales = panelScales(chartOf([line], { x, y }).panels[0]!);
        for (const { ticks, from, to, position } of [scales.x, scales.y]) {
          const marks = ticks(about);
          expect(marks.length).toBeLessThanOrEqual(2 * about + 2);
          for (const { value } of marks) {
            expect(value).toBeGreaterThanOrEqual(from);
            expect(value).toBeLessThanOrEqual(to);
            expect(position(value)).toBeGreaterThanOrEqual(-1e-9);
            expect(position(value)).toBeLessThanOrEqual(1 + 1e-9);
          }
          expect(marks.map(({ value }) => value)).toEqual([...marks.map(({ value }) => value)].sort((a, b) => a - b));
        }
      }),
    );
  });

  it('has a place for every finite value, and on a logarithmic axis for every one above 0 that a power of ten is near to', () => {
    fc.assert(
      fc.property(anyLine, anyScale, anyScale, (line, x, y) => {
        const scales = panelScales(chartOf([line], { x, y }).panels[0]!);
        for (const point of line) {
          const place = scales.y.position(point.upper);
          const shown = point.upper !== null && point.upper <= 1e300 && (y === 'linear' || point.upper >= 1e-300);
          expect(place !== null).toBe(shown);
          if (place !== null) expect(Math.abs(place - 0.5)).toBeLessThanOrEqual(0.5 + 1e-9);
        }
      }),
    );
  });

  it('has its marks at whole numbers where it counts something', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 40 }),
        anyScale,
        fc.integer({ min: 2, max: 12 }),
        (from, width, scale, about) => {
          const line = [from, from + width].map((x) => ({ x, lower: null, upper: 1 }));
          const [panel] = chartOf([line], { x: scale }).panels;
          const ticks = panelScales({ ...panel!, x: { ...panel!.x, whole: true } }).x.ticks(about);
          expect(ticks.every(({ value }) => Number.isInteger(value))).toBe(true);
          if (scale === 'linear') expect(ticks.length).toBeGreaterThan(0);
        },
      ),
    );
    const few = chartOf([pointsOf(3, (k) => k)]).panels[0]!;
    expect(
      panelScales({ ...few, x: { ...few.x, whole: true } })
        .x.ticks(8)
        .map(({ text }) => text),
    ).toEqual(['1', '2', '3']);
  });

  it('leaves out zeros where ratios are shown', () => {
    const { x, y } = panelScales(chartOf([pointsOf(5, (k) => 10 ** -k)], { x: 'log', y: 'log' }).panels[0]!);
    expect([x.position(0), y.position(0)]).toEqual([null, null]);
    expect([y.from, y.to]).toEqual([1e-5, 0.1]);
    expect(y.ticks(5).map(({ text }) => text)).toEqual(['1e-5', '1e-4', '0.001', '0.01', '0.1']);
  });

  it('begins at 0 where values begin near it', () => {
    expect(panelScales(chartOf([pointsOf(10, (k) => k)]).panels[0]!).y.from).toBe(0);
    expect(panelScales(chartOf([pointsOf(10, (k) => 100 + k)]).panels[0]!).y.from).toBe(101);
  });

  it.each([
    [0, '0'],
    [0.30000000000000004, '0.3'],
    [1000, '1,000'],
    [12_345.5, '12,345.5'],
    [-2, '-2'],
    [1e-6, '1e-6'],
    [0.001, '0.001'],
    [2e9, '2e9'],
  ])('writes %d as %s', (value, text) => {
    expect(tickText(value)).toBe(text);
  });
});
