import type { Launched } from '../../../ledger/journal/launch.ts';
import type { Sealed } from '../../../ledger/records/line.ts';
import type { AnsweredPart } from '../../../report/ledger/decisions.ts';

/** The answer of a ledger to a request that was made, with the record that says so. */
export function answeredPart(
  file: string,
  { before, decision, again }: Launched,
  record: Sealed | null | undefined,
): AnsweredPart {
  const written = again ?? record ?? null;
  return {
    file,
    before,
    decision,
    record: written && { number: Number(written.fields.seq), hash: written.hash },
    again: again !== undefined,
  };
}
