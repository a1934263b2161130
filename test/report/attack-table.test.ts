import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Rational } from '../../src/numeric/rational.ts';
import { obliviousOutput, parallelOutput, renyiOutput } from '../../src/report/attack.ts';
import type { Layout } from '../../src/report/kit/columns.ts';
import { intervalText, rationalText } from '../../src/report/kit/exact-text.ts';
import { decimalText } from '../../src/report/kit/number.ts';
import { pageText, type Output } from '../../src/report/kit/page.ts';
import { PLAIN } from '../../src/report/kit/style.ts';
import {
  anyGates,
  differentGates,
  expectedOblivious,
  limitedRenyi,
  oblivious,
  oddGates,
  renyi,
  threeGates,
} from './attacks.ts';

const WIDE: Layout = { width: Infinity, style: PLAIN };

const textOf = <Attack>(outputOf: (attack: Attack) => Output, attack: Attack, layout: Layout): string =>
  pageText(outputOf(attack).page('0.1.0'), layout);

describe('the report on parallel gates', () => {
  it('sets what was seen beside what is expected', () => {
    const text = textOf(parallelOutput, threeGates, WIDE);
    expect(text).toMatch(
      /^Attack on 3 \(0, 0\.1\)-DP continual mechanisms in parallel, one of which may receive different data\n/,
    );
    expect(text).toMatch(/\n {24}expected {2}200 runs, seed 1 {2}99% confidence\n/);
    expect(text).toMatch(/\nsecret bit learned {6}0\.271 {5}0\.\d+ +0\.\d+ to 0\.\d+\n/);
    expect(text).toMatch(/\nmessages, at most {7}7 +7\n/);
  });

  it('says what is refused therefore, and what would fix it', () => {
    expect(textOf(parallelOutput, threeGates, WIDE)).toContain(
      'No delta below 0.271 holds for this composition, whatever epsilon; with more instances it tends to 1: dpcompose refuses',
    );
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain(
      'No delta below 1 holds for any number of such mechanisms',
    );
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain('Any one of these fixes it: ');
  });

  it('lists deltas that differ, and leaves out what was not simulated', () => {
    const text = textOf(parallelOutput, differentGates, WIDE);
    expect(text).toContain('; delta is 0.001, 0.002 and 0.0005\n');
    expect(text).toMatch(/\nsecret bit learned {6}0\.003496501\n/);
    expect(text).not.toContain('runs');
  });

  it('speaks of one run as one', () => {
    expect(textOf(parallelOutput, anyGates, WIDE)).toContain('1 run, seed 1');
  });

  it('says so where the confidence interval is one of the odd ones', () => {
    expect(textOf(parallelOutput, oddGates, WIDE)).toContain('at most one seed in 100 is like that');
    expect(textOf(parallelOutput, threeGates, WIDE)).not.toContain('one seed in');
  });
});

describe('the report on Renyi gates', () => {
  it('sets the constants of the paper beside those that prove the theorem', () => {
    const text = textOf(renyiOutput, renyi, WIDE);
    expect(text).toMatch(/\np, a gate opens +1\.09703487e-5 +2\.712673612e-5\n/);
    expect(text).toMatch(/\ndivergence of the mechanism +1 +0\.00453809655\n/);
    expect(text).toMatch(/\nof the view, without limit +11\.96164574 +5\.127959325\n/);
    expect(text).toMatch(/\nabove 10 +yes +no\n/);
    expect(text).toContain('With the constants of the proof as printed, the view never reaches 10');
  });

  it('has no reproach for constants that do reach the target', () => {
    const text = textOf(renyiOutput, limitedRenyi, WIDE);
    expect(text).toMatch(/\nabove 2 +yes +yes\n/);
    expect(text).not.toContain('never reaches');
    expect(text).toMatch(/\nof the view, 50 instances /);
    expect(text).toMatch(/With 50 instances no epsilon below 4\.46\d* holds of order 2/);
  });
});

describe('the report on messages fixed in advance', () => {
  it('sets both adversaries side by side', () => {
    const text = textOf(obliviousOutput, oblivious, WIDE);
    expect(text).toMatch(/\nmessages fixed in advance +1\/10 = 0\.1 +0\.\d+ +0\.\d+ to 0\.\d+\n/);
    expect(text).toMatch(/\nmessages chosen on the way +1 +1 +0\.97\d* to 1\n/);
    expect(textOf(obliviousOutput, expectedOblivious, WIDE)).toContain('one of 4 numbers');
  });
});

describe('every report', () => {
  it.each([40, 80, 120])('fits a terminal of %i columns', (width) => {
    const layout: Layout = { width, style: PLAIN };
    const texts = [
      textOf(parallelOutput, threeGates, layout),
      textOf(renyiOutput, limitedRenyi, layout),
      textOf(obliviousOutput, oblivious, layout),
    ];
    for (const text of texts) {
      expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(width);
    }
  });
});

describe('exact numbers', () => {
  it('are fractions with their decimals, long ones decimals only', () => {
    expect([Rational.of(3, 4), Rational.of(2, 3), Rational.of(7), Rational.ZERO].map(rationalText)).toEqual([
      '3/4 = 0.75',
      '2/3 < 0.6666666667',
      '7',
      '0',
    ]);
    expect(rationalText(Rational.of(2n ** 80n + 1n, 2n ** 81n))).toBe('0.5000000001');
  });

  it('are rounded in the direction that is asked for', () => {
    const value = new Decimal('0.12345678901234');
    expect([decimalText(value, 'down'), decimalText(value, 'up')]).toEqual(['0.123456789', '0.1234567891']);
    expect(intervalText({ lower: new Decimal(0), upper: value })).toBe('0.1234567891');
  });
});
