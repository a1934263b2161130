import { uncheckedIn } from '../../ledger/core/terms.ts';
import type { Verified } from '../../ledger/journal/verify.ts';
import { choice, described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, TEXT_OR_NULL, whole } from '../kit/codecs.ts';
import { counted, grouped, linesText } from '../kit/prose.ts';
import { UNENDED } from './ledger-text.ts';
import { UNCHECKED } from './refusal-message.ts';
import { HASH, unfinished } from './facts-json.ts';
import { faultMessage } from './fault-message.ts';
import { COPY_NOTE, NO_ANCHOR, slippedMessage } from './verify-all.ts';
import type { FaultCode } from '../../ledger/records/fault.ts';
import type { Slipped } from '../../ledger/journal/anchor.ts';
import type { VerifyCode } from '../codes/faults.ts';
import type { Message } from '../kit/message.ts';

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
}

/** What anchors say of a ledger. */
export interface Anchored {
  readonly file: string;
  /** How many are of it. */
  readonly compared: number;
  /** The first whose record is not there. */
  readonly slipped: Slipped | null;
}

/** Where a ledger is written to: where it is, or in another place, so that it is a copy; or it was moved away with its end. */
export type Whereabouts = 'here' | 'copy' | 'away';

/** What is wrong with a ledger beside its records. */
export function besides({
  anchored,
  place,
  mayBeCopy,
}: VerifyReport): (Message & { readonly code: FaultCode | VerifyCode })[] {
  return [
    ...(anchored?.compared === 0 ? [{ code: 'no-anchor', ...NO_ANCHOR } as const] : []),
    ...(anchored?.slipped == null ? [] : [{ code: 'anchor-not-found', ...slippedMessage(anchored.slipped) } as const]),
    ...(place === 'copy' && !mayBeCopy ? [{ code: 'moved', ...COPY } as const] : []),
  ];
}

const COPY: Message = {
  message:
    'this is a copy, or was put back or moved by a program: what was granted since in the place where it was written is not in it',
  hint: 'Verify the ledger in its own place, or this one as what it is with --copy.',
};

/** Whether nothing at all is wrong. */
export const isSound = (report: VerifyReport): boolean => {
  const { flaws, holds } = report.verified;
  return flaws.length === 0 && holds !== false && besides(report).length === 0;
};

const isWrongOrigin = ({ code }: Verified['flaws'][number]): boolean => code === 'wrong-origin';

/** Why a ledger without the hash that was asked for is not the one that was meant. */
export const MISSING_HASH = {
  message: (hash: string): string =>
    `no record has the hash ${hash}: records were taken away, or this is another ledger`,
  hint: 'Put back a copy that has it.',
};

/** The first flaw, and how many there are besides; null where there is none. */
function unsoundMessage(report: VerifyReport): string | null {
  const { contains } = report;
  const { flaws, more, holds } = report.verified;
  const missing = holds === false ? [MISSING_HASH.message(contains ?? '')] : [];
  const further = [...missing, ...besides(report).map(({ message }) => message)];
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
export const LEDGER_VERIFY = document('ledger-verify', 'Whether a ledger is as it was written (exit codes 0 and 4).', {
  file: TEXT,
  id: TEXT_OR_NULL,
  sound: FLAG,
  message: described('The first thing that is wrong, and how many others there are.', TEXT_OR_NULL),
  records: COUNT,
  hash: orNull(HASH),
  flaws: list(FLAW),
  more: described('How many further flaws there are.', COUNT),
  unfinished: COUNT,
  contains: orNull(object({ hash: TEXT, found: FLAG })),
  from: orNull(object({ file: TEXT, agrees: FLAG })),
  place: described(
    'Whether it is written to where it is, or is a copy, or was moved away.',
    choice('here', 'copy', 'away'),
  ),
  anchors: orNull(object({ file: TEXT, compared: COUNT, missing: orNull(object({ seq: COUNT, hash: HASH })) })),
});

/** A verification as `dpcompose.ledger-verify/1`. */
export function verifyJson(report: VerifyReport, version: string): string {
  const { file, verified, contains, from, anchored, place } = report;
  const { header, flaws, holds } = verified;
  return documentText(LEDGER_VERIFY, {
    ...verified,
    version,
    file,
    id: header?.id ?? null,
    sound: isSound(report),
    message: unsoundMessage(report),
    place,
    anchors:
      anchored === null
        ? null
        : { file: anchored.file, compared: anchored.compared, missing: anchored.slipped?.anchor ?? null },
    unfinished: unfinished(verified),
    contains: contains === null ? null : { hash: contains, found: holds === true },
    from: from === null ? null : { file: from, agrees: header !== null && !flaws.some(isWrongOrigin) },
  });
}

/** A verification without flaws in a sentence or two. */
export function verifyText({ file, verified, contains, from, anchored, place, incurred }: VerifyReport): string {
  const { header, records, hash, rest } = verified;
  const count = `${grouped(records)} ${records === 1 ? 'record' : 'records'}`;
  const kept = contains === null ? '' : `, and holds the record ${contains}`;
  const held = anchored === null ? '' : `, with ${counted(anchored.compared, 'anchor')} of ${anchored.file} found`;
  const agrees = from === null ? '' : `, and ${from} says the same of where it comes from`;
  const lines = [
    `${file} is sound: ${count}${records === 1 ? '' : ', each'} as it was written and allowed by the rule${kept}${agrees}${held}; hash ${hash ?? ''}.`,
  ];
  if (incurred > 0) {
    lines.push(
      `${counted(incurred, 'mechanism')} ran without having been granted, and ${incurred === 1 ? 'was' : 'were'} counted.`,
    );
  }
  const unchecked = header === null ? null : uncheckedIn(header.terms);
  if (unchecked !== null) lines.push(`Nothing is launched in it: ${UNCHECKED[unchecked]}.`);
  if (place === 'copy') lines.push(`It is a copy. ${COPY_NOTE}`);
  if (place === 'away') lines.push('It was moved away, and goes on in another store.');
  if (rest.kind === 'torn') {
    lines.push(
      `After the last one stand ${grouped(rest.bytes)} bytes of a record without its end, which does not count: it is being written now, or ${UNENDED}`,
    );
  }
  return linesText(lines, Infinity);
}
