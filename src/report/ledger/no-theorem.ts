import type { Refusal } from '../../ledger/core/refusal.ts';
import { documentText } from '../kit/codec.ts';
import { REFUSAL } from '../refusal/json.ts';
import { ADAPTIVE_REFERENCE } from '../refusal/messages.ts';
import { refusalText } from './refusal-message.ts';

type NoTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const CONCURRENT_REFERENCE =
  'Haney, Shoemate, Tian, Vadhan, Vyrros, Xu and Zhang, "Concurrent Composition for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters", CCS 2023, arXiv:2309.05901';

const REFERENCES: Readonly<Record<NoTheorem['reason'], string | null>> = {
  'adaptive-parameters': ADAPTIVE_REFERENCE,
  'open-question': CONCURRENT_REFERENCE,
  'communication-not-finite': CONCURRENT_REFERENCE,
  'nested-in-sequential': CONCURRENT_REFERENCE,
  'several-coordinates': CONCURRENT_REFERENCE,
  'unbounded-child': CONCURRENT_REFERENCE,
  'no-map': null,
  'bound-does-not-apply': null,
};

/** The paper to read about what no theorem covers; null where there is none. */
export const noTheoremReference = ({ reason }: NoTheorem): string | null => REFERENCES[reason];

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
