import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/privacy/mechanism.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  discreteGaussian,
  dp,
  finitePair,
  gaussian,
  laplace,
  sampled,
} from '../mechanisms.ts';
import { fc } from '../reference/properties.ts';
import { SAMPLED } from './sampled-golden.ts';

const noise = (sigma: number, rate: number, count: number): Entry => sampled(gaussian(sigma, { count }), rate);

const ONLY = { bounds: ['loss-distribution'], directions: true } as const;

describe('Gaussian noise on Poisson samples, from rates of 1e-9 and deltas of 1e-39 on', () => {
  it.each(SAMPLED)('$count x rate $rate, sigma $sigma, delta $delta', ({ sigma, rate, count, delta, remove, add }) => {
    const entry = sampled(gaussian(sigma, { count }), rate);
    const { epsilon, directions } = answer([entry], atDelta(delta), ONLY);
    const known = [
      [directions!.remove, remove],
      [directions!.add, add],
      [epsilon, Math.max(remove, add ?? 0)],
    ] as const;
    for (const [{ lower, upper }, value] of known) {
      if (value === null) continue;
      expect(lower! <= value * (1 + 1e-9) && upper >= value * (1 - 1e-9)).toBe(true);
      expect(upper - lower!).toBeLessThanOrEqual(1e-7 * upper);
    }
  });

  it('a thousand steps each of other noise', () => {
    const entries = Array.from({ length: 1000 }, (_, i) => sampled(gaussian(`${(2000 - i) / 1000}`), '0.01'));
    const { epsilon, directions } = answer(entries, atDelta('1e-5'), ONLY);
    expect(epsilon.lower).toBeLessThanOrEqual(1.071710302507);
    expect(epsilon.upper).toBeGreaterThanOrEqual(1.071710302505);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-7 * epsilon.upper);
    expect(directions!.add.lower).toBeLessThanOrEqual(0.8926090217249);
    expect(directions!.add.upper).toBeGreaterThanOrEqual(0.8926090217248);
  });
});

describe('a delta of a long training', () => {
  it('is the one from which the epsilon came', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -0.5, max: 2, noNaN: true }),
        fc.double({ min: -5, max: -0.5, noNaN: true }),
        fc.integer({ min: 2, max: 20_000 }),
        fc.integer({ min: 4, max: 40 }),
        (logSigma, logRate, count, digits) => {
          const entry = noise(10 ** logSigma, 10 ** logRate, count);
          const delta = Number(`1e-${digits}`);
          const { epsilon } = answer([entry], atDelta(delta), ONLY);
          if (!(epsilon.lower! > 0)) return;
          expect(answer([entry], atEpsilon(epsilon.upper), ONLY).delta.lower).toBeLessThanOrEqual(delta);
          expect(answer([entry], atEpsilon(epsilon.lower!), ONLY).delta.upper).toBeGreaterThanOrEqual(delta);
        },
      ),
      { numRuns: 12 },
    );
  });
});

describe('Laplace noise on Poisson samples', () => {
  it.each([
    [1, '0.01', 1000, '1e-5', 1.1237681053],
    [0.3, '0.001', 1000, '1e-9', 0.828004433],
    [3, '0.3', 100_000, '1e-12', 664.291021],
  ] as const)('of scale %f at rate %s, %i steps, delta %s', (scale, rate, count, delta, value) => {
    const { epsilon } = answer([sampled(laplace(scale, { count }), rate)], atDelta(delta), ONLY);
    expect(Math.abs(epsilon.upper / value - 1)).toBeLessThan(1e-9);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-8 * epsilon.upper);
  });
});

describe('beside plain mechanisms', () => {
  it('a finite pair of fixed direction is composed each way apart, as all outcomes together say', () => {
    const pairs = [
      finitePair(['0.9', '0.1'], ['0.7', '0.3'], { direction: 'fixed', count: 3 }),
      sampled(finitePair(['0.5', '0.5'], ['0.9', '0.1'], { direction: 'fixed', count: 4 }), '0.1'),
    ];
    const { epsilon, directions } = answer(pairs, atDelta('1e-3'), ONLY);
    // Of the four ways in which the pairs and the record may lie, the largest of each direction.
    expect(directions!.remove.upper).toBeCloseTo(3.4860625562012424, 7);
    expect(directions!.add.upper).toBeCloseTo(3.419580130698388, 7);
    expect(epsilon.upper).toBe(directions!.remove.upper);
  });

  it('costs more than without them, and no more than each apart', () => {
    const training = noise(1.1, 0.004, 2000);
    const rare = noise(0.5, 1e-5, 300);
    const release = [laplace(20, { count: 5 }), dp('0.05'), gaussian(30)];
    const cost = (entries: readonly Entry[]) => answer(entries, atDelta('1e-6'), ONLY).epsilon;
    const [both, one, other, plain] = [
      cost([training, rare, ...release]),
      cost([training]),
      cost([rare]),
      cost(release),
    ];
    expect(both.lower).toBeGreaterThan(Math.max(one.upper, other.upper, plain.upper));
    expect(both.upper - both.lower!).toBeLessThan(1e-7 * both.upper);
    const halves = (entries: readonly Entry[]) => answer(entries, atDelta('3e-7'), ONLY).epsilon.upper;
    expect(both.lower).toBeLessThan(halves([training]) + halves([rare]) + halves(release));
  });
});

/** Each along a line of growing cost. */
const CHAINS: readonly (readonly [
  string,
  (x: number) => readonly [sigma: number, rate: number, count: number, delta: number],
])[] = [
  ['less noise', (x) => [12 * 0.9 ** x, 1e-4, 300, 1e-6]],
  ['less noise on rare samples', (x) => [1.1 * 0.95 ** x, 2e-5, 1000, 1e-8]],
  ['more steps', (x) => [2.47, 1.74e-4, 2 + x, 1e-6]],
  ['many more steps', (x) => [1.1, 256 / 60000, Math.round(2 * 1.5 ** x), 2.9e-39]],
  ['a larger rate', (x) => [0.5, 1e-7 * 1.7 ** x, 1000, 1e-9]],
  ['a smaller delta', (x) => [0.961, 1.35e-4, 89, 1e-3 * 0.05 ** x]],
];

describe.each(CHAINS)('%s', (_, at) => {
  it('never costs less', () => {
    let [least, claimed] = [0, 0];
    for (let x = 0; x < 28; x++) {
      const [sigma, rate, count, delta] = at(x);
      const { lower, upper } = answer([noise(sigma, rate, count)], atDelta(delta), ONLY).epsilon;
      expect(upper).toBeGreaterThanOrEqual(least);
      expect(upper).toBeGreaterThanOrEqual(claimed * (1 - 1e-7));
      [least, claimed] = [Math.max(least, lower!), Math.max(claimed, upper)];
    }
  });
});

describe('discrete Gaussian noise of many deviations', () => {
  const discrete = (sigma: number): Entry => sampled(discreteGaussian(sigma, 1, { count: 10 }), '0.01');

  it('costs about what Gaussian noise does, in both directions', () => {
    const [own, other] = [discrete(60), sampled(gaussian(60, { count: 10 }), '0.01')].map(
      (entry) => answer([entry], atDelta('1e-6'), ONLY).directions!,
    );
    for (const direction of ['remove', 'add'] as const) {
      const [one, two] = [own![direction], other![direction]];
      expect(Math.abs(one.upper / two.upper - 1)).toBeLessThan(0.01);
      expect(one.upper - one.lower!).toBeLessThan(1e-4 * one.upper);
    }
  });

  it('of too many to be listed is answered by a weaker bound, and that is said', () => {
    const { bound, warnings } = answer([discrete(2000)], atDelta('1e-6'));
    expect(bound).not.toBe('loss-distribution');
    expect(warnings.map(({ code }) => code)).toContain('weaker-bound');
  });
});

describe('noise so small that a sampled record is seen', () => {
  const plain = gaussian('1.4');
  const seen = (sigma: string, rate: string, count: number, scheme?: 'poisson' | 'without-replacement') =>
    sampled(gaussian(sigma, { count }), rate, scheme);

  it.each([
    ['0.0125', '0.001', 10, 5],
    ['0.0128', '0.001', 10, 8],
    ['0.02', '0.1', 2, 700],
    ['0.02', '0.1', 2, 720],
    ['0.03', '0.2', 3, 300],
  ] as const)(
    'sigma %s at rate %s, %i steps, beside other noise: delta at %f is that it is drawn',
    (sigma, rate, count, epsilon) => {
      const drawn = 1 - (1 - Number(rate)) ** count;
      const { delta } = answer([seen(sigma, rate, count), plain], atEpsilon(epsilon), ONLY);
      expect(delta.lower! <= drawn * (1 + 1e-4) && delta.upper >= drawn * (1 - 1e-6)).toBe(true);
      expect(delta.upper).toBeLessThan(drawn * (1 + 1e-3));
      const replaced = answer([seen(sigma, rate, count, 'without-replacement'), plain], atEpsilon(epsilon), {
        bounds: ['loss-distribution'],
      });
      expect(replaced.delta.upper).toBeGreaterThanOrEqual(drawn * (1 - 1e-6));
    },
  );

  it('delta falls with epsilon down to the smallest doubles, and is never what may be drawn', () => {
    let before = 1;
    for (const epsilon of [0.25, 0.5, 1, 2, 4, 8]) {
      const { delta } = answer([noise(4, 256 / 60000, 2000)], atEpsilon(epsilon));
      expect(delta.upper).toBeLessThan(before);
      before = delta.upper;
    }
    expect(before).toBeLessThan(1e-300);
  });
});

describe('a delta just below the probability that the record is ever drawn', () => {
  it('has a narrow epsilon, also of little noise', () => {
    const { epsilon } = answer([noise(0.139, 1.04e-9, 10_467)], atDelta('0.0000098'), ONLY);
    // Of a program in another language, which says that it may be off by 4.8e-5.
    expect(Math.abs(epsilon.upper / 0.0059024887 - 1)).toBeLessThan(4.9e-5);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-6 * epsilon.upper);
  });
});

describe('the largest loss of a record that is there, of one neighbour', () => {
  // 1,000 steps at rate 0.001 lose at most 1.0005 where the record is added.
  it.each([0.9, 0.96, 0.98, 0.99, 0.999, 1.0004, 1.02])('narrows no less at an epsilon of %d', (epsilon) => {
    const { lower, upper } = answer([noise(1, 0.001, 1000)], atEpsilon(epsilon)).delta;
    expect(upper).toBeLessThanOrEqual(lower! * (1 + 1e-6));
    expect(upper).toBeLessThan(1e-12);
  });
});

describe('a delta on a plateau of the curve', () => {
  it('has its epsilon where the plateau ends', () => {
    const { epsilon } = answer([noise(0.239, 2.34e-9, 65)], atDelta('2.32e-12'), ONLY);
    expect(epsilon.upper - epsilon.lower!).toBeLessThan(1e-7 * epsilon.upper);
    const discrete = sampled(discreteGaussian('0.1', 1, { count: 1000 }), '0.5');
    const small = answer([discrete], atDelta('1e-10'), ONLY).epsilon;
    expect(Math.abs(small.upper / 29306.6121 - 1)).toBeLessThan(1e-6);
  });
});

describe('a finite pair of fixed direction on samples without replacement', () => {
  it('costs no more than in either direction', () => {
    const cost = (direction: 'fixed' | 'either') => {
      const pair = finitePair(['0.7', '0.2', '0.1'], ['0.2', '0.3', '0.5'], { direction, count: 1000 });
      return answer([sampled(pair, ['1', '300'], 'without-replacement')], atDelta('1e-6')).epsilon.upper;
    };
    expect(cost('fixed')).toBeLessThanOrEqual(cost('either'));
  });
});

describe('one step of noise of very many values', () => {
  it('is answered', () => {
    const { epsilon } = answer([sampled(discreteGaussian('200', 1), '1e-9')], atDelta('1e-12'));
    expect(epsilon.upper).toBeLessThan(1e-6);
  });
});
