import type { LowerBound42, LowerBoundCondition } from '../../lazy/theorems/theorem-4-2.ts';
import type { Layout } from '../kit/columns.ts';
import { lazyHeading } from './kit/heading.ts';
import { aboutText } from './kit/number.ts';
import { givenText } from '../kit/number.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { table } from '../kit/table.ts';

const CONDITION: Readonly<Record<LowerBoundCondition['id'], string>> = {
  epsilon: 'epsilon >= 100 ln(d T)^(3/2) / T',
  conversion: 'epsilon >= 27 ln(T^3 d)^(3/2) / T',
  experts: 'd >= 28',
  epoch: 'epochs of a round or more',
};

function conclusion({ conditions, explicit, terms }: LowerBound42): string {
  const failing = conditions.filter(({ holds }) => !holds);
  if (failing.some(({ stated }) => stated)) {
    return 'The condition of Theorem 4.2 fails: it says nothing here.';
  }
  const claim = `Theorem 4.2 claims a regret of Omega(${aboutText(terms.free)} + ${aboutText(terms.privacy)}) for every epsilon^2-concentrated DP algorithm that keeps its model or samples it anew from a function of the past, and tells when`;
  const constant =
    explicit > 0
      ? `, and the last line of its proof at least ${aboutText(explicit)}`
      : ', and the last line of its proof nothing';
  const gaps =
    failing.length === 0
      ? ''
      : ` But ${failing.length === 1 ? 'a condition' : 'conditions'} that its proof needs and its statement does not have ${failing.length === 1 ? 'fails' : 'fail'}.`;
  return `${claim}${constant}.${gaps}`;
}

/** The lower bound with its conditions for a person: a claim. */
export function lazyLowerBoundTable(bound: LowerBound42, layout: Layout): string {
  const { problem, conditions, switches, epochs, epoch, epochLoss, terms, explicit } = bound;
  const construction = [
    ['S_adv = (T epsilon)^(2/3)', switches],
    ['E = S_adv^2 epochs', epochs],
    ['B = T / E rounds each', epoch],
    ['least loss of an epoch (Lemma 4.4)', epochLoss],
    ['sqrt T', terms.free],
    ['T^(1/3) / epsilon^(2/3)', terms.privacy],
    ['T^(1/3) / epsilon^(2/3) - 3 sqrt(ln(T^3 d)) / (2 epsilon) - 1', explicit],
  ] as const;
  return pageText(
    [
      lazyHeading(
        `Regret of lazy prediction from ${grouped(problem.experts)} experts, ${counted(problem.rounds, 'round')}, ${givenText(problem.epsilon)}^2-concentrated DP`,
      ),
      table(conditions, [
        ['condition', ({ id }) => CONDITION[id], { titled: true }],
        ['of', ({ stated }) => (stated ? 'the theorem' : 'its proof')],
        ['value', ({ value }) => aboutText(value)],
        ['at least', ({ least }) => aboutText(least)],
        ['holds', ({ holds }) => (holds ? 'yes' : 'NO')],
      ]),
      table(construction, [
        ['construction', ([name]) => name, { titled: true }],
        ['value', ([, value]) => aboutText(value)],
      ]),
      paragraph(conclusion(bound)),
      paragraph(
        'It is a claim: the proof takes the loss of the best expert for exactly T/2 - sqrt(E) B, and its chain rule for conditional divergences is informal.',
      ),
    ],
    layout,
  );
}
