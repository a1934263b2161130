import type { DesignCheck } from '../../composition/design/check-design.ts';
import type { Design } from '../../composition/design/design.ts';
import type { ErrorShape } from '../../composition/design/algorithms.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import type { PricedPlan } from '../../composition/plan/price-plan.ts';
import type { Query } from '../../privacy/query.ts';
import type { Specification } from '../../document/core/specification.ts';
import { changeText, countText } from '../refusal/design-reasons.ts';
import { givenText, lowerText, meet, upperText } from '../kit/number.ts';
import { listed, printable } from '../kit/prose.ts';

/** A design that has its properties, and what it costs. */
export interface Designed {
  readonly check: DesignCheck;
  readonly plan: PricedPlan;
  readonly design: Design;
  readonly specification: Specification & { readonly target: Query };
  /** Of a ready design. */
  readonly errorShape: ErrorShape | null;
}

/** Which inputs are neighbouring: in the user's words, and as the design was checked. */
function neighbours({ design: { inputs }, specification }: Designed): string {
  const differ = inputs.map(
    ({ name, differing, change }) =>
      `${differing === 'unbounded' ? '' : 'at most '}${countText(differing, 'value')} of ${name}${change === 'any' ? '' : `, by at most ${changeText(change)}`}`,
  );
  const words =
    specification.neighbours === null ? '' : `${printable(specification.neighbours).replace(/[.\s]+$/, '')}: `;
  return `Neighbouring inputs: ${words}they differ in ${listed(differ)}.`;
}

/** The same guarantee in the local model, where users hold the data; else nothing. */
const inLocalModel = ({ specification: { entries } }: Designed): string =>
  entries.some((node) => !isEntry(node) && node.node === 'local')
    ? ' Its output being all that the server sees, the protocol has that guarantee in the local model.'
    : '';

/** The guarantee of the mechanism in plain words. */
export function designStatement(report: Designed): string {
  const { answer } = report.plan;
  const { query } = answer;
  const value = answer[query.solveFor];
  const about = neighbours(report);
  const against = 'against adversaries who choose each input after seeing the outputs so far';
  if (query.solveFor === 'epsilon' && value.upper === Infinity) {
    return `The mechanism has no finite epsilon at delta ${givenText(query.delta)} by the bounds that apply. ${about}`;
  }
  const upper = upperText(value);
  const pair =
    query.solveFor === 'epsilon' ? `${upper}, ${givenText(query.delta)}` : `${givenText(query.epsilon)}, ${upper}`;
  const claim = `The mechanism is (${pair})-differentially private, ${against}`;
  if (query.solveFor === 'delta' && value.upper >= 1) return `${claim}, which promises nothing. ${about}`;
  const floor =
    value.lower === null || meet(value.lower, value.upper)
      ? ''
      : ` No ${query.solveFor} below ${lowerText(value.lower)} can be claimed for sub-mechanisms with these guarantees.`;
  return `${claim}.${floor}${inLocalModel(report)} ${about}`;
}

/** How the error grows; nothing is promised. */
export function errorShapeText({ order, where, value }: ErrorShape): string {
  const size = value === null ? '' : `, here ${Number(value.toPrecision(4))}`;
  return `The error grows in the order of ${order}${size}, with ${where}, up to constants that are not known: no bound on the error is claimed.`;
}
