import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { largestSampledLoss } from '../../../src/privacy/sampling/largest-loss.ts';
import {
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  laplace,
  sampledMechanism,
} from '../../mechanisms.ts';
import { ONE, precise } from '../../reference/precise.ts';

const LOPSIDED = [
  ['0.6', '0.4'],
  ['0.2', '0.8'],
] as const;

/** The likelihood ratios that are largest, of removals and additions, without sampling. */
const CASES: readonly (readonly [name: string, of: Entry, gain: string, fall: string])[] = [
  [
    'laplace',
    laplace('0.5'),
    '7.389056098930650227230427460575007813180315570551847',
    '7.389056098930650227230427460575007813180315570551847',
  ],
  [
    'discrete-laplace',
    discreteLaplace('2', 4),
    '7.389056098930650227230427460575007813180315570551847',
    '7.389056098930650227230427460575007813180315570551847',
  ],
  [
    'dp',
    dp(2),
    '7.389056098930650227230427460575007813180315570551847',
    '7.389056098930650227230427460575007813180315570551847',
  ],
  ['a pair in one order', finitePair(...LOPSIDED, { direction: 'fixed' }), '3', '2'],
  ['a pair in either', finitePair(...LOPSIDED), '3', '3'],
];

describe.each(CASES)('%s', (_, { mechanism }, gain, fall) => {
  const of = { mechanism, count: 1, kind: 'noninteractive', label: null } as const;

  it.each(['0.000001', '0.3', '1'])('at rate %s, to 28 digits and no less', (rate) => {
    const raised = precise(gain).minus(1).times(rate).plus(1).ln();
    const lowered = ONE.minus(ONE.minus(ONE.div(fall)).times(rate))
      .ln()
      .neg();
    for (const [scheme, direction, value] of [
      ['poisson', 'remove', raised],
      ['poisson', 'add', lowered],
      ['without-replacement', 'remove', raised],
      ['without-replacement', 'add', raised],
    ] as const) {
      const most = largestSampledLoss(sampledMechanism(of, rate, scheme), direction)!;
      expect(most.gte(value), `${scheme} ${direction}`).toBe(true);
      expect(most.minus(value).abs().toNumber()).toBeLessThan(1e-28);
    }
  });
});

it('of noise without bound there is none but that of an addition', () => {
  for (const entry of [gaussian('1'), discreteGaussian('1', 1)]) {
    const mechanism = sampledMechanism(entry, '0.25');
    expect(largestSampledLoss(mechanism, 'remove')).toBeNull();
    expect(largestSampledLoss(mechanism, 'add')!.toNumber()).toBeCloseTo(-Math.log(0.75), 14);
    expect(largestSampledLoss(sampledMechanism(entry, 1), 'add')).toBeNull();
  }
});

it('what reveals everything is drawn or not', () => {
  const mechanism = sampledMechanism(dp('0.1', '0.01'), '0.99');
  expect(largestSampledLoss(mechanism, 'add')!.toNumber()).toBeCloseTo(-Math.log(0.01), 13);
});
