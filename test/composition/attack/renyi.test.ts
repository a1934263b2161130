import { describe, expect, it } from 'vitest';
import { Arithmetic } from '../../../src/bounds/precise/interval.ts';
import {
  logAnswerMoment,
  printedConstants,
  provingConstants,
  renyiAttack,
  renyiExpectations,
  type RenyiExpectations,
} from '../../../src/composition/attack/renyi.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { someOf } from '../../reference/share.ts';

const arithmetic = new Arithmetic(120);

const expectations = (
  alpha: string,
  epsilon: string,
  target: string,
  instances: number | null = null,
): RenyiExpectations =>
  renyiExpectations({
    alpha: new Decimal(alpha),
    epsilon: new Decimal(epsilon),
    target: new Decimal(target),
    instances,
  });

const digits = ({ lower }: { lower: Decimal }, count = 10): string =>
  new Decimal(lower).toSignificantDigits(count).toString();

/** Decimals with logarithms of 100 digits. */
const Digits = Decimal.clone({ precision: 100 });

describe('the constants of the Renyi counterexample', () => {
  it('are those worked out at alpha 2, epsilon 1, target 10 (TC-25)', () => {
    const { proving, printed } = expectations('2', '1', '10');
    expect(new Decimal(1).minus(proving.lie).toSignificantDigits(10).toString()).toBe('0.9999936156');
    expect(proving.opens.toSignificantDigits(10).toString()).toBe('0.00001097034869');
    expect(digits(proving.alone)).toBe('1');
    expect(digits(proving.endless)).toBe('11.96164574');
    expect(printed.opens.toSignificantDigits(8).toString()).toBe('0.000027126736');
    expect(printed.lie.toString()).toBe('0.005859375');
    expect(digits(printed.endless, 8)).toBe('5.1279593');
    expect(printed.endless.upper.lt(10)).toBe(true);
  });

  it.each([
    ['1.5', 1.703],
    ['2', 2.292],
    ['4', 3.396],
    ['10', 4.415],
  ])('as printed miss every target from about %s nats on', (alpha, limit) => {
    const misses = (target: number): boolean =>
      expectations(alpha, '1', target.toFixed(3)).printed.endless.upper.lt(target);
    expect([misses(limit - 0.002), misses(limit + 0.002), misses(2 * limit)]).toEqual([false, true, true]);
  });

  it('reach target + ln 4 and never spend more than epsilon, whatever the claim', () => {
    for (const alpha of someOf(['1.001', '1.5', '2', '8', '100'], 3)) {
      for (const epsilon of someOf(['1e-9', '0.1', '3'])) {
        for (const target of someOf(['0.01', '1', '10', '100'])) {
          const { proving } = expectations(alpha, epsilon, target);
          expect(proving.alone.upper.lte(epsilon)).toBe(true);
          expect(proving.endless.lower.gte(new Digits(4).ln().plus(target))).toBe(true);
          const spent = proving.opens.eq(1) || proving.alone.lower.gte(new Decimal(epsilon).times('0.999999'));
          expect(spent).toBe(true);
        }
      }
    }
  });

  it('are probabilities of at most 30 digits, so that the mechanism is exactly what is computed', () => {
    const claim = { alpha: new Decimal(3), epsilon: new Decimal('0.7'), target: new Decimal(4) };
    for (const { opens, lie } of [provingConstants(claim, arithmetic), printedConstants(claim, arithmetic)]) {
      for (const value of [opens, lie]) {
        expect(value.precision()).toBeLessThanOrEqual(30);
        expect(value.gt(0) && value.lte(1)).toBe(true);
      }
    }
  });
});

describe('the divergence of an answer that may lie', () => {
  it('is that of its two laws', () => {
    // q = 3/4, alpha = 2: 9/16 * 4 + 1/16 * 4/3 = 7/3.
    const moment = logAnswerMoment(new Decimal('0.25'), new Decimal(2), arithmetic);
    const expected = new Digits(7).div(3).ln();
    expect(moment.lower.minus(expected).abs().lt('1e-50')).toBe(true);
    expect(moment.upper.minus(moment.lower).lt('1e-100')).toBe(true);
  });

  it('is 0 where the answer is a fair coin', () => {
    const moment = logAnswerMoment(new Decimal('0.5'), new Decimal(5), arithmetic);
    expect(moment.lower.abs().lt('1e-100') && moment.upper.abs().lt('1e-100')).toBe(true);
  });
});

describe('the view of finitely many instances', () => {
  it.each([
    ['2', '0.1', 10, 0.7186731925, 1],
    ['2', '0.1', 1000, 4.66505023, 100],
    ['2', '0.1', 1_000_000, 11.56335161, 100_000],
    ['8', '0.5', 1000, 1.482446243, 500],
  ])(
    'of order %s with %s each, %i of them, is bounded from both sides (TC-24)',
    (alpha, epsilon, instances, low, high) => {
      const { bound, proving } = expectations(alpha, epsilon, '12', instances);
      expect(bound!.lower).toBeCloseTo(low, 8);
      expect(bound!.upper.toNumber()).toBe(high);
      expect(proving.view.upper.toNumber()).toBeLessThanOrEqual(bound!.lower + 1e-9);
    },
  );

  it('comes close to the lower bound as gates open more rarely', () => {
    const near = (target: string): number => {
      const { bound, proving } = expectations('2', '0.1', target, 10);
      return bound!.lower - proving.view.lower.toNumber();
    };
    expect(near('2')).toBeGreaterThan(near('6'));
    expect(near('20')).toBeLessThan(1e-8);
  });

  it('grows without limit, whatever epsilon above 0', () => {
    const lowers = [1, 1e3, 1e6, 1e9].map(
      (instances) => expectations('2', '1e-9', '6', instances).bound!.lower as number,
    );
    expect(lowers[0]).toBeCloseTo(1e-9, 15);
    expect(lowers[3]).toBeCloseTo(Math.log(2), 6);
  });
});

describe('conversations with the adversary', () => {
  const expected = expectations('2', '1', '2', 60);
  const { simulated } = renyiAttack(expected, { runs: 3000, seed: 5 });

  it('open a gate as often as expected', () => {
    const opened = expected.opened.lower.toNumber();
    expect(simulated!.guessed.interval!.lower).toBeLessThan(opened);
    expect(simulated!.guessed.interval!.upper).toBeGreaterThan(opened);
  });

  it('lead to guesses that are right as often as an open gate tells the truth', () => {
    const truth = 1 - expected.proving.lie.toNumber();
    expect(simulated!.right.interval!.lower).toBeLessThan(truth);
    expect(simulated!.right.interval!.upper).toBeGreaterThan(truth);
    expect(simulated!.right.times).toBeLessThan(simulated!.right.of);
  });

  it('are not needed for what is expected', () => {
    expect(renyiAttack(expected, null)).toEqual({ ...expected, simulated: null });
  });

  it('are not begun with a mechanism that has not the guarantee', () => {
    const wrong = { ...expected, question: { ...expected.question, epsilon: new Decimal('0.999') } };
    expect(() => renyiAttack(wrong, null)).toThrow('does not keep its guarantee');
  });
});
