import { add, multiply } from '../../numeric/enclosure-arithmetic.ts';
import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { boundedRangeKl } from '../../privacy/bounded-range.ts';
import { boundedRangeMoment } from '../../privacy/log-moment.ts';
import type { ChartLine } from '../chart/chart.ts';
import type { Figure } from './figure.ts';

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

function line([name, bound]: (typeof BOUNDS)[number]): ChartLine {
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
      'Four lines over λ from 0.1 to 10. The improved bound of Dwork, Rothblum and Vadhan, which uses only that losses lie in [-ε, ε], is the highest; that of Durfee and Rogers for bounded range follows, then the same with the largest mean, and lowest, growing in the end like a straight line, the moment generating function itself.',
    notes: [
      'After Figure 2 of Dong, Durfee and Rogers (2020), computed again; a smaller U gives a smaller total.',
      'The text of the paper gives no ranges of the axes; these are chosen here.',
    ],
    panels: [
      {
        title: null,
        x: { label: 'λ (order of the moment)', scale: 'linear' },
        y: { label: 'bound U on the log-moment (nats)', scale: 'linear' },
        lines: BOUNDS.map(line),
      },
    ],
  }),
};
