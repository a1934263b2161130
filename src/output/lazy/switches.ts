import type { CapRow, SwitchCount, Switches, SwitchKind } from '../../learning/accounting/switches.ts';
import { isWithoutY } from '../../learning/core/setting.ts';
import { always, choice, described, list, object, orNull } from '../kit/codec.ts';
import { BUDGET, COUNT, GIVEN, NUMBER, TEXT, UPPER } from '../kit/codecs.ts';
import { givenText } from '../kit/number.ts';
import { paragraph, type Block, type Output } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { table, type Column } from '../kit/table.ts';
import {
  GUARANTEED,
  lazyText,
  MEASURE,
  printedSetting,
  RESAMPLING,
  SETTING,
  aboutText,
  countText,
  GUARANTEE_TEXT,
  lazyHeading,
  mostText,
  settingText,
} from './words.ts';

/** The number of switches. */
export const SWITCHES = object({
  result: always('switches'),
  input: object({
    ...SETTING,
    measure: MEASURE,
    beyond: list(GIVEN),
    budget: orNull(BUDGET),
  }),
  transitions: COUNT,
  counts: list(
    object({
      kind: choice('fake', 'real', 'ofX', 'ofY', 'all'),
      mean: NUMBER,
      deviation: NUMBER,
      quantiles: described('in the order of input.beyond', list(COUNT)),
    }),
  ),
  caps: list(
    object({
      status: GUARANTEED,
      resampling: RESAMPLING,
      rule: TEXT,
      most: orNull(COUNT),
      beyond: orNull(UPPER),
    }),
  ),
});

const COUNTED: Readonly<Record<SwitchKind, string>> = {
  fake: 'fake, of x or y',
  real: 'real, at most',
  ofX: 'x anew, at most',
  ofY: 'y anew',
  all: 'x and y anew, at most',
};

const sampled = ({ setting }: Switches['question']): string => (isWithoutY(setting) ? 'x' : 'x and y');

const counts = ({ question, counts: rows }: Switches): Block =>
  table(rows, [
    ['switches', ({ kind }) => COUNTED[kind], { titled: true }],
    ['mean', ({ mean }) => aboutText(mean)],
    ['deviation', ({ deviation }) => aboutText(deviation)],
    ...question.beyond.map((chance, at): Column<SwitchCount> => [
      `beyond ${givenText(chance)}`,
      ({ quantiles }) => countText(quantiles[at]!),
    ]),
  ]);

const chanceText = (chance: number | null): string =>
  chance === null ? '' : chance === 0 ? 'never' : `at most ${mostText(chance)}`;

function caps(rows: readonly CapRow[]): Block {
  const largest = rows.reduce((maximum, { most: cap }) => Math.max(maximum, cap ?? 0), 0);
  return table(rows, [
    [
      'resamplings taken as',
      ({ resampling }) => GUARANTEE_TEXT[resampling],
      { best: ({ most }) => largest > 0 && most === largest, titled: true },
    ],
    ['rule', ({ rule }) => rule],
    ['cap', ({ most }) => (most === null ? 'none' : grouped(most))],
    ['chance beyond', ({ beyond }) => chanceText(beyond)],
  ]);
}

function budgetText(switches: Switches): string[] {
  const { question, caps: rows } = switches;
  const { budget } = question;
  if (budget === null) return [];
  if (switches.transitions === 0) return ['Nothing is sampled anew, so there is nothing to cap.'];
  if (rows.length === 0)
    return [
      `No cap is known: ${isWithoutY(question.setting) ? 'with c 0' : 'without fake switches'} a switch may distinguish the neighbors.`,
    ];
  const pair = `(${givenText(budget.epsilon)}, ${givenText(budget.delta)})`;
  return [
    'Rules: zcdp-simple and zcdp are the filter on the sum of rho, with the simple and the optimal conversion; br-rdp, dp-optimal and gaussian are the bounds of compose; all count after the loss of the flag. joint composes flag and resamplings together.',
    `A run that stops sampling ${sampled(question)} anew once a cap is reached is ${pair}-differentially private, however the losses change the probability of a switch. Bounds on the regret are for runs that are not stopped.`,
  ];
}

/** The number of switches and the caps. */
export function lazySwitchesOutput(switches: Switches): Output {
  const { question, transitions } = switches;
  const { setting, measure } = question;
  return {
    page: () => [
      lazyHeading(settingText(setting, measure)),
      paragraph(
        `There ${transitions === 1 ? 'is' : 'are'} ${counted(transitions, 'round')} in which ${sampled(question)} can be sampled anew.`,
      ),
      counts(switches),
      caps(switches.caps),
      ...budgetText(switches).map(paragraph),
    ],
    json: (version) => lazyText(SWITCHES, { ...switches, input: { ...question, ...printedSetting(setting) } }, version),
  };
}
