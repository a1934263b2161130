import type { RenyiAttack, RenyiGate, RenyiQuestion } from '../../composition/attack/renyi.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Layout } from '../kit/columns.ts';
import { decimalText, enclosureOf, intervalText } from '../kit/exact-text.ts';
import { givenText, lowerText } from '../kit/number.ts';
import { heading, pageText, paragraph, type Block } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { disagreement, quantities, rateText, roughText } from './simulated.ts';

const ONE = new Decimal(1);

function headingOf({ alpha, epsilon, instances }: RenyiQuestion): string {
  const many = instances === null ? 'any number of' : grouped(instances);
  return `Attack on ${many} (${givenText(alpha)}, ${givenText(epsilon)})-RDP continual mechanisms in parallel, one of which may receive different data`;
}

function gatesTable({ question, proving, printed }: RenyiAttack): Block {
  const { target, instances } = question;
  const rows: readonly (readonly [string, (gate: RenyiGate) => string])[] = [
    ['1 - q, an open gate lies', ({ lie }) => decimalText(lie, 'up')],
    ['p, a gate opens', ({ opens }) => decimalText(opens, 'up')],
    ['divergence of the mechanism', ({ alone }) => intervalText(alone)],
    ...(instances === null
      ? []
      : [[`of the view, ${grouped(instances)} instances`, ({ view }: RenyiGate) => intervalText(view)] as const]),
    ['of the view, without limit', ({ endless }) => intervalText(endless)],
    [`above ${givenText(target)}`, ({ endless }) => (endless.lower.gt(target) ? 'yes' : 'no')],
  ];
  return table(rows, [
    ['', ([name]) => name],
    ['these constants', ([, of]) => of(proving)],
    ['as printed', ([, of]) => of(printed)],
  ]);
}

const simulationTable = ({ proving, opened, messages, simulated }: RenyiAttack): Block =>
  quantities(
    '',
    [
      { name: 'a gate opened', expected: intervalText(opened), seen: simulated && rateText(simulated.guessed) },
      {
        name: 'guesses that are right',
        expected: decimalText(ONE.minus(proving.lie), 'up'),
        seen: simulated && rateText(simulated.right),
      },
      {
        name: 'messages, on average',
        expected: intervalText(messages),
        seen: simulated && [roughText(simulated.messages.total / simulated.runs), ''],
      },
    ],
    simulated,
  );

/** The attack of Thm 13.5 for a person. */
export function renyiTable(attack: RenyiAttack, layout: Layout): string {
  const { question, printed, bound, simulated, opened } = attack;
  const { alpha, epsilon, target, instances } = question;
  return pageText(
    [
      heading(headingOf(question)),
      paragraph(
        `Of order ${givenText(alpha)}, each mechanism may have a divergence of ${givenText(epsilon)}; the view is to have more than ${givenText(target)}.`,
      ),
      gatesTable(attack),
      simulationTable(attack),
      paragraph(
        `A gate opens rarely, says so, and then repeats its input, with a lie now and then. The adversary gives different data to an open one only. [${henzingerSafaviVadhan('Thm 13.5')}; constants derived]`,
      ),
      paragraph(
        printed.endless.upper.lt(target)
          ? `With the constants of the proof as printed, the view never reaches ${givenText(target)}: they mix powers of 2 with natural logarithms and take an expectation under the wrong view. With these it always does.`
          : null,
      ),
      paragraph(
        bound === null || instances === null
          ? null
          : `With ${grouped(instances)} instances no epsilon below ${lowerText(bound.lower)} holds of order ${givenText(alpha)}, as gates open more and more rarely; ${givenText(bound.upper)} does (Cor 13.4).`,
      ),
      paragraph(
        `No epsilon holds of order ${givenText(alpha)} for any number of them: dpcompose refuses their composition where their number is not bounded (unbounded-renyi, exit code 3). Any one of these fixes it: a limit on their number, each of which is paid then (Cor 13.4); pure guarantees (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 13.6).`,
      ),
      paragraph(simulated && disagreement(simulated.guessed, enclosureOf(opened))),
    ],
    layout,
  );
}
