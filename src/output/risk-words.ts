import type { FittedGaussian, Risk } from '../composition/risk/risk.ts';
import type { Specification } from '../document/core/specification.ts';
import type { Divergence } from '../composition/risk/divergence.ts';
import { flatEntries, isEntry, withDescendants } from '../composition/core/plan-node.ts';
import { Decimal, ONE } from '../numeric/decimal.ts';
import type { Bracket } from '../numeric/enclosure.ts';
import { nextUp } from '../numeric/rounding.ts';
import type { Mechanism } from '../privacy/mechanism.ts';
import { tradeOffPoints } from '../privacy/trade-off.ts';
import { entryText, mechanismsText, neighboursOf } from './kit/statement.ts';
import { GUESS_DIGITS, percent, exactGivenText } from './kit/number.ts';
import { printable } from './kit/prose.ts';

/** The risks of a specification. */
export interface RiskReport {
  readonly risk: Risk;
  readonly specification: Specification;
}

/** The composition: its name, or its mechanisms. */
export function subjectOf({ name, entries: nodes }: Specification): string {
  if (name !== null) return `"${printable(name)}"`;
  const entries = flatEntries(nodes);
  if (entries === null) return 'this plan';
  const [only] = entries;
  return only !== undefined && entries.length === 1 ? entryText(only) : mechanismsText(entries);
}

const runsOnce = ({ entries }: Specification): boolean =>
  entries.every((node) => isEntry(node) && node.count === 1) && entries.length === 1;

/** Against whom the numbers hold, and between which data. */
export function adversaryText(specification: Specification): string {
  const { adaptivity, neighbours, entries } = specification;
  const chooses =
    runsOnce(specification) || adaptivity === 'nonadaptive'
      ? ''
      : ', chooses each mechanism (not its parameters) adaptively';
  const relation =
    neighbours === null
      ? 'Neighbors: those for which the guarantees of the mechanisms are stated.'
      : neighboursOf(neighbours, entries);
  return `These bounds hold for any attacker who sees every result${chooses} and knows everything except which of two neighboring data sets was used. ${relation}`;
}

/** The rate of false alarms that is told first, if it was asked. */
const FIRST_RATE = '0.01';

/** What most people ask, before all else: a guess beside a coin, and a test; null where nothing is promised. */
export function shortText({ advantage, tests }: Risk): string | null {
  const guess = percent({ upper: nextUp((1 + advantage.upper) / 2) }, GUESS_DIGITS);
  if (guess === null) return null;
  const coin = `An attacker who considers two neighboring data sets equally likely guesses the right one with a probability of at most ${guess}%; a coin flip is right with 50%.`;
  const test = tests.find(({ falsePositiveRate }) => falsePositiveRate.eq(FIRST_RATE)) ?? tests[0];
  const rate = test && percent(test.truePositiveRate);
  if (test === undefined || rate == null) return coin;
  const wrong = exactGivenText(test.falsePositiveRate.times(100));
  return `${coin} An attack with a false-positive rate of at most ${wrong}% has a true-positive rate of at most ${rate}%.`;
}

/** What is declared, where the distribution of the results is not. */
const GUARANTEES: readonly Mechanism['type'][] = ['dp', 'zcdp', 'rdp', 'gdp', 'bounded-range'];

/** Whether nothing is declared but guarantees. */
export const restsOnGuarantees = ({ entries }: Specification): boolean =>
  entries
    .flatMap(withDescendants)
    .filter(isEntry)
    .map(({ mechanism }) => (mechanism.type === 'sampled' ? mechanism.of : mechanism))
    .every(
      (mechanism) =>
        GUARANTEES.includes(mechanism.type) || (mechanism.type === 'finite-pair' && tradeOffPoints(mechanism) !== null),
    );

/** A number of the risks, and what holds without the results; null where nothing is compared with that. */
interface RiskRow {
  readonly risk: string;
  readonly value: Bracket;
  readonly trivial: number | null;
  /** The false-positive rate, the baseline, the order, or the least error rate. */
  readonly at: Decimal | null;
  readonly prior: Decimal | null;
}

const row = (
  risk: string,
  value: Bracket,
  trivial: number | null,
  at: Decimal | null = null,
  prior: Decimal | null = null,
): RiskRow => ({ risk, value, trivial, at, prior });

/** The chance of being right without the results. */
export const without = (prior: Decimal): Decimal => Decimal.max(prior, ONE.minus(prior));

/** Those with a rate are of the tests whose error rates are at least that, the other is of all. */
const gaussianRows = ({ rate, above, below, everywhere, regret }: FittedGaussian): RiskRow[] => [
  row('gaussian-mu', { lower: below, upper: above }, null, rate),
  ...(everywhere === null ? [] : [row('gaussian-mu', { lower: null, upper: everywhere }, null)]),
  ...(regret === null ? [] : [row('gaussian-regret', regret, null, rate)]),
];

/** Every number of the risks. */
export const riskRows = ({
  advantage,
  guesses,
  tests,
  reconstructions,
  leakedBits,
  divergences,
  gaussian,
}: Risk): RiskRow[] => [
  row('advantage', advantage, 0),
  ...guesses.map(({ prior, success }) => row('guess', success, without(prior).toNumber(), null, prior)),
  ...tests.flatMap(({ falsePositiveRate: at, truePositiveRate, predictive }) => [
    row('true-positive-rate', truePositiveRate, at.toNumber(), at),
    ...predictive.map(({ prior, value }) => row('positive-predictive-value', value, prior.toNumber(), at, prior)),
  ]),
  ...reconstructions.map(({ baseline, success }) => row('reconstruction', success, null, baseline)),
  row('min-entropy-leakage', leakedBits.minEntropy, 0),
  row('mutual-information', leakedBits.mutualInformation, 0),
  ...divergences.map(({ divergence, value }) =>
    row(divergence.kind, value, 0, divergence.kind === 'renyi' ? divergence.order : null),
  ),
  ...(gaussian === null ? [] : gaussianRows(gaussian)),
];

/** Relatively, as far as the rounding of what is trivial goes. */
const ROUNDING = 1e-12;

/** Whether a lower end says more than what holds without any results. */
export const saysMore = ({ lower }: Bracket, trivial: number): boolean =>
  lower !== null && lower > trivial * (1 + ROUNDING);

/** How much smaller the numbers could be. */
function closeness(risk: Risk): string {
  if (riskRows(risk).some(({ value, trivial }) => trivial !== null && saysMore(value, trivial))) {
    return 'For each lower bound, some mechanisms that fit the description reach or exceed it, on some data: no smaller number holds for all of them.';
  }
  return 'No lower bounds are known.';
}

/** How close the numbers are, and on what they rest. */
export function notes({ risk, specification }: RiskReport): readonly string[] {
  if (risk.advantage.upper >= 1) return ['This is no guarantee at all: the results may reveal everything.'];
  if (risk.advantage.upper === 0) return ['The results reveal nothing about which of the two it is.'];
  return [
    closeness(risk),
    ...(restsOnGuarantees(specification)
      ? ['These bounds follow from guarantees alone; a known noise distribution often gives smaller ones.']
      : []),
  ];
}

/** The name of a divergence. */
export function divergenceText(divergence: Divergence): string {
  switch (divergence.kind) {
    case 'total-variation':
      return 'total variation';
    case 'kl':
      return 'Kullback-Leibler';
    case 'renyi':
      return `Renyi of order ${exactGivenText(divergence.order)}`;
  }
}

const CONVERSIONS = {
  advantage: 'advantage: the total variation, which is delta at epsilon 0 (Yeom, Giacomelli, Fredrikson, Jha 2018)',
  guess:
    'success of membership inference: the hockey-stick divergence at epsilon = ln((1 - p) / p) for prior p (its definition; for (epsilon, delta) Kairouz, Oh, Viswanath 2015, Thm 2.1)',
  'true-positive-rate':
    'true-positive rate: the trade-off function, conjugate to the profile (Wasserman, Zhou 2010; Dong, Roth, Su 2022, Prop 2.12 and 2.13)',
  reconstruction:
    'attribute inference and reconstruction: the trade-off function at the baseline (Kaissis et al. 2023; Hayes, Mahloujifar, Balle 2023)',
  'min-entropy':
    'bits by the best guess: log2(1 + advantage), the min-entropy leakage (Smith 2009). No other prior exceeds it (Braun, Chatzikokolakis, Palamidessi 2009), nor does any secret that affects the results only through that bit (Issa, Wagner, Kamath 2020, Thm 1)',
  'mutual-information':
    'bits on average: the Jensen-Shannon divergence, from the joint moments of the losses; if these are unknown, by an integral of the profile and by the advantage (Lin 1991; Sason, Verdu 2016)',
  'total-variation': 'total variation: delta at epsilon 0 (its definition)',
  divergence:
    'divergences: of each mechanism by its moments or its guarantee; they add up (van Erven, Harremoes 2014, Thm 28; Mironov 2017, Prop 1; Henzinger, Safavi, Vadhan 2025, Thm 13.4). They are at most those of randomized response with the largest loss (Mironov 2017, Prop 6); for parts of a plan and named bounds, only this is used',
  gaussian:
    'the Gaussian that fits: the mu of Gaussian mechanisms (Dong, Roth, Su 2022, Cor 3.3); for others, by the profile, conjugate to the trade-off function (Prop 2.12 and 2.13), and by the mu of each mechanism or of the largest loss; regret: the divergence of Kaissis, Kolek, Balle, Hayes, Rueckert 2024',
} as const;

type Conversion = keyof typeof CONVERSIONS;

/** What a number follows from. */
export const RISK_SOURCES: readonly (Conversion | 'profile')[] = [
  'profile',
  ...(Object.keys(CONVERSIONS) as Conversion[]),
];

/** What a number follows from, and where that is shown. */
interface RiskSource {
  readonly of: Conversion | 'profile';
  readonly text: string;
}

/** What the numbers follow from, one for each of those that are there. */
export function sourcesOf({
  answer,
  bounds,
  reconstructions,
  divergences,
  tests,
  guesses,
  gaussian,
}: Risk): readonly RiskSource[] {
  const profiles = bounds.map((id): RiskSource => {
    const row = answer.bounds.find((bound) => bound.id === id);
    return { of: 'profile', text: `profile: ${row === undefined ? id : `${id}, ${row.name} [${row.reference}]`}` };
  });
  const isTotalVariation = ({ divergence }: Risk['divergences'][number]): boolean =>
    divergence.kind === 'total-variation';
  const isUsed: Readonly<Record<Conversion, boolean>> = {
    advantage: true,
    guess: guesses.length > 0,
    'true-positive-rate': tests.length > 0,
    reconstruction: reconstructions.length > 0,
    'min-entropy': true,
    'mutual-information': true,
    'total-variation': divergences.some(isTotalVariation),
    divergence: !divergences.every(isTotalVariation),
    gaussian: gaussian !== null,
  };
  const conversions = Object.entries(CONVERSIONS) as readonly [Conversion, string][];
  return [...profiles, ...conversions.flatMap(([of, text]) => (isUsed[of] ? [{ of, text }] : []))];
}
