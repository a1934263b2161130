import {
  coreNoise,
  DIFFERING_USERS,
  histogramNoise,
  type HistogramBudget,
} from '../../composition/design/algorithms.ts';
import type { Times } from '../../composition/design/design.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { NormalValue } from '../core/exact-value.ts';

/** The core decomposition as a user asks for it. */
interface CoreExample {
  /** Above 0. */
  readonly epsilon: Decimal;
  /** How many vertices the graph has, each a user; nothing depends on it. */
  readonly vertices: Times;
}

/**
 * A document with the design of the core decomposition in the local model: users who answer whether fewer than d of their
 * neighbours are still active, and a server that removes them; edge-local privacy.
 *
 * The threshold d follows from what is public, as the server of the paper leaves open when it is raised.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), section 9, after Dhulipala, Henzinger, Li, Liu, Sricharan, Zhu (2025).
 */
export function coreDocument({ epsilon, vertices }: CoreExample): Readonly<Record<string, NormalValue>> {
  const user = coreNoise(epsilon);
  const arriving = { create: 'users', data: ['N'] };
  return {
    dpcompose: 1,
    name: 'core decomposition in the local model',
    neighbours: 'graphs that are the same except for one edge',
    target: { epsilon: epsilon.toString() },
    mechanisms: [
      {
        type: 'local',
        label: 'users',
        differing: DIFFERING_USERS,
        users: vertices,
        of: { type: 'dp', epsilon: user.epsilon.toString(), kind: 'interactive' },
      },
    ],
    design: {
      inputs: [{ name: 'N', differing: DIFFERING_USERS, change: 1, label: 'the neighbors of a vertex, user by user' }],
      constants: ['V', 'v', 'schedule'],
      submechanisms: [
        {
          mechanism: 'users',
          data: [{ name: 'neighbours', change: 1 }],
          receives: [{ name: 'active vertices' }, { name: 'threshold' }],
          noise: [
            { on: 'the threshold, once', laplace: user.threshold.toString() },
            { on: 'every comparison', laplace: user.comparison.toString() },
          ],
        },
      ],
      procedure: {
        start: [
          { set: 'A', from: ['V'] },
          { set: 'cores', from: [] },
        ],
        input: vertices === 'unbounded' ? [arriving] : [{ if: [], atMost: vertices, then: [arriving] }],
        round: [
          { set: 'd', from: ['schedule', 'A'] },
          { send: ['A', 'd'], to: 'users', which: ['v'], answer: 'below' },
          {
            if: ['below'],
            then: [
              { set: 'cores', from: ['cores', 'd', 'v'] },
              { set: 'A', from: ['A', 'v'] },
            ],
          },
          { output: ['below', 'cores'] },
        ],
      },
    },
  };
}

/** The histogram mechanism as a user asks for it. */
interface HistogramExample extends HistogramBudget {
  /** How many intervals there may be: a whole number from 2, or unbounded, as in the paper. */
  readonly intervals: Times;
}

const noise = (on: string, distribution: 'laplace' | 'gaussian', scale: Decimal): NormalValue => ({
  on,
  [distribution]: scale.toString(),
});

/** Only what is not the default. */
const delta = (value: Decimal): Readonly<Record<string, NormalValue>> =>
  value.isZero() ? {} : { delta: value.toString() };

function procedure(intervals: Times): NormalValue {
  const next = { set: 'Thresh', from: ['Thresh', 'gamma', 't', 'j'] };
  const ending = intervals === 'unbounded' ? { if: ['a'] } : { if: ['a', 'j'], atMost: intervals - 1 };
  return {
    start: [
      { create: 'd-counter' },
      { set: 'h', from: [] },
      { set: 'c', from: [] },
      { set: 'out', from: ['q', 'h'] },
      { set: 'j', from: [] },
      { create: 'svt', from: ['q', 'h'] },
      { set: 'Thresh', from: ['gamma', 'j'] },
    ],
    input: [
      { add: ['x'], to: 'c' },
      { send: ['x', 'Thresh'], to: 'svt', answer: 'a' },
      {
        ...ending,
        then: [
          { set: 'value', from: ['q', 'c', 'h'], sensitivity: 1 },
          { send: ['value'], to: 'check', answer: 'noisy' },
          { if: ['noisy', 'Thresh', 'xi', 't', 'j'], then: [next] },
          { send: ['c'], to: 'd-counter', answer: 'h' },
          { set: 'out', from: ['q', 'h'] },
          { create: 'svt', from: ['q', 'h'] },
          { set: 'c', from: [] },
          { set: 'j', from: ['j'] },
          next,
        ],
      },
      next,
      { output: ['out'] },
    ],
  };
}

/**
 * A document with the design of the continual monotone histogram mechanism, statement by statement, and its
 * sub-mechanisms, with the parameters and the noise of {@link histogramNoise}.
 *
 * Source: Henzinger, Safavi, Vadhan (2025), Algorithm 4.
 */
export function histogramDocument(example: HistogramExample): Readonly<Record<string, NormalValue>> {
  const { counter, interval, check } = histogramNoise(example);
  const { dimension, intervals } = example;
  return {
    dpcompose: 1,
    name: `continual monotone histogram of ${dimension} ${dimension === 1 ? 'counter' : 'counters'}`,
    neighbours: 'streams that are the same except for one row',
    target: { epsilon: example.epsilon.toString() },
    mechanisms: [
      {
        type: 'group',
        label: 'd-counter',
        mechanisms: [
          {
            type: 'dp',
            label: 'counter',
            epsilon: counter.epsilon.toString(),
            ...delta(counter.delta),
            count: dimension,
            kind: 'continual',
          },
        ],
      },
      {
        type: 'parallel',
        label: 'svt',
        sparsity: 1,
        instances: intervals,
        of: { type: 'dp', epsilon: interval.epsilon.toString(), ...delta(interval.delta), kind: 'continual' },
      },
      {
        type: 'parallel',
        label: 'check',
        sparsity: 1,
        instances: 'unbounded',
        of: { type: 'dp', epsilon: check.epsilon.toString(), ...delta(check.delta) },
      },
    ],
    design: {
      inputs: [{ name: 'x', differing: 1, change: 1, label: 'a row of zeros and ones, at every step' }],
      constants: ['q', 'gamma', 'xi', 't'],
      submechanisms: [
        { mechanism: 'd-counter', receives: [{ name: 'sums', change: 1 }] },
        {
          mechanism: 'svt',
          receives: [{ name: 'row', change: 1 }, { name: 'threshold' }],
          noise: [
            noise('the threshold, once', 'laplace', interval.threshold),
            noise('every comparison', 'laplace', interval.comparison),
          ],
        },
        {
          mechanism: 'check',
          receives: [{ name: 'value', change: 1 }],
          noise: [noise('the value', check.distribution, check.scale)],
        },
      ],
      procedure: procedure(intervals),
    },
  };
}
