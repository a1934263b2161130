import type { FaultCode } from '../../ledger/file/fault.ts';
import type { Explanation } from './code.ts';

/** The exit code of the program: the file is the wrong one, was changed or is in use, or could not be written. */
export type FaultExit = 2 | 4 | 74;

/** An explanation, and the exit code of the program. */
export interface FaultExplanation extends Explanation {
  readonly exit: FaultExit;
}

const fault = (exit: FaultExit, meaning: string, remedy: string): FaultExplanation => ({ meaning, remedy, exit });

const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const SIDES = 'Keep the records of one side; enter what the other side spent again with "ledger spend".';

/** Everything that can be wrong with a ledger file; `hash-not-found`: what "ledger verify --contains" does not find. */
export const FAULT_CODES: Readonly<Record<FaultCode | 'hash-not-found', FaultExplanation>> = {
  'no-such-file': fault(2, 'There is no such file.', 'Check the path, or begin a ledger with "ledger init".'),
  'no-such-directory': fault(2, 'There is no such directory.', 'Make the directory first, or check the path.'),
  'file-exists': fault(
    2,
    'There is a file of this name already, and a ledger is never overwritten.',
    'Choose another name.',
  ),
  'is-a-directory': fault(2, 'A directory is named in place of a file.', 'Name a file.'),
  'not-a-file': fault(2, 'What is named is not a regular file.', 'A ledger has to be a file that can be added to.'),
  unreadable: fault(2, 'The file cannot be read.', 'Check its permissions.'),
  'not-a-ledger': fault(2, 'The file does not begin as a ledger does.', 'Make a ledger with "ledger init".'),
  'unsupported-version': fault(
    2,
    'The ledger is of a version that this program does not read.',
    'Use a newer dpcompose.',
  ),
  'too-long': fault(
    2,
    'The record would be longer than a line may be; nothing was recorded.',
    'Launch in several commands, or shorten the labels.',
  ),
  busy: fault(
    4,
    'Others wrote to the ledger for longer than was to be waited.',
    'Ask again, or wait longer with --wait.',
  ),
  changed: fault(
    4,
    'The last record is not the one that --expect names: somebody has added to the ledger, and nothing was recorded.',
    'See what is new with "ledger status", then ask again with the new hash.',
  ),
  replaced: fault(
    4,
    'The file was replaced, or written to by another program, at the same time: the record does not count.',
    'Do not run the mechanism; see what is there with "ledger verify".',
  ),
  'empty-ledger': fault(4, 'The file is empty.', 'Put back a copy, or remove the file and begin with "ledger init".'),
  'unfinished-header': fault(
    4,
    'The ledger is being made, or its making was cut short: nothing was ever granted from it.',
    'If nobody is making it, remove the file and begin with "ledger init".',
  ),
  'line-too-long': fault(4, 'A line is too long for a record.', BACKUP),
  'damaged-record': fault(
    4,
    'A record is not as it was written: its text, its hash or the line that it stands on was changed; or git has put a conflict marker there.',
    BACKUP,
  ),
  'damaged-end': fault(
    4,
    'After the last record stands something that no unfinished write leaves behind.',
    'Remove it if you know where it is from; "ledger verify" shows all that is wrong.',
  ),
  'duplicate-record': fault(4, 'The same record stands in the file twice.', 'Remove the later line.'),
  fork: fault(
    4,
    'Two records follow the same one: two ledgers were merged, each of which may have spent the same budget.',
    SIDES,
  ),
  'missing-records': fault(4, 'Records before this one are not there.', BACKUP),
  'broken-chain': fault(4, 'The record does not follow the one before it.', BACKUP),
  'foreign-record': fault(4, 'The record is not of this ledger, or the header was changed.', BACKUP),
  'malformed-record': fault(4, 'A field of the record is not what a record of this program has.', BACKUP),
  'wrong-totals': fault(4, 'The totals of the record are not what the records up to it add up to.', BACKUP),
  'not-allowed': fault(4, 'The rule does not allow what the record says was granted.', BACKUP),
  'needless-halt': fault(4, 'The record says that the ledger ended, and the rule allows what was asked.', BACKUP),
  'after-conversion': fault(
    4,
    'The record stands after the one with which the ledger ended, to go on as another.',
    'Use the ledger that it goes on in.',
  ),
  'wrong-origin': fault(
    4,
    'The ledger that this one is nested in, or goes on from, does not say the same of it.',
    'Look at the right file with --from; if it is that one, do not spend from this ledger: nothing backs its budget.',
  ),
  'hash-not-found': fault(
    4,
    'No record has the hash that --contains names: records were taken away, or this is another ledger.',
    'Put back a copy that has it.',
  ),
  'no-space': fault(74, 'The disk is full; nothing was recorded.', 'Make room, then ask again.'),
  'read-only': fault(
    74,
    'The file system is read-only; nothing was recorded.',
    'Keep the ledger where it can be written.',
  ),
  'not-permitted': fault(74, 'Writing is not permitted; nothing was recorded.', 'Check the permissions and the owner.'),
  'write-failed': fault(74, 'Writing failed; nothing was recorded.', 'Ask again once the cause is gone.'),
  'outcome-unknown': fault(
    74,
    'Writing failed and could not be undone: the record may be there, and counts if it is.',
    'Do not run the mechanism; see what is there with "ledger status".',
  ),
  'no-locks': fault(
    74,
    'The file cannot be locked here; nothing was recorded.',
    'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
  ),
  'not-made': fault(
    74,
    'It was recorded, and counts, but the new ledger that goes with it could not be made.',
    'What was recorded stays; make another one.',
  ),
};
