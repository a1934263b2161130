import type { RenyiAttack, RenyiGate, RenyiQuestion } from '../../composition/attack/renyi.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { disagreement, INTERVAL_HEADING, pageText, rateCells, roughText, runsText, type PageTable } from './page.ts';
import type { Layout } from '../kit/columns.ts';
import { bracketOf, decimalText, intervalText } from '../kit/exact-text.ts';
import { givenText, lowerText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';

const ONE = new Decimal(1);

function headingOf({ alpha, epsilon, instances }: RenyiQuestion): string {
  const many = instances === null ? 'any number of' : grouped(instances);
  return `Attack on ${many} (${givenText(alpha)}, ${givenText(epsilon)})-RDP continual mechanisms in parallel, one of which may receive different data`;
}

/** What is asked of a number, and whether it is so. */
const verdict = (holds: boolean): string => (holds ? 'yes' : 'no');

function gatesTable({ question, proving, printed }: RenyiAttack): PageTable {
  const { epsilon, target, instances } = question;
  const row = (name: string, of: (gate: RenyiGate) => string): string[] => [name, of(proving), of(printed)];
  const reached = ({ endless }: RenyiGate): boolean => endless.lower.gt(target);
  return {
    title: `Of order ${givenText(question.alpha)}, each mechanism may have a divergence of ${givenText(epsilon)}; the view is to have more than ${givenText(target)}.`,
    head: ['', 'these constants', 'as printed'],
    rows: [
      row('1 - q, an open gate lies', ({ lie }) => decimalText(lie, 'up')),
      row('p, a gate opens', ({ opens }) => decimalText(opens, 'up')),
      row('divergence of the mechanism', ({ alone }) => intervalText(alone)),
      ...(instances === null
        ? []
        : [row(`of the view, ${grouped(instances)} instances`, ({ view }) => intervalText(view))]),
      row('of the view, without limit', ({ endless }) => intervalText(endless)),
      row(`above ${givenText(target)}`, (gate) => verdict(reached(gate))),
    ],
  };
}

function simulationTable({ proving, opened, messages, simulated }: RenyiAttack): PageTable {
  const expected = [
    ['a gate opened', intervalText(opened)],
    ['guesses that are right', decimalText(ONE.minus(proving.lie), 'up')],
    ['messages, on average', intervalText(messages)],
  ];
  if (simulated === null) return { head: ['', 'expected'], rows: expected };
  const seen = [
    rateCells(simulated.guessed),
    rateCells(simulated.right),
    [roughText(simulated.messages.total / simulated.runs), ''],
  ];
  return {
    head: ['', 'expected', runsText(simulated), INTERVAL_HEADING],
    rows: expected.map((cells, index) => [...cells, ...(seen[index] ?? [])]),
  };
}

function sentencesOf({ question, printed, bound, simulated, opened }: RenyiAttack): string[] {
  const { target, instances, alpha } = question;
  const order = `of order ${givenText(alpha)}`;
  const fails = printed.endless.upper.lt(target)
    ? [
        `With the constants of the proof as printed, the view never reaches ${givenText(target)}: they mix powers of 2 with natural logarithms and take an expectation under the wrong view. With these it always does.`,
      ]
    : [];
  const limited =
    bound === null || instances === null
      ? []
      : [
          `With ${grouped(instances)} instances no epsilon below ${lowerText(bound.lower)} holds ${order}, as gates open more and more rarely; ${givenText(bound.upper)} does (Cor 13.4).`,
        ];
  const refused = `No epsilon holds ${order} for any number of them: dpcompose refuses their composition where their number is not bounded (unbounded-renyi, exit code 3). Any one of these mends it: a limit on their number, each of which is paid then (Cor 13.4); pure guarantees (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 13.6).`;
  const expected = bracketOf(opened);
  const odd = simulated ? disagreement(simulated.guessed, { lower: expected.lower ?? 0, upper: expected.upper }) : [];
  return [
    `A gate opens rarely, says so, and then repeats its input, with a lie now and then. The adversary gives different data to an open one only. [${henzingerSafaviVadhan('Thm 13.5')}; constants derived]`,
    ...fails,
    ...limited,
    refused,
    ...odd,
  ];
}

/** The attack of Thm 13.5 for a person. */
export function renyiTable(attack: RenyiAttack, layout: Layout): string {
  return pageText(
    {
      heading: headingOf(attack.question),
      tables: [gatesTable(attack), simulationTable(attack)],
      sentences: sentencesOf(attack),
    },
    layout,
  );
}
