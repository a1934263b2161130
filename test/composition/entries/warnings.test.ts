import { describe, expect, test } from 'vitest';
import { warningMessage } from '../../../src/output/refusal/warnings.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  sampled,
  zcdp,
} from '../../mechanisms.ts';

const warned = (...entries: Entry[]) => answer(entries, atDelta('1e-6')).warnings;
const codes = (...entries: Entry[]): string[] => warned(...entries).map(({ code }) => code);

describe('an answer is given without a warning', () => {
  test.each([
    ['for one class', [dp('0.1', 0, { count: 10 })]],
    [
      'for noise that loss distributions compose exactly',
      [laplace(10, { count: 3 }), gaussian(8), discreteLaplace(9, 1)],
    ],
    ['for interactive (e, d)-DP, alone and beside noise', [dp('0.1', 0, { kind: 'interactive' }), laplace(10)]],
    ['for continual zCDP and Renyi DP of one kind', [zcdp('0.01', { kind: 'continual' }), zcdp('0.02')]],
    ['for bounded range alone', [boundedRange('0.1'), boundedRange('0.2')]],
    ['for a finite pair that is its own mirror image', [finitePair(['0.6', '0.4'], ['0.4', '0.6']), dp('0.1')]],
  ])('%s', (_, entries) => {
    expect(warned(...entries).filter(({ code }) => code !== 'tolerance-not-met')).toEqual([]);
  });
});

describe('interactive and continual mechanisms lose what only noninteractive ones have, and are named', () => {
  test('Laplace noise, also discrete, goes by its (e, 0)-DP guarantee', () => {
    const found = warned(
      laplace(10, { kind: 'interactive', label: 'counts' }),
      laplace(10),
      discreteLaplace(10, 1, { kind: 'continual' }),
    );
    expect(found).toEqual([{ code: 'laplace-as-dp', entries: ['counts', 'mechanisms[2]'] }]);
  });

  test('bounded range goes by its (e, 0)-DP guarantee', () => {
    for (const kind of ['interactive', 'continual'] as const)
      expect(warned(boundedRange('0.1', { kind }))).toEqual([
        { code: 'bounded-range-interactive', entries: ['mechanisms[0]'] },
      ]);
  });

  test('Gaussian noise, also discrete, and Gaussian DP go through Renyi DP', () => {
    const found = warned(
      gaussian(8, { kind: 'continual', label: 'a' }),
      discreteGaussian(8, 1, { kind: 'interactive', label: 'b' }),
      gdp('0.1', { kind: 'interactive', label: 'c' }),
    );
    expect(found).toEqual([{ code: 'single-pair-interactive', entries: ['a', 'b', 'c'] }]);
  });

  test('all of them are named: a report shortens the list once', () => {
    const many = Array.from({ length: 8 }, () => boundedRange('0.1', { kind: 'interactive' }));
    expect(warned(...many)).toEqual([
      {
        code: 'bounded-range-interactive',
        entries: many.map((_, index) => `mechanisms[${index}]`),
      },
    ]);
  });
});

describe('a mixture of classes', () => {
  test('is pointed out where no bound uses the strength of each', () => {
    expect(codes(zcdp('0.01'), rdp([[2, '0.1']]))).toContain('mixed-classes');
    expect(codes(gaussian(8), zcdp('0.01'))).toContain('mixed-classes');
  });

  test('names every type once', () => {
    const mixed = warned(laplace(10), zcdp('0.01'), laplace(20)).find(({ code }) => code === 'mixed-classes');
    expect(mixed).toEqual({ code: 'mixed-classes', classes: ['laplace', 'zcdp'] });
  });

  test('of single pairs is none', () => {
    expect(codes(dp('0.1'), laplace(10), gaussian(8), gdp('0.1'))).not.toContain('mixed-classes');
  });
});

describe('an infinite epsilon', () => {
  test('below the chance of failure is infeasible, and the smallest feasible delta is told', () => {
    const result = answer([dp(1, '0.1', { count: 2 }), laplace(10)], atDelta('0.1'));
    expect(result.epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
    expect(result.warnings).toEqual([{ code: 'delta-infeasible', failure: '0.19', smallestDelta: '0.19' }]);
  });

  test('of a finite pair that reveals is infeasible in the same way', () => {
    const reveals = finitePair(['0.6', '0.3', '0.1'], ['0.3', '0.6', '0.1'].reverse());
    expect(answer([reveals], atDelta(0)).epsilon.upper).toBeLessThan(Infinity);
    const certain = finitePair(['0.75', '0', '0.25'], ['0.75', '0.25', '0']);
    const result = answer([certain, certain], atDelta('0.4'));
    expect(result.epsilon).toMatchObject({ lower: Infinity, upper: Infinity });
    expect(result.warnings).toEqual([{ code: 'delta-infeasible', failure: '0.4375', smallestDelta: '0.4375' }]);
    expect(answer([certain, certain], atDelta('0.4375')).epsilon.upper).toBeLessThan(1e-6);
  });

  test('of unbounded losses at delta 0 has no finite remedy but a larger delta', () => {
    expect(answer([gaussian(8)], atDelta(0)).warnings).toEqual([{ code: 'no-finite-epsilon' }]);
    expect(answer([laplace(10), discreteGaussian(8, 1)], atDelta(0)).warnings).toEqual([{ code: 'no-finite-epsilon' }]);
  });
});

test('an enclosure wider than asked says how wide it is', () => {
  const [warning, ...others] = answer([laplace(10, { count: 40 })], atDelta('1e-6'), {
    tolerance: 1e-13,
    exhausted: () => true,
  }).warnings;
  expect(others).toEqual([]);
  expect(warning).toMatchObject({ code: 'tolerance-not-met', asked: 1e-13, cut: true });
});

test('an enclosure that is wide though there was time says nothing of time', () => {
  const { warnings } = answer([sampled(gaussian(1, { count: 10 }), '0.01')], atDelta('1e-6'), { tolerance: 1e-16 });
  expect(warnings).toMatchObject([{ code: 'tolerance-not-met', cut: false }]);
  expect(warnings.map(warningMessage).join()).not.toContain('--max-seconds');
});

test('a delta among the smallest doubles is as narrow as doubles are', () => {
  const deltas = ['38.2', '38.7', '39'].map((epsilon) => answer([gaussian(1)], atEpsilon(epsilon)));
  expect(deltas.map(({ warnings }) => warnings)).toEqual([[], [], []]);
  expect(deltas.map(({ tight }) => tight)).toEqual([true, true, true]);
  expect(deltas[2]!.delta).toMatchObject({ lower: 0, upper: 5e-324 });
});
