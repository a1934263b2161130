import { fc } from '../reference/properties.ts';
import { describe, expect, test } from 'vitest';
import { BOUND_IDS } from '../../src/bounds/core/bound.ts';
import { compose } from '../../src/composition/compose/compose.ts';
import type { Answer } from '../../src/composition/core/outcome.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
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
  valueOf,
  zcdp,
} from '../mechanisms.ts';

const solved = (result: Answer) => (result.query.solveFor === 'epsilon' ? result.epsilon : result.delta);
const QUERIES: Query[] = [atDelta('1e-6'), atDelta('0.01'), atEpsilon('0.5'), atEpsilon('-0.3')];

describe('an answer', () => {
  const lists: Record<string, readonly Entry[]> = {
    dp: [dp('0.1', '1e-9', { count: 20 }), dp('0.3')],
    'bounded range': [boundedRange('0.2', { count: 10 })],
    'interactive bounded range': [boundedRange('0.2', { count: 10, kind: 'interactive' })],
    laplace: [laplace(8, { count: 3 })],
    'discrete laplace': [discreteLaplace(8, 2, { count: 10 })],
    'laplace, dp and bounded range': [laplace(8), dp('0.1', 0, { count: 5 }), boundedRange('0.1', { count: 5 })],
    gaussian: [gaussian(8, { count: 5 })],
    zcdp: [zcdp('0.01'), rdp([[8, '0.3']])],
  };

  test.each(Object.entries(lists))('of %s is the least of its bounds, and lists them in order', (_, entries) => {
    for (const query of QUERIES) {
      const result = answer(entries, query);
      const applied = result.bounds.flatMap((each) => (each.applies ? [valueOf(result, each.id).upper] : []));
      // Of claims that are printed alike the sharper theorem comes first.
      applied.slice(1).forEach((claim, i) => {
        expect(claim).toBeGreaterThanOrEqual(applied[i]! * (1 - 1e-9));
      });
      expect(solved(result).upper).toBe(applied[0]);
      expect(result.bounds[0]?.id).toBe(result.bound);
      const idle = result.bounds.flatMap((each) => (each.applies ? [] : [each.id]));
      expect(idle).toEqual(BOUND_IDS.filter((id) => idle.includes(id)));
      expect(result.bounds).toHaveLength(BOUND_IDS.length);
    }
  });

  test.each(Object.entries(lists))(
    'of %s is never above basic composition nor below its own lower end',
    (_, entries) => {
      for (const query of QUERIES) {
        const result = answer(entries, query);
        const { lower, upper } = solved(result);
        expect(upper).toBeGreaterThanOrEqual(lower ?? -Infinity);
        if (result.bounds.some(({ id, applies }) => id === 'basic' && applies))
          expect(upper).toBeLessThanOrEqual(valueOf(result, 'basic').upper);
      }
    },
  );

  test('is tight exactly when its ends meet to the tolerance', () => {
    const relativeWidth = ({ epsilon: { lower, upper } }: Answer): number => (upper - (lower ?? -Infinity)) / upper;
    const { dp: exact, laplace: noise, 'discrete laplace': discrete, zcdp: unknown } = lists;
    for (const tolerance of [1e-9, 1e-6, 1e-2]) {
      for (const entries of [exact, noise, discrete, unknown]) {
        const result = answer(entries ?? [], atDelta('1e-6'), { tolerance });
        expect(result.tight).toBe(relativeWidth(result) <= tolerance);
      }
    }
    expect(answer(lists.dp ?? [], atDelta('1e-6')).tight).toBe(true);
    expect(answer(lists.zcdp ?? [], atDelta('1e-6')).tight).toBe(false);
  });

  test('repeats what was asked', () => {
    expect(answer([dp('0.1')], atDelta('1e-6')).delta).toEqual({ lower: 1e-6, upper: 1e-6, exact: '0.000001' });
    expect(answer([dp('0.1')], atEpsilon('-0.25')).epsilon).toMatchObject({ lower: -0.25, upper: -0.25 });
  });
});

describe('the lower end of an answer is one of the classes declared, never of a larger class', () => {
  const dpValue = (epsilon: string, count: number, query: Query): number =>
    solved(answer([dp(epsilon, 0, { count })], query)).upper;

  test('Laplace noise: that of its own loss distribution, also where it is interactive', () => {
    for (const query of [atDelta('0.01'), atEpsilon('0.1')]) {
      const own = valueOf(answer([laplace(10, { count: 8 })], query), 'loss-distribution');
      for (const kind of ['noninteractive', 'interactive', 'continual'] as const) {
        const { lower } = solved(answer([laplace(10, { count: 8, kind })], query));
        expect(lower).toBeLessThanOrEqual(own.upper);
        expect(lower).toBeGreaterThan(own.upper * 0.9999);
        expect(lower).toBeLessThan(dpValue('0.1', 8, query));
      }
    }
  });

  test('Gaussian noise: that of its own distribution, also where it is interactive', () => {
    for (const query of QUERIES) {
      const own = solved(answer([gaussian(5, { count: 4 })], query));
      const { lower, upper } = solved(answer([gaussian(5, { count: 4, kind: 'interactive' })], query));
      expect(lower).toBeLessThanOrEqual(own.upper);
      expect(lower).toBeGreaterThan(own.upper * 0.9999);
      expect(upper).toBeGreaterThanOrEqual(own.upper);
    }
  });

  test('equal bounded range: the nonadaptive optimum', () => {
    for (const query of QUERIES) {
      const entries = [boundedRange('0.2', { count: 20 })];
      const best = solved(answer(entries, query, { adaptivity: 'nonadaptive' }));
      for (const kind of ['noninteractive', 'interactive'] as const) {
        const { lower } = solved(answer([boundedRange('0.2', { count: 20, kind })], query, { bounds: ['basic'] }));
        expect(lower).toBeLessThanOrEqual(best.upper);
        expect(lower).toBeGreaterThan(best.upper * (1 - 1e-9));
        expect(lower).toBeLessThan(dpValue('0.2', 20, query));
      }
    }
  });

  test('bounded range of several parameters, or beside others: a legal use of each', () => {
    const ranged = [boundedRange('0.2', { count: 5 }), boundedRange('0.3', { count: 5 })];
    const halves = [dp('0.1', 0, { count: 5 }), dp('0.15', 0, { count: 5 })];
    for (const query of QUERIES.slice(0, 3)) {
      const { lower, upper } = solved(answer(ranged, query));
      const half = solved(answer(halves, query)).upper;
      expect(lower).toBeGreaterThan(half * 0.999999);
      expect(upper).toBeGreaterThanOrEqual(half);
      const larger = solved(answer([dp('0.2', 0, { count: 5 }), dp('0.3', 0, { count: 5 })], query)).upper;
      expect(lower).toBeLessThan(larger);
      const mixed = solved(answer([...ranged, laplace(10)], query));
      expect(mixed.lower).toBeGreaterThanOrEqual(half * 0.999999);
      expect(mixed.lower).toBeLessThanOrEqual(mixed.upper);
    }
  });

  test('beside Renyi guarantees: that of the others; of Renyi guarantees alone none is known', () => {
    expect(answer([zcdp('0.01')], atDelta('1e-6')).epsilon.lower).toBeNull();
    const { lower } = answer([zcdp('0.01'), dp('0.1', 0, { count: 10 })], atDelta('1e-6')).epsilon;
    const alone = dpValue('0.1', 10, atDelta('1e-6'));
    expect(lower).toBeGreaterThan(alone * (1 - 1e-9));
    expect(lower).toBeLessThanOrEqual(alone);
  });
});

describe('--bounds', () => {
  test('leaves only these to compete', () => {
    const result = answer([laplace(10)], atDelta('1e-6'), { bounds: ['basic', 'rdp', 'gaussian'] });
    expect(result.bounds.map(({ id }) => id)).toEqual(['rdp', 'basic', 'gaussian']);
    expect(result.bound).toBe('rdp');
  });

  test('does not change what is known from below', () => {
    const all = answer([dp('0.1', 0, { count: 10 })], atDelta('1e-6'));
    const one = answer([dp('0.1', 0, { count: 10 })], atDelta('1e-6'), { bounds: ['basic'] });
    expect(one.epsilon).toMatchObject({ lower: all.epsilon.lower, upper: 1 });
    expect(one.tight).toBe(false);
  });
});

describe('a declared order', () => {
  const list = [boundedRange('0.2', { count: 2 }), boundedRange('0.3'), boundedRange('0.2')];

  test('changes nothing where all mechanisms are fixed in advance', () => {
    for (const entries of [list, [dp('0.1'), dp('0.3'), dp('0.1')]]) {
      const [any, declared] = (['any', 'declared'] as const).map((order) =>
        compose({ entries, adaptivity: 'nonadaptive', order }, atDelta('1e-3')),
      );
      expect(declared).toEqual(any);
    }
  });

  test('is any order where none is declared', () => {
    const problem = { entries: [dp('0.1'), dp('0.3')], adaptivity: 'adaptive' } as const;
    expect(compose(problem, atDelta('1e-3'))).toEqual(compose({ ...problem, order: 'any' }, atDelta('1e-3')));
  });
});

describe('a refusal', () => {
  const refusal = (entries: readonly Entry[], options = {}, adaptivity: 'adaptive' | 'parameters' = 'adaptive') => {
    const outcome = compose({ entries, adaptivity }, atDelta('1e-6'), options);
    if (outcome.kind === 'answer') throw new Error(`answered by ${outcome.answer.bound}`);
    return outcome.refusal;
  };

  test('meets parameters that are adaptively chosen', () => {
    expect(refusal([dp('0.1')], {}, 'parameters')).toEqual({ code: 'adaptive-parameters' });
  });

  test('meets bounds that do not apply when no other is asked for, and gives the reason of each', () => {
    expect(refusal([dp('0.1')], { bounds: ['gaussian', 'loss-distribution'] })).toMatchObject({
      code: 'no-bound',
      bounds: [
        { id: 'gaussian', applies: false, reason: { code: 'needs-types', found: ['dp'] } },
        { id: 'loss-distribution', applies: false, reason: { code: 'is-dp-optimal' } },
      ],
    });
    expect(refusal([laplace(10, { kind: 'continual', count: 2 })], { bounds: ['loss-distribution'] })).toMatchObject({
      bounds: [{ reason: { code: 'needs-noninteractive', kinds: ['continual'] } }],
    });
    expect(refusal([boundedRange('0.1', { count: 2 })], { bounds: ['br-nonadaptive'] })).toMatchObject({
      bounds: [{ reason: { code: 'needs-nonadaptive' } }],
    });
  });
});

describe('the bounds of noninteractive mechanisms do not apply to others', () => {
  const noisy: ((kind: Entry['kind']) => Entry)[] = [
    (kind) => laplace(10, { kind }),
    (kind) => discreteLaplace(10, 1, { kind }),
    (kind) => gaussian(8, { kind }),
    (kind) => discreteGaussian(8, 1, { kind }),
    (kind) => gdp('0.1', { kind }),
  ];
  test('one interactive or continual noisy mechanism among others is enough', () => {
    for (const make of noisy) {
      for (const kind of ['interactive', 'continual'] as const) {
        for (const entries of [
          [make(kind), make(kind)],
          [make('noninteractive'), make(kind)],
          [dp('0.1'), make(kind)],
        ]) {
          const { bounds } = answer(entries, atDelta('1e-6'));
          const applied = bounds.filter(({ applies }) => applies).map(({ id }) => id);
          expect(applied).not.toContain('loss-distribution');
          expect(applied).not.toContain('gaussian');
          expect(applied.filter((id) => id.startsWith('br-'))).toEqual([]);
          expect(applied.length).toBeGreaterThan(0);
        }
      }
    }
  });
});

describe('at the edge', () => {
  const silent: Entry[] = [
    dp(0),
    boundedRange(0),
    finitePair(['0.3', '0.7'], ['0.3', '0.7']),
    finitePair([1], [1]),
    laplace(10, {}, 0),
    discreteLaplace(10, 0),
    discreteGaussian(10, 0),
  ];

  test.each(silent.map((entry) => [entry.mechanism.type, entry] as const))(
    'a %s mechanism that reveals nothing costs nothing, at delta 0 and at any count',
    (_, { mechanism, ...rest }) => {
      for (const count of [1, 1000]) {
        const entry = { mechanism, ...rest, count };
        expect(answer([entry], atDelta(0)).epsilon.upper).toBe(0);
        expect(answer([entry], atEpsilon(0)).delta.upper).toBeLessThan(1e-300);
        expect(answer([entry], atEpsilon(-1)).delta.upper).toBeCloseTo(1 - Math.exp(-1), 14);
      }
    },
  );

  test('it adds nothing to others', () => {
    const without = answer([dp('0.1', 0, { count: 10 })], atDelta('1e-6')).epsilon;
    const withSilent = answer([dp('0.1', 0, { count: 10 }), dp(0), boundedRange(0)], atDelta('1e-6')).epsilon;
    expect(withSilent.upper / without.upper).toBeCloseTo(1, 9);
  });

  const every: Entry[] = [
    dp('0.1', '1e-9'),
    boundedRange('0.1'),
    laplace(10),
    discreteLaplace(10, 1),
    gaussian(8),
    discreteGaussian(8, 1),
    finitePair(['0.6', '0.4'], ['0.5', '0.5']),
    zcdp('0.01'),
    gdp('0.1'),
    rdp([[4, '0.1']]),
  ];
  test.each(every.map((entry) => [entry.mechanism.type, entry] as const))('%s costs nothing at delta 1', (_, entry) => {
    expect(answer([entry], atDelta(1)).epsilon.upper).toBe(0);
  });

  test.each(every.map((entry) => [entry.mechanism.type, entry] as const))(
    '%s has at a negative epsilon at least the delta of nothing, and less than 1',
    (_, entry) => {
      const { lower, upper } = answer([entry], atEpsilon('-0.5')).delta;
      expect(upper).toBeGreaterThanOrEqual(1 - Math.exp(-0.5));
      expect(upper).toBeLessThan(1);
      if (lower !== null) expect(lower).toBeGreaterThan((1 - Math.exp(-0.5)) * (1 - 1e-6));
    },
  );

  test('pure mechanisms cost the sum of their epsilons at delta 0', () => {
    expect(answer([laplace(10, { count: 3 }), dp('0.2')], atDelta(0)).epsilon).toMatchObject({ upper: 0.5 });
    expect(answer([discreteLaplace(4, 3, { count: 2 })], atDelta(0)).epsilon).toMatchObject({ upper: 1.5 });
  });
});

test('finite pairs that are randomized response cost what (e, 0)-DP does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 51, max: 90 }), fc.integer({ min: 1, max: 12 }), (percent, count) => {
      const [p, q] = [(percent / 100).toFixed(2), (1 - percent / 100).toFixed(2)];
      const epsilon = Math.log(percent / (100 - percent));
      const pair = answer([finitePair([p, q], [q, p], { count })], atEpsilon('0.4')).delta;
      const exact = answer([dp(epsilon.toFixed(15), 0, { count })], atEpsilon('0.4')).delta;
      expect(pair.upper).toBeGreaterThanOrEqual(exact.upper * (1 - 1e-9) - 1e-15);
      expect(pair.lower).toBeLessThanOrEqual(exact.upper * (1 + 1e-9) + 1e-15);
    }),
    { numRuns: 25 },
  );
});
