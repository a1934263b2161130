import { Decimal } from '../../numeric/decimal.ts';
import type { ApproximateDp, Entry } from '../../privacy/mechanism.ts';
import { inBothOrders } from '../theorems/parallel-delta-cap.ts';
import { NOTHING, type Cost } from './cost.ts';
import { isPure, measureOf, type Measure } from './measure.ts';
import type { Context } from './resolved-node.ts';
import type { Place } from './uncovered.ts';

/**
 * How a mechanism may enter a composition; what keeps it out is told.
 *
 * That a guarantee against fixed questions is enough for (e, 0)-DP is derived: a ratio of probabilities that is at most
 * e^epsilon for every list of questions stays so when the answers choose them.
 */
export function admittedMeasure(entry: Entry, place: Place, { plan, uncovered }: Context): Measure {
  const { setting } = plan;
  const refuse = (code: 'oblivious-guarantee' | 'answers-not-discrete' | 'needs-finite-communication'): void => {
    uncovered({ code, type: entry.mechanism.type, ...place });
  };
  const measure = measureOf(entry, setting);
  if (measure === 'any' || measure === 'nothing') return measure;
  if (setting.adaptiveAdversary === 'denied' && !isPure(entry)) refuse('oblivious-guarantee');
  else if (measure === null) refuse('needs-finite-communication');
  else if (setting.discrete === 'denied' && (measure === 'pure' || measure === 'approximate')) {
    refuse('answers-not-discrete');
  }
  return measure ?? 'nothing';
}

const ZERO = new Decimal(0);

/** Whether a delta that every instance pays counts for both orders of neighbours. */
export const countsTwice = ({ plan, side }: Context): boolean =>
  plan.setting.symmetric === 'denied' && side === 'claim';

/** RR(0, d) for each mechanism, RR(e, 0) for those whose data differ. */
function split(entry: Entry<ApproximateDp>, context: Context): Cost {
  const { epsilon, delta } = entry.mechanism;
  const always = countsTwice(context) ? inBothOrders(delta) : delta;
  return {
    differing: epsilon.isZero() ? [] : [{ ...entry, mechanism: { type: 'dp', epsilon, delta: ZERO } }],
    created: [{ ...entry, mechanism: { type: 'dp', epsilon: ZERO, delta: always } }],
  };
}

const isDp = (entry: Entry): entry is Entry<ApproximateDp> => entry.mechanism.type === 'dp';

/**
 * What a mechanism of this measure costs.
 *
 * @param sparse - whether it runs in instances of which not all may differ, and in which it may show late that they do:
 * continual ones then pay for every instance what a theorem does not leave to those that differ
 */
export function mechanismCost(entry: Entry, measure: Measure, sparse: boolean, context: Context): Cost {
  const late = sparse && entry.kind === 'continual';
  const once: Entry = { ...entry, kind: 'noninteractive' };
  const everyInstance = (paid: Entry): Cost =>
    context.side === 'claim' ? { differing: [], created: [paid] } : { differing: [paid], created: [] };
  switch (measure) {
    case 'nothing':
      return NOTHING;
    case 'any':
    case 'pure':
      return { differing: [entry], created: [] };
    case 'approximate':
      return late && isDp(entry) ? split(entry, context) : { differing: [entry], created: [] };
    case 'renyi':
      return late ? everyInstance(entry) : { differing: [entry], created: [] };
    case 'f-dp':
      if (late && isPure(entry)) return { differing: [entry], created: [] };
      return late ? everyInstance(once) : { differing: [once], created: [] };
  }
}
