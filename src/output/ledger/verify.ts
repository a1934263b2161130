import type { AllVerified, Finding } from '../../ledger/verify-all.ts';
import type { AnchorMismatch } from '../../ledger/anchor.ts';
import { described, document, documentText, from, list, object, optional, orNull, choice } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, whole, TEXT_OR_NULL } from '../kit/codecs.ts';
import type { Message } from '../kit/message.ts';
import { unbroken, type Output } from '../kit/page.ts';
import { abridged, counted, grouped, sourceName } from '../kit/prose.ts';
import { faultMessage } from './faults.ts';
import { INCOMPLETE, type LedgerFault, type LedgerFaultCode } from './integrity-faults.ts';
import { uncheckedIn } from '../../ledger/rules/terms.ts';
import type { Verified } from '../../ledger/verify.ts';
import { UNCHECKED } from './refusals.ts';
import { HASH, unfinished } from './facts-json.ts';

/** The result of verifying several ledgers, and what it was asked. */
export interface VerifyAllReport {
  readonly verified: AllVerified;
  readonly store: string;
  /** The file of the anchors; null where none was named. */
  readonly anchors: string | null;
}

/** Something that is wrong, with its code. */
interface CodedMessage extends Message {
  readonly code: LedgerFaultCode;
}

const codedMessage = (fault: LedgerFault): CodedMessage => ({ code: fault.code, ...faultMessage(fault) });

function faultOf(finding: Finding): LedgerFault {
  switch (finding.kind) {
    case 'fault':
      return finding.fault;
    case 'anchor-mismatch':
      return { code: 'anchor-not-found', mismatch: finding.mismatch };
    case 'gone':
    case 'part-gone':
      return { code: 'ledger-gone', finding };
    case 'missing-part':
      return { code: 'missing-part', finding };
  }
}

/** What is wrong, in words, and its place. */
export function findingMessage(
  finding: Finding,
): CodedMessage & { readonly record: number | null; readonly line: number | null } {
  const fault = faultOf(finding);
  const place =
    'line' in fault
      ? fault
      : { record: finding.kind === 'anchor-mismatch' ? finding.mismatch.anchor.seq : null, line: null };
  return { record: place.record, line: place.line, ...codedMessage(fault) };
}

const FINDING = from(
  object({ file: TEXT, code: TEXT, record: optional(COUNT), line: optional(whole(1)), message: TEXT, hint: TEXT }),
  (finding: Finding) => ({ file: finding.name, ...findingMessage(finding) }),
);

/** A verification of several ledgers. */
export const LEDGER_VERIFY_ALL = document(
  'ledger-verify-all',
  'Whether several ledgers are intact (exit codes 0 and 4).',
  {
    store: TEXT,
    sound: FLAG,
    ledgers: COUNT,
    records: COUNT,
    findings: described('The first fault of each ledger that is not intact.', list(FINDING)),
    copies: described('The number of copies of ledgers that are active elsewhere.', COUNT),
    movedAway: described('The number of ledgers that continue in another store.', COUNT),
    elsewhere: described('The number of transactions with parts in ledgers that were not verified.', COUNT),
    anchors: orNull(
      object({
        file: TEXT,
        compared: described('The number of anchored records found.', COUNT),
        unknown: described('The number of anchors of ledgers that are not here.', COUNT),
      }),
    ),
  },
);

/** What a copy is good for. */
const COPY_NOTE = 'A copy does not have what the original granted since then.';

/** `1 ledger exceeds its budget: a.`; null where none does. */
function exceedingText(names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const verb = names.length === 1 ? 'exceeds its budget' : 'exceed their budgets';
  return `${counted(names.length, 'ledger')} ${verb}: ${abridged(names)}.`;
}

/** What is said of several ledgers where nothing is wrong with them. */
function allLines({ verified, anchors }: VerifyAllReport): readonly string[] {
  const { ledgers, records, exceeded, copies, away, elsewhere, anchors: compared, unknown } = verified;
  const rest = unknown === 0 ? '' : `, ${grouped(unknown)} of ledgers that are not here`;
  const anchorsText = anchors === null ? '' : `; ${counted(compared, 'anchor')} of ${sourceName(anchors)} found${rest}`;
  const exceeding = exceedingText(exceeded);
  return [
    `intact: ${counted(ledgers, 'ledger')}, ${counted(records, 'record')}${anchorsText}.`,
    ...(exceeding === null ? [] : [exceeding]),
    ...(away > 0 ? [`${grouped(away)} moved to another store.`] : []),
    ...(copies > 0 ? [`${grouped(copies)} copied from other locations. ${COPY_NOTE}`] : []),
    ...(elsewhere > 0 ? [`${counted(elsewhere, 'transaction')} with parts in ledgers that were not verified.`] : []),
  ];
}

/** A verification of several ledgers; the page is of those in which nothing is wrong. */
export const verifyAllOutput = (report: VerifyAllReport): Output => ({
  page: () => [unbroken(allLines(report))],
  json: (version) => {
    const { verified, store, anchors } = report;
    return documentText(LEDGER_VERIFY_ALL, {
      ...verified,
      version,
      store,
      sound: verified.findings.length === 0,
      movedAway: verified.away,
      anchors: anchors === null ? null : { file: anchors, compared: verified.anchors, unknown: verified.unknown },
    });
  },
});

/** The result of a verification, and what it was asked. */
export interface VerifyReport {
  readonly file: string;
  readonly verified: Verified;
  /** The hash that some record should have; null where none was named. */
  readonly contains: string | null;
  /** The ledger that it comes from; null where none was named. */
  readonly from: string | null;
  /** What anchors say of it; null where none were named. */
  readonly anchored: Anchored | null;
  readonly place: Whereabouts;
  /** Whether it may be a copy. */
  readonly mayBeCopy: boolean;
  /** How many mechanisms were counted that ran without having been granted. */
  readonly incurred: number;
  /** By how much the budget is exceeded, in a sentence; null where it is not. */
  readonly exceeded: string | null;
}

/** What anchors say of a ledger. */
export interface Anchored {
  readonly file: string;
  /** How many are of it. */
  readonly compared: number;
  /** The first whose record is not there. */
  readonly mismatch: AnchorMismatch | null;
}

/** Where a ledger is written to: where it is, or in another place, so that it is a copy; or it was moved away with its end. */
export type Whereabouts = 'here' | 'copy' | 'away';

const COPY: CodedMessage = {
  code: 'moved',
  message: 'this is a copy: it does not have what the original granted since then',
  hint: 'Verify the original, or add --copy to verify this one as a copy.',
};

/** What is wrong with a ledger beside its records. */
export const otherFaults = ({
  verified,
  contains,
  anchored,
  place,
  mayBeCopy,
}: VerifyReport): readonly CodedMessage[] => [
  ...(verified.holds === false ? [codedMessage({ code: 'hash-not-found', hash: contains ?? '' })] : []),
  ...(anchored?.compared === 0 ? [codedMessage({ code: 'no-anchor' })] : []),
  ...(anchored?.mismatch == null ? [] : [codedMessage({ code: 'anchor-not-found', mismatch: anchored.mismatch })]),
  ...(place === 'copy' && !mayBeCopy ? [COPY] : []),
];

/** Whether nothing at all is wrong. */
export const isSound = (report: VerifyReport): boolean =>
  report.verified.flaws.length === 0 && otherFaults(report).length === 0;

const isWrongOrigin = ({ code }: Verified['flaws'][number]): boolean => code === 'wrong-origin';

/** The first flaw, and how many there are besides; null where there is none. */
function unsoundMessage(report: VerifyReport): string | null {
  const { flaws, more } = report.verified;
  const further = otherFaults(report).map(({ message }) => message);
  const [first] = flaws;
  if (first === undefined) return further.length === 0 ? null : further.join('; ');
  const others = flaws.length - 1 + more + further.length;
  const place = first.record === 0 ? 'the header' : `record ${grouped(first.record)}`;
  return `${place}: ${faultMessage(first).message}${others === 0 ? '' : `; and ${grouped(others)} more`}`;
}

const FLAW = from(
  object({ code: TEXT, record: COUNT, line: whole(1), what: optional(TEXT), message: TEXT, hint: TEXT }),
  (flaw: Verified['flaws'][number]) => ({
    ...flaw,
    what: flaw.code === 'damaged-record' || flaw.code === 'wrong-origin' ? flaw.what : null,
    ...faultMessage(flaw),
  }),
);

/** A verification. */
export const LEDGER_VERIFY = document('ledger-verify', 'Whether a ledger is intact (exit codes 0 and 4).', {
  file: TEXT,
  id: TEXT_OR_NULL,
  sound: FLAG,
  message: described('The first fault, and the number of others.', TEXT_OR_NULL),
  records: COUNT,
  hash: orNull(HASH),
  flaws: list(FLAW),
  more: described('The number of further faults.', COUNT),
  unfinished: COUNT,
  contains: orNull(object({ hash: TEXT, found: FLAG })),
  from: orNull(object({ file: TEXT, agrees: FLAG })),
  place: described('Whether it is active here, is a copy, or was moved away.', choice('here', 'copy', 'away')),
  anchors: orNull(object({ file: TEXT, compared: COUNT, missing: orNull(object({ seq: COUNT, hash: HASH })) })),
});

/** What is said of a ledger with which nothing is wrong. */
function soundLines(report: VerifyReport): readonly string[] {
  const { file, verified, contains, from, anchored, place, incurred, exceeded } = report;
  const { header, records, hash, rest } = verified;
  const containsText = contains === null ? '' : ` It contains the record ${contains}.`;
  const anchorsText =
    anchored === null ? '' : ` ${counted(anchored.compared, 'anchor')} of ${sourceName(anchored.file)} found.`;
  const agrees = from === null ? '' : ` ${from} confirms its header.`;
  const unchecked = header === null ? null : uncheckedIn(header.terms);
  const ran = `${counted(incurred, 'mechanism')} ran without a grant`;
  return [
    `${file} is intact: ${counted(records, 'record')}, unchanged; every grant was allowed by the rule. Hash ${hash ?? ''}.${containsText}${agrees}${anchorsText}`,
    ...(exceeded === null ? [] : [`${exceeded} ${ran}.`]),
    ...(exceeded === null && incurred > 0 ? [`${ran}, and ${incurred === 1 ? 'is' : 'are'} charged.`] : []),
    ...(unchecked === null ? [] : [`It denies all requests: ${UNCHECKED[unchecked]}.`]),
    ...(place === 'copy' ? [`It is a copy. ${COPY_NOTE}`] : []),
    ...(place === 'away' ? ['It was moved, and continues in another store.'] : []),
    ...(rest.kind === 'torn'
      ? [
          `It ends with ${grouped(rest.bytes)} bytes of an incomplete record, which does not count: it is being written now, ${INCOMPLETE}.`,
        ]
      : []),
  ];
}

/** A verification; the page is of one in which nothing is wrong. */
export function verifyOutput(report: VerifyReport): Output {
  const { file, verified, contains, from, anchored, place } = report;
  const { header, flaws, holds } = verified;
  return {
    page: () => [unbroken(soundLines(report))],
    json: (version) =>
      documentText(LEDGER_VERIFY, {
        ...verified,
        version,
        file,
        id: header?.id ?? null,
        sound: isSound(report),
        message: unsoundMessage(report),
        place,
        anchors: anchored && {
          file: anchored.file,
          compared: anchored.compared,
          missing: anchored.mismatch?.anchor ?? null,
        },
        unfinished: unfinished(verified),
        contains: contains === null ? null : { hash: contains, found: holds === true },
        from: from === null ? null : { file: from, agrees: header !== null && !flaws.some(isWrongOrigin) },
      }),
  };
}
