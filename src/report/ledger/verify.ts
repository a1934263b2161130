import type { Verified } from '../../ledger/file/verify.ts';
import { described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, TEXT_OR_NULL, whole } from '../kit/codecs.ts';
import { grouped, linesText } from '../kit/prose.ts';
import { UNENDED } from './unended.ts';
import { HASH, unfinished } from './facts-json.ts';
import { faultMessage } from './fault-message.ts';

/** The result of a verification, and what it was asked. */
export interface VerifyReport {
  readonly file: string;
  readonly verified: Verified;
  /** The hash that some record should have; null where none was named. */
  readonly contains: string | null;
  /** The ledger that it comes from; null where none was named. */
  readonly from: string | null;
}

/** Whether nothing at all is wrong. */
export const isSound = ({ flaws, holds }: Verified): boolean => flaws.length === 0 && holds !== false;

const isWrongOrigin = ({ code }: Verified['flaws'][number]): boolean => code === 'wrong-origin';

/** Why a ledger without the hash that was asked for is not the one that was meant. */
export const MISSING_HASH = {
  message: (hash: string): string =>
    `no record has the hash ${hash}: records were taken away, or this is another ledger`,
  hint: 'Put back a copy that has it.',
};

/** The first flaw, and how many there are besides; null where there is none. */
function unsoundMessage({ flaws, more, holds }: Verified, contains: string | null): string | null {
  const missing = holds === false ? MISSING_HASH.message(contains ?? '') : null;
  const [first] = flaws;
  if (first === undefined) return missing;
  const others = flaws.length - 1 + more + (missing === null ? 0 : 1);
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
});

/** A verification as `dpcompose.ledger-verify/1`. */
export function verifyJson({ file, verified, contains, from }: VerifyReport, version: string): string {
  const { header, flaws, holds } = verified;
  return documentText(LEDGER_VERIFY, {
    ...verified,
    version,
    file,
    id: header?.id ?? null,
    sound: isSound(verified),
    message: unsoundMessage(verified, contains),
    unfinished: unfinished(verified),
    contains: contains === null ? null : { hash: contains, found: holds === true },
    from: from === null ? null : { file: from, agrees: header !== null && !flaws.some(isWrongOrigin) },
  });
}

/** A verification without flaws in a sentence or two. */
export function verifyText({ file, verified, contains, from }: VerifyReport): string {
  const { records, hash, rest } = verified;
  const count = `${grouped(records)} ${records === 1 ? 'record' : 'records'}`;
  const kept = contains === null ? '' : `, and holds the record ${contains}`;
  const agrees = from === null ? '' : `, and ${from} says the same of where it comes from`;
  const lines = [
    `${file} is sound: ${count}${records === 1 ? '' : ', each'} as it was written and allowed by the rule${kept}${agrees}; hash ${hash ?? ''}.`,
  ];
  if (rest.kind === 'torn') {
    lines.push(
      `After the last one stand ${grouped(rest.bytes)} bytes of a record without its end, which does not count: it is being written now, or ${UNENDED}`,
    );
  }
  return linesText(lines, Infinity);
}
