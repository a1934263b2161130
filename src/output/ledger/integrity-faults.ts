import type { AnchorMismatch } from '../../ledger/anchor.ts';
import type { Fault, WrongOrigin } from '../../ledger/fault.ts';
import type { Finding } from '../../ledger/verify-all.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import { filledIn, type Message, type Texts } from '../kit/message.ts';
import { counted, grouped, printable, shellWord } from '../kit/prose.ts';
import { refusalText } from './refusals.ts';

/** What only "ledger verify" finds: `hash-not-found` with --contains, the others of anchors and of several ledgers. */
type Verification =
  | { readonly code: 'hash-not-found'; readonly hash: string }
  | { readonly code: 'anchor-not-found'; readonly mismatch: AnchorMismatch }
  | { readonly code: 'no-anchor' }
  | { readonly code: 'ledger-gone'; readonly finding: Extract<Finding, { kind: 'gone' | 'part-gone' }> }
  | { readonly code: 'missing-part'; readonly finding: Extract<Finding, { kind: 'missing-part' }> };

/** Everything that can be wrong with a ledger. */
export type LedgerFault = Fault | Verification;

/** The stable code of a fault. */
export type LedgerFaultCode = LedgerFault['code'];

/** The texts of every fault but that a ledger has ended, which is a denial like others. */
export type FaultTexts = Texts<'code', Exclude<LedgerFault, { readonly code: 'converted' }>>;

/** Characters of the longest reason that is shown whole. */
const LONGEST_REASON = 200;

/** What a server or a system gives as its reason: whole, unless it is very long. */
export const reasonText = (reason: string): string => shorten(printable(reason), LONGEST_REASON);

/** How an incomplete record at the end of a ledger came about. */
export const INCOMPLETE = 'a write was cut short, or somebody truncated the ledger';

export const WAIT = 'Retry. Commands that record can wait longer, for example "ledger spend --wait 60".';
const BACKUP = 'Restore a copy from before, and record what was spent since.';
const LAST_LINE =
  'At the end of a file, run "ledger recover". Otherwise, restore a copy from before, and record what was spent since.';
const SIDES = 'Restore the records of one side. Record what the other side spent with "ledger record --incurred".';
const SPENT_TWICE = 'two ledgers were merged, and each may have spent the same budget';
const RESET = 'this ledger was reset to an earlier state';
const BY_HAND = 'records were changed, added or removed by hand';

type Damaged = Extract<Fault, { code: 'damaged-record' }>;

/** The first digits of a hash. */
const brief = (hash: string): string => `${hash.slice(0, 12)}...`;

function wrongHash({ stated, actual, changed }: Extract<Damaged, { what: 'wrong-hash' }>): string {
  const hashes = `(stated: ${brief(stated)}, computed: ${brief(actual)})`;
  const byNext = {
    content: `the content of the record was changed: the next record confirms its hash ${hashes}`,
    hash: `the hash of the record was changed: the next record confirms its content ${hashes}`,
  };
  return changed ? byNext[changed] : `the record was changed: its hash does not match its content ${hashes}`;
}

const DAMAGES: Texts<'what', Damaged> = {
  blank: { message: 'the line is blank', hint: LAST_LINE },
  'merge-marker': { message: `a git conflict marker: ${SPENT_TWICE}`, hint: SIDES },
  'carriage-return': {
    message: 'the lines end in CRLF: git or an editor rewrote the file',
    hint: 'Restore it with LF. For git, add "*.jsonl -text" to .gitattributes.',
  },
  'byte-order-mark': {
    message: 'the file begins with a byte order mark: an editor rewrote it',
    hint: 'Remove the mark.',
  },
  'not-text': { message: 'not a record: it has bytes that are not UTF-8', hint: LAST_LINE },
  'not-json': { message: 'not a record, or a record that was changed: it is not JSON', hint: LAST_LINE },
  unsealed: { message: 'not a record, or a record that was changed: it does not end with a hash', hint: LAST_LINE },
  'not-canonical': {
    message: 'the record is not in the form that this program writes, although its hash is correct',
    hint: BACKUP,
  },
  'wrong-hash': {
    message: wrongHash,
    meaning: 'The record was changed.',
    hint: ({ changed }) => (changed === 'hash' ? 'Restore the hash of its content.' : BACKUP),
    remedy: BACKUP,
  },
};

/** What is wrong with a damaged record. */
const damage = (fault: Damaged): Message => filledIn<never>(DAMAGES[fault.what], fault as never);

/** How the header of a ledger differs from what its parent or predecessor has recorded. */
const ORIGINS: Readonly<Record<WrongOrigin, string>> = {
  'no-origin': 'it names no parent or predecessor',
  'other-ledger': 'it names another ledger as its parent or predecessor',
  'no-such-record': 'the ledger that it names has no record that pays for it or continues as it',
  'other-id': 'the record that it names is for a ledger with another id',
  'other-terms': 'the record that it names is for a ledger with other terms',
  'other-totals': 'it does not continue from the final totals of its predecessor',
};

type CutOff = Extract<LedgerFault, { code: 'cut-off' }>;

/** How a file or a database differs from what its last writer left. */
function cutText({ size, before, unit, isOther = false }: CutOff): string {
  if (isOther) return 'does not have its last known record, so another copy replaced it';
  return size < before
    ? `has ${grouped(size)} ${unit}, and had ${grouped(before)}`
    : `had ${grouped(before)} ${unit}, and was recovered from fewer`;
}

/** Whether all of a database is missing. */
const isGone = ({ unit, size }: CutOff): boolean => unit === 'records' && size === 0;

const RESTORE_LOST =
  'Restore a copy that has them. If they are lost, run "ledger adopt", and record what they spent with "ledger record --incurred".';
const RECOVER_FIRST = 'If the file ends with an incomplete record, run "ledger recover" first.';

/** Texts of ledgers that were changed or are in use, or whose location cannot be relied on (exit code 4). */
export const UNSOUND = {
  'damaged-store': {
    message: ({ reason }) => `the database is damaged or was changed by hand: ${reasonText(reason)}`,
    meaning: 'The database of the store is damaged, or its tables or triggers were changed. All requests are denied.',
    hint: 'Undo the change. Or restore a copy from before, and record what was spent since.',
  },
  'unfinished-record': {
    message: ({ bytes }) =>
      `the ledger ends with ${grouped(bytes)} bytes of an incomplete record, and denies all requests: ${INCOMPLETE}`,
    meaning:
      'The ledger ends with an incomplete record: a write was cut short before anybody was told, or somebody truncated a complete record.',
    hint: 'Check a known hash with "ledger verify FILE --contains HASH". If nobody is writing now, run "ledger recover", which keeps the bytes in a record.',
  },
  'cut-off': {
    message: (fault) =>
      isGone(fault)
        ? `the database, which had ${counted(fault.before, 'record')}, is missing: a new one would grant its budgets again`
        : `the ${fault.unit === 'bytes' ? 'file' : 'database'} ${cutText(fault)}: records are missing from its end, and all requests are denied`,
    meaning:
      'The file or database has less in it than before: records were cut off at its end, or an older copy replaced it.',
    hint: (fault) =>
      isGone(fault)
        ? 'Restore the database. Only if nothing was ever spent from its ledgers, delete the stamp beside it: .NAME.stamp, with the name of the file.'
        : fault.unit === 'bytes' && fault.isComplete !== true
          ? `${RESTORE_LOST} ${RECOVER_FIRST}`
          : RESTORE_LOST,
    remedy: `${RESTORE_LOST} ${RECOVER_FIRST}`,
  },
  'clock-behind': {
    message: ({ time, now, record }) =>
      `${record === null ? 'the new record' : record === 0 ? 'the header' : `record ${grouped(record)}`} is dated ${shorten(time)}, more than a day after the clock of the store (${now}): nothing was recorded`,
    meaning:
      'A time in the ledger or in the new record is more than a day after the clock of the store. One of the clocks is wrong, or an earlier record was dated ahead with --at, which accepts any date. Nothing was recorded.',
    hint: 'Correct the clock. If it is right, confirm that once in a record: "ledger annotate LEDGER --label WHY --accept-clock".',
  },
  unsettled: {
    message: ({ head, because }) =>
      `the last record belongs to a transaction that is decided by ${quote(head)}, which cannot be checked (${because})`,
    meaning:
      'The last record belongs to a transaction over several ledgers. The ledger that decides whether it counts cannot be checked.',
    hint: 'Put that ledger back, or repair it with "ledger recover", then retry.',
  },
  moved: {
    message: 'this is a copy: its last record was written in another location, where more may have been spent since',
    meaning:
      'The ledger is a copy, or was moved, restored, or rewritten by git or an editor. More may have been spent from the original.',
    hint: 'Use the original. If only this copy is in use from now on, declare that with "ledger adopt".',
  },
  'moved-away': {
    message: ({ to }) => `the ledger was moved to ${quote(to)}: nothing more is recorded here`,
    meaning: 'The ledger was moved to another store. Nothing more is recorded in this one.',
    hint: ({ name, store }) =>
      `Use it there: "ledger status ${shellWord(name)} --store ${shellWord(store)}". If it has not arrived, run the same "ledger move" again.`,
    remedy: 'Use it there. If it has not arrived, run the same "ledger move" again.',
  },
  'same-place': {
    message: 'the ledger was last written in this location: a copy here could be spent from as well',
    hint: 'Name another store.',
  },
  'lost-ledger': {
    message: (fault) =>
      'left' in fault
        ? `the ledger is missing, but its stamp ${quote(fault.left)} is there: a new one would grant its budget again`
        : `not in this store, but ${quote(fault.with)} names it in record ${grouped(fault.record)}: a new ledger would grant its budget again`,
    meaning:
      'A ledger is missing, although its stamp or a record of another ledger shows that it existed. A new one would grant its budget again.',
    hint: (fault) =>
      'left' in fault
        ? 'Put the ledger back, or choose another name. Delete that file only if nothing was ever spent from the ledger, or it continues under another name.'
        : 'If it is in another store, add --store; else put it back.',
    remedy: 'If the ledger is in another store, name that store; else put it back where it was.',
  },
  busy: {
    message: ({ seconds }) => `other processes wrote to the ledger for more than ${seconds} s: nothing was recorded`,
    meaning: 'Other processes wrote to the ledger for longer than the waiting time.',
    hint: WAIT,
  },
  changed: {
    message: ({ found, expected }) =>
      `the last record is ${brief(found)}, not ${brief(expected)}: somebody added to the ledger, and nothing was recorded`,
    meaning: 'The last record is not the one named by --expect: somebody added to the ledger. Nothing was recorded.',
    hint: 'See what is new with "ledger status", then retry with the new hash.',
  },
  replaced: {
    message:
      'another program moved, replaced or changed the file during the write: the record counts in the file to which it was written',
    hint: 'Do not run the mechanism. Find the record with "ledger verify", also in the file that was moved.',
  },
  'empty-ledger': {
    message: 'the file is empty: if it was a ledger, its records are lost',
    hint: 'Restore a copy, and record what was spent since. Only if it never was a ledger, delete it and run "ledger init".',
  },
  'unfinished-header': {
    message:
      'the first line is incomplete: the ledger is being created, its creation was cut short, or the rest was cut off',
    hint: 'If it was ever spent from, restore a copy. If not, and nobody is creating it, delete it and run "ledger init".',
  },
  'line-too-long': { message: 'the line is too long for a record', hint: BACKUP },
  'damaged-record': {
    message: (fault) => damage(fault).message,
    meaning:
      'A record is not as it was written: its text, its hash or its line was changed, or git inserted a conflict marker.',
    hint: (fault) => damage(fault).hint,
    remedy: BACKUP,
  },
  'damaged-end': {
    message: 'the bytes after the last record are not the beginning of another',
    hint: 'Run "ledger recover", which keeps them in a record.',
  },
  'wrong-head': {
    message: ({ stated }) => `this is the last record, but the store names ${brief(stated)} as the last: ${BY_HAND}`,
    meaning: `The last record is not the one that the store names as the last: ${BY_HAND}.`,
    hint: BACKUP,
  },
  'duplicate-record': {
    message: ({ first }) => `line ${first} is the same record`,
    meaning: 'The file has the same record twice.',
    hint: 'Delete this line.',
    remedy: 'Delete the later line.',
  },
  fork: {
    message: ({ after }) => `this record and another one both follow line ${after}: ${SPENT_TWICE}`,
    meaning: `Two records follow the same one: ${SPENT_TWICE}.`,
    hint: SIDES,
  },
  'missing-records': {
    message: ({ count }) =>
      count === 1
        ? 'the record before this one is missing'
        : `the ${grouped(count)} records before this one are missing`,
    meaning: 'Records before this one are missing.',
    hint: BACKUP,
  },
  'broken-chain': { message: 'the record does not follow the one before it', hint: BACKUP },
  'foreign-record': { message: 'the record belongs to another ledger, or the header was changed', hint: BACKUP },
  'malformed-record': {
    message: ({ path }) => `${path} is not valid in a record`,
    meaning: 'A field of the record is not valid.',
    hint: BACKUP,
  },
  'wrong-totals': {
    message: ({ path, stated, actual }) =>
      `${path} is ${shorten(stated)}, but the records so far add up to ${shorten(actual)}`,
    meaning: 'The totals of the record are not the sum of the records so far.',
    hint: BACKUP,
  },
  'not-allowed': {
    message: ({ refusal }) => `the rule does not allow it: ${refusalText(refusal).message}`,
    meaning: 'The rule does not allow what the record grants.',
    hint: BACKUP,
  },
  'needless-refusal': {
    message: 'it records a denial, but the rule grants the request, or denies it for another reason',
    meaning: 'The record is of a denial, but the rule grants the request, or denies it for another reason.',
    hint: BACKUP,
  },
  'other-hold': {
    message: 'it launches something other than what was reserved',
    meaning: 'The record launches something other than what was reserved under this name.',
    hint: BACKUP,
  },
  'wrong-void': {
    message: ({ voids }) => `it voids record ${grouped(voids)}, which is not a launch`,
    meaning: 'The record voids one that is not a launch.',
    hint: BACKUP,
  },
  'needless-halt': {
    message: 'it says that the ledger halted here, but the rule grants the request',
    meaning: 'The record says that the ledger halted, but the rule grants the request.',
    hint: BACKUP,
  },
  'after-conversion': {
    message: ({ to }) => `the ledger ended before this record: it continues as ${quote(to)}`,
    meaning: 'The record follows the one by which the ledger ended, to continue as another.',
    hint: 'Use the ledger that continues it.',
  },
  'after-move': {
    message: 'the ledger was moved before this record, which does not continue it in the other location',
    hint: BACKUP,
  },
  'wrong-origin': {
    message: ({ what }) => ORIGINS[what],
    meaning: 'The parent or predecessor of this ledger does not confirm its header.',
    hint: 'Name the right file with --from. If it is the right one, do not spend from this ledger: nothing backs its budget.',
  },
  'hash-not-found': {
    message: ({ hash }) => `no record has the hash ${hash}: records were removed, or this is another ledger`,
    meaning: 'No record has the hash named by --contains: records were removed, or this is another ledger.',
    hint: 'Restore a copy that has it.',
  },
  'anchor-not-found': {
    message: ({ mismatch: { anchor, hash } }) => {
      const when = anchor.at === null ? '' : ` at ${anchor.at}`;
      const now = hash === null ? 'and is missing now' : `and is ${brief(hash)} now`;
      return `record ${grouped(anchor.seq)} was ${brief(anchor.hash)}${when}, ${now}: ${RESET}`;
    },
    meaning: `An anchored record is missing, or is another one: ${RESET}, or it is another ledger.`,
    hint: 'Restore a copy that has it. Do not spend from this one.',
  },
  'no-anchor': {
    message: 'the anchor file has no anchor of it: nothing was compared',
    meaning: 'The anchor file has no anchor of this ledger, or of this store: nothing was compared.',
    hint: 'Name the file that "ledger anchor" wrote for it. A ledger with another id is another ledger.',
  },
  'ledger-gone': {
    message: ({ finding }) =>
      finding.kind === 'gone'
        ? `the ledger ${quote(finding.anchor.ledger)}, which had ${counted(finding.anchor.seq, 'record')}, is missing`
        : `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with a record of this ledger, which is missing`,
    meaning: 'A ledger that an anchor or another ledger names is missing from the store.',
    hint: 'Put it back.',
  },
  'missing-part': {
    message: ({ finding }) =>
      `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with a record that is missing here: ${RESET}`,
    meaning:
      'A transaction over several ledgers is recorded in one of them, but not in another, which was reset to an earlier state.',
    hint: 'Restore a copy that has it. Do not spend from this one.',
  },
  'no-birth-times': {
    message: 'the file system has no creation times, by which a copy differs from the original: nothing was recorded',
    hint: 'Keep it on another file system, such as a local disk.',
  },
  'unshared-locks': {
    message: ({ fileSystem }) =>
      `other machines may not see the locks of this file system (${quote(fileSystem)}), so two could spend the same budget: nothing was recorded`,
    meaning:
      'Other machines may not see the locks of this file system (FUSE, SMB, 9p, NFS without locks): two could spend the same budget.',
    hint: 'Keep the ledger on a local disk, on NFS with locks, or in a database. If only one machine ever writes, add --assume-locks.',
  },
} satisfies Partial<FaultTexts>;
