import type { Fault, WrongOrigin } from '../../ledger/file/fault.ts';
import { LONGEST_RECORD } from '../../ledger/file/lines.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import { sentenceIn, type Message, type Sentences } from '../kit/message.ts';
import { grouped } from '../kit/prose.ts';
import { refusalText } from './refusal-message.ts';

const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const SIDES = 'Keep the records of one side; enter what the other side spent again with "ledger spend".';

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
  blank: { message: 'a line is blank', hint: 'Remove it; a record that stood there is missing.' },
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
  'not-text': { message: 'the record was changed: it holds bytes that are not UTF-8', hint: BACKUP },
  'not-json': { message: 'the record was changed: it is not JSON any more', hint: BACKUP },
  unsealed: { message: 'the record was changed: it does not end in a hash', hint: BACKUP },
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

/** Faults, in words that follow their place. */
const FAULTS: Sentences<'code', Fault, Message> = {
  'no-such-file': {
    message: 'there is no such file',
    hint: 'Begin a ledger with: dpcompose ledger init FILE --epsilon 1.',
  },
  'no-such-directory': { message: 'there is no such directory', hint: 'Make the directory first, or check the path.' },
  'file-exists': {
    message: 'there is a file of this name already, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'is-a-directory': { message: 'this is a directory', hint: 'Name a file.' },
  'not-a-file': { message: 'this is not a regular file', hint: 'A ledger has to be a file that can be added to.' },
  unreadable: ({ reason }) => ({ message: `this cannot be read: ${reason}`, hint: 'Check its permissions.' }),
  'not-a-ledger': {
    message: 'this is not a ledger',
    hint: 'A ledger begins with {"schema":"dpcompose.ledger/1"; make one with "ledger init".',
  },
  'unsupported-version': ({ found }) => ({
    message: `this ledger is of the version ${quote(found)}, and this program reads dpcompose.ledger/1`,
    hint: 'Use a newer dpcompose.',
  }),
  'no-space': { message: 'the disk is full: nothing was recorded', hint: 'Make room, then ask again.' },
  'read-only': {
    message: 'the file system is read-only: nothing was recorded',
    hint: 'Keep the ledger where it can be written.',
  },
  'not-permitted': {
    message: 'writing is not permitted: nothing was recorded',
    hint: 'Check the permissions and the owner.',
  },
  'write-failed': ({ reason }) => ({
    message: `writing failed: ${shorten(reason)}; nothing was recorded`,
    hint: 'Ask again when that is fixed.',
  }),
  'too-long': ({ bytes }) => ({
    message: `the record would have ${grouped(bytes)} bytes, and at most ${grouped(LONGEST_RECORD)} fit: nothing was recorded`,
    hint: 'Launch in several commands, or shorten the labels.',
  }),
  'outcome-unknown': ({ reason }) => ({
    message: `writing failed (${shorten(reason)}) and could not be undone: the record may be there, and counts if it is`,
    hint: 'Do not run the mechanism; see what is there with "ledger status".',
  }),
  'no-locks': ({ reason }) => ({
    message: `the file cannot be locked here (${shorten(reason)}): nothing was recorded`,
    hint: 'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
  }),
  'not-made': ({ path, because }) => ({
    message: `it WAS recorded, and counts, but ${path} could not be made: ${faultMessage(because).message}`,
    hint: 'What was recorded stays; make another one.',
  }),
  busy: ({ seconds }) => ({
    message: `others wrote to the ledger for more than ${seconds} s: nothing was recorded`,
    hint: 'Ask again, or wait longer with --wait.',
  }),
  changed: ({ found, expected }) => ({
    message: `the last record is ${brief(found)}, not ${brief(expected)}: somebody has added to the ledger, and nothing was recorded`,
    hint: 'See what is new with "ledger status", then ask again with the new hash.',
  }),
  replaced: {
    message: 'the file was replaced, or written to by another program, at the same time: the record does not count',
    hint: 'Do not run the mechanism; see what is there with "ledger verify".',
  },
  'empty-ledger': {
    message: 'the file is empty',
    hint: 'Put back a copy, or remove the file and begin with "ledger init".',
  },
  'unfinished-header': {
    message: 'the ledger is being made, or its making was cut short: nothing was ever granted from it',
    hint: 'If nobody is making it, remove the file and begin with "ledger init".',
  },
  'line-too-long': { message: 'the line is too long for a record', hint: BACKUP },
  'damaged-record': (fault) => sentenceIn(DAMAGES, 'what', fault),
  'damaged-end': {
    message: 'after the last record stands something that is not the beginning of another',
    hint: 'Remove it if you know where it is from. See all of it with: dpcompose ledger verify FILE.',
  },
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
  'needless-halt': { message: 'it says that the ledger ended here, but the rule allows what was asked', hint: BACKUP },
  'wrong-origin': ({ what }) => ({
    message: ORIGINS[what],
    hint: 'Look at the right file with --from; if it is that one, do not spend from this ledger: nothing backs its budget.',
  }),
  'after-conversion': ({ to }) => ({
    message: `the ledger ended before: it goes on as ${quote(to)}`,
    hint: 'Use the ledger that it goes on in.',
  }),
};

/** A fault in words that follow its place. */
export const faultMessage = (fault: Fault): Message => sentenceIn(FAULTS, 'code', fault);
