import type { MechanismKind } from '../privacy/mechanism.ts';
import type { InvalidQuery } from './core/refusal.ts';
import type { Refused } from './core/decision.ts';
import type { LedgerState } from './core/state.ts';

/** A mechanism by the record of its launch. */
export interface LaunchedMechanism {
  readonly kind: MechanismKind;
  /** The ledger's `launched` right after it. */
  readonly ordinal: number;
  readonly closed: boolean;
}

/** A query is free: the totals stay as they are. */
export type QueryDecision = { readonly kind: 'accepted' } | Refused;

const ACCEPTED: QueryDecision = { kind: 'accepted' };
const invalid = (reason: InvalidQuery): Refused => ({ kind: 'refused', refusal: { code: 'invalid-query', reason } });

function notInConversation(mechanism: LaunchedMechanism | null): Refused | null {
  if (!mechanism) return invalid('no-such-mechanism');
  if (mechanism.kind === 'noninteractive') return invalid('not-interactive');
  return mechanism.closed ? invalid('closed') : null;
}

/**
 * May this mechanism be asked once more? Queries to what was launched cost nothing, however many and in whatever order
 * [Haney et al. 2023, Def 2.8]; in a sequential ledger only until the next launch, and nowhere after a halt. A nested
 * ledger is such a mechanism of its parent: what is spent in it is a query here.
 */
export function query({ terms, launched, halted }: LedgerState, mechanism: LaunchedMechanism | null): QueryDecision {
  if (halted) return { kind: 'refused', refusal: { code: 'halted', because: halted } };
  const trouble = notInConversation(mechanism);
  if (trouble) return trouble;
  return terms.concurrency === 'sequential' && mechanism!.ordinal !== launched ? invalid('superseded') : ACCEPTED;
}

/** May this mechanism be closed? It is then asked nothing more; nothing is refunded. Also after a halt. */
export const close = (_: LedgerState, mechanism: LaunchedMechanism | null): QueryDecision =>
  notInConversation(mechanism) ?? ACCEPTED;
