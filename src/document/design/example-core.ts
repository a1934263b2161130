import { coreNoise, DIFFERING_USERS } from '../../composition/design/algorithms.ts';
import type { Times } from '../../composition/design/design.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { NormalValue } from '../core/normal-value.ts';

/** The core decomposition as a user asks for it. */
export interface CoreExample {
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
      inputs: [{ name: 'N', differing: DIFFERING_USERS, change: 1, label: 'the neighbours of a vertex, user by user' }],
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
