import type { Fault, WrongOrigin } from '../../ledger/file/fault.ts';
import { LONGEST_RECORD } from '../../ledger/file/lines.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import type { Message } from '../kit/message.ts';
import { grouped } from '../kit/prose.ts';
import { refusalText } from './refusal-message.ts';

const VERIFY = 'See all of it with: dpcompose ledger verify FILE.';
const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const NOTHING = 'nothing was recorded';

type Damaged = Extract<Fault, { code: 'damaged-record' }>;

function damage(fault: Damaged): Message {
  switch (fault.what) {
    case 'blank':
      return { message: 'a line is blank', hint: 'Remove it; a record that stood there is missing.' };
    case 'merge-marker':
      return {
        message:
          'this is a conflict marker of git: two ledgers were merged, each of which may have spent the same budget',
        hint: 'Keep the records of one side; enter what the other side spent again with "ledger spend".',
      };
    case 'carriage-return':
      return {
        message: 'the lines end in CRLF: git or an editor has rewritten the file',
        hint: 'Restore it with LF; for git, write "*.jsonl -text" in .gitattributes.',
      };
    case 'byte-order-mark':
      return {
        message: 'the file begins with a byte order mark: an editor has rewritten it',
        hint: 'Remove the mark.',
      };
    case 'not-text':
      return { message: 'the record was changed: it holds bytes that are not UTF-8', hint: BACKUP };
    case 'not-json':
      return { message: 'the record was changed: it is not JSON any more', hint: BACKUP };
    case 'unsealed':
      return { message: 'the record was changed: it does not end in a hash', hint: BACKUP };
    case 'not-canonical':
      return {
        message: 'the record is not written as this program writes it, although its hash is right',
        hint: BACKUP,
      };
    case 'wrong-hash': {
      const is = `${fault.stated.slice(0, 12)}... is stated, ${fault.actual.slice(0, 12)}... is that of its content`;
      if (fault.changed === 'content') {
        return {
          message: `the content of the record was changed: the next record confirms its hash (${is})`,
          hint: BACKUP,
        };
      }
      if (fault.changed === 'hash') {
        const hint = 'Put back the hash of its content.';
        return { message: `the hash of the record was changed: the next record confirms its content (${is})`, hint };
      }
      return { message: `the record was changed: its hash is not that of its content (${is})`, hint: BACKUP };
    }
  }
}

const ORIGINS: Readonly<Record<WrongOrigin, string>> = {
  'no-origin': 'by its header the ledger began by itself, and comes from no other one',
  'other-ledger': 'by its header the ledger comes from another one than this',
  'no-such-record':
    'the ledger that it comes from, by its header, has no such record of having paid for it or ended for it',
  'other-id': 'the ledger that it comes from paid, or ended, for a ledger of another id',
  'other-terms': 'the ledger that it comes from paid, or ended, for a ledger of other terms',
  'other-totals': 'it does not go on from the totals with which the ledger that it comes from ended',
};

/** What a fault is, in words that follow its place. */
export function faultMessage(fault: Fault): Message {
  switch (fault.code) {
    case 'no-such-file':
      return { message: 'there is no such file', hint: 'Begin a ledger with: dpcompose ledger init FILE --epsilon 1.' };
    case 'no-such-directory':
      return { message: 'there is no such directory', hint: 'Make the directory first, or check the path.' };
    case 'file-exists':
      return {
        message: 'there is a file of this name already, and a ledger is never overwritten',
        hint: 'Choose another name.',
      };
    case 'is-a-directory':
      return { message: 'this is a directory', hint: 'Name a file.' };
    case 'not-a-file':
      return { message: 'this is not a regular file', hint: 'A ledger has to be a file that can be added to.' };
    case 'unreadable':
      return { message: `this cannot be read: ${fault.reason}`, hint: 'Check its permissions.' };
    case 'not-a-ledger':
      return {
        message: 'this is not a ledger',
        hint: 'A ledger begins with {"schema":"dpcompose.ledger/1"; make one with "ledger init".',
      };
    case 'unsupported-version':
      return {
        message: `this ledger is of the version ${quote(fault.found)}, and this program reads dpcompose.ledger/1`,
        hint: 'Use a newer dpcompose.',
      };
    case 'no-space':
      return { message: `the disk is full: ${NOTHING}`, hint: 'Make room, then ask again.' };
    case 'read-only':
      return { message: `the file system is read-only: ${NOTHING}`, hint: 'Keep the ledger where it can be written.' };
    case 'not-permitted':
      return { message: `writing is not permitted: ${NOTHING}`, hint: 'Check the permissions and the owner.' };
    case 'write-failed':
      return {
        message: `writing failed: ${shorten(fault.reason)}; ${NOTHING}`,
        hint: 'Ask again when that is mended.',
      };
    case 'too-long':
      return {
        message: `the record would have ${grouped(fault.bytes)} bytes, and at most ${grouped(LONGEST_RECORD)} fit: ${NOTHING}`,
        hint: 'Launch in several commands, or shorten the labels.',
      };
    case 'outcome-unknown':
      return {
        message: `writing failed (${shorten(fault.reason)}) and could not be undone: the record may be there, and counts if it is`,
        hint: 'Do not run the mechanism; see what is there with "ledger status".',
      };
    case 'no-locks':
      return {
        message: `the file cannot be locked here (${shorten(fault.reason)}): ${NOTHING}`,
        hint: 'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
      };
    case 'not-made':
      return {
        message: `it WAS recorded, and counts, but ${fault.path} could not be made: ${faultMessage(fault.because).message}`,
        hint: 'What was recorded stays; make another one.',
      };
    case 'busy':
      return {
        message: `others wrote to the ledger for more than ${fault.seconds} s: ${NOTHING}`,
        hint: 'Ask again, or wait longer with --wait.',
      };
    case 'changed':
      return {
        message: `the last record is ${fault.found.slice(0, 12)}..., not ${fault.expected.slice(0, 12)}...: somebody has added to the ledger, and ${NOTHING}`,
        hint: 'See what is new with "ledger status", then ask again with the new hash.',
      };
    case 'replaced':
      return {
        message: 'the file was replaced, or written to by another program, at the same time: the record does not count',
        hint: 'Do not run the mechanism; see what is there with "ledger verify".',
      };
    case 'empty-ledger':
      return {
        message: 'the file is empty',
        hint: 'Put back a copy, or remove the file and begin with "ledger init".',
      };
    case 'unfinished-header':
      return {
        message: 'the ledger is being made, or its making was cut short: nothing was ever granted from it',
        hint: 'If nobody is making it, remove the file and begin with "ledger init".',
      };
    case 'line-too-long':
      return { message: 'the line is too long for a record', hint: BACKUP };
    case 'damaged-record':
      return damage(fault);
    case 'damaged-end':
      return {
        message: 'after the last record stands something that is not the beginning of another',
        hint: `Remove it if you know where it is from. ${VERIFY}`,
      };
    case 'duplicate-record':
      return { message: `the same record stands in line ${fault.first}`, hint: 'Remove this line.' };
    case 'fork':
      return {
        message: `the record follows that of line ${fault.after}, and so does another: two ledgers were merged, each of which may have spent the same budget`,
        hint: 'Keep the records of one side; enter what the other side spent again with "ledger spend".',
      };
    case 'missing-records': {
      const one = fault.count === 1;
      return {
        message: `${one ? 'the record' : `the ${grouped(fault.count)} records`} before this one ${one ? 'is' : 'are'} missing`,
        hint: BACKUP,
      };
    }
    case 'broken-chain':
      return { message: 'the record does not follow the one before it', hint: BACKUP };
    case 'foreign-record':
      return { message: 'the record is not of this ledger, or the header was changed', hint: BACKUP };
    case 'malformed-record':
      return { message: `${fault.path} is not what a record of this program has`, hint: BACKUP };
    case 'wrong-totals':
      return {
        message: `${fault.path} is ${shorten(fault.stated)}, but the records up to here add up to ${shorten(fault.actual)}`,
        hint: BACKUP,
      };
    case 'not-allowed':
      return { message: `the rule does not allow it: ${refusalText(fault.refusal).message}`, hint: BACKUP };
    case 'needless-halt':
      return { message: 'it says that the ledger ended here, but the rule allows what was asked', hint: BACKUP };
    case 'wrong-origin':
      return {
        message: ORIGINS[fault.what],
        hint: 'Look at the right file with --from; if it is that one, do not spend from this ledger: nothing backs its budget.',
      };
    case 'after-conversion':
      return {
        message: `the ledger ended before: it goes on as ${quote(fault.to)}`,
        hint: 'Use the ledger that it goes on in.',
      };
  }
}
