import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { chartSvg } from '../../../src/output/chart/svg.ts';
import { readXml } from '../xml.ts';
import { anyLine, anyScale, chartOf, pointsOf } from './charts.ts';

interface Path {
  readonly class: string;
  readonly d: string;
  readonly transform?: string;
  readonly 'stroke-dasharray'?: string;
}

interface Parsed {
  readonly title: { readonly '#text': string };
  readonly desc: { readonly '#text': string };
  readonly style: string;
  readonly path?: Path | Path[];
  readonly g: { readonly path: Path[] };
  readonly role: string;
  readonly width: string;
  readonly height: string;
}

const read = (svg: string): Parsed => (readXml(svg) as { svg: Parsed }).svg;

/** The plot area, by its axes. */
function plotArea({ g }: Parsed): { left: number; top: number; right: number; bottom: number } {
  const axis = g.path.find((path) => path.class === 'axis')?.d ?? '';
  const [left = NaN, top = NaN, bottom = NaN, right = NaN] = (axis.match(/[\d.]+/g) ?? []).map(Number);
  return { left, top, right, bottom };
}

const linesOf = ({ g }: Parsed): Path[] => g.path.filter((path) => path.class.startsWith('line'));

const cornersOf = (d: string): [number, number][] =>
  [...d.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('a chart as SVG', () => {
  it('is XML, and draws every point within the plot area', () => {
    fc.assert(
      fc.property(fc.array(anyLine, { minLength: 1, maxLength: 3 }), anyScale, anyScale, (lines, x, y) => {
        const svg = read(chartSvg(chartOf(lines, { x, y })));
        const { left, top, right, bottom } = plotArea(svg);
        for (const [across, down] of svg.g.path
          .filter(({ class: c }) => /line|band/.test(c))
          .flatMap(({ d }) => cornersOf(d))) {
          expect(across).toBeGreaterThanOrEqual(left - 0.01);
          expect(across).toBeLessThanOrEqual(right + 0.01);
          expect(down).toBeGreaterThanOrEqual(top - 0.01);
          expect(down).toBeLessThanOrEqual(bottom + 0.01);
        }
        const shown = lines.flat().filter(({ x: at, upper }) => {
          const isShown = upper !== null && upper <= 1e300 && (y === 'linear' || upper >= 1e-300);
          return isShown && (x === 'linear' || at >= 1e-300);
        });
        expect(linesOf(svg).flatMap(({ d }) => cornersOf(d))).toHaveLength(shown.length);
      }),
    );
  });

  it('rises where values rise', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-9, max: 10, noNaN: true }), { minLength: 2 }), anyScale, (steps, y) => {
        let sum = 0;
        const line = pointsOf(steps.length, (k) => (sum += steps[k - 1]!));
        const corners = cornersOf(linesOf(read(chartSvg(chartOf([line], { y }))))[0]!.d);
        expect(corners.map(([x]) => x)).toEqual([...corners.map(([x]) => x)].sort((a, b) => a - b));
        expect(corners.map(([, down]) => down)).toEqual([...corners.map(([, down]) => down)].sort((a, b) => b - a));
      }),
    );
  });

  it('has a gap where there is no value', () => {
    const [line] = linesOf(read(chartSvg(chartOf([pointsOf(9, (k) => (k === 5 ? null : k))]))));
    expect(line?.d.match(/M/g)).toHaveLength(2);
  });

  it('has a band where the ends of an enclosure differ visibly, and none elsewhere', () => {
    const wide = pointsOf(5, (k) => k).map((point) => ({ ...point, lower: point.x / 2 }));
    const narrow = wide.map((point) => ({ ...point, lower: (point.upper ?? 0) * 0.999999 }));
    expect(chartSvg(chartOf([wide]))).toContain('class="band c0"');
    expect(chartSvg(chartOf([narrow]))).not.toContain('class="band');
  });

  it('lets a band of which the lower end is 0 reach the edge of a logarithmic axis', () => {
    const open = pointsOf(5, (k) => 10 ** -k).map((point) => ({ ...point, lower: 0 }));
    const svg = read(chartSvg(chartOf([open], { y: 'log' })));
    const band = svg.g.path.find((path) => path.class.startsWith('band'));
    expect(Math.max(...cornersOf(band?.d ?? '').map(([, down]) => down))).toBe(plotArea(svg).bottom);
  });

  it('tells lines apart by colour, and without it by marks or dashes', () => {
    const many = Array.from({ length: 15 }, (_, line) => pointsOf(20, (k) => k * (line + 1)));
    const { path = [] } = read(chartSvg(chartOf(many)));
    const samples = [path].flat();
    const looks = samples
      .filter((each) => each.class.startsWith('line'))
      .map((each, index) => {
        const mark = samples.filter(({ class: c }) => c.startsWith('mark'))[index];
        return `${mark?.d ?? ''} ${each['stroke-dasharray'] ?? ''}`;
      });
    expect(new Set(looks).size).toBe(15);
  });

  it('says to those who do not see it what it is, and is readable on dark ground', () => {
    const svg = read(chartSvg(chartOf([pointsOf(3, (k) => k)])));
    expect(svg.role).toBe('img');
    expect(svg.title['#text']).toBe('Smallest epsilon');
    expect(svg.desc['#text']).toBe('One panel.');
    expect(svg.style).toContain('prefers-color-scheme: dark');
  });

  it('has its colours in attributes, which converters see, and other ones only for dark ground', () => {
    const wide = pointsOf(5, (k) => k).map((point) => ({ ...point, lower: point.x / 2 }));
    const svg = chartSvg({ ...chartOf([wide, pointsOf(5, (k) => k * 3)]), notes: ['A note.'] });
    const elements = [...svg.matchAll(/<(path|text|rect)\b([^>]*)>/g)];
    expect(elements.length).toBeGreaterThan(20);
    for (const [, name = '', attributes = ''] of elements) {
      const [fill, stroke] = ['fill', 'stroke'].map((key) => new RegExp(` ${key}="([^"]*)"`).exec(attributes)?.[1]);
      const isDrawn = /class="(?:line|axis|grid)/.test(attributes);
      expect(isDrawn ? stroke : fill, `${name}${attributes}`).toMatch(/^#[0-9a-f]{6}$/);
      // Without it, what is inside a line would be black.
      if (/class="(?:line|axis)/.test(attributes)) expect(fill).toBe('none');
    }
    const style = /<style>\n([^]*?)\n<\/style>/.exec(svg)?.[1] ?? '';
    expect(style).toMatch(/^@media \(prefers-color-scheme: dark\) \{\n(?:\.dpc [^{}]*\{[^{}]*\}\n)+\}$/);
    expect(svg).not.toContain('var(');
    expect(svg).toMatch(/^<svg [^>]*font-family="[^"]+" font-size="13">/);
  });

  it('holds names that would be markup, or drive a terminal', () => {
    const chart = { ...chartOf([pointsOf(3, (k) => k)]), title: '<b> & "x" \u001b[31m \u0000' };
    expect(read(chartSvg(chart)).title['#text']).toBe('<b> & "x" \\u001b[31m \\u0000');
  });
});
