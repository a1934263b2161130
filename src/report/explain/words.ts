import type { AnswerExplanation, Claimed, Fate } from '../../composition/compose/explain-answer.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../numeric/enclosure.ts';
import { givenText, lowerText, shortText, upperText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import { isSmallest } from '../kit/statement.ts';
import type { TheoremFacts } from '../theorems/theorem-facts.ts';

/** Every theorem by its id. */
export type FactsById = ReadonlyMap<string, TheoremFacts>;

/** What is claimed, with its lower end where one is known. */
export const bracketOf = ({ exact, lower = null, upper }: Claimed & { readonly lower?: number | null }): Bracket => ({
  lower: lower === null ? null : asLower(lower),
  upper: asUpper(upper),
  ...(exact === undefined ? {} : { exact }),
});

/** A claim as all reports print it. */
export const claimText = (claimed: Claimed): string => upperText(bracketOf(claimed));

/** `Certified epsilon at delta 1e-6: 4.77, by dp-optimal.` */
export function claimSentence(explained: AnswerExplanation): string {
  const { bound, given, solveFor } = explained;
  const other = solveFor === 'epsilon' ? 'delta' : 'epsilon';
  return `Certified ${solveFor} at ${other} ${givenText(new Decimal(given))}: ${claimText(explained)}, by ${bound}.`;
}

function gainSentence(explained: AnswerExplanation): string {
  const { lower, room, solveFor, tight } = explained;
  if (lower === null) {
    return `How small ${solveFor === 'epsilon' ? 'an epsilon' : 'a delta'} could be claimed is not known here.`;
  }
  if (isSmallest(bracketOf(explained))) {
    return `No smaller ${solveFor} can be claimed for these classes of mechanisms.`;
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
