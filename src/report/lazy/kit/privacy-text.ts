import type { GuaranteeAt } from '../../../lazy/accounting/guarantee-at.ts';
import { givenText, upperText } from '../../kit/number.ts';

/** The (epsilon, delta) of a run, as a sentence. */
export function privacyText({ epsilon, delta }: GuaranteeAt): string {
  if (epsilon === Infinity) return `Exact accounting gives no epsilon at delta ${givenText(delta)}.`;
  return `By exact accounting a run is (${upperText({ lower: null, upper: epsilon })}, ${givenText(delta)})-differentially private.`;
}
