import { coreErrorShape, type ErrorShape, histogramErrorShape } from '../composition/design/algorithms.ts';
import type { NormalValue } from '../document/core/exact-value.ts';
import { coreDocument, histogramDocument } from '../document/design/examples.ts';
import { ZERO, ONE } from '../numeric/decimal.ts';
import {
  refuseOthers,
  type Designing,
  type ExampleFlags,
  type ExampleKey,
  type ExampleName,
} from './design-options.ts';

/** A ready design: its document, and how its error grows. */
export interface ReadyDesign {
  readonly document: Readonly<Record<string, NormalValue>>;
  readonly errorShape: ErrorShape;
}

interface Example {
  readonly keys: readonly ExampleKey[];
  readonly make: (parameters: ExampleFlags) => ReadyDesign;
}

const USUAL_DIMENSION = 4;

const EXAMPLES: Readonly<Record<ExampleName, Example>> = {
  histogram: {
    keys: [
      'totalEpsilon',
      'counterDelta',
      'dimension',
      'intervals',
      'intervalDelta',
      'checkDelta',
      'largestQuery',
      'beta',
      'horizon',
    ],
    make: ({
      totalEpsilon: epsilon = ONE,
      counterDelta: delta = ZERO,
      dimension = USUAL_DIMENSION,
      intervals,
      intervalDelta = ZERO,
      checkDelta = ZERO,
      largestQuery,
      beta,
      horizon,
    }) => {
      return {
        document: histogramDocument({
          epsilon,
          delta,
          dimension,
          intervals: intervals ?? 'unbounded',
          intervalDelta,
          checkDelta: checkDelta.isZero() ? null : checkDelta,
        }),
        errorShape: {
          order: delta.isZero()
            ? '(d log^2(d q / beta) + log T) / epsilon'
            : '(d log^1.5(d q / beta) + log T) log(1 / delta) / epsilon',
          where: 'd counters, T steps, a query of at most q, and a chance of beta that it is larger',
          value:
            largestQuery === undefined || beta === undefined || horizon === undefined
              ? null
              : histogramErrorShape({
                  epsilon: epsilon.toNumber(),
                  delta: delta.toNumber(),
                  dimension,
                  largestQuery: largestQuery.toNumber(),
                  beta: beta.toNumber(),
                  horizon,
                }),
        },
      };
    },
  },
  'core-decomposition': {
    keys: ['totalEpsilon', 'vertices', 'largestDegree'],
    make: ({ totalEpsilon: epsilon = ONE, vertices, largestDegree }) => {
      return {
        document: coreDocument({ epsilon, vertices: vertices ?? 'unbounded' }),
        errorShape: {
          order: 'log n log Delta',
          where: 'n vertices of degree at most Delta',
          value: vertices === undefined || largestDegree === undefined ? null : coreErrorShape(vertices, largestDegree),
        },
      };
    },
  },
};

/** The ready design of a name, with its parameters; what is wrong goes to the mistakes of what is given. */
export function readyDesign(name: ExampleName, invocation: Designing): ReadyDesign {
  const { keys, make } = EXAMPLES[name];
  refuseOthers(invocation, keys, name);
  return make(invocation.flags);
}
