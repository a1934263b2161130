import type { BadAddress, Fault, WrongOrigin } from '../../ledger/records/fault.ts';
import { LONGEST_RECORD } from '../../ledger/records/line.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import { sentenceIn, type Message, type Sentences } from '../kit/message.ts';
import { grouped, printable } from '../kit/prose.ts';
import { UNENDED } from './ledger-text.ts';
import { refusalText } from './refusal-message.ts';

/** Characters of the longest reason that is shown whole. */
const LONGEST_REASON = 200;

const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const LAST_LINE =
  'If no record comes after it, set it aside with "ledger recover"; else put back a copy from before, and enter again what was spent since then.';
const ROLES = 'Have the owner of the tables grant it to the role: see "Roles" in docs/ledger-stores.md.';
const SIDES = 'Put back the records of one side; count what the other side spent with "ledger record --incurred".';

type Damaged = Extract<Fault, { code: 'damaged-record' }>;

/** The first digits of a hash. */
const brief = (hash: string): string => `${hash.slice(0, 12)}...`;

function wrongHash({ stated, actual, changed }: Extract<Damaged, { what: 'wrong-hash' }>): Message {
  const hashes = `(${brief(stated)} is stated, ${brief(actual)} is that of its content)`;
  const byNext = {
    content: `the content of the record was changed: the next record confirms its hash ${hashes}`,
    hash: `the hash of the record was changed: the next record confirms its content ${hashes}`,
  };
  return {
    message: changed ? byNext[changed] : `the record was changed: its hash is not that of its content ${hashes}`,
    hint: changed === 'hash' ? 'Put back the hash of its content.' : BACKUP,
  };
}

const DAMAGES: Sentences<'what', Damaged, Message> = {
  blank: { message: 'a line is blank', hint: LAST_LINE },
  'merge-marker': {
    message: 'this is a conflict marker of git: two ledgers were merged, each of which may have spent the same budget',
    hint: SIDES,
  },
  'carriage-return': {
    message: 'the lines end in CRLF: git or an editor has rewritten the file',
    hint: 'Restore it with LF; for git, write "*.jsonl -text" in .gitattributes.',
  },
  'byte-order-mark': {
    message: 'the file begins with a byte order mark: an editor has rewritten it',
    hint: 'Remove the mark.',
  },
  'not-text': { message: 'this is no record: it holds bytes that are not UTF-8', hint: LAST_LINE },
  'not-json': { message: 'this is no record, or was one that was changed: it is not JSON', hint: LAST_LINE },
  unsealed: { message: 'this is no record, or was one that was changed: it does not end in a hash', hint: LAST_LINE },
  'not-canonical': {
    message: 'the record is not written as this program writes it, although its hash is right',
    hint: BACKUP,
  },
  'wrong-hash': wrongHash,
};

const ORIGINS: Readonly<Record<WrongOrigin, string>> = {
  'no-origin': 'by its header the ledger began by itself, and comes from no other one',
  'other-ledger': 'by its header the ledger comes from another one than this',
  'no-such-record':
    'the ledger that it comes from, by its header, has no such record of having paid for it or ended for it',
  'other-id': 'the ledger that it comes from paid, or ended, for a ledger of another id',
  'other-terms': 'the ledger that it comes from paid, or ended, for a ledger of other terms',
  'other-totals': 'it does not go on from the totals with which the ledger that it comes from ended',
};

/** What is wrong with an address; the option is one of these. */
const ADDRESS_PROBLEMS: Readonly<Record<BadAddress['problem'], (option: string) => string>> = {
  malformed: () => 'this is not an address of a store',
  password: () => 'there is a password in the address, where others see it',
  'unknown-option': (option) => `the address has the option ${option}, which there is not`,
  'repeated-option': (option) => `the address has the option ${option} twice`,
  'wrong-option': (option) => `the address has a value for ${option} that it cannot have`,
  unencrypted: () => 'the server is another machine, and the address does not say whether the connection is encrypted',
  'outer-space': () => 'the path begins or ends with white space, by which another file would be meant',
};

const ADDRESS_HINT =
  'Write a folder, sqlite:FILE, or postgres://USER@HOST/DATABASE, with PGPASSWORD or ~/.pgpass for the password. A password that others may have seen should be changed.';

/** The hints of those that have one of their own. */
const ADDRESS_HINTS: Partial<Readonly<Record<BadAddress['problem'], string>>> = {
  unencrypted: 'Add ?sslmode=verify-full, or ?sslmode=disable where the network is trusted.',
  'outer-space': 'Give the file another name.',
};

/** What a server or a system gives as its reason: whole, unless it is very long. */
const reasonText = (reason: string): string => shorten(printable(reason), LONGEST_REASON);

/** How a file or a database is told from what it was when it was left. */
function cutText({ size, before, unit, isOther = false }: Extract<Fault, { code: 'cut-off' }>): string {
  if (isOther) return 'does not have the record that it was left with: another copy was put over it';
  return size < before
    ? `has ${grouped(size)} ${unit}, and was left with ${grouped(before)}`
    : `was left with ${grouped(before)} ${unit}, and was recovered from fewer`;
}

/** Faults, in words that follow their place. */
const FAULTS: Sentences<'code', Fault, Message> = {
  'no-such-file': {
    message: 'there is no such file',
    hint: 'Check the path. If there was a ledger, find where it was moved, or put back a copy: a new one would know nothing of what was spent. Only "ledger init" makes ledgers.',
  },
  'no-such-directory': { message: 'there is no such directory', hint: 'Make the directory first, or check the path.' },
  'file-exists': {
    message: 'there is a file of this name already, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'is-a-directory': { message: 'this is a directory', hint: 'Name a file.' },
  'not-a-file': { message: 'this is not a regular file', hint: 'A ledger has to be a file that can be added to.' },
  unreadable: ({ reason, of }) => ({
    message: `this cannot be read: ${reasonText(reason)}`,
    hint: of === 'database' ? ROLES : 'Check its permissions.',
  }),
  'not-a-ledger': ({ isDocument = false }) =>
    isDocument
      ? {
          message: 'this is a document such as a specification, not a ledger',
          hint: 'Name a ledger, which "ledger init" makes; a specification comes after it: "ledger spend LEDGER SPEC".',
        }
      : {
          message: 'this is not a ledger, or its beginning was changed',
          hint: 'Check the path: a ledger begins with {"schema":"dpcompose.ledger/2". If this was one, put back a copy.',
        },
  'unsupported-version': ({ found }) => ({
    message: `this ledger is of the version ${quote(found)}, and this program reads dpcompose.ledger/2`,
    hint: 'Use the version of dpcompose that made it.',
  }),
  'no-such-ledger': {
    message: 'the store has no ledger of this name',
    hint: 'See what it has with "ledger store list".',
  },
  'ledger-exists': {
    message: 'the store has a ledger of this name already, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'bad-name': ({ reason }) => ({
    message: `no ledger of this store can have this name: ${reason}`,
    hint: 'Choose another name.',
  }),
  'bad-address': (fault) => ({
    message: ADDRESS_PROBLEMS[fault.problem](fault.option === null ? '' : quote(fault.option)),
    hint: ADDRESS_HINTS[fault.problem] ?? ADDRESS_HINT,
  }),
  'no-such-database': {
    message: 'the server has no database of this name',
    hint: 'Check the address, or make the database.',
  },
  'not-admitted': ({ reason }) => ({
    message: `the server does not let this user in: ${reasonText(reason)}`,
    hint: 'Check the user in the address, and PGPASSWORD or ~/.pgpass, which only its owner may be able to read.',
  }),
  unreachable: ({ reason }) => ({
    message: `the server cannot be reached: ${reasonText(reason)}; nothing was recorded`,
    hint: 'Check the address, and whether the server runs.',
  }),
  'connection-lost': ({ reason }) => ({
    message: `the connection to the server was lost (${reasonText(reason)}): nothing was recorded`,
    hint: 'Ask again, or wait longer with --wait.',
  }),
  'too-many-connections': {
    message: 'the server takes no more connections now: nothing was recorded',
    hint: 'Ask again, or wait longer with --wait.',
  },
  cancelled: ({ reason }) => ({
    message: `the server was told to stop: ${reasonText(reason)}; nothing was recorded`,
    hint: 'Ask again.',
  }),
  'no-driver': (fault) => ({
    message: `this needs the package ${fault.package}, which cannot be loaded: ${reasonText(fault.reason)}`,
    hint: `Install it beside dpcompose: npm install ${fault.package}.`,
  }),
  'no-store': {
    message: 'no ledgers are kept here yet',
    hint: 'Make the store with "ledger store init".',
  },
  'not-a-store': ({ reason }) => ({
    message: `this is not a store of ledgers: ${reasonText(reason)}`,
    hint: 'Check the address, or name a new place.',
  }),
  'unfit-place': ({ reason }) => ({
    message: `no ledgers can be kept here: ${reasonText(reason)}`,
    hint: 'Keep it in a folder of a local disk, under one name.',
  }),
  'other-schema': ({ found, needed }) => ({
    message: `the tables of this store are of version ${shorten(found)}, and this program uses version ${shorten(needed)}`,
    hint: 'Bring an older one up to date with "ledger store init"; for a newer one use a newer dpcompose.',
  }),
  'damaged-store': ({ reason }) => ({
    message: `the database is damaged, or was changed by hand: ${reasonText(reason)}`,
    hint: 'Undo the change; or put back a copy from before, and enter what was spent since then.',
  }),
  'no-space': { message: 'the disk is full: nothing was recorded', hint: 'Make room, then ask again.' },
  'read-only': ({ of }) =>
    of === 'database'
      ? {
          message: 'the database takes no writes: nothing was recorded',
          hint: 'Name a server that is no standby, and see that default_transaction_read_only is off for the role and the database.',
        }
      : {
          message: 'the file system is read-only: nothing was recorded',
          hint: 'Keep the ledger where it can be written.',
        },
  'not-permitted': ({ reason }) =>
    reason === undefined
      ? { message: 'writing is not permitted: nothing was recorded', hint: 'Check the permissions and the owner.' }
      : { message: `writing is not permitted (${reasonText(reason)}): nothing was recorded`, hint: ROLES },
  'write-failed': ({ reason }) => ({
    message: `writing failed: ${reasonText(reason)}; nothing was recorded`,
    hint: 'Ask again when that is fixed.',
  }),
  'too-long': ({ bytes }) => ({
    message: `the record would have ${grouped(bytes)} bytes, and at most ${grouped(LONGEST_RECORD)} fit: nothing was recorded`,
    hint: 'Launch in several commands, or shorten the labels.',
  }),
  'outcome-unknown': ({ reason }) => ({
    message: `writing failed (${reasonText(reason)}) and could not be undone: the record may be there, and counts if it is`,
    hint: 'Do not run the mechanism; see what is there with "ledger status".',
  }),
  'no-locks': ({ reason }) => ({
    message: `the file cannot be locked here (${reasonText(reason)}): nothing was recorded`,
    hint: 'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
  }),
  'no-birth-times': {
    message:
      'the file system here does not tell when a file was made, by which a copy is told from it: nothing was recorded',
    hint: 'Keep it on another file system, such as a local disk.',
  },
  'unshared-locks': ({ fileSystem }) => ({
    message: `this is on a file system whose locks other machines need not see (${quote(fileSystem)}), so that two could spend the same budget: nothing was recorded`,
    hint: 'Keep the ledger on a local disk, on NFS with its locks, or in a database (--store). Where only one machine ever writes, say so with --assume-locks.',
  }),
  'not-made': ({ path, because, isPaidFor = false }) =>
    isPaidFor
      ? {
          message: `an earlier command recorded ${path}, which counts, and was stopped before it was made; it cannot be made now, and nothing more is recorded before it is: ${faultMessage(because).message}`,
          hint: 'Move away what has its name, then ask again.',
        }
      : {
          message: `${path} could not be made, so that nothing was recorded: ${faultMessage(because).message}`,
          hint: 'Ask again when that is fixed, or name another place.',
        },
  'nothing-to-recover': {
    message: 'the ledger does not end in anything that could be set aside',
    hint: 'Ask "ledger verify" what is wrong with it, if anything is.',
  },
  'unfinished-record': ({ bytes }) => ({
    message: `at the end stand ${grouped(bytes)} bytes of a record without its end, and nothing is granted before somebody has looked: either ${UNENDED}`,
    hint: 'If nobody is writing it now, set them aside with "ledger recover", which keeps them in a record.',
  }),
  'cut-off': (fault) => ({
    message: `the ${fault.unit === 'bytes' ? 'file' : 'database'} ${cutText(fault)}: records are gone from its end, and nothing is granted`,
    hint:
      fault.unit === 'records' && fault.size === 0
        ? 'Put back the database. Only if nothing was ever spent from its ledgers, remove the stamp beside it: .NAME.stamp, with the name of the file.'
        : 'Put back a copy that has them. If they are lost, set aside what it ends in, if that is no record, with "ledger recover", let it go on with "ledger adopt", and count what they spent with "ledger record --incurred".',
  }),
  unsettled: ({ head, because }) => ({
    message: `the last record is one of several of a transaction that is decided by ${quote(head)}, which cannot be looked into (${because})`,
    hint: 'Put that ledger back where it was, or repair it with "ledger recover", then ask again.',
  }),
  moved: {
    message:
      'this is a copy, or was put back or moved by a program: the last record was written in another place, where more may have been spent since',
    hint: 'Use the ledger in its own place. If it is to go on here, and nobody uses the other any more, say so with "ledger adopt".',
  },
  'moved-away': ({ to }) => ({
    message: `the ledger was moved away to ${quote(to)}: nothing is recorded here any more`,
    hint: 'Use it there. If it is not there yet, the same "ledger move" again completes the move.',
  }),
  'same-place': {
    message: 'the ledger was last written in this very place: a copy beside it could be spent from as well',
    hint: 'Name another store.',
  },
  'lost-ledger': (fault) =>
    'left' in fault
      ? {
          message: `there is no such ledger, and there was, as ${quote(fault.left)} says; made anew, its budget would be granted a second time`,
          hint: 'Put the ledger back where it was. Only if nothing was ever spent from it, remove that file.',
        }
      : {
          message: `there is no such ledger, and there was: record ${grouped(fault.record)} of ${quote(fault.with)} was written together with one of its own; made anew, its budget would be granted a second time`,
          hint: 'Put the ledger back where it was.',
        },
  'same-ledger': ({ other }) => ({
    message: `this is the same ledger as ${quote(other)}`,
    hint: 'Name each ledger once.',
  }),
  'key-used': ({ key, record }) => ({
    message: `record ${grouped(record)} was made under the key ${quote(key)} already, for something else or by an earlier attempt: nothing was recorded`,
    hint: 'If it was the same request, it is done; give every other one a key of its own.',
  }),
  'other-budget': ({ path, expected, found }) => ({
    message: `the ledger was made with other terms than the budgets ask for: its ${path} is ${quote(shorten(found))}, not ${quote(shorten(expected))}`,
    hint: 'Terms never change: write its terms into the budgets, or give the line another name, which begins new ledgers.',
  }),
  busy: ({ seconds }) => ({
    message: `others wrote to the ledger for more than ${seconds} s: nothing was recorded`,
    hint: 'Ask again, or wait longer with --wait.',
  }),
  changed: ({ found, expected }) => ({
    message: `the last record is ${brief(found)}, not ${brief(expected)}: somebody has added to the ledger, and nothing was recorded`,
    hint: 'See what is new with "ledger status", then ask again with the new hash.',
  }),
  'clock-behind': ({ time, now, record }) => ({
    message: `${record === null ? 'this' : record === 0 ? 'the header' : `record ${grouped(record)}`} is of ${shorten(time)}, more than a day after the clock of the store, which says ${now}: one of the two clocks is wrong, and nothing was recorded`,
    hint: 'Set the clock right; if it is right now, say so once with --accept-clock, or give the time with --at.',
  }),
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
  'damaged-record': (fault) => sentenceIn(DAMAGES, 'what', fault),
  'damaged-end': {
    message: 'after the last record stands something that is not the beginning of another',
    hint: 'Set it aside with "ledger recover", which keeps it in a record.',
  },
  'wrong-head': ({ stated }) => ({
    message: `this is the last record, but the store notes ${brief(stated)} as the last: records were changed, added or taken away by hand`,
    hint: BACKUP,
  }),
  'duplicate-record': ({ first }) => ({
    message: `the same record stands in line ${first}`,
    hint: 'Remove this line.',
  }),
  fork: ({ after }) => ({
    message: `the record follows that of line ${after}, and so does another: two ledgers were merged, each of which may have spent the same budget`,
    hint: SIDES,
  }),
  'missing-records': ({ count }) => ({
    message:
      count === 1
        ? 'the record before this one is missing'
        : `the ${grouped(count)} records before this one are missing`,
    hint: BACKUP,
  }),
  'broken-chain': { message: 'the record does not follow the one before it', hint: BACKUP },
  'foreign-record': { message: 'the record is not of this ledger, or the header was changed', hint: BACKUP },
  'malformed-record': ({ path }) => ({ message: `${path} is not what a record of this program has`, hint: BACKUP }),
  'wrong-totals': ({ path, stated, actual }) => ({
    message: `${path} is ${shorten(stated)}, but the records up to here add up to ${shorten(actual)}`,
    hint: BACKUP,
  }),
  'not-allowed': ({ refusal }) => ({
    message: `the rule does not allow it: ${refusalText(refusal).message}`,
    hint: BACKUP,
  }),
  'needless-refusal': {
    message: 'it says that something was refused, but the rule allows it, or refuses it for another reason',
    hint: BACKUP,
  },
  'other-hold': { message: 'it launches something else than was reserved', hint: BACKUP },
  'wrong-void': ({ voids }) => ({
    message: `it says that record ${grouped(voids)} never ran, which has launched nothing`,
    hint: BACKUP,
  }),
  'nothing-to-void': ({ voids }) => ({
    message: `there is no record ${grouped(voids)} that has launched something`,
    hint: 'Name the record of a launch; "ledger export" numbers them.',
  }),
  'needless-halt': { message: 'it says that the ledger ended here, but the rule allows what was asked', hint: BACKUP },
  'wrong-origin': ({ what }) => ({
    message: ORIGINS[what],
    hint: 'Look at the right file with --from; if it is that one, do not spend from this ledger: nothing backs its budget.',
  }),
  'after-move': {
    message: 'the ledger was moved away before, and this is not the record by which it goes on in the other place',
    hint: BACKUP,
  },
  'after-conversion': ({ to }) => ({
    message: `the ledger ended before: it goes on as ${quote(to)}`,
    hint: 'Use the ledger that it goes on in.',
  }),
};

/** A fault in words that follow its place. */
export const faultMessage = (fault: Fault): Message => sentenceIn(FAULTS, 'code', fault);
