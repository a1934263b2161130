import { brAdaptive } from '../../bounds/bounded-range/adaptive.ts';
import {
  givenName,
  type GapAnswer,
  type GapQuestion,
  type GapRow,
  type LargestGap,
} from '../../composition/gap/gap.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { givenText, shortRangeText, shortText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';

/** The parameters that can have several values. */
type Parameter = 'each' | 'count' | 'epsilon' | 'delta';

/** The parameter with several values; the count where none has. */
export function varying(question: GapQuestion): Parameter {
  if (question.each.length > 1) return 'each';
  return question.given.length > 1 ? givenName(question) : 'count';
}

/** The value of a parameter in a row. */
export function settingOf({ each, count, given }: GapRow, parameter: Parameter): string {
  if (parameter === 'count') return grouped(count);
  return givenText(parameter === 'each' ? each : given);
}

const only = <T>(list: readonly T[]): T | null => (list.length === 1 ? (list[0] ?? null) : null);

/** The heading: the question, with the parameters that have one value in all rows. */
export function gapHeading(question: GapQuestion): string {
  const [each, count, given] = [only(question.each), only(question.count), only(question.given)];
  const target = given === null ? '' : ` at ${givenName(question)} ${givenText(given)}`;
  const many = count === null ? 'mechanisms' : `${grouped(count)} ${count === 1 ? 'mechanism' : 'mechanisms'}`;
  const range = each === null ? 'bounded range' : `${givenText(each)}-bounded range`;
  return `Smallest ${question.solveFor}${target} of ${many} of ${range}`;
}

function place({ row }: LargestGap, question: GapQuestion): string {
  const varies = varying(question);
  const value = settingOf(row, varies);
  return varies === 'each' ? `with ${value}-bounded range` : `at ${varies} ${value}`;
}

function largestGap(answer: GapAnswer): string {
  const { largest, question, rows } = answer;
  const { solveFor } = question;
  const computed = rows.filter(({ gap }) => !('reason' in gap));
  if (largest === null) {
    return computed.length === 0
      ? 'No adaptive optimum is computed here.'
      : 'The nonadaptive optimum is 0: there is no ratio to it.';
  }
  const { ratio } = largest;
  const here = computed.length === rows.length ? 'here' : 'where it is computed';
  if (ratio.upper === 0) return `Adaptivity costs nothing ${here}: both optima are the same.`;
  const chosen = 'Mechanisms that are chosen adaptively, not fixed in advance, need';
  const most = `${shortText(ratio.upper, 'up', 100)}%`;
  if (ratio.lower === 0)
    return `${chosen} at most ${most} more ${solveFor} ${here}; that they need more is not certain.`;
  if (rows.length === 1) return `${chosen} ${shortRangeText(ratio, 100)}% more ${solveFor} here.`;
  const least = `${shortText(ratio.lower, 'down', 100)}%`;
  return `${chosen} at least ${least} more ${solveFor} ${place(largest, question)}, and nowhere ${here} more than ${most}.`;
}

/** Why some rows have no adaptive optimum. */
function missing(rows: readonly GapRow[]): string[] {
  const reasons = rows.flatMap(({ gap }) => ('reason' in gap ? [inapplicabilityMessage(gap.reason)] : []));
  return [...new Set(reasons)].map((reason) => `Where no adaptive optimum is computed: ${brAdaptive.id} ${reason}.`);
}

/** In sentences: the largest gap that is certain, the most that any can be, and what is not known. */
export const gapStatement = (answer: GapAnswer): string[] => [largestGap(answer), ...missing(answer.rows)];
