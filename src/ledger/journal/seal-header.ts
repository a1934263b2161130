import { failed, type Failed } from '../records/fault.ts';
import { seal } from '../records/line.ts';
import { newNonce } from '../records/nonce.ts';
import type { Prepared } from './prepare.ts';
import { LONGEST_RECORD } from '../records/raw-line.ts';
import { headerFields, type Header } from '../records/record.ts';

/** The first record of a ledger that is made at this place (see `Store.home`), ready to be kept; `too-long` where its terms are. */
export function sealHeader(
  header: Header,
  { home, nonce = newNonce }: { readonly home: string; readonly nonce?: (() => string) | undefined },
): Prepared | Failed<{ readonly code: 'too-long'; readonly bytes: number }> {
  const fields = headerFields(header, { nonce: nonce(), home });
  const { text, hash } = seal(fields);
  const line = Buffer.from(text);
  if (line.length > LONGEST_RECORD) return failed({ code: 'too-long', bytes: line.length });
  return { line, record: { kind: 'record', fields, hash } };
}
