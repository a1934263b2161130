import * as z from 'zod/mini';
import { inTexts } from '../../document/core/exact-value.ts';
import type { Approval } from '../core/approval.ts';
import { EVIDENCE } from '../core/evidence.ts';
import { constant, list, object, optional, plain } from './codec.ts';
import type { Request } from './approval.ts';
import { entry } from './terms-codec.ts';

/** A request with the approvals that it has so far. */
export interface ApprovedRequest extends Request {
  readonly key: string;
  readonly approvals: readonly Approval[];
}

const text = () => plain(z.string());

/** The document of a request: what is signed, and the signatures. */
export const requestCodec = object({
  schema: constant('dpcompose.ledger-request/1'),
  ledger: plain(z.string().check(z.regex(/^[0-9a-f]{64}$/))),
  key: plain(z.string().check(z.minLength(1))),
  mechanisms: list(entry, 1),
  evidence: optional(plain(z.string().check(z.regex(EVIDENCE)))),
  approvals: list(object<Approval>({ key: text(), signature: text() })),
});

/** The text of a request. */
export function requestText({ entries, ...request }: ApprovedRequest): string {
  const fields = requestCodec.exact({ schema: 'dpcompose.ledger-request/1', ...request, mechanisms: entries })!;
  return `${JSON.stringify(inTexts(fields), null, 2)}\n`;
}

/** The request that a text is; null where it is none. */
export function readRequest(written: string): ApprovedRequest | null {
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    return null;
  }
  const parsed = z.safeParse(requestCodec.schema, value);
  if (!parsed.success) return null;
  const { ledger, key, mechanisms, evidence, approvals } = parsed.data;
  return { ledger, key, entries: mechanisms, evidence, approvals };
}
