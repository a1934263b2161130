import { caveatsOf } from '../../ledger/caveats.ts';
import type { History } from '../../ledger/file/history.ts';
import type { Present } from '../../ledger/file/present.ts';
import { recordFields } from '../../ledger/file/record.ts';
import { jsonDocument, type Json } from '../json-value.ts';
import { caveatsJson, ledgerJson, standingJson } from './facts-json.ts';

/** A ledger with all its records as `dpcompose.ledger-export/1`. */
export const exportJson = (present: Present, { records }: History, file: string, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-export/1',
    version,
    ledger: ledgerJson(present, file),
    ...(standingJson(present.state) as Record<string, Json>),
    caveats: caveatsJson(caveatsOf(present.state)),
    rows: records.map(({ place, hash, recorded }) => ({ record: place.record, ...recordFields(recorded), hash })),
  });
