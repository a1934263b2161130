import type { FaultCode } from '../../ledger/records/fault.ts';
import type { Explanation } from './code.ts';

/** The exit code of the program: the file is the wrong one, was changed or is in use, or could not be written. */
export type FaultExit = 2 | 4 | 74;

/** An explanation, and the exit code of the program. */
export interface FaultExplanation extends Explanation {
  readonly exit: FaultExit;
}

const fault = (exit: FaultExit, meaning: string, remedy: string): FaultExplanation => ({ meaning, remedy, exit });

const BACKUP = 'Put back a copy from before; what was spent since then must be entered again.';
const SIDES = 'Put back the records of one side; count what the other side spent with "ledger record --incurred".';

/** What only "ledger verify" says: `hash-not-found` with --contains, the others of anchors and of several ledgers. */
export type VerifyCode = 'hash-not-found' | 'anchor-not-found' | 'no-anchor' | 'ledger-gone' | 'missing-part';

/** Everything that can be wrong with a ledger file. */
export const FAULT_CODES: Readonly<Record<FaultCode | VerifyCode, FaultExplanation>> = {
  'no-such-file': fault(
    2,
    'There is no such file.',
    'Check the path. If there was a ledger, find where it was moved, or put back a copy; only "ledger init" makes ledgers.',
  ),
  'no-such-directory': fault(2, 'There is no such directory.', 'Make the directory first, or check the path.'),
  'file-exists': fault(
    2,
    'There is a file of this name already, and a ledger is never overwritten.',
    'Choose another name.',
  ),
  'is-a-directory': fault(2, 'A directory is named in place of a file.', 'Name a file.'),
  'not-a-file': fault(2, 'What is named is not a regular file.', 'A ledger has to be a file that can be added to.'),
  unreadable: fault(
    2,
    'The file, or the database, cannot be read.',
    'Check its permissions; in a database, what the role was granted.',
  ),
  'not-a-ledger': fault(
    2,
    'The file does not begin as a ledger does.',
    'Check the path. If this was a ledger, put back a copy.',
  ),
  'unsupported-version': fault(
    2,
    'The ledger is of a version that this program does not read.',
    'Use a newer dpcompose.',
  ),
  'no-such-ledger': fault(2, 'The store has no ledger of this name.', 'See what it has with "ledger store list".'),
  'ledger-exists': fault(
    2,
    'The store has a ledger of this name already, and a ledger is never overwritten.',
    'Choose another name.',
  ),
  'bad-name': fault(2, 'No ledger of this store can have this name.', 'Choose a shorter or plainer name.'),
  'bad-address': fault(
    2,
    'The address of the store is not one, or has a password in it, or is of another machine and does not say whether the connection is encrypted.',
    'Write a folder, sqlite:FILE, or postgres://USER@HOST/DATABASE?sslmode=verify-full; a password belongs into PGPASSWORD or ~/.pgpass.',
  ),
  'no-such-database': fault(2, 'The server has no database of this name.', 'Check the address, or make the database.'),
  'not-admitted': fault(
    2,
    'The server does not let in this user, with this password, from here.',
    'Check the user in the address, and PGPASSWORD or ~/.pgpass, which only its owner may be able to read.',
  ),
  'no-driver': fault(
    2,
    'The package by which such a store is reached is not installed, or cannot be loaded.',
    'Install the package that the message names, beside dpcompose.',
  ),
  'no-store': fault(2, 'No ledgers are kept at this place yet.', 'Make the store with "ledger store init".'),
  'not-a-store': fault(
    2,
    'Something else than a store of ledgers is at this place; it was left as it is.',
    'Check the address, or name a new place.',
  ),
  'unfit-place': fault(
    2,
    'A copy of such a file could not be told from it, or what stands beside it would be lost: it has several names, or a database is mounted by itself or on a file system that does not tell when files were made.',
    'Keep it in a folder of a local disk, under one name.',
  ),
  'other-schema': fault(
    2,
    'The store was made by another version of this program, and its tables have another form.',
    'Bring an older one up to date with "ledger store init"; for a newer one use a newer dpcompose.',
  ),
  'damaged-store': fault(
    4,
    'The database of the store is damaged, or somebody changed its tables or what protects them; nothing is granted then.',
    'Undo the change; or put back a copy from before, and enter what was spent since then.',
  ),
  'too-long': fault(
    2,
    'The record would be longer than a line may be; nothing was recorded.',
    'Launch in several commands, or shorten the labels.',
  ),
  'nothing-to-void': fault(
    2,
    'The record that is said never to have run is not there, or has launched nothing.',
    'Name the record of a launch; "ledger export" numbers them.',
  ),
  'nothing-to-recover': fault(
    2,
    'The ledger does not end in anything that could be set aside.',
    'Ask "ledger verify" what is wrong with it, if anything is.',
  ),
  'unfinished-record': fault(
    4,
    'At the end of the ledger stands the beginning of a record: of one whose writing was cut short, of which nobody was told, or of one that counted and whose end was removed.',
    'Look at it, and set it aside with "ledger recover".',
  ),
  'cut-off': fault(
    4,
    'The file or the database of the ledger has less in it than it was left with: records were cut off at its end, or an older copy was put over it.',
    'Put back a copy that has them; if they are lost, let the ledger go on as it is with "ledger adopt", and count what they spent.',
  ),
  unsettled: fault(
    4,
    'The last record belongs to a transaction over several ledgers, and the one that decides whether it counts cannot be read.',
    'Put that ledger back where it was, then ask again.',
  ),
  moved: fault(
    4,
    'The ledger is a copy, or was moved to another disk, restored, or rewritten by git or an editor: the other one may have been spent from since.',
    'Use the ledger in its own place, or let it go on here with "ledger adopt".',
  ),
  'moved-away': fault(
    4,
    'The ledger was moved to another store, and is not written to in this one any more.',
    'Use it there; if it is not there yet, complete the move with the same "ledger move".',
  ),
  'same-place': fault(
    4,
    'The ledger was last written in the place that it is to be copied into.',
    'Name another store.',
  ),
  'lost-ledger': fault(
    4,
    'A ledger that budgets name is not there, and was: another one has a record that was written together with one of its own. Made anew, its budget would be granted a second time.',
    'Put the ledger back where it was.',
  ),
  'same-ledger': fault(2, 'One ledger was named twice.', 'Name each ledger once.'),
  'key-used': fault(2, 'The key was used for another request.', 'Give every request a key of its own.'),
  'other-budget': fault(
    2,
    'The ledger was made with other terms than the budgets ask for, and terms never change.',
    'Write its terms into the budgets, or give the line another name, which begins new ledgers.',
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
  'clock-behind': fault(
    4,
    'A time of the ledger, or of what was to be recorded, is more than a day after the clock of the store: that is wrong, or the one was by which the time was noted. Nothing was recorded.',
    'Set the clock right; if it is right now, say so once with --accept-clock, or give the time with --at.',
  ),
  replaced: fault(
    4,
    'The file was moved or replaced, or written to by another program, while the record was written: it counts where that file is now.',
    'Do not run the mechanism; look for the record with "ledger verify", also in the file that was moved away.',
  ),
  'empty-ledger': fault(
    4,
    'The file is empty: if it was a ledger, what was spent is lost with it.',
    'Put back a copy, and enter what was spent since then; only if it never was a ledger, remove it.',
  ),
  'unfinished-header': fault(
    4,
    'The first line of the ledger has no end: it is being made, its making was cut short, or all that followed was cut off.',
    'If it was ever spent from, put back a copy; only if it never was, and nobody is making it, remove it.',
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
  'wrong-head': fault(
    4,
    'The last record is not the one that the store notes as the last: records were changed, added or taken away by hand.',
    BACKUP,
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
  'needless-refusal': fault(
    4,
    'The record says that something was refused, and the rule allows it, or refuses it for another reason.',
    BACKUP,
  ),
  'other-hold': fault(4, 'The record launches something else than was reserved under this name.', BACKUP),
  'wrong-void': fault(4, 'The record says of one that has launched nothing that it never ran.', BACKUP),
  'needless-halt': fault(4, 'The record says that the ledger ended, and the rule allows what was asked.', BACKUP),
  'after-conversion': fault(
    4,
    'The record stands after the one with which the ledger ended, to go on as another.',
    'Use the ledger that it goes on in.',
  ),
  'after-move': fault(
    4,
    'The record stands after the one by which the ledger was moved away, and is not the one by which it goes on in the other place.',
    BACKUP,
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
  'anchor-not-found': fault(
    4,
    'A record that was anchored is not there, or is another one: the ledger was put back to an earlier state, or is another ledger.',
    'Put back a copy that has it; do not spend from this one.',
  ),
  'no-anchor': fault(
    4,
    'No anchor in the file is of this ledger, or of this store: nothing was compared.',
    'Name the file that "ledger anchor" wrote for it; a ledger of another id is another ledger.',
  ),
  'ledger-gone': fault(4, 'A ledger that was anchored is not in the store any more.', 'Put it back.'),
  'missing-part': fault(
    4,
    'A transaction over several ledgers is recorded in one of them and not in another, which was put back to an earlier state.',
    'Put back a copy that has it; do not spend from this one.',
  ),
  'no-space': fault(74, 'The disk is full; nothing was recorded.', 'Make room, then ask again.'),
  'read-only': fault(
    74,
    'The file system, or the database, is read-only; nothing was recorded.',
    'Keep the ledger where it can be written.',
  ),
  'not-permitted': fault(
    74,
    'Writing is not permitted; nothing was recorded.',
    'Check the permissions and the owner; in a database, what the role was granted.',
  ),
  'write-failed': fault(74, 'Writing failed; nothing was recorded.', 'Ask again once the cause is gone.'),
  'outcome-unknown': fault(
    74,
    'Writing failed and could not be undone: the record may be there, and counts if it is.',
    'Do not run the mechanism; see what is there with "ledger status".',
  ),
  unreachable: fault(
    74,
    'The server of the store cannot be reached; nothing was recorded.',
    'Check the address, and whether the server runs.',
  ),
  'connection-lost': fault(
    74,
    'The connection to the server was lost before the end; nothing was recorded.',
    'Ask again, or wait longer with --wait.',
  ),
  'too-many-connections': fault(
    74,
    'The server takes no more connections now; nothing was recorded.',
    'Ask again, or wait longer with --wait.',
  ),
  cancelled: fault(
    74,
    'Somebody, or a limit of the server, stopped the statement; nothing was recorded.',
    'Ask again.',
  ),
  'no-locks': fault(
    74,
    'The file cannot be locked here; nothing was recorded.',
    'Keep the ledger on a file system with locks, and use node on a platform that the locks are built for.',
  ),
  'no-birth-times': fault(
    4,
    'The file system does not tell when a file was made, so that a copy could not be told from it.',
    'Keep it on another file system, such as a local disk.',
  ),
  'unshared-locks': fault(
    4,
    'The ledger is on a file system whose locks other machines need not see (FUSE, SMB, 9p, NFS without locks): two could spend the same budget.',
    'Keep it on a local disk, on NFS with its locks, or in a database; where only one machine ever writes, say so with --assume-locks.',
  ),
  'not-made': fault(
    74,
    'The new ledger that goes with the record could not be made, and nothing was recorded; or it goes with one that an earlier command recorded, and has to be made first.',
    'Ask again when that is fixed, or name another place.',
  ),
};
