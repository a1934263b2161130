import { alternativesTo } from '../../learning/alternatives/all.ts';
import type { AlternativeId } from '../../learning/alternatives/alternative.ts';
import type { ExpertsProblem } from '../../learning/core/setting.ts';
import { bestAlong } from '../../learning/planning/best-along.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { exactly } from '../../numeric/enclosure.ts';
import { divide } from '../../numeric/enclosure-arithmetic.ts';
import type { Axis, ChartLine, Panel } from '../chart/chart.ts';
import { grouped, listed } from '../kit/prose.ts';
import type { Figure } from './figure.ts';
import { FIGURES as PARTS, rateTable, type RateId, type RateRow, type RateStatus } from '../../learning/rates/rates.ts';
import { NAMES, sizeText } from '../lazy/rates.ts';

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
      .map((alternatives) => alternatives.find((other) => other.kind === 'proved' && other.id === id))
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
        'Two panels of five lines, all axes logarithmic. On the left, over epsilon from 0.01 to 10 for a million rounds, the bounds of private learners that read losses fall as epsilon grows: L2P without y is the lowest. The perturbed leader with noise on a binary tree is the highest, and ends where the one with square-root noise does. At epsilon 10 L2P is as good as Hedge without privacy. On the right, over a thousand to a thousand million rounds for epsilon 0.1, the bounds for a round fall as rounds grow: L2P without y is the lowest of private learners up to about six million rounds, the perturbed leader with noise by a square root beyond.',
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
          rounds.map((count) => problem(count, EPSILON)),
        ),
      ],
    };
  },
};

type Part = keyof typeof PARTS;

/** From 0 to 1 in steps of 1/48: every bend of a line is at a multiple of 1/12. */
const ALPHAS = Array.from({ length: 49 }, (_, index) => new Decimal(index / 48));

/** The lines, by their names in the paper; as17 is in its Table 1 only. */
const LINES: Readonly<Partial<Record<RateId, string>>> = {
  l2p: 'L2P, claimed',
  'l2p-safe': 'L2P, as proved here',
  akst23: 'AKST23b',
  kms21: 'KMS+21',
  afkt23: 'AFKT23b',
  'non-private': 'non-private',
};

const STROKES = { claimed: 'dashed', derived: 'solid', other: 'dotted' } as const satisfies Record<
  RateStatus,
  ChartLine['stroke']
>;

function line({ rate, values }: RateRow): ChartLine[] {
  const name = LINES[rate.id];
  if (name === undefined) return [];
  const points = ALPHAS.map((alpha, at) => ({ x: alpha.toNumber(), lower: null, upper: values[at] ?? null }));
  return [{ name, stroke: STROKES[rate.status], points }];
}

const rowsOf = (part: Part): readonly RateRow[] => rateTable({ kind: 'exponents', ...PARTS[part], at: ALPHAS }).rows;

const ratePanel = (part: Part): Panel => ({
  title: `(${part}) ${NAMES[PARTS[part].problem]}, ${sizeText(PARTS[part].gamma.text)}`,
  x: { label: 'α, for privacy ε = T^-α', scale: 'linear' },
  y: { label: 'exponent β of the regret T^β', scale: 'linear' },
  lines: rowsOf(part).flatMap(line),
});

/** `AKST23b (Agarwal, Kale, Singh, Thakurta 2023)` for each line of prior work. */
function priorWork(): string {
  const rates = (['a', 'c'] as const).flatMap((part) => rowsOf(part).map(({ rate }) => rate));
  return listed(
    rates
      .filter(({ id, status }) => status === 'other' && id !== 'non-private')
      .flatMap(({ id, source }) => (LINES[id] === undefined ? [] : [`${LINES[id]} (${source})`])),
  );
}

/** Figure 1 of Asi, Koren, Liu and Talwar (2024): exponents of the regret over those of epsilon; what is proved, apart. */
export const lazyRates: Figure = {
  name: 'lazy-rates',
  summary: 'regret exponents of online learning by L2P: as claimed, as proved here, and of prior work',
  reference: 'Asi, Koren, Liu, Talwar 2024, Fig 1',
  draw: () => ({
    title: 'Regret T^β of private online learning with ε = T^-α: L2P as claimed and as proved here, and prior work',
    description:
      'Three panels of lines over α from 0 to 1: convex optimization in polylog T dimensions and in T^(1/3), and prediction from T experts. Without privacy β is 1/2. L2P as claimed stays at 1/2 up to α of 1/4 in the first and third panels. There it is below all prior work after 1/6; in the second it leaves 1/2 at once and is below prior work up to α of 1/2, where KMS+21 crosses it. L2P as proved here leaves 1/2 at α of 1/6 in the first and third panels, as the best prior work does. From there on it is below prior work; in the second it begins above 1/2, and some prior work is always as low or lower.',
    notes: [
      'After Figure 1 of Asi, Koren, Liu and Talwar (2024), computed again. Logarithmic factors are left out, and no exponent is above 1.',
      'Dashed: claimed by the paper; it rests on its Proposition 3.3, which is not proved. Solid: proved here, the rate of the safe regret of lazy plan, which the paper does not draw; in (b) it is nowhere below the best prior work.',
      `Dotted: prior work as the paper states it, ${priorWork()}.`,
    ],
    panels: (['a', 'b', 'c'] as const).map(ratePanel),
  }),
};
