import type { AnswerExplanation, Fate } from '../../composition/compose/explain-answer.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper } from '../../numeric/enclosure.ts';
import { givenText, lowerText, shortText, upperText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import type { TheoremFacts } from '../theorems/theorem-facts.ts';

/** Every theorem by its id. */
export type FactsById = ReadonlyMap<string, TheoremFacts>;

/** An upper bound as all reports print it. */
export const claimText = (upper: number): string => upperText({ lower: null, upper: asUpper(upper) });

/** `Certified epsilon at delta 1e-6: 4.77, by dp-optimal.` */
export function claimSentence({ bound, given, solveFor, upper }: AnswerExplanation): string {
  const other = solveFor === 'epsilon' ? 'delta' : 'epsilon';
  return `Certified ${solveFor} at ${other} ${givenText(new Decimal(given))}: ${claimText(upper)}, by ${bound}.`;
}

function gainSentence({ lower, room, solveFor, tight }: AnswerExplanation): string {
  if (lower === null) {
    return `How small ${solveFor === 'epsilon' ? 'an epsilon' : 'a delta'} could be claimed is not known here.`;
  }
  const least = `No ${solveFor} below ${lowerText(asLower(lower))} can be claimed for these classes of mechanisms`;
  if (tight) return `${least}: the two meet to the tolerance, and no other theorem could gain more than that.`;
  return `${least}${room === null ? '' : `, so that a better theorem could gain ${shortText(room / (1 + room), 'up', 100)}% at most`}.`;
}

/** Why the bound that gives the answer gives it. */
export function winnerSentences(explained: AnswerExplanation, facts: FactsById): string[] {
  const { bound, others } = explained;
  const applying = others.filter(({ fate }) => fate.kind !== 'does-not-apply').length;
  const among =
    applying === 0
      ? 'It is the only bound that applies.'
      : `It is the smallest of the ${grouped(applying + 1)} bounds that apply.`;
  const own = facts.get(bound);
  return [...(own === undefined ? [] : [own.statement]), among, gainSentence(explained)];
}

/** How much larger a bound is: `+13.4%`. */
export function excessText(fate: Fate): string {
  switch (fate.kind) {
    case 'ties':
      return 'the same';
    case 'larger':
      return fate.excess === Infinity ? 'not 0' : `+${shortText(fate.excess, 'up', 100)}%`;
    case 'claims-nothing':
    case 'does-not-apply':
      return '';
  }
}

/** Why a bound is not the answer. */
export function fateText(id: string, fate: Fate, facts: FactsById): string {
  switch (fate.kind) {
    case 'ties':
      return 'nothing: ties go to the bound that is listed first';
    case 'claims-nothing':
      return 'all: it claims nothing here';
    case 'larger':
      return facts.get(id)?.slack ?? 'more';
    case 'does-not-apply':
      return fate.reason;
  }
}
