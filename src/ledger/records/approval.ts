import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { entryForm } from '../../document/structure/normal-form.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Approval, ApprovalTerms } from '../core/approval.ts';
import type { Refusal } from '../core/refusal.ts';

/** A request as it is approved. */
export interface Request {
  /** The hash of the header of the ledger. */
  readonly ledger: string;
  /** The name of the request, by which it is launched once and never again. */
  readonly key: string | null;
  readonly entries: readonly Entry[];
  readonly evidence: string | null;
}

const SUBJECT = 'dpcompose ledger request\n';

/** The bytes that are signed: a line that says what they are, and JSON whose members and numbers are always written in the same way. */
export function signedBytes({ ledger, key, entries, evidence }: Request): Buffer {
  return Buffer.from(SUBJECT + JSON.stringify({ ledger, key, mechanisms: entries.map(entryForm), evidence }));
}

/** The public key as it stands in terms and approvals: SPKI in base 64. */
export const writtenKey = (key: KeyObject): string => key.export({ type: 'spki', format: 'der' }).toString('base64');

/** The public key that is written so; null where it is none of Ed25519. */
export function publicKeyOf(written: string): KeyObject | null {
  try {
    const key = createPublicKey({ key: Buffer.from(written, 'base64'), format: 'der', type: 'spki' });
    return key.asymmetricKeyType === 'ed25519' && writtenKey(key) === written ? key : null;
  } catch {
    return null;
  }
}

/** Approves a request with a private key of Ed25519. */
export const approve = (request: Request, privateKey: KeyObject): Approval => ({
  key: writtenKey(createPublicKey(privateKey)),
  signature: sign(null, signedBytes(request), privateKey).toString('base64'),
});

/** Whether an approval is of this request. */
export function isApproval(request: Request, { key, signature }: Approval): boolean {
  const publicKey = publicKeyOf(key);
  return publicKey !== null && verify(null, signedBytes(request), publicKey, Buffer.from(signature, 'base64'));
}

/**
 * Why a request is not approved as terms ask: by so many different approvers, each of whom has signed the mechanisms, the evidence, the
 * ledger and the key. A request without a key could be launched again, and is approved by nobody. Null where it is approved.
 */
export function unapproved(
  { required, approvers }: ApprovalTerms,
  request: Request,
  approvals: readonly Approval[],
): Refusal | null {
  const signers = new Set<string>();
  for (const approval of approvals) {
    if (!approvers.some(({ key }) => key === approval.key)) {
      return { code: 'unverified', reason: 'wrong-approval', what: 'approver' };
    }
    if (!isApproval(request, approval)) return { code: 'unverified', reason: 'wrong-approval', what: 'signature' };
    signers.add(approval.key);
  }
  const found = request.key === null ? 0 : signers.size;
  return found >= required ? null : { code: 'unverified', reason: 'no-approval', required, found };
}
