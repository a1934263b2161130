import { describe, expect, it } from 'vitest';
import { gapOutput } from '../../../src/output/gap.ts';
import { pageText, PLAIN } from '../../../src/output/kit/page.ts';
import { incomplete, overCount, overEpsilon } from './answers.ts';

const shown = (answer: typeof overCount, width: number): string =>
  pageText(gapOutput(answer).page('0.1.0'), { width, style: PLAIN });

describe('the table of gaps', () => {
  it('has a row for each composition, and says what is the same in all of them and what is largest', () => {
    expect(shown(overCount, Infinity)).toMatchInlineSnapshot(`
      "Smallest epsilon at delta 1e-6 of mechanisms of 0.1-bounded range

      count  nonadaptive   adaptive                      gap                difference
      10     0.6286368388  0.6341476967 to 0.6341862936  0.8766 to 0.8828%  0.00551 to 0.00555
      100    2.246026213   2.250839023 to 2.250947347    0.2142 to 0.2192%  0.004812 to 0.004922

      Mechanisms that are chosen adaptively, not fixed in advance, need at least 0.8766% more epsilon at count 10, and nowhere here more than 0.8828%.
      "
    `);
  });

  it('leaves out the difference where there is no room for it', () => {
    expect(shown(overCount, 80)).toMatchInlineSnapshot(`
      "Smallest epsilon at delta 1e-6 of mechanisms of 0.1-bounded range

      count  nonadaptive   adaptive                      gap
      10     0.6286368388  0.6341476967 to 0.6341862936  0.8766 to 0.8828%
      100    2.246026213   2.250839023 to 2.250947347    0.2142 to 0.2192%

      Mechanisms that are chosen adaptively, not fixed in advance, need at least
      0.8766% more epsilon at count 10, and nowhere here more than 0.8828%.
      "
    `);
  });

  it('gives up the columns at last', () => {
    expect(shown(overEpsilon, 40)).toMatchInlineSnapshot(`
      "Smallest delta of 30 mechanisms of
      0.1-bounded range

      epsilon 1
          nonadaptive 1.323497446e-5
          adaptive 1.416076403e-5 to
          1.416198117e-5
          gap 6.995 to 7.005%
          difference 9.257e-7 to 9.271e-7
      epsilon 3
          nonadaptive 0
          adaptive 0
          difference 0

      Mechanisms that are chosen adaptively,
      not fixed in advance, need at least
      6.995% more delta at epsilon 1, and
      nowhere here more than 7.005%.
      "
    `);
  });

  it('says what is not computed, and why', () => {
    expect(shown(incomplete, 80)).toMatchInlineSnapshot(`
      "Smallest epsilon at delta 1e-6 of mechanisms of 0.1-bounded range

      count   nonadaptive   adaptive                      gap
      10      0.6286368388  0.6341476967 to 0.6341862936  0.8766 to 0.8828%
      100     2.246026213   2.250839023 to 2.250947347    0.2142 to 0.2192%
      10,000  2.246026213   not computed

      Mechanisms that are chosen adaptively, not fixed in advance, need at least
      0.8766% more epsilon at count 10, and nowhere where it is computed more than
      0.8828%.

      Where no adaptive optimum is computed: br-adaptive is computed for at most 5000
      mechanisms only.
      "
    `);
  });

  it('keeps to the width of the terminal, without trailing blanks', () => {
    for (const width of [34, 60, 80, 120]) {
      for (const answer of [overCount, overEpsilon, incomplete]) {
        const text = shown(answer, width);
        expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
        expect(text).not.toMatch(/ $/m);
      }
    }
  });
});
