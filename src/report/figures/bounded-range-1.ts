import type { BoundId } from '../../bounds/core/bound.ts';
import { curve } from '../../composition/curve/curve.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import type { Adaptivity } from '../../privacy/query.ts';
import type { ChartLine, Panel } from '../chart/chart.ts';
import { pointOf } from '../curve/chart.ts';
import { alongLabel, measureLabel } from '../curve/statement.ts';
import { givenText } from '../kit/number.ts';
import type { Figure } from './figure.ts';

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
const pure = (epsilon: Decimal): Mechanism => ({ type: 'dp', epsilon, delta: new Decimal(0) });

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

function line({ name, bound, mechanism, adaptivity = 'adaptive', stroke = 'solid' }: Drawn, each: Decimal): ChartLine {
  const entry = entryOf(mechanism(each));
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

function panel(each: Decimal): Panel {
  const entry = entryOf(range(each));
  return {
    title: `ε = ${givenText(each)}`,
    x: { label: alongLabel({ name: 'count', entry }, { entries: [entry] }), scale: 'linear', whole: true },
    y: { label: measureLabel('epsilon'), scale: 'linear' },
    lines: LINES.map((drawn) => line(drawn, each)),
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
