import { BOUND_IDS } from '../../bounds/core/bound.ts';
import type {
  Along,
  CurveAnswer,
  CurveLine,
  CurvePoint,
  CurveQuestion,
  NoValue,
} from '../../composition/curve/curve.ts';
import { flatEntries, isEntry, withDescendants } from '../../composition/core/plan-node.ts';
import { effectiveOrder } from '../../privacy/query.ts';
import { entryText, guaranteeText } from '../kit/guarantee-text.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { refusalMessage } from '../refusal/messages.ts';
import { givenText } from '../kit/number.ts';
import { grouped, listed, printable } from '../kit/prose.ts';

/** Whether there is nothing at a point, and why. */
export const isMissing = (point: CurvePoint): point is NoValue => !('value' in point);

/** The composition along the curve: its name, or its mechanisms. */
function subject({ problem, along }: CurveQuestion, name: string | null): string {
  if (name !== null) return `"${printable(name)}"`;
  const entries = flatEntries(problem.entries);
  if (entries === null) return 'this plan';
  const [only, ...others] = entries;
  if (only !== undefined && others.length === 0) {
    return along.name === 'count' ? `${guaranteeText(only.mechanism)} mechanisms` : entryText(only);
  }
  if (along.name === 'count') return `${grouped(entries.length)} entries, one of them of varying number`;
  const count = entries.reduce((sum, entry) => sum + BigInt(entry.count), 0n);
  const list = `${grouped(count)} mechanisms in ${grouped(entries.length)} entries`;
  return along.name === 'times' ? `lists of ${list}` : list;
}

function manner({ adaptivity, order }: CurveQuestion['problem']): string {
  if (adaptivity === 'nonadaptive') return 'all fixed in advance';
  return effectiveOrder(adaptivity, order) === 'declared'
    ? 'chosen adaptively in the declared order'
    : 'chosen adaptively';
}

/** The question in one line: `Certified epsilon at delta 1e-6 of (0.1, 0)-DP mechanisms, chosen adaptively`. */
export function curveHeading(question: CurveQuestion, name: string | null): string {
  const { solveFor, given, problem } = question;
  const at = given === null ? '' : ` at ${solveFor === 'epsilon' ? 'delta' : 'epsilon'} ${givenText(given)}`;
  return `Certified ${solveFor}${at} of ${subject(question, name)}, ${manner(problem)}`;
}

/** The label of the axis along which the curve runs, with its unit. */
export function alongLabel(along: Along, { entries }: Pick<CurveQuestion['problem'], 'entries'>): string {
  switch (along.name) {
    case 'count': {
      const all = entries.flatMap(withDescendants).filter(isEntry);
      const { label } = along.entry;
      if (all.length === 1) return 'number of mechanisms';
      return label === null ? 'number of mechanisms of one entry' : `number of "${printable(label)}"`;
    }
    case 'times':
      return 'times the list is run';
    case 'delta':
    case 'epsilon':
      return measureLabel(along.name);
  }
}

/** Epsilon bounds a natural logarithm of a ratio of probabilities, delta a probability. */
export const measureLabel = (measure: 'epsilon' | 'delta'): string =>
  measure === 'epsilon' ? 'epsilon (nats)' : 'delta (probability)';

const points = (count: number, all: number): string =>
  count === all ? (all === 1 ? 'at the only point' : 'at any point') : `at ${grouped(count)} of ${grouped(all)} points`;

/** Why a line has no value somewhere, each reason once, and where it is not finite. */
function gaps({ id, points: all }: CurveLine): string[] {
  const reasons = all.filter(isMissing).map((point) => {
    return 'reason' in point ? `${id} ${inapplicabilityMessage(point.reason)}` : refusalMessage(point.refusal);
  });
  const missing = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((each) => each === reason).length;
    const place = count === all.length ? `${id} has no line here` : `${id} has no value ${points(count, all.length)}`;
    return `${place}: ${reason.replace(/\.$/, '')}.`;
  });
  const infinite = all.filter((point) => !isMissing(point) && point.value.upper === Infinity).length;
  const finite = infinite === 0 ? [] : [`${id} gives no finite epsilon ${points(infinite, all.length)}.`];
  return [...missing, ...finite];
}

/** Which bound gives the claim. */
function bestBounds({ lines }: CurveAnswer): string[] {
  const claim = lines.find(({ id }) => id === 'claim');
  const found = claim?.points.flatMap((point) => (isMissing(point) ? [] : [point.bound])) ?? [];
  const ids = [...BOUND_IDS, 'grouped' as const].filter((id) => found.includes(id));
  if (ids.length === 0) return [];
  return [`The claim is that of ${listed(ids, 'or')}${ids.length === 1 ? '' : ', whichever is the least'}.`];
}

/** In sentences: which bound gives the claim, and what is left out and why. */
export const curveNotes = (answer: CurveAnswer): string[] => [...bestBounds(answer), ...answer.lines.flatMap(gaps)];
