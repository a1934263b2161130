import { alternativesTo } from '../../lazy/alternatives/all.ts';
import type { AlternativeId } from '../../lazy/alternatives/alternative.ts';
import type { ExpertsProblem } from '../../lazy/core/setting.ts';
import { bestAlong } from '../../lazy/planning/best-along.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import { exactly } from '../../numeric/enclosure.ts';
import type { Axis, ChartLine, Panel } from '../chart/chart.ts';
import { grouped } from '../kit/prose.ts';
import type { Figure } from './figure.ts';

const ROUNDS = 1e6;
const EXPERTS = 1000;
const EPSILON = 0.1;
const DELTA = '1e-8';

/** Points of a panel, from the largest on: there the search for parameters begins. */
const POINTS = 31;

/** From the largest to the smallest, even on the scale of logarithms, to three digits. */
const spaced = (largest: number, smallest: number): readonly number[] =>
  Array.from({ length: POINTS }, (_, index) =>
    Number((largest * (smallest / largest) ** (index / (POINTS - 1))).toPrecision(3)),
  );

const problem = (rounds: number, epsilon: number): ExpertsProblem => ({
  problem: 'ope',
  rounds,
  experts: EXPERTS,
  epsilon: new Decimal(epsilon),
  delta: new Decimal(DELTA),
});

/** Other learners; what is published as a rate is no line. */
const OTHERS = {
  'perturbed-leader-square-root': ['perturbed leader, square root', 'solid'],
  'perturbed-leader-tree': ['perturbed leader, tree', 'solid'],
  'no-privacy': ['Hedge, no privacy', 'dotted'],
  guessing: ['guessing', 'dotted'],
} as const satisfies Partial<Record<AlternativeId, readonly [string, ChartLine['stroke']]>>;

const REGRET: Axis = { label: 'expected regret / T, at most', scale: 'log' };

function panel(title: string, x: Axis, at: readonly number[], problems: readonly ExpertsProblem[]): Panel {
  const line = (name: string, stroke: ChartLine['stroke'], regrets: readonly number[]): ChartLine => ({
    name,
    stroke,
    points: at
      .map((x, index) => ({
        x,
        lower: null,
        upper: divide(exactly(regrets[index]!), exactly(problems[index]!.rounds)).upper,
      }))
      .reverse(),
  });
  const others = problems.map(alternativesTo);
  const regretOf = (id: AlternativeId): readonly number[] =>
    others
      .map((each) => each.find((other) => other.kind === 'proved' && other.id === id))
      .map((other) => (other?.kind === 'proved' ? other.regret : NaN));
  return {
    title,
    x,
    y: REGRET,
    lines: [
      line('L2P without y', 'solid', bestAlong(problems)),
      ...(Object.keys(OTHERS) as (keyof typeof OTHERS)[]).map((id) => {
        const [name, stroke] = OTHERS[id];
        return line(name, stroke, regretOf(id));
      }),
    ],
  };
}

/** Proved bounds on the expected regret of learners of the same privacy, over epsilon and over the number of rounds. */
export const lazyPlans: Figure = {
  name: 'lazy-plans',
  summary: 'proved regret of online learners of the same privacy: L2P without y, leaders with noise, guessing',
  reference: 'derived: the safe regret of lazy plan',
  draw() {
    const [epsilons, rounds] = [spaced(10, 0.01), spaced(1e9, 1e3)];
    return {
      title: `Regret of private prediction from ${grouped(EXPERTS)} experts at delta ${DELTA}: what is proved`,
      description:
        'Two panels of five lines, all axes logarithmic. On the left, over epsilon from 0.01 to 10 for a million rounds, the bounds of private learners that read losses fall as epsilon grows: L2P without y is the lowest, and the perturbed leader with noise on a binary tree, the highest, ends where the one with noise by a square root does. At epsilon 10 L2P is as good as Hedge without privacy. On the right, over a thousand to a thousand million rounds for epsilon 0.1, the bounds for a round fall as rounds grow: L2P without y is the lowest of private learners up to about six million rounds, the perturbed leader with noise by a square root beyond.',
      notes: [
        `Upper bounds on the expected regret, divided by T, against losses in [0, 1] that are fixed in advance, constants included; ${grouped(EXPERTS)} experts, δ ${DELTA}.`,
        'L2P: parameters that exact accounting with bounded-range steps allows, from a quicker search than that of lazy plan; without y is the variant that is derived here.',
        'Perturbed leader: the least sum of losses with Gaussian noise, on a binary tree or by the square root of the matrix of sums.',
        'Dotted: Hedge, which is not private, and guessing, which reads nothing. Left out: published rates without constants, which are no bounds.',
      ],
      panels: [
        panel(
          `T = ${grouped(ROUNDS)}`,
          { label: 'ε', scale: 'log' },
          epsilons,
          epsilons.map((epsilon) => problem(ROUNDS, epsilon)),
        ),
        panel(
          `ε = ${EPSILON}`,
          { label: 'T (rounds)', scale: 'log' },
          rounds,
          rounds.map((each) => problem(each, EPSILON)),
        ),
      ],
    };
  },
};
