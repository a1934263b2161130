import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { terminalPlot } from '../../../src/output/chart/terminal-plot.ts';
import { type Characters, PLAIN } from '../../../src/output/kit/page.ts';
import { anyLine, anyScale, chartOf, pointsOf } from './charts.ts';

const drawn = (chart: ReturnType<typeof chartOf>, width: number, characters: Characters = 'unicode'): string =>
  terminalPlot(chart, { width, style: PLAIN, characters });

const two = chartOf([pointsOf(20, (k) => Math.sqrt(k)), pointsOf(20, (k) => k / 2)]);

describe('a chart on a terminal', () => {
  it('is drawn in braille', () => {
    expect(drawn(two, 40)).toMatchInlineSnapshot(`
      "Smallest epsilon

      epsilon (nats)
      10 ┤                                ⢀B⠔⠊
         │                             ⣀⠤⠒⠁
         │                         ⣀⠤⠒⠉
         │                     ⢀⡠⠔⠊
         │                 ⢀⡠⠔⠊B
       5 ┤             ⣀⠤⠒⠊⠁         ⢀⣀⣀⣀⡠⠤⠤⠤⠤
         │         ⢀⠤⠒⠉ ⢀A⣀⣀⠤⠤⠒⠒⠒⠒⠉⠉⠉A
         │     ⣀⣠⠴⠮B⠒⠒⠊⠉⠁
         │⣀⠤⡲A⠋⠁
       0 ┤⠒⠉
         └───────┬─────────┬────────┬────────┬
                 5         10       15      20
                 number of mechanisms

      A bound-0   B bound-1
      "
    `);
  });

  it('is drawn in ASCII where there is nothing else', () => {
    const text = drawn(two, 40, 'ascii');
    expect(text).toMatch(/^[\n -~]*$/);
    expect(text).toMatchInlineSnapshot(`
      "Smallest epsilon

      epsilon (nats)
      10 +                                 BBB
         |                             BBBB
         |                          BBB
         |                      BBBB
         |                  BBBB
       5 +             BBBBB          AAAAAAAA
         |         BBBBAAAAAAAAAAAAAAA
         |    AAAAAAAAA
         |AAAABB
       0 +BB
         +-------+---------+--------+--------+
                 5         10       15      20
                 number of mechanisms

      A bound-0   B bound-1
      "
    `);
  });

  it('shows both ends of an enclosure, and what is between them', () => {
    const wide = pointsOf(12, (k) => k).map((point) => ({ ...point, lower: point.x / 2 }));
    expect(drawn(chartOf([wide]), 30)).toMatchInlineSnapshot(`
      "Smallest epsilon

      epsilon (nats)
         │                       ⣠⢔⢞
      10 ┤                   ⣀⢤⢖⢝⢕⢕⢕
         │               ⢀⢤⢖⢝⢕⢕⢕⢕⢕⢕⢕
         │            ⣀⢤⢞⢕⢕⢕⢕⢕⢕⢕⢕⢕⢕⢕
       5 ┤        ⢀⣠⢔⢞⢕⢕⢕⢕⢕⢕⣕⣕⠵⠵⠕⠓⠋⠉
         │    ⢀⣠⢔⢞⢕⢕⢕⢕⣕⠵⠵⠕⠓⠉
         │ ⣀⢤⢖⣕⣕⠵⠵⠕⠓⠋⠁
       0 ┤⠽⠓⠉⠉
         └─────────┬──────────┬─────
                   5          10
            number of mechanisms
      "
    `);
    expect(drawn(chartOf([wide]), 30, 'ascii')).toMatchInlineSnapshot(`
      "Smallest epsilon

      epsilon (nats)
         |                         *
      10 +                    *****.
         |                ****. . .
         |             *** . . . . .
       5 +         **** . . ........
         |    *****.   .....
         |****     ..
       0 +
         +---------+----------+-----
                   5          10
            number of mechanisms
      "
    `);
  });

  it('has gaps', () => {
    const gap = pointsOf(30, (k) => (k > 10 && k < 20 ? null : 4));
    expect(drawn(chartOf([gap]), 40, 'ascii')).toMatch(/\*{10,} {8,}\*{10,}/);
  });

  it('keeps to the width of the terminal, whatever is drawn', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine, { minLength: 1, maxLength: 6 }),
        anyScale,
        anyScale,
        fc.integer({ min: 24, max: 250 }),
        fc.constantFrom<Characters>('unicode', 'ascii'),
        (lines, x, y, width, characters) => {
          const text = drawn(chartOf(lines, { x, y }), width, characters);
          expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
        },
      ),
    );
  });

  it.each([40, 80, 200])('uses %d columns where there are as many', (width) => {
    const longest = Math.max(
      ...drawn(two, width)
        .split('\n')
        .map((line) => line.length),
    );
    expect(longest).toBe(width);
  });

  it('is as wide as 80 columns where there is no terminal', () => {
    expect(drawn(two, Infinity)).toBe(drawn(two, 80));
  });

  it('names each line by a letter that stands on it', () => {
    const many = chartOf(Array.from({ length: 5 }, (_, line) => pointsOf(30, (k) => k * (line + 1))));
    for (const width of [40, 80, 200]) {
      const [plot = '', legend = ''] = drawn(many, width).split('\n\nA bound-0');
      for (const letter of 'ABCDE') expect(plot).toContain(letter);
      for (const letter of 'BCDE') expect(legend).toContain(`${letter} bound-`);
    }
  });
});
