import { headerOf, type Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import { numberOf, unseal, type Sealed } from '../records/line.ts';
import type { Connection } from './driver.ts';
import { cutFault, type Cut } from './left.ts';

/** All that is read of a ledger to know its two ends. */
interface Row {
  readonly headSeq: number | null;
  readonly headHash: string | null;
  /** The number of the last record that is there. */
  readonly lastSeq: number | null;
  readonly header: string | null;
  readonly last: string | null;
  /** The hash of the record before the last. */
  readonly before: string | null;
  /** The number of the last record among all of the database. */
  readonly among: number | null;
}

const SQL = `
SELECT head_seq AS headSeq, head_hash AS headHash, lastSeq,
  (SELECT line FROM records WHERE ledger = asked.name AND seq = 0) AS header,
  (SELECT line FROM records WHERE ledger = asked.name AND seq = lastSeq) AS last,
  (SELECT hash FROM records WHERE ledger = asked.name AND seq = lastSeq - 1) AS before,
  (SELECT rowid FROM records WHERE ledger = asked.name AND seq = lastSeq) AS among
FROM (SELECT ? AS name) AS asked
  LEFT JOIN (SELECT ? AS ledger, max(seq) AS lastSeq FROM records WHERE ledger = ?) AS there ON there.ledger = asked.name
  LEFT JOIN ledgers ON ledgers.name = asked.name`;

/** The last record, which has to be the one that is noted as the last, and to follow the one before it. */
function lastOf({ last: line, headSeq, headHash, before }: Row, number: number, header: Sealed): Sealed | Failed {
  const place = { line: number + 1, record: number };
  const last = number === 0 ? header : unseal(Buffer.from(line ?? ''));
  if (last.kind === 'damaged') return failed({ code: 'damaged-record', ...place, ...last });
  if (headSeq !== number || headHash !== last.hash || numberOf(last) !== number) {
    return failed({ code: 'wrong-head', ...place, stated: headHash ?? '' });
  }
  if (number === 0) return last;
  if (last.fields.ledger !== header.hash) return failed({ code: 'foreign-record', ...place });
  if (before === null) return failed({ code: 'missing-records', ...place, count: 1 });
  return last.fields.prev === before ? last : failed({ code: 'broken-chain', ...place });
}

/** The two ends of a ledger, looked at in one transaction. `cut`: what is missing from the database, unless that does not matter. */
export function readEnds(connection: Connection, name: string, cut: Cut | null = null): Ends | Failed {
  const row = connection.prepare(SQL).get(name, name, name) as Row;
  if (row.headSeq === null && row.lastSeq === null) return failed({ code: 'no-such-ledger' });
  if (row.lastSeq === null) return failed({ code: 'empty-ledger', line: 1, record: 0 });
  if (row.header === null) return failed({ code: 'missing-records', line: 2, record: 1, count: 1 });
  const header = headerOf(Buffer.from(row.header), true);
  if (header.kind === 'failed') return header;
  const last = lastOf(row, row.lastSeq, header);
  if (last.kind === 'failed') return last;
  if (cut !== null && Number(row.among) <= cut.records) return cutFault(cut);
  return { kind: 'ends', header, last, rest: { kind: 'none' } };
}
