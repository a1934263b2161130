import type { Refusal } from '../../ledger/core/refusal.ts';
import { documentText } from '../kit/codec.ts';
import { REFUSAL } from '../refusal/json.ts';
import { ADAPTIVE_REFERENCE } from '../refusal/messages.ts';
import { refusalText } from './refusal-message.ts';

type NoTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const CONCURRENT_REFERENCE =
  'Haney, Shoemate, Tian, Vadhan, Vyrros, Xu and Zhang, "Concurrent Composition for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters", CCS 2023, arXiv:2309.05901';

/** Where to read about what no theorem covers; null where nothing is to be read. */
export function noTheoremReference(refusal: NoTheorem): string | null {
  switch (refusal.reason) {
    case 'adaptive-parameters':
      return ADAPTIVE_REFERENCE;
    case 'open-question':
    case 'nested-in-sequential':
    case 'several-coordinates':
    case 'unbounded-child':
      return CONCURRENT_REFERENCE;
    case 'no-map':
    case 'bound-does-not-apply':
      return null;
  }
}

/** A refusal for want of a theorem as `dpcompose.refusal/1`. */
export function noTheoremJson(code: string, refusal: NoTheorem, version: string): string {
  const { message, hint } = refusalText(refusal);
  return documentText(REFUSAL, {
    version,
    code,
    message: `${message}. ${hint}`,
    reference: noTheoremReference(refusal),
    lowerBound: null,
    counterexample: refusal.reason === 'adaptive-parameters' ? refusal.counterexample : null,
  });
}
