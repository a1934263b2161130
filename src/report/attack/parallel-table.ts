import type { ParallelAttack, ParallelQuestion } from '../../composition/attack/parallel.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { disagreement, INTERVAL_HEADING, pageText, rateCells, roughText, runsText, type PageTable } from './page.ts';
import type { Layout } from '../kit/columns.ts';
import { bracketOf, decimalText, intervalText } from '../kit/exact-text.ts';
import { givenText } from '../kit/number.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';

function headingOf({ deltas, instances }: ParallelQuestion): string {
  const [only] = deltas;
  const many = instances === null ? 'any number of' : grouped(instances);
  const which = 'one of which may receive different data';
  return deltas.length === 1 && only
    ? `Attack on ${many} (0, ${givenText(only)})-DP continual mechanisms in parallel, ${which}`
    : `Attack on ${many} (0, delta)-DP continual mechanisms in parallel, ${which}; delta is ${abridged(deltas.map(givenText))}`;
}

function tableOf({ success, messages, simulated }: ParallelAttack): PageTable {
  const expected = [
    ['secret bit learned', intervalText(success)],
    ['guesses that are right', '1'],
    ['messages, on average', intervalText(messages.mean)],
    ['messages, at most', messages.most === null ? 'no limit' : grouped(messages.most)],
  ];
  if (simulated === null) return { head: ['', 'expected'], rows: expected };
  const { guessed, right, runs } = simulated;
  const seen = [
    rateCells(guessed),
    rateCells(right),
    [roughText(simulated.messages.total / runs), ''],
    [grouped(simulated.messages.most), ''],
  ];
  return {
    head: ['', 'expected', runsText(simulated), INTERVAL_HEADING],
    rows: expected.map((cells, index) => [...cells, ...(seen[index] ?? [])]),
  };
}

function neededText({ needed }: ParallelAttack): string[] {
  const parts = needed.map(
    ({ success, instances, messages }) =>
      `${grouped(instances)} for more than ${givenText(new Decimal(success))} (at most ${grouped(messages)} messages)`,
  );
  return parts.length === 0 ? [] : [`Instances that the adversary needs for a success: ${listed(parts)}.`];
}

function refusalText({ question, success }: ParallelAttack): string {
  const floor = decimalText(success.lower, 'down');
  const what =
    question.instances === null
      ? 'No delta below 1 holds for any number of such mechanisms in parallel, whatever epsilon'
      : `No delta below ${floor} holds for this composition, whatever epsilon; with more instances it tends to 1`;
  return `${what}: dpcompose refuses their composition where their number is not bounded (unbounded-approximate, exit code 3). Any one of these mends it: a limit on their number or on 1 - prod(1 - delta) of all that are created (Thm 5.4); delta 0 (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 5.14).`;
}

const METHOD =
  'The adversary asks instance after instance with equal data, sees which one opens, and gives only that one different data, which it repeats.';

/** The attack of Thm 5.2 for a person. */
export function parallelTable(attack: ParallelAttack, layout: Layout): string {
  const { simulated, success } = attack;
  const expected = bracketOf(success);
  return pageText(
    {
      heading: headingOf(attack.question),
      tables: [tableOf(attack)],
      sentences: [
        `${METHOD} [${henzingerSafaviVadhan('Thm 5.2')}]`,
        ...neededText(attack),
        refusalText(attack),
        ...(simulated ? disagreement(simulated.guessed, { lower: expected.lower ?? 0, upper: expected.upper }) : []),
      ],
    },
    layout,
  );
}
