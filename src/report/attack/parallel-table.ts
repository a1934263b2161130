import type { ParallelAttack, ParallelQuestion } from '../../composition/attack/parallel.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Layout } from '../kit/columns.ts';
import { decimalText, enclosureOf, intervalText } from '../kit/exact-text.ts';
import { givenText } from '../kit/number.ts';
import { heading, pageText, paragraph, type Block } from '../kit/page.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';
import { disagreement, quantities, rateText, roughText } from './simulated.ts';

function headingOf({ deltas, instances }: ParallelQuestion): string {
  const [only] = deltas;
  const many = instances === null ? 'any number of' : grouped(instances);
  const which = 'one of which may receive different data';
  return deltas.length === 1 && only
    ? `Attack on ${many} (0, ${givenText(only)})-DP continual mechanisms in parallel, ${which}`
    : `Attack on ${many} (0, delta)-DP continual mechanisms in parallel, ${which}; delta is ${abridged(deltas.map(givenText))}`;
}

function table({ success, messages, simulated }: ParallelAttack): Block {
  const most = messages.most === null ? 'no limit' : grouped(messages.most);
  return quantities(
    '',
    [
      { name: 'secret bit learned', expected: intervalText(success), seen: simulated && rateText(simulated.guessed) },
      { name: 'guesses that are right', expected: '1', seen: simulated && rateText(simulated.right) },
      {
        name: 'messages, on average',
        expected: intervalText(messages.mean),
        seen: simulated && [roughText(simulated.messages.total / simulated.runs), ''],
      },
      { name: 'messages, at most', expected: most, seen: simulated && [grouped(simulated.messages.most), ''] },
    ],
    simulated,
  );
}

function neededText({ needed }: ParallelAttack): string | null {
  const parts = needed.map(
    ({ success, instances, messages }) =>
      `${grouped(instances)} for more than ${givenText(new Decimal(success))} (at most ${grouped(messages)} messages)`,
  );
  return parts.length === 0 ? null : `Instances that the adversary needs for a success: ${listed(parts)}.`;
}

function refusalText({ question, success }: ParallelAttack): string {
  const floor = decimalText(success.lower, 'down');
  const what =
    question.instances === null
      ? 'No delta below 1 holds for any number of such mechanisms in parallel, whatever epsilon'
      : `No delta below ${floor} holds for this composition, whatever epsilon; with more instances it tends to 1`;
  return `${what}: dpcompose refuses their composition where their number is not bounded (unbounded-approximate, exit code 3). Any one of these fixes it: a limit on their number or on 1 - prod(1 - delta) of all that are created (Thm 5.4); delta 0 (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 5.14).`;
}

const METHOD =
  'The adversary asks instance after instance with equal data, sees which one opens, and gives only that one different data, which it repeats.';

/** The attack of Thm 5.2 for a person. */
export function parallelTable(attack: ParallelAttack, layout: Layout): string {
  const { simulated, success } = attack;
  return pageText(
    [
      heading(headingOf(attack.question)),
      table(attack),
      paragraph(`${METHOD} [${henzingerSafaviVadhan('Thm 5.2')}]`),
      paragraph(neededText(attack)),
      paragraph(refusalText(attack)),
      paragraph(simulated && disagreement(simulated.guessed, enclosureOf(success))),
    ],
    layout,
  );
}
