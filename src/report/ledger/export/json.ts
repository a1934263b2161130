import { caveatsOf } from '../../../ledger/core/caveats.ts';
import type { Folded } from '../../../ledger/journal/folded.ts';
import type { Kept } from '../../../ledger/journal/history.ts';
import { exactRecord } from '../../../ledger/records/record.ts';
import { described, document, list, object, type Codec, type ReadOf } from '../../kit/codec.ts';
import { COUNT, TEXT_OR_NULL } from '../../kit/codecs.ts';
import { jsonMembers, jsonPieces, type Json } from '../../kit/json-value.ts';
import { CAVEATS, EVENT, HASH, LEDGER, SPENT, standing, STANDING } from '../facts-json.ts';

const TOTALS = object({ launched: COUNT, spent: SPENT, halted: TEXT_OR_NULL });
const DESCRIBED = object({ record: COUNT, event: EVENT, totals: TOTALS, hash: HASH });

const ROW: Codec<Kept, ReadOf<typeof DESCRIBED> & Readonly<Record<string, unknown>>> = {
  schema: DESCRIBED.schema,
  encode: ({ place, hash, recorded }) => {
    const { event, totals } = recorded;
    return {
      record: place.record,
      ...jsonMembers(exactRecord(recorded)),
      event,
      totals: TOTALS.encode({ ...totals, spent: totals }),
      hash,
    };
  },
};

/** A ledger with all its records. */
export const LEDGER_EXPORT = document('ledger-export', 'All records of a ledger.', {
  ledger: LEDGER,
  ...STANDING,
  caveats: CAVEATS,
  rows: list(
    described(
      'A record of the file, without what puts it in its place; the numbers of what was launched with all their digits.',
      ROW,
    ),
  ),
});

async function* encoded(records: AsyncIterable<readonly Kept[]>): AsyncGenerator<readonly Json[], void, undefined> {
  for await (const some of records) yield some.map(ROW.encode);
}

/** A ledger with all its records as `dpcompose.ledger-export/1`, in pieces. */
export function exportJson(
  { present }: Pick<Folded<unknown>, 'present'>,
  records: AsyncIterable<readonly Kept[]>,
  file: string,
  version: string,
): AsyncIterable<string> {
  const withoutRows = LEDGER_EXPORT.encode({
    version,
    ledger: { present, file },
    ...standing(present.state),
    caveats: caveatsOf(present.state),
    rows: [],
  });
  return jsonPieces(withoutRows, encoded(records));
}
