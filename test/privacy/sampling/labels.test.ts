import { describe, expect, it } from 'vitest';
import { lineWith, type LossTransform, type Ratios } from '../../../src/numeric/contour/transform.ts';
import type { Sampled } from '../../../src/privacy/mechanism.ts';
import { logSurvivalOf, sampledLaw, type SampledLaw } from '../../../src/privacy/sampling/sampled-law.ts';
import { sampledTransform } from '../../../src/privacy/sampling/sampled-transform.ts';
import { discreteGaussian, dp, gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

const LAWS: readonly (readonly [string, Sampled, number])[] = [
  ['Gaussian noise', sampledMechanism(gaussian('1.1'), '0.003'), 0.6],
  ['little Gaussian noise on rare samples', sampledMechanism(gaussian('0.4'), '1e-6'), 3],
  ['much Gaussian noise', sampledMechanism(gaussian('60'), '0.2'), 0.01],
  ['Gaussian noise without replacement', sampledMechanism(gaussian('0.9'), '0.02', 'without-replacement'), 0.5],
  ['Laplace noise', sampledMechanism(laplace('0.25'), '0.001'), 0.02],
  ['discrete noise', sampledMechanism(discreteGaussian(2, 1), '0.05'), 0.1],
  ['randomized response', sampledMechanism(dp('2', '1e-3'), '0.1'), 0.3],
];

interface Value {
  readonly re: number;
  readonly im: number;
  readonly error: number;
}

/** E[e^((c+it)L)]. */
function at(transform: LossTransform, c: number, t: number): Value {
  const { line, moment } = lineWith(transform, c, [], t);
  const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
  line.fill!(t, 1, 1, one);
  const size = Math.exp(moment.value);
  const error = size * (one.error[0]! + 2 * Math.expm1(moment.error)) + 1e-15;
  return { re: size * (1 + one.x[0]!), im: size * one.y[0]!, error };
}

describe.each(LAWS)('%s with labels', (_, mechanism, scale) => {
  const law: SampledLaw = sampledLaw(mechanism, 'remove')!;
  const whole = sampledTransform(law, logSurvivalOf(law));

  it.each([
    [1.05, 1.3, 0.4, 0.88],
    [1.2, 1.9, 0.1, 0.22],
    [5, 8, 0.65, 0.93],
  ])('is in parts all that it is as a whole: beyond from %s to %s, jumps from %s to %s', (a, b, from, to) => {
    const { bulk, jump, beyond } = whole.labelled!({
      beyond: { from: a * scale, to: b * scale },
      jump: { from: from * scale, to: to * scale },
    });
    for (const c of [0.5, 2]) {
      for (const t of [0.3 / scale, 4 / scale, 60 / scale]) {
        const all = at(whole, c, t);
        const parts = [bulk, jump!].filter((part) => part.about!(c).value > -700).map((part) => at(part, c, t));
        const rest = 1.0001 * Math.exp(beyond.about(c)) + 1e-14;
        const off = all.error + parts.reduce((sum, { error }) => sum + error, 0) + rest;
        const sum = (pick: (value: Value) => number): number => parts.reduce((x, part) => x + pick(part), 0);
        expect(Math.abs(sum(({ re }) => re) - all.re)).toBeLessThanOrEqual(off);
        expect(Math.abs(sum(({ im }) => im) - all.im)).toBeLessThanOrEqual(off);
        expect(all.error).toBeLessThan(1e-9 * Math.exp(whole.about!(c).value));
      }
    }
    // At no tilt, and at that of the other distribution, what is beyond is known too.
    const known = beyond.moments(-2);
    if (known === null) return;
    known.slice(0, 2).forEach(({ value, error }, i) => {
      const c = -i;
      const parts = [bulk, jump!].filter((part) => part.about!(c).value > -700).map((part) => part.logMoment(c));
      const total = [...parts, { value, error }].reduce((x, part) => x + Math.exp(part.value), 0);
      const other = whole.logMoment(c);
      const off = [...parts, other, { value, error }].reduce((x, part) => x + part.error, 1e-14);
      expect(Math.abs(total - Math.exp(other.value))).toBeLessThanOrEqual(2 * off);
    });
    expect(beyond.logMost()).toBeGreaterThanOrEqual(known[0].value - known[0].error);
  });

  it('falls at least as is said of each part', () => {
    const { bulk, jump } = whole.labelled!({
      beyond: { from: 1.2 * scale, to: 1.9 * scale },
      jump: { from: 0.3 * scale, to: 0.8 * scale },
    });
    for (const part of [whole, bulk, jump!]) {
      if (!(part.about!(0).value > -700)) continue;
      for (const c of [0.7, 3 / scale]) {
        const { line } = lineWith(part, c, [], 1e4 / scale);
        let before = 0;
        for (const turns of [0.1, 1, 5, 20, 100, 1000]) {
          const t = turns / scale;
          const one: Ratios = { x: new Float64Array(1), y: new Float64Array(1), error: new Float64Array(1) };
          line.fill!(t, 1, 1, one);
          const size = Math.hypot(1 + one.x[0]!, one.y[0]!) - one.error[0]! - 1e-15;
          const most = line.logMostFrom!(t, -Infinity);
          expect(size).toBeLessThanOrEqual(Math.exp(most));
          for (const later of [1.01, 1.7, 30]) {
            line.fill!(later * t, 1, 1, one);
            expect(Math.hypot(1 + one.x[0]!, one.y[0]!) - one.error[0]! - 1e-15).toBeLessThanOrEqual(Math.exp(most));
          }
          before = Math.min(before, most);
        }
      }
    }
  });
});
