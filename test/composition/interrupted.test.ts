import { describe, expect, it } from 'vitest';
import type { BoundId } from '../../src/bounds/core/bound.ts';
import { compose, type ComposeOptions } from '../../src/composition/compose/compose.ts';
import { secondOpinion } from '../../src/composition/compose/second-opinion.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  discreteGaussian,
  dp,
  finitePair,
  gaussian,
  laplace,
} from '../mechanisms.ts';

/** Goes on until it was asked so often. */
function after(asked: number): { readonly interrupted: () => boolean; readonly asked: () => number } {
  let count = 0;
  return { interrupted: () => ++count > asked, asked: () => count };
}

const different = [dp('0.1', 0, { count: 30 }), dp('0.017', '1e-8', { count: 40 }), dp('0.0331', 0, { count: 20 })];
const CASES: readonly (readonly [string, readonly Entry[], Query, readonly BoundId[]])[] = [
  ['different epsilons', different, atDelta('1e-6'), ['dp-optimal']],
  ['Laplace noise', [laplace(5, { count: 20 })], atDelta('1e-6'), ['loss-distribution']],
  ['discrete noise', [discreteGaussian(3, 1, { count: 4 })], atEpsilon(1), ['loss-distribution']],
  [
    'noise beside a guarantee',
    [gaussian(40), laplace(3, { count: 3 }), dp('0.1')],
    atDelta('1e-6'),
    ['loss-distribution'],
  ],
  [
    'ranges beside noise',
    [boundedRange('0.2', { count: 5 }), gaussian(4)],
    atEpsilon('0.7'),
    ['loss-distribution', 'mixed'],
  ],
];

/** Enough to be cut somewhere. */
const ROUGH = { tolerance: 1e-2 } as const;

describe('work that is given up', () => {
  it.each(CASES)('leaves a claim that is valid, and names what has no number: %s', (_, entries, query, slow) => {
    const { solveFor } = query;
    const full = answer(entries, query, ROUGH)[solveFor];
    const { interrupted } = after(0);
    const cut = answer(entries, query, { ...ROUGH, interrupted });
    expect(cut[solveFor].upper).toBeGreaterThanOrEqual(full.lower!);
    expect(cut.warnings).toContainEqual({ code: 'interrupted', bounds: slow });
    for (const id of slow) {
      expect(cut.bounds.find((row) => row.id === id)).toMatchObject({
        applies: false,
        reason: { code: 'interrupted' },
      });
    }
  });

  it.each(CASES)('is asked about all the way, and nothing done so far is wrong: %s', (_, entries, query) => {
    const { solveFor } = query;
    const watch = after(Infinity);
    const full = answer(entries, query, { ...ROUGH, ...watch })[solveFor];
    const steps = watch.asked();
    expect(steps).toBeGreaterThan(0);
    for (const share of [0.1, 0.4, 0.7, 0.95]) {
      const cut = answer(entries, query, { ...ROUGH, ...after(Math.floor(share * steps)) })[solveFor];
      expect(cut.upper).toBeGreaterThanOrEqual(full.lower!);
      expect(cut.lower ?? 0).toBeLessThanOrEqual(full.upper);
    }
  });

  it('keeps what tables there are of ranges, and the moments where there are none', () => {
    const entries = [boundedRange('0.1', { count: 30 })];
    const full = answer(entries, atDelta('1e-6'));
    const cut = answer(entries, atDelta('1e-6'), after(0));
    expect(cut.epsilon.upper).toBeGreaterThan(full.epsilon.upper);
    expect(cut.epsilon.lower).toBeGreaterThan(0);
    expect(cut.warnings.map(({ code }) => code)).toEqual(['tolerance-not-met']);
  });

  it('claims nothing, rather than that no theorem holds, where nothing else covers the mechanisms', () => {
    const pair = finitePair(['0.7', '0.3'], ['0.3', '0.7'], { count: 5 });
    const options: ComposeOptions = { interrupted: () => true, bounds: ['loss-distribution'] };
    const outcome = compose({ entries: [pair], adaptivity: 'adaptive' }, atDelta('1e-6'), options);
    expect(outcome).toMatchObject({
      kind: 'answer',
      answer: { epsilon: { lower: null, upper: Infinity }, bound: 'loss-distribution' },
    });
    if (outcome.kind !== 'answer') return;
    expect(outcome.answer.warnings.map(({ code }) => code)).toEqual(['interrupted']);
    const atZero = answer([pair], atEpsilon(0), options);
    expect(atZero.delta).toMatchObject({ lower: null, upper: 1 });
  });

  it('never touches what takes milliseconds', () => {
    for (const entries of [[dp('0.1', '1e-9', { count: 1000 })], [gaussian(2, { count: 10 })], [boundedRange('0.3')]]) {
      const now = answer(entries, atDelta('1e-6'), { interrupted: () => true });
      expect(now).toEqual(answer(entries, atDelta('1e-6')));
    }
  });

  it('leaves a second opinion without digits', () => {
    const problem = { entries: [dp('0.1', 0, { count: 50 })], adaptivity: 'adaptive' } as const;
    const { decimal } = secondOpinion(problem, answer(problem.entries, atDelta('1e-6')), 40, {
      interrupted: () => true,
    });
    expect(decimal).toEqual({ unavailable: 'interrupted' });
  });
});

describe('what is named by bounds', () => {
  it('is all that is computed of what is slow', () => {
    const told = new Set<string>();
    const entries = [...Array(40).keys()].map((index) => boundedRange(`0.0${index + 11}`));
    const { epsilon } = answer(entries, atDelta('1e-6'), {
      bounds: ['rdp'],
      progress: (what) => told.add(what),
    });
    expect(told).toEqual(new Set());
    const quick = answer(entries, atDelta('1e-6'), { quick: true });
    expect(epsilon.lower).toBe(quick.epsilon.lower);
    expect(epsilon.lower).toBeLessThan(epsilon.upper);
  });
});
