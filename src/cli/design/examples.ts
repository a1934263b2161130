import { coreErrorShape } from '../../composition/design/core-decomposition.ts';
import type { ErrorShape } from '../../composition/design/error-shape.ts';
import { histogramErrorShape } from '../../composition/design/monotone-histogram.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { coreDocument } from '../../document/design/example-core.ts';
import { histogramDocument } from '../../document/design/example-histogram.ts';
import type { NormalValue } from '../../document/core/normal-value.ts';
import { either, quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import { readParameter, type ExampleFlags, type ExampleKey, meaninglessParameters } from './options.ts';

/** A ready design: its document, and how its error grows. */
export interface ReadyDesign {
  readonly document: Readonly<Record<string, NormalValue>>;
  readonly errorShape: ErrorShape;
}

interface Example {
  readonly keys: readonly ExampleKey[];
  readonly make: (read: (key: ExampleKey) => Decimal | undefined) => ReadyDesign;
}

const ZERO = new Decimal(0);
const ONE = new Decimal(1);
const USUAL_DIMENSION = 4;

const EXAMPLES: Readonly<Record<string, Example>> = {
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
    make: (read) => {
      const epsilon = read('totalEpsilon') ?? ONE;
      const delta = read('counterDelta') ?? ZERO;
      const dimension = read('dimension')?.toNumber() ?? USUAL_DIMENSION;
      const checkDelta = read('checkDelta') ?? ZERO;
      const [largestQuery, beta, horizon] = [read('largestQuery'), read('beta'), read('horizon')];
      return {
        document: histogramDocument({
          epsilon,
          delta,
          dimension,
          intervals: read('intervals')?.toNumber() ?? 'unbounded',
          intervalDelta: read('intervalDelta') ?? ZERO,
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
                  horizon: horizon.toNumber(),
                }),
        },
      };
    },
  },
  'core-decomposition': {
    keys: ['totalEpsilon', 'vertices', 'largestDegree'],
    make: (read) => {
      const [vertices, largestDegree] = [read('vertices')?.toNumber(), read('largestDegree')?.toNumber()];
      return {
        document: coreDocument({ epsilon: read('totalEpsilon') ?? ONE, vertices: vertices ?? 'unbounded' }),
        errorShape: {
          order: 'log n log Delta',
          where: 'n vertices of degree at most Delta',
          value: vertices === undefined || largestDegree === undefined ? null : coreErrorShape(vertices, largestDegree),
        },
      };
    },
  },
};

/** The names of all ready designs. */
export const EXAMPLE_NAMES: readonly string[] = Object.keys(EXAMPLES);

/** The ready design of a name, with its parameters; null where anything is wrong, which goes to `errors`. */
export function readExample(name: string, flags: ExampleFlags, errors: InputError[]): ReadyDesign | null {
  const example = Object.hasOwn(EXAMPLES, name) ? EXAMPLES[name] : undefined;
  if (example === undefined) {
    const message = `must be ${either(EXAMPLE_NAMES)}, got ${quote(name)}`;
    const hint = `${didYouMean(name, EXAMPLE_NAMES)}Write the name of a ready design.`;
    errors.push({ code: 'unknown-value', path: '--example', message, hint });
    return null;
  }
  const before = errors.length;
  errors.push(...meaninglessParameters(flags, example.keys, name));
  const design = example.make((key) => readParameter(flags, key, errors));
  return errors.length > before ? null : design;
}
