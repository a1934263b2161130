import { caveatsOf } from '../../ledger/core/caveats.ts';
import type { History } from '../../ledger/file/history.ts';
import type { Present } from '../../ledger/file/present.ts';
import { exactRecord } from '../../ledger/file/record.ts';
import { jsonDocument, jsonMembers, type Json } from '../kit/json-value.ts';
import { caveatsJson, ledgerJson, standingJson, totalsJson } from './facts-json.ts';

/** A ledger with all its records as `dpcompose.ledger-export/1`. */
export const exportJson = (present: Present, { records }: History, file: string, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-export/1',
    version,
    ledger: ledgerJson(present, file),
    ...(standingJson(present.state) as Record<string, Json>),
    caveats: caveatsJson(caveatsOf(present.state)),
    rows: records.map(({ place, hash, recorded }) => {
      const { launched, halted } = recorded.totals;
      return {
        record: place.record,
        ...jsonMembers(exactRecord(recorded)),
        totals: { launched, spent: totalsJson(recorded.totals), halted },
        hash,
      };
    }),
  });
