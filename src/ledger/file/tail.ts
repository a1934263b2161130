import { Chain } from '../records/chain.ts';
import type { Flaw } from '../records/fault.ts';
import { numberOf, placed, unseal, type Sealed } from '../records/line.ts';

const NEWLINE = 10;

/** Lines at the end of a ledger file. */
interface Around {
  readonly header: Sealed;
  /** Whether the first of them is the header. */
  readonly begins: boolean;
  /** The number of the first of them. */
  readonly line: number;
}

/**
 * The first thing that keeps lines, each with its end, from being one chain of records of a ledger: every number is one
 * more than that before, and every `prev` the hash before. That the hashes are those of the content is not looked at.
 */
export function chainFlaw(lines: Buffer, { header, begins, line: first }: Around): Flaw | null {
  const chain = new Chain();
  let line = first;
  for (let from = 0; from < lines.length; line++) {
    const end = lines.indexOf(NEWLINE, from);
    const bytes = lines.subarray(from, end);
    from = end + 1;
    if (begins && line === first) {
      chain.begin(header);
      continue;
    }
    const record = placed(bytes) ?? unseal(bytes);
    if (!begins && line === first) chain.enter(header, record.kind === 'record' ? numberOf(record) : line - 1);
    if (record.kind === 'damaged') return { code: 'damaged-record', ...chain.place(line), ...record };
    const flaw = chain.take(record, line);
    if (flaw !== null) return flaw;
  }
  return null;
}
