import type { BadAddress } from '../../ledger/fault.ts';
import { quote, shorten } from '../../document/core/quote.ts';
import { filledIn, explanationsOf, type Explanations, type Message } from '../kit/message.ts';
import { grouped } from '../kit/prose.ts';
import {
  reasonText,
  UNSOUND,
  WAIT,
  type FaultTexts,
  type LedgerFault,
  type LedgerFaultCode,
} from './integrity-faults.ts';
import { ENDED } from './refusals.ts';

const ROLES = 'Ask the owner of the tables to grant it to the role: see "Roles" in docs/ledger-stores.md.';

/** What is wrong with the address of a store; the option is one of these. */
const ADDRESS_PROBLEMS: Readonly<Record<BadAddress['problem'], (option: string) => string>> = {
  malformed: () => 'not the address of a store',
  password: () => 'the address contains a password, which others can see',
  'unknown-option': (option) => `unknown option ${option} in the address`,
  'repeated-option': (option) => `the address has the option ${option} twice`,
  'wrong-option': (option) => `invalid value of the option ${option} in the address`,
  unencrypted: () => 'the server is another machine, and the address does not say whether to encrypt the connection',
  'outer-space': () => 'the path begins or ends with white space, which the driver would remove',
};

const ADDRESS_HINT =
  'Write a folder, sqlite:FILE, or postgres://USER@HOST/DATABASE. Put the password in PGPASSWORD or ~/.pgpass. Change a password that others may have seen.';

const ADDRESS_HINTS: Partial<Readonly<Record<BadAddress['problem'], string>>> = {
  unencrypted: 'Add ?sslmode=verify-full, or ?sslmode=disable if the network is trusted.',
  'outer-space': 'Give the file another name.',
};

/** Texts of faults where the file is the wrong one (exit code 2). A message follows the place of the fault. */
const WRONG_FILE = {
  'no-such-file': {
    message: 'file not found',
    hint: 'Check the path. If a ledger was here, find it or restore a copy: a new one would not know what was spent. Only "ledger init" creates ledgers.',
  },
  'no-such-directory': {
    message: ({ unwritable }) =>
      unwritable === undefined ? 'directory not found' : `nothing can be written in ${shorten(unwritable)}`,
    meaning: 'The directory does not exist, or takes no files.',
    hint: ({ unwritable }) =>
      unwritable === undefined ? 'Create the directory first, or check the path.' : 'Name another folder.',
    remedy: 'Create the directory first, or check the path.',
  },
  'file-exists': {
    message: 'the file already exists, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'is-a-directory': { message: 'is a directory', hint: 'Name a file.' },
  'not-a-file': { message: 'not a regular file', hint: 'Name a regular file: records are appended to it.' },
  unreadable: {
    message: ({ reason }) => `cannot be read: ${reasonText(reason)}`,
    meaning: 'The file or the database cannot be read.',
    hint: ({ of }) => (of === 'database' ? ROLES : 'Check its permissions.'),
    remedy: 'Check its permissions; in a database, the privileges of the role.',
  },
  'not-a-ledger': {
    message: ({ isDocument = false }) =>
      isDocument
        ? 'not a ledger, but a document such as a specification'
        : 'not a ledger, or its first record was changed',
    meaning: 'The file does not begin with the header of a ledger.',
    hint: ({ isDocument = false }) =>
      isDocument
        ? 'Name a ledger first ("ledger init" creates one), then the specification: "ledger spend LEDGER SPEC".'
        : 'Check the path: a ledger begins with {"schema":"dpcompose.ledger/2". If this was a ledger, restore a copy.',
    remedy: 'Check the path. If this was a ledger, restore a copy.',
  },
  'unsupported-version': {
    message: ({ found }) => `this ledger has version ${quote(found)}, and this program reads dpcompose.ledger/2`,
    meaning: 'This program does not read this version of a ledger.',
    hint: 'Use the version of dpcompose that created it.',
  },
  'no-such-ledger': {
    message: 'the store has no ledger with this name',
    hint: 'List its ledgers with "ledger store list".',
  },
  'ledger-exists': {
    message: 'the store already has a ledger with this name, and a ledger is never overwritten',
    hint: 'Choose another name.',
  },
  'bad-name': {
    message: ({ reason }) => `not a valid ledger name in this store: ${reason}`,
    meaning: 'The name is not valid for a ledger in this store.',
    hint: 'Choose another name.',
  },
  'bad-address': {
    message: ({ problem, option }) => ADDRESS_PROBLEMS[problem](option === null ? '' : quote(option)),
    meaning:
      'The address of the store is malformed, contains a password, or does not say whether to encrypt the connection to another machine.',
    hint: ({ problem }) => ADDRESS_HINTS[problem] ?? ADDRESS_HINT,
    remedy: ADDRESS_HINT,
  },
  'no-such-database': {
    message: 'the server has no database with this name',
    hint: 'Check the address, or create the database.',
  },
  'not-admitted': {
    message: ({ reason }) => `the server rejects this user: ${reasonText(reason)}`,
    meaning: 'The server rejects this user, with this password, from this machine.',
    hint: 'Check the user in the address, and PGPASSWORD or ~/.pgpass. Only its owner may have access to ~/.pgpass.',
  },
  'no-driver': {
    message: (fault) => `the package ${fault.package} is required and cannot be loaded: ${reasonText(fault.reason)}`,
    meaning: 'The package for this kind of store is not installed, or cannot be loaded.',
    hint: (fault) => `Install it beside dpcompose: npm install ${fault.package}.`,
    remedy: 'Install the package that the message names, beside dpcompose.',
  },
  'no-store': { message: 'there is no store here yet', hint: 'Create it with "ledger store init".' },
  'not-a-store': {
    message: ({ reason }) => `not a store of ledgers: ${reasonText(reason)}`,
    meaning: 'Something other than a store of ledgers is at this address. It was not changed.',
    hint: 'Check the address, or name a new one.',
  },
  'unfit-place': {
    message: ({ reason }) => `no ledger can be kept here: ${reasonText(reason)}`,
    meaning:
      'The file has several names, or it is mounted by itself, or its file system has no creation times. A copy could be taken for the original.',
    hint: 'Keep it in a folder of a local disk, under one name.',
  },
  'other-schema': {
    message: ({ found, needed }) =>
      `the tables of this store have version ${shorten(found)}, and this program uses version ${shorten(needed)}`,
    meaning: 'Another version of this program created the store, with tables of another form.',
    hint: 'Upgrade an older store with "ledger store init". For a newer one, use a newer dpcompose.',
  },
  'too-long': {
    message: ({ bytes, most }) =>
      `the record would have ${grouped(bytes)} bytes, more than the limit of ${grouped(most)}: nothing was recorded`,
    meaning: 'The record would exceed the size limit; nothing was recorded.',
    hint: 'Use several commands, or shorten the labels.',
  },
  'nothing-to-void': {
    message: ({ voids }) => `record ${grouped(voids)} is not a launch, or does not exist`,
    meaning: 'The record to void is not a launch, or does not exist.',
    hint: 'Name the record of a launch; "ledger export" prints their numbers.',
  },
  'nothing-to-recover': {
    message: 'the ledger has no incomplete end to set aside',
    hint: 'Run "ledger verify" to see whether anything is wrong.',
  },
  'same-ledger': {
    message: ({ other }) => `this is the same ledger as ${quote(other)}`,
    meaning: 'One ledger was named twice.',
    hint: 'Name each ledger once.',
  },
  'key-used': {
    message: ({ key, record }) =>
      `record ${grouped(record)} already has the key ${quote(key)}, from a different request, or from an earlier attempt at this one: nothing was recorded`,
    meaning: 'The key was already used for another request.',
    hint: 'If it was the same request, it is done. Give every other request its own key.',
  },
  'other-budget': {
    message: ({ path, expected, found }) =>
      `the terms of the ledger differ from the budgets: its ${path} is ${quote(shorten(found))}, not ${quote(shorten(expected))}`,
    meaning: 'The terms of the ledger differ from those in the budgets.',
    hint: 'Terms never change. Write the terms of the ledger into the budgets. A new name begins a new ledger with a full budget: use one only for other data.',
  },
} satisfies Partial<FaultTexts>;

/** Texts of what could not be written (exit code 74). */
const UNWRITTEN = {
  'no-space': { message: 'the disk is full: nothing was recorded', hint: 'Free some space, then retry.' },
  'read-only': {
    message: ({ of }) => `the ${of === 'database' ? 'database' : 'file system'} is read-only: nothing was recorded`,
    meaning: 'The file system or the database is read-only; nothing was recorded.',
    hint: ({ of }) =>
      of === 'database'
        ? 'Name a server that is not a standby, and set default_transaction_read_only to off for the role and the database.'
        : 'Keep the ledger where it can be written.',
    remedy: 'Keep the ledger where it can be written.',
  },
  'not-permitted': {
    message: ({ reason }) =>
      `writing is not permitted${reason === undefined ? '' : ` (${reasonText(reason)})`}: nothing was recorded`,
    meaning: 'Writing is not permitted; nothing was recorded.',
    hint: ({ reason }) => (reason === undefined ? 'Check the permissions and the owner.' : ROLES),
    remedy: 'Check the permissions and the owner; in a database, the privileges of the role.',
  },
  'write-failed': {
    message: ({ reason }) => `the write failed: ${reasonText(reason)}; nothing was recorded`,
    meaning: 'The write failed; nothing was recorded.',
    hint: 'Fix the cause, then retry.',
  },
  'outcome-unknown': {
    message: ({ reason }) =>
      `the write failed (${reasonText(reason)}) and could not be undone: the record may exist, and counts if it does`,
    meaning: 'The write failed and could not be undone: the record may exist, and counts if it does.',
    hint: 'Do not run the mechanism. See what was recorded with "ledger status".',
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
    message: 'the server accepts no more connections now: nothing was recorded',
    hint: WAIT,
  },
  cancelled: {
    message: ({ reason }) => `the server canceled the statement: ${reasonText(reason)}; nothing was recorded`,
    meaning: 'Somebody, or a limit of the server, canceled the statement; nothing was recorded.',
    hint: 'Retry.',
  },
  'no-locks': {
    message: ({ reason }) => `the file cannot be locked (${reasonText(reason)}): nothing was recorded`,
    meaning: 'The file cannot be locked; nothing was recorded.',
    hint: 'Use a file system with locks, and a platform for which the lock package is built.',
  },
  'not-made': {
    message: ({ path, because, isPaidFor = false }) =>
      `${isPaidFor ? `an earlier command paid for ${path}, which must be created first and cannot be` : `${path} could not be created, so nothing was recorded`}: ${faultMessage(because).message}`,
    meaning:
      'The new ledger could not be created, so nothing was recorded. Or an earlier command paid for it, and it must be created first.',
    hint: ({ isPaidFor = false }) =>
      isPaidFor ? 'Move away the file with its name, then retry.' : 'Fix the cause and retry, or choose another name.',
    remedy: 'Fix the cause and retry, or choose another name.',
  },
} satisfies Partial<FaultTexts>;

const FAULTS: FaultTexts = { ...WRONG_FILE, ...UNSOUND, ...UNWRITTEN };

/** The exit code of the program for a fault: the file is the wrong one, was changed or is in use, or could not be written. */
export const faultExit = (code: LedgerFaultCode): 1 | 2 | 4 | 74 =>
  code === 'converted' ? 1 : code in WRONG_FILE ? 2 : code in UNSOUND ? 4 : 74;

/** What a fault of each code is, and what to do about it. */
export const faultExplanations = (): Explanations<keyof FaultTexts> => explanationsOf(FAULTS);

/** A fault in words that follow its place. */
export const faultMessage = (fault: LedgerFault): Message =>
  fault.code === 'converted' ? filledIn(ENDED, fault) : filledIn<never>(FAULTS[fault.code], fault as never);
