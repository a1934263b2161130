import type { AllVerified, Finding } from '../../ledger/journal/verify-all.ts';
import type { Slipped } from '../../ledger/journal/anchor.ts';
import { quote } from '../../document/core/quote.ts';
import { described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, whole } from '../kit/codecs.ts';
import type { Message } from '../kit/message.ts';
import { counted, grouped, linesText } from '../kit/prose.ts';
import type { VerifyCode } from '../codes/faults.ts';
import type { FaultCode } from '../../ledger/records/fault.ts';
import { faultMessage } from './fault-message.ts';

/** The result of verifying several ledgers, and what it was asked. */
export interface VerifyAllReport {
  readonly verified: AllVerified;
  readonly store: string;
  /** The file of the anchors; null where none was named. */
  readonly anchors: string | null;
}

/** Something that is wrong, with its code and its place. */
export interface Told extends Message {
  readonly code: FaultCode | VerifyCode;
  readonly record: number | null;
  readonly line: number | null;
}

/** Why an anchored record is not there. */
export function slippedMessage({ anchor, found }: Slipped): Message {
  const { seq, hash, at } = anchor;
  const when = at === null ? '' : ` at ${at}`;
  const what = found === null ? 'there is no such record' : `it is ${found.slice(0, 12)}... now`;
  return {
    message: `record ${grouped(seq)} was ${hash.slice(0, 12)}...${when}, and ${what}: the ledger was put back to an earlier state`,
    hint: 'Put back a copy that has it; do not spend from this one.',
  };
}

/** Why anchors say nothing of what is verified. */
export const NO_ANCHOR: Message = {
  message: 'no anchor in the file is of it: nothing was compared',
  hint: 'Name the file that "ledger anchor" wrote for it; a ledger of another id is another ledger.',
};

/** What is wrong, in words. */
export function toldOf(finding: Finding): Told {
  switch (finding.kind) {
    case 'fault': {
      const { fault } = finding;
      const place = 'line' in fault ? { record: fault.record, line: fault.line } : { record: null, line: null };
      return { code: fault.code, ...place, ...faultMessage(fault) };
    }
    case 'slipped':
      return {
        code: 'anchor-not-found',
        record: finding.slipped.anchor.seq,
        line: null,
        ...slippedMessage(finding.slipped),
      };
    case 'gone':
      return {
        code: 'ledger-gone',
        record: null,
        line: null,
        message: `the ledger ${quote(finding.anchor.ledger)} was here, with ${counted(finding.anchor.seq, 'record')}, and is not any more`,
        hint: 'Put it back.',
      };
    case 'part-gone':
      return {
        code: 'ledger-gone',
        record: null,
        line: null,
        message: `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with one of this ledger, which is not there any more`,
        hint: 'Put it back.',
      };
    case 'missing-part':
      return {
        code: 'missing-part',
        record: null,
        line: null,
        message: `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with one of this ledger, which is not there: this ledger was put back to an earlier state`,
        hint: 'Put back a copy that has it; do not spend from this one.',
      };
  }
}

const FINDING = from(
  object({ file: TEXT, code: TEXT, record: optional(COUNT), line: optional(whole(1)), message: TEXT, hint: TEXT }),
  (finding: Finding) => ({ file: finding.name, ...toldOf(finding) }),
);

/** A verification of several ledgers. */
export const LEDGER_VERIFY_ALL = document(
  'ledger-verify-all',
  'Whether several ledgers are as they were written (exit codes 0 and 4).',
  {
    store: TEXT,
    sound: FLAG,
    ledgers: COUNT,
    records: COUNT,
    findings: described('The first thing that is wrong with each ledger that is not sound.', list(FINDING)),
    copies: described('How many are copies of ledgers that are written to elsewhere.', COUNT),
    movedAway: described('How many go on in another store.', COUNT),
    elsewhere: described('How many transactions have parts in ledgers that were not verified.', COUNT),
    anchors: orNull(
      object({
        file: TEXT,
        compared: described('How many anchored records were found.', COUNT),
        unknown: described('Of how many anchors nothing is known here.', COUNT),
      }),
    ),
  },
);

/** The verification as `dpcompose.ledger-verify-all/1`. */
export const verifyAllJson = ({ verified, store, anchors }: VerifyAllReport, version: string): string =>
  documentText(LEDGER_VERIFY_ALL, {
    ...verified,
    version,
    store,
    sound: verified.findings.length === 0,
    movedAway: verified.away,
    anchors: anchors === null ? null : { file: anchors, compared: verified.anchors, unknown: verified.unknown },
  });

/** What a copy is good for. */
export const COPY_NOTE =
  'A copy has what was recorded when it was made: what was granted in the other place since then is not in it.';

/** A verification of several ledgers in which nothing is wrong. */
export function verifyAllText({ verified, anchors }: VerifyAllReport): string {
  const { ledgers, records, copies, away, elsewhere, anchors: compared, unknown } = verified;
  const rest = unknown === 0 ? '' : `, ${grouped(unknown)} of ledgers that are not here`;
  const held = anchors === null ? '' : `; ${counted(compared, 'anchor')} of ${anchors} found${rest}`;
  const lines = [`sound: ${counted(ledgers, 'ledger')}, ${counted(records, 'record')}${held}.`];
  if (away > 0) lines.push(`${grouped(away)} moved away to another store.`);
  if (copies > 0) lines.push(`${grouped(copies)} copied from other places. ${COPY_NOTE}`);
  if (elsewhere > 0) {
    lines.push(`${counted(elsewhere, 'transaction')} with parts in ledgers that were not looked at.`);
  }
  return linesText(lines, Infinity);
}
