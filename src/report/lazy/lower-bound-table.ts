import type { LowerBound42, LowerBoundCondition } from '../../lazy/theorems/theorem-4-2.ts';
import type { Layout } from '../kit/columns.ts';
import { aboutText } from './number.ts';
import { paragraphs, plainLine, section } from './sections.ts';
import { givenText } from '../kit/number.ts';
import { counted, grouped } from '../kit/prose.ts';

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
    plainLine('S_adv = (T epsilon)^(2/3)', aboutText(switches)),
    plainLine('E = S_adv^2 epochs', aboutText(epochs)),
    plainLine('B = T / E rounds each', aboutText(epoch)),
    plainLine('least loss of an epoch (Lemma 4.4)', aboutText(epochLoss)),
    plainLine('sqrt T', aboutText(terms.free)),
    plainLine('T^(1/3) / epsilon^(2/3)', aboutText(terms.privacy)),
    plainLine('T^(1/3) / epsilon^(2/3) - 3 sqrt(ln(T^3 d)) / (2 epsilon) - 1', aboutText(explicit)),
  ];
  return paragraphs(
    [
      layout.style.heading(
        `Regret of lazy prediction from ${grouped(problem.experts)} experts, ${counted(problem.rounds, 'round')}, ${givenText(problem.epsilon)}^2-concentrated DP`,
      ),
      section(
        ['condition', 'of', 'value', 'at least', 'holds'],
        conditions.map(({ id, stated, value, least, holds }) =>
          plainLine(
            CONDITION[id],
            stated ? 'the theorem' : 'its proof',
            aboutText(value),
            aboutText(least),
            holds ? 'yes' : 'NO',
          ),
        ),
        layout,
      ),
      section(['construction', 'value'], construction, layout),
      conclusion(bound),
      'It is a claim: the proof takes the loss of the best expert for exactly T/2 - sqrt(E) B, and its chain rule for conditional divergences is informal.',
    ],
    layout,
  );
}
