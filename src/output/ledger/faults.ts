import { quote, shorten } from '../../document/core/quote.ts';
import { filledIn, type Explanations, explanationsOf, type Message, type Texts } from '../kit/message.ts';
import { counted, grouped } from '../kit/prose.ts';
import {
  ADDRESS_HINT,
  addressFault,
  BACKUP,
  brief,
  cutText,
  damage,
  ORIGINS,
  reasonText,
  SIDES,
  UNENDED,
  type LedgerFault,
  type LedgerFaultCode,
} from './fault-details.ts';
import { ENDED, refusalText } from './refusals.ts';

/** Every fault but that a ledger has ended, which is a no like others. */
type Faulty = Exclude<LedgerFault, { readonly code: 'converted' }>;
type FaultTexts = Texts<'code', Faulty>;

const ROLES = 'Have the owner of the tables grant it to the role: see "Roles" in docs/ledger-stores.md.';

/** Faults, in words that follow their place; here of those where the file is the wrong one (exit code 2). */
const WRONG_FILE = {
  'no-such-file': {
    message: 'file not found',
    hint: 'Check the path. If there was a ledger, find where it was moved, or put back a copy: a new one would know nothing of what was spent. Only "ledger init" makes ledgers.',
  },
  'no-such-directory': { message: 'directory not found', hint: 'Make the directory first, or check the path.' },
  'file-exists': {
    message: 'the file exists already, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'is-a-directory': { message: 'is a directory', hint: 'Name a file.' },
  'not-a-file': { message: 'not a regular file', hint: 'A ledger has to be a file that can be added to.' },
  unreadable: {
    message: ({ reason }) => `this cannot be read: ${reasonText(reason)}`,
    meaning: 'The file, or the database, cannot be read.',
    hint: ({ of }) => (of === 'database' ? ROLES : 'Check its permissions.'),
    remedy: 'Check its permissions; in a database, what the role was granted.',
  },
  'not-a-ledger': {
    message: ({ isDocument = false }) =>
      isDocument
        ? 'not a ledger, but a document such as a specification'
        : 'not a ledger, or its first record was changed',
    meaning: 'The file does not begin as a ledger does.',
    hint: ({ isDocument = false }) =>
      isDocument
        ? 'Name a ledger, which "ledger init" makes; a specification comes after it: "ledger spend LEDGER SPEC".'
        : 'Check the path: a ledger begins with {"schema":"dpcompose.ledger/2". If this was one, put back a copy.',
    remedy: 'Check the path. If this was a ledger, put back a copy.',
  },
  'unsupported-version': {
    message: ({ found }) => `this ledger is of the version ${quote(found)}, and this program reads dpcompose.ledger/2`,
    meaning: 'The ledger is of a version that this program does not read.',
    hint: 'Use the version of dpcompose that made it.',
  },
  'no-such-ledger': {
    message: 'the store has no ledger of this name',
    hint: 'See what it has with "ledger store list".',
  },
  'ledger-exists': {
    message: 'the store has a ledger of this name already, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'bad-name': {
    message: ({ reason }) => `no ledger of this store can have this name: ${reason}`,
    meaning: 'No ledger of this store can have this name.',
    hint: 'Choose another name.',
  },
  'bad-address': {
    message: (fault) => addressFault(fault).message,
    meaning:
      'The address of the store is not one, or has a password in it, or is of another machine and does not say whether the connection is encrypted.',
    hint: (fault) => addressFault(fault).hint,
    remedy: ADDRESS_HINT,
  },
  'no-such-database': {
    message: 'the server has no database of this name',
    hint: 'Check the address, or make the database.',
  },
  'not-admitted': {
    message: ({ reason }) => `the server does not let this user in: ${reasonText(reason)}`,
    meaning: 'The server does not let in this user, with this password, from here.',
    hint: 'Check the user in the address, and PGPASSWORD or ~/.pgpass, which only its owner may be able to read.',
  },
  'no-driver': {
    message: (fault) => `this needs the package ${fault.package}, which cannot be loaded: ${reasonText(fault.reason)}`,
    meaning: 'The package by which such a store is reached is not installed, or cannot be loaded.',
    hint: (fault) => `Install it beside dpcompose: npm install ${fault.package}.`,
    remedy: 'Install the package that the message names, beside dpcompose.',
  },
  'no-store': { message: 'no ledgers are kept here yet', hint: 'Make the store with "ledger store init".' },
  'not-a-store': {
    message: ({ reason }) => `this is not a store of ledgers: ${reasonText(reason)}`,
    meaning: 'Something else than a store of ledgers is at this place; it was left as it is.',
    hint: 'Check the address, or name a new place.',
  },
  'unfit-place': {
    message: ({ reason }) => `no ledgers can be kept here: ${reasonText(reason)}`,
    meaning:
      'A copy of such a file could not be told from it, or what stands beside it would be lost: it has several names, or a database is mounted by itself or on a file system that does not tell when files were made.',
    hint: 'Keep it in a folder of a local disk, under one name.',
  },
  'other-schema': {
    message: ({ found, needed }) =>
      `the tables of this store are of version ${shorten(found)}, and this program uses version ${shorten(needed)}`,
    meaning: 'The store was made by another version of this program, and its tables have another form.',
    hint: 'Bring an older one up to date with "ledger store init"; for a newer one use a newer dpcompose.',
  },
  'too-long': {
    message: ({ bytes, most }) =>
      `the record would have ${grouped(bytes)} bytes, and at most ${grouped(most)} fit: nothing was recorded`,
    meaning: 'The record would be longer than a line may be; nothing was recorded.',
    hint: 'Launch in several commands, or shorten the labels.',
  },
  'nothing-to-void': {
    message: ({ voids }) => `there is no record ${grouped(voids)} that has launched something`,
    meaning: 'The record that is said never to have run is not there, or has launched nothing.',
    hint: 'Name the record of a launch; "ledger export" numbers them.',
  },
  'nothing-to-recover': {
    message: 'the ledger does not end in anything that could be set aside',
    hint: 'Ask "ledger verify" what is wrong with it, if anything is.',
  },
  'same-ledger': {
    message: ({ other }) => `this is the same ledger as ${quote(other)}`,
    meaning: 'One ledger was named twice.',
    hint: 'Name each ledger once.',
  },
  'key-used': {
    message: ({ key, record }) =>
      `record ${grouped(record)} was made under the key ${quote(key)} already, for something else or by an earlier attempt: nothing was recorded`,
    meaning: 'The key was used for another request.',
    hint: 'If it was the same request, it is done; give every other one a key of its own.',
  },
  'other-budget': {
    message: ({ path, expected, found }) =>
      `the ledger was made with other terms than the budgets ask for: its ${path} is ${quote(shorten(found))}, not ${quote(shorten(expected))}`,
    meaning: 'The ledger was made with other terms than the budgets ask for.',
    hint: 'Terms never change: write its terms into the budgets, or give the line another name, which begins new ledgers.',
  },
} satisfies Partial<FaultTexts>;

const WAIT = 'Ask again; where something is recorded, as with "ledger spend --wait 60", others are waited for.';

/** What only a file can end in, before it goes on. */
const SET_ASIDE = 'set aside what it ends in, if that is no record, with "ledger recover", ';

/** Whether all of a database is missing. */
const isGone = ({ unit, size }: Extract<LedgerFault, { code: 'cut-off' }>): boolean => unit === 'records' && size === 0;

/** Of a ledger that was changed or is in use, or whose place cannot be relied on (exit code 4). */
const UNSOUND = {
  'damaged-store': {
    message: ({ reason }) => `the database is damaged, or was changed by hand: ${reasonText(reason)}`,
    meaning:
      'The database of the store is damaged, or somebody changed its tables or what protects them; nothing is granted then.',
    hint: 'Undo the change; or put back a copy from before, and enter what was spent since then.',
  },
  'unfinished-record': {
    message: ({ bytes }) =>
      `at the end stand ${grouped(bytes)} bytes of a record without its end, and nothing is granted before somebody has looked: either ${UNENDED}`,
    meaning:
      'At the end of the ledger stands the beginning of a record: of one whose writing was cut short, of which nobody was told, or of one that counted and whose end was removed.',
    hint: 'If nobody is writing it now, set them aside with "ledger recover", which keeps them in a record.',
  },
  'cut-off': {
    message: (fault) =>
      isGone(fault)
        ? `the database that was here, with ${counted(fault.before, 'record')}, is gone: made anew, its budgets would be granted a second time`
        : `the ${fault.unit === 'bytes' ? 'file' : 'database'} ${cutText(fault)}: records are gone from its end, and nothing is granted`,
    meaning:
      'The file or the database of the ledger has less in it than it was left with: records were cut off at its end, or an older copy was put over it.',
    hint: (fault) =>
      isGone(fault)
        ? 'Put back the database. Only if nothing was ever spent from its ledgers, remove the stamp beside it: .NAME.stamp, with the name of the file.'
        : `Put back a copy that has them. If they are lost, ${fault.unit === 'bytes' ? SET_ASIDE : ''}let it go on with "ledger adopt", and count what they spent with "ledger record --incurred".`,
    remedy: `Put back a copy that has them. If they are lost, ${SET_ASIDE}let it go on with "ledger adopt", and count what they spent with "ledger record --incurred".`,
  },
  'clock-behind': {
    message: ({ time, now, record }) =>
      `${record === null ? 'this' : record === 0 ? 'the header' : `record ${grouped(record)}`} is of ${shorten(time)}, more than a day after the clock of the store, which says ${now}: one of the two clocks is wrong, and nothing was recorded`,
    meaning:
      'A time of the ledger, or of what was to be recorded, is more than a day after the clock of the store: that is wrong, or the one was by which the time was noted. Nothing was recorded.',
    hint: 'Set the clock right. If it is right now, say so once in a record: "ledger annotate LEDGER --label WHY --accept-clock".',
  },
  unsettled: {
    message: ({ head, because }) =>
      `the last record is one of several of a transaction that is decided by ${quote(head)}, which cannot be looked into (${because})`,
    meaning:
      'The last record belongs to a transaction over several ledgers, and the one that decides whether it counts cannot be read.',
    hint: 'Put that ledger back where it was, or repair it with "ledger recover", then ask again.',
  },
  moved: {
    message:
      'this is a copy, or was put back or moved by a program: the last record was written in another place, where more may have been spent since',
    meaning:
      'The ledger is a copy, or was moved to another disk, restored, or rewritten by git or an editor: the other one may have been spent from since.',
    hint: 'Use the ledger in its own place. If it is to go on here, and nobody uses the other any more, say so with "ledger adopt".',
  },
  'moved-away': {
    message: ({ to }) => `the ledger was moved away to ${quote(to)}: nothing is recorded here any more`,
    meaning: 'The ledger was moved to another store, and is not written to in this one any more.',
    hint: 'Use it there. If it is not there yet, the same "ledger move" again completes the move.',
  },
  'same-place': {
    message: 'the ledger was last written in this very place: a copy beside it could be spent from as well',
    hint: 'Name another store.',
  },
  'lost-ledger': {
    message: (fault) =>
      `there is no such ledger, and there was${'left' in fault ? `, as ${quote(fault.left)} says` : `: record ${grouped(fault.record)} of ${quote(fault.with)} was written together with one of its own`}; made anew, its budget would be granted a second time`,
    meaning:
      'A ledger that budgets name is not there, and was: another one has a record that was written together with one of its own. Made anew, its budget would be granted a second time.',
    hint: (fault) =>
      'left' in fault
        ? 'Put the ledger back where it was, or choose another name. Only if nothing was ever spent from it, or it goes on under another name, remove that file.'
        : 'Put the ledger back where it was.',
    remedy: 'Put the ledger back where it was.',
  },
  busy: {
    message: ({ seconds }) => `other processes wrote to the ledger for more than ${seconds} s: nothing was recorded`,
    meaning: 'Others wrote to the ledger for longer than was to be waited.',
    hint: WAIT,
  },
  changed: {
    message: ({ found, expected }) =>
      `the last record is ${brief(found)}, not ${brief(expected)}: somebody has added to the ledger, and nothing was recorded`,
    meaning:
      'The last record is not the one that --expect names: somebody has added to the ledger, and nothing was recorded.',
    hint: 'See what is new with "ledger status", then ask again with the new hash.',
  },
  replaced: {
    message:
      'the file was moved or replaced, or written to by another program, while the record was written: it counts where the file is that it was written to',
    hint: 'Do not run the mechanism; look for the record with "ledger verify", also in the file that was moved away.',
  },
  'empty-ledger': {
    message: 'the file is empty: if it was a ledger, what was spent is lost with it',
    hint: 'Put back a copy, and enter what was spent since then. Only if it never was a ledger, remove it and use "ledger init".',
  },
  'unfinished-header': {
    message:
      'the first line has no end: the ledger is being made, its making was cut short, or all that followed was cut off',
    hint: 'If it was ever spent from, put back a copy. Only if it never was, and nobody is making it, remove it and use "ledger init".',
  },
  'line-too-long': { message: 'the line is too long for a record', hint: BACKUP },
  'damaged-record': {
    message: (fault) => damage(fault).message,
    meaning:
      'A record is not as it was written: its text, its hash or the line that it stands on was changed; or git has put a conflict marker there.',
    hint: (fault) => damage(fault).hint,
    remedy: BACKUP,
  },
  'damaged-end': {
    message: 'after the last record stands something that is not the beginning of another',
    hint: 'Set it aside with "ledger recover", which keeps it in a record.',
  },
  'wrong-head': {
    message: ({ stated }) =>
      `this is the last record, but the store notes ${brief(stated)} as the last: records were changed, added or taken away by hand`,
    meaning:
      'The last record is not the one that the store notes as the last: records were changed, added or taken away by hand.',
    hint: BACKUP,
  },
  'duplicate-record': {
    message: ({ first }) => `the same record stands in line ${first}`,
    meaning: 'The same record stands in the file twice.',
    hint: 'Remove this line.',
    remedy: 'Remove the later line.',
  },
  fork: {
    message: ({ after }) =>
      `the record follows that of line ${after}, and so does another: two ledgers were merged, each of which may have spent the same budget`,
    meaning: 'Two records follow the same one: two ledgers were merged, each of which may have spent the same budget.',
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
  'foreign-record': { message: 'the record is not of this ledger, or the header was changed', hint: BACKUP },
  'malformed-record': {
    message: ({ path }) => `${path} is not what a record of this program has`,
    meaning: 'A field of the record is not what a record of this program has.',
    hint: BACKUP,
  },
  'wrong-totals': {
    message: ({ path, stated, actual }) =>
      `${path} is ${shorten(stated)}, but the records up to here add up to ${shorten(actual)}`,
    meaning: 'The totals of the record are not what the records up to it add up to.',
    hint: BACKUP,
  },
  'not-allowed': {
    message: ({ refusal }) => `the rule does not allow it: ${refusalText(refusal).message}`,
    meaning: 'The rule does not allow what the record says was granted.',
    hint: BACKUP,
  },
  'needless-refusal': {
    message: 'it says that something was refused, but the rule allows it, or refuses it for another reason',
    meaning: 'The record says that something was refused, and the rule allows it, or refuses it for another reason.',
    hint: BACKUP,
  },
  'other-hold': {
    message: 'it launches something else than was reserved',
    meaning: 'The record launches something else than was reserved under this name.',
    hint: BACKUP,
  },
  'wrong-void': {
    message: ({ voids }) => `it says that record ${grouped(voids)} never ran, which has launched nothing`,
    meaning: 'The record says of one that has launched nothing that it never ran.',
    hint: BACKUP,
  },
  'needless-halt': {
    message: 'it says that the ledger ended here, but the rule allows what was asked',
    meaning: 'The record says that the ledger ended, and the rule allows what was asked.',
    hint: BACKUP,
  },
  'after-conversion': {
    message: ({ to }) => `the ledger ended before: it continues as ${quote(to)}`,
    meaning: 'The record stands after the one with which the ledger ended, to go on as another.',
    hint: 'Use the ledger that it goes on in.',
  },
  'after-move': {
    message: 'the ledger was moved away before, and this is not the record by which it goes on in the other place',
    hint: BACKUP,
  },
  'wrong-origin': {
    message: ({ what }) => ORIGINS[what],
    meaning: 'The ledger that this one is nested in, or goes on from, does not say the same of it.',
    hint: 'Look at the right file with --from; if it is that one, do not spend from this ledger: nothing backs its budget.',
  },
  'hash-not-found': {
    message: ({ hash }) => `no record has the hash ${hash}: records were taken away, or this is another ledger`,
    meaning: 'No record has the hash that --contains names: records were taken away, or this is another ledger.',
    hint: 'Put back a copy that has it.',
  },
  'anchor-not-found': {
    message: ({ mismatch: { anchor, found } }) => {
      const when = anchor.at === null ? '' : ` at ${anchor.at}`;
      const what = found === null ? 'record not found' : `it is ${brief(found)} now`;
      return `record ${grouped(anchor.seq)} was ${brief(anchor.hash)}${when}, and ${what}: the ledger was put back to an earlier state`;
    },
    meaning:
      'A record that was anchored is not there, or is another one: the ledger was put back to an earlier state, or is another ledger.',
    hint: 'Put back a copy that has it; do not spend from this one.',
  },
  'no-anchor': {
    message: 'no anchor in the file is of it: nothing was compared',
    meaning: 'No anchor in the file is of this ledger, or of this store: nothing was compared.',
    hint: 'Name the file that "ledger anchor" wrote for it; a ledger of another id is another ledger.',
  },
  'ledger-gone': {
    message: ({ finding }) =>
      finding.kind === 'gone'
        ? `the ledger ${quote(finding.anchor.ledger)} was here, with ${counted(finding.anchor.seq, 'record')}, and is not any more`
        : `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with one of this ledger, which is not there any more`,
    meaning: 'A ledger that was anchored is not in the store any more.',
    hint: 'Put it back.',
  },
  'missing-part': {
    message: ({ finding }) =>
      `record ${grouped(finding.seq)} of ${quote(finding.of)} was granted together with one of this ledger, which is not there: this ledger was put back to an earlier state`,
    meaning:
      'A transaction over several ledgers is recorded in one of them and not in another, which was put back to an earlier state.',
    hint: 'Put back a copy that has it; do not spend from this one.',
  },
  'no-birth-times': {
    message:
      'the file system here does not tell when a file was made, by which a copy is told from it: nothing was recorded',
    hint: 'Keep it on another file system, such as a local disk.',
  },
  'unshared-locks': {
    message: ({ fileSystem }) =>
      `this is on a file system whose locks other machines need not see (${quote(fileSystem)}), so that two could spend the same budget: nothing was recorded`,
    meaning:
      'The ledger is on a file system whose locks other machines need not see (FUSE, SMB, 9p, NFS without locks): two could spend the same budget.',
    hint: 'Keep the ledger on a local disk, on NFS with its locks, or in a database. Where only one machine ever writes, say so with --assume-locks.',
  },
} satisfies Partial<FaultTexts>;

/** Of what could not be written (exit code 74). */
const UNWRITTEN = {
  'no-space': { message: 'the disk is full: nothing was recorded', hint: 'Make room, then ask again.' },
  'read-only': {
    message: ({ of }) =>
      `${of === 'database' ? 'the database takes no writes' : 'the file system is read-only'}: nothing was recorded`,
    meaning: 'The file system, or the database, is read-only; nothing was recorded.',
    hint: ({ of }) =>
      of === 'database'
        ? 'Name a server that is no standby, and see that default_transaction_read_only is off for the role and the database.'
        : 'Keep the ledger where it can be written.',
    remedy: 'Keep the ledger where it can be written.',
  },
  'not-permitted': {
    message: ({ reason }) =>
      `writing is not permitted${reason === undefined ? '' : ` (${reasonText(reason)})`}: nothing was recorded`,
    meaning: 'Writing is not permitted; nothing was recorded.',
    hint: ({ reason }) => (reason === undefined ? 'Check the permissions and the owner.' : ROLES),
    remedy: 'Check the permissions and the owner; in a database, what the role was granted.',
  },
  'write-failed': {
    message: ({ reason }) => `writing failed: ${reasonText(reason)}; nothing was recorded`,
    meaning: 'Writing failed; nothing was recorded.',
    hint: 'Ask again when that is fixed.',
  },
  'outcome-unknown': {
    message: ({ reason }) =>
      `writing failed (${reasonText(reason)}) and could not be undone: the record may be there, and counts if it is`,
    meaning: 'Writing failed and could not be undone: the record may be there, and counts if it is.',
    hint: 'Do not run the mechanism; see what is there with "ledger status".',
  },
  unreachable: {
    message: ({ reason }) => `the server cannot be reached: ${reasonText(reason)}; nothing was recorded`,
    meaning: 'The server of the store cannot be reached; nothing was recorded.',
    hint: 'Check the address, and whether the server runs.',
  },
  'connection-lost': {
    message: ({ reason }) => `the connection to the server was lost (${reasonText(reason)}): nothing was recorded`,
    meaning: 'The connection to the server was lost before the end; nothing was recorded.',
    hint: WAIT,
  },
  'too-many-connections': {
    message: 'the server takes no more connections now: nothing was recorded',
    hint: WAIT,
  },
  cancelled: {
    message: ({ reason }) => `the server was told to stop: ${reasonText(reason)}; nothing was recorded`,
    meaning: 'Somebody, or a limit of the server, stopped the statement; nothing was recorded.',
    hint: 'Ask again.',
  },
  'no-locks': {
    message: ({ reason }) => `the file cannot be locked here (${reasonText(reason)}): nothing was recorded`,
    meaning: 'The file cannot be locked here; nothing was recorded.',
    hint: 'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
  },
  'not-made': {
    message: ({ path, because, isPaidFor = false }) =>
      `${isPaidFor ? `an earlier command recorded ${path}, which counts, and was stopped before it was made; it cannot be made now, and nothing more is recorded before it is` : `${path} could not be made, so that nothing was recorded`}: ${faultMessage(because).message}`,
    meaning:
      'The new ledger that goes with the record could not be made, and nothing was recorded; or it goes with one that an earlier command recorded, and has to be made first.',
    hint: ({ isPaidFor = false }) =>
      isPaidFor
        ? 'Move away what has its name, then ask again.'
        : 'Ask again when that is fixed, or name another place.',
    remedy: 'Ask again when that is fixed, or name another place.',
  },
} satisfies Partial<FaultTexts>;

const FAULTS: FaultTexts = { ...WRONG_FILE, ...UNSOUND, ...UNWRITTEN };

/** The exit code of the program for a fault: the file is the wrong one, was changed or is in use, or could not be written. */
export const faultExit = (code: LedgerFaultCode): 1 | 2 | 4 | 74 =>
  code === 'converted' ? 1 : code in WRONG_FILE ? 2 : code in UNSOUND ? 4 : 74;

/** What a fault of each code is, and what to do about it. */
export const faultExplanations = (): Explanations<Faulty['code']> => explanationsOf(FAULTS);

/** A fault in words that follow its place. */
export const faultMessage = (fault: LedgerFault): Message =>
  fault.code === 'converted' ? filledIn(ENDED, fault) : filledIn<never>(FAULTS[fault.code], fault as never);
