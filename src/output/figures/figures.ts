import type { BoundId } from '../../bounds/core/bound.ts';
import { curve } from '../../composition/curve/curve.ts';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import type { Adaptivity } from '../../privacy/curve.ts';
import type { ChartLine, Panel } from '../chart/chart.ts';
import { pointOf, alongLabel, measureLabel } from '../curve.ts';
import { givenText } from '../kit/number.ts';
import type { Figure } from './figure.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { boundedRangeKl } from '../../privacy/bounded-range.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import { lazyPlans, lazyRates } from './lazy-figures.ts';

const DELTA = new Decimal('1e-6');
const PARAMETERS = ['0.01', '0.1', '1'].map((epsilon) => new Decimal(epsilon));
/** How many mechanisms: 1, 5, 10, ... */
const COUNTS = [1, ...Array.from({ length: 40 }, (_, index) => 5 * (index + 1))].map((count) => new Decimal(count));

/** A line of the figure: its name there, and the bound on which mechanisms that it is. */
interface Drawn {
  readonly name: string;
  readonly bound: BoundId;
  readonly mechanism: (epsilon: Decimal) => Mechanism;
  readonly adaptivity?: Adaptivity;
  readonly stroke?: ChartLine['stroke'];
}

const range = (epsilon: Decimal): Mechanism => ({ type: 'bounded-range', epsilon });
const pure = (epsilon: Decimal): Mechanism => ({ type: 'dp', epsilon, delta: ZERO });

const LINES: readonly Drawn[] = [
  { name: 'ε-DP OptComp', bound: 'dp-optimal', mechanism: pure },
  { name: 'DR19', bound: 'br-dr19', mechanism: range },
  { name: 'OptKL', bound: 'br-optkl', mechanism: range },
  { name: 'MGF', bound: 'br-mgf', mechanism: range },
  {
    name: 'BR OptComp (nonadaptive)',
    bound: 'br-nonadaptive',
    mechanism: range,
    adaptivity: 'nonadaptive',
    stroke: 'dashed',
  },
  {
    name: 'ε/2-DP OptComp',
    bound: 'dp-optimal',
    mechanism: (epsilon) => pure(epsilon.times('0.5')),
    stroke: 'dotted',
  },
];

const entryOf = (mechanism: Mechanism): Entry => ({ mechanism, count: 1, kind: 'noninteractive', label: null });

function line(
  { name, bound, mechanism, adaptivity = 'adaptive', stroke = 'solid' }: Drawn,
  epsilon: Decimal,
): ChartLine {
  const entry = entryOf(mechanism(epsilon));
  const outcome = curve(
    {
      problem: { entries: [entry], adaptivity },
      along: { name: 'count', entry },
      values: COUNTS,
      solveFor: 'epsilon',
      given: DELTA,
    },
    { bounds: [bound] },
  );
  const points = outcome.kind === 'curve' ? (outcome.curve.lines[0]?.points ?? []) : [];
  return {
    name,
    stroke,
    points: points.map((point, at) => pointOf(point, COUNTS[at]!.toNumber())),
  };
}

function panel(epsilon: Decimal): Panel {
  const entry = entryOf(range(epsilon));
  return {
    title: `ε = ${givenText(epsilon)}`,
    x: { label: alongLabel({ name: 'count', entry }, { entries: [entry] }), scale: 'linear', whole: true },
    y: { label: measureLabel('epsilon'), scale: 'linear' },
    lines: LINES.map((description) => line(description, epsilon)),
  };
}

/** Figure 1 of Dong, Durfee and Rogers (2020): epsilon over the number of mechanisms, by six bounds. */
export const boundedRange1: Figure = {
  name: 'bounded-range-1',
  summary: 'epsilon over the number of mechanisms: bounded range beside differential privacy',
  reference: 'Dong, Durfee, Rogers 2020, Fig 1',
  draw: () => ({
    title: `Total epsilon at delta ${givenText(DELTA)} of k mechanisms that are ε-bounded range or ε-DP`,
    description:
      'Three panels, for ε of 0.01, 0.1 and 1, each with six lines over the number of mechanisms from 1 to 200. The optimal composition of ε-DP is the highest, then DR19, OptKL and MGF for bounded range, which hold adaptively; lowest and close together are the optimum of bounded range that is fixed in advance and the optimal composition of ε/2-DP.',
    notes: [
      'After Figure 1 of Dong, Durfee and Rogers (2020), computed again; every bound is cut at k ε.',
      'The text of the paper gives no ranges of the axes; these are chosen here.',
    ],
    panels: PARAMETERS.map(panel),
  }),
};

const EPSILON = exactly(1);
/** 0.1, 0.2, ..., 10. */
const LAMBDAS = Array.from({ length: 100 }, (_, index) => (index + 1) / 10);

const squared = multiply(EPSILON, EPSILON);
const moment = boundedRangeMoment(EPSILON);
const largestMean = boundedRangeKl(EPSILON);

/** mean lambda + variance lambda^2 / 2 for losses in an interval of the given length: Hoeffding's lemma. */
const hoeffding =
  (length: Enclosure, mean: Enclosure) =>
  (lambda: number): Enclosure => {
    const t = exactly(lambda);
    const quadratic = multiply(multiply(exactly(0.125), multiply(length, length)), multiply(t, t));
    return add(quadratic, multiply(t, mean));
  };

const halfSquared = multiply(exactly(0.5), squared);

/** The bounds on ln E[e^(lambda L)] that the paper compares, from the weakest on. */
const BOUNDS: readonly (readonly [string, (lambda: number) => Enclosure])[] = [
  ['Improved DRV10', hoeffding(multiply(exactly(2), EPSILON), halfSquared)],
  ['DR19', hoeffding(EPSILON, halfSquared)],
  ['KL-improved DR19', hoeffding(EPSILON, largestMean)],
  ['General MGF', moment],
];

function parameterLine([name, bound]: (typeof BOUNDS)[number]): ChartLine {
  const points = LAMBDAS.map((x) => ({ x, ...bound(x) }));
  return { name, stroke: 'solid', points };
}

/** Figure 2 of Dong, Durfee and Rogers (2020): four bounds on the log-moment of the loss, for epsilon 1. */
export const boundedRange2: Figure = {
  name: 'bounded-range-2',
  summary: 'bounds on the moments of the privacy loss, from which composition theorems follow',
  reference: 'Dong, Durfee, Rogers 2020, Fig 2',
  draw: () => ({
    title: 'Bounds on the log-moment ln E[exp(λ L)] of the loss L, for ε = 1',
    description:
      'Four lines over λ from 0.1 to 10. The improved bound of Dwork, Rothblum and Vadhan, which uses only that losses lie in [-ε, ε], is the highest. That of Durfee and Rogers for bounded range follows, then the same with the largest mean. The moment generating function itself is lowest and ends almost straight.',
    notes: [
      'After Figure 2 of Dong, Durfee and Rogers (2020), computed again; a smaller U gives a smaller total.',
      'The text of the paper gives no ranges of the axes; these are chosen here.',
    ],
    panels: [
      {
        title: null,
        x: { label: 'λ (order of the moment)', scale: 'linear' },
        y: { label: 'bound U on the log-moment (nats)', scale: 'linear' },
        lines: BOUNDS.map(parameterLine),
      },
    ],
  }),
};

/** Every figure, in the order of the list. */
export const FIGURES: readonly Figure[] = [boundedRange1, boundedRange2, lazyRates, lazyPlans];
