import { expect, it } from 'vitest';
import { sampledLaw, type SampledLaw, type SampledPart } from '../../../src/privacy/sampling/sampled-law.ts';
import { share } from '../../../src/privacy/sampling/ratio.ts';
import { logWeight, powersOf, reachOf } from '../../../src/privacy/sampling/tilted-part.ts';
import { gaussian, laplace, sampledMechanism } from '../../mechanisms.ts';

interface Given {
  readonly law: SampledLaw;
  readonly part: SampledPart;
  readonly tilt: number;
}

const GIVEN: readonly Given[] = (['remove', 'add'] as const).flatMap((direction) =>
  [gaussian('0.5'), gaussian('3'), laplace('0.7')].flatMap((base) =>
    ['0.001', '0.6', '1'].flatMap((rate) =>
      [0, 0.7, 12].map((tilt): Given => {
        const law = sampledLaw(sampledMechanism(base, rate), direction)!;
        return { law, part: law.parts[0]!, tilt };
      }),
    ),
  ),
);

it('the weight beyond the reach is at most what is said of it', () => {
  for (const { law, part, tilt } of GIVEN) {
    const { from, to, logBeyond } = reachOf(law, part, tilt);
    if (part.base.law === 'exponential') {
      expect([from, to, logBeyond]).toEqual([part.from, part.to, -Infinity]);
      continue;
    }
    const weight = logWeight(law, part, tilt);
    const h = 0.002;
    let beyond = 0;
    for (let i = 0; i < 10_000; i++) {
      beyond +=
        h * (Math.exp(weight(to + (i + 0.5) * h) - logBeyond) + Math.exp(weight(from - (i + 0.5) * h) - logBeyond));
    }
    expect(beyond).toBeLessThanOrEqual(1);
  }
});

it('the reach has all but nothing of the weight outside', () => {
  for (const { law, part, tilt } of GIVEN) {
    const { from, to, logBeyond } = reachOf(law, part, tilt);
    const weight = logWeight(law, part, tilt);
    const highest = Array.from({ length: 401 }, (_, i) => weight(from + ((to - from) * i) / 400)).reduce((a, b) =>
      Math.max(a, b),
    );
    expect(logBeyond).toBeLessThan(highest - 25);
  }
});

it('the share of the second summand is a probability that rises with the loss', () => {
  const { law, part } = GIVEN[4]!;
  expect(share(law.rates, 0)).toBeCloseTo(law.rates.rate, 14);
  expect(share(law.rates, 700)).toBeCloseTo(1, 14);
  expect(share(law.rates, -700)).toBeLessThan(1e-300);
  expect(powersOf(part, 3).own).toBe(4);
  expect(powersOf({ ...part, sign: -1 }, 3).own).toBe(-3);
});
