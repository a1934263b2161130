import type { Unreadable } from '../../lazy/run/run-text.ts';
import type { Fault, FaultCode } from '../../ledger/records/fault.ts';
import { shorten } from '../../document/core/quote.ts';
import { FAULT_CODES } from '../../report/codes/faults.ts';
import { faultMessage } from '../../report/ledger/fault-message.ts';
import type { Message } from '../../report/kit/message.ts';
import { UsageError } from '../kit/usage-error.ts';

/** What is not said of a run as it is said of a ledger. */
const OF_RUN: Partial<Readonly<Record<FaultCode, Message>>> = {
  'no-such-file': { message: 'there is no such run', hint: 'Check the path, or begin a run with --init.' },
  'file-exists': {
    message: 'there is a file of this name already, and a run is never overwritten',
    hint: 'Choose another name; without --init the run that is there goes on.',
  },
  'not-a-file': { message: 'this is not a regular file', hint: 'A run is kept in a file.' },
  'no-space': { message: 'the disk is full: no round was taken', hint: 'Make room, then give the losses again.' },
  'read-only': {
    message: 'the file system is read-only: no round was taken',
    hint: 'Keep the run where it can be written.',
  },
  'not-permitted': {
    message: 'writing is not permitted: no round was taken',
    hint: 'Check the permissions and the owner of the file and of its folder.',
  },
  replaced: {
    message: 'the file was moved or replaced while the run went on: no round was taken',
    hint: 'Go on with the file under its name of now.',
  },
  'unshared-locks': {
    message:
      'this is on a file system whose locks other machines need not see, so that two could go on with the same run',
    hint: 'Keep the run on a local disk, or on NFS with its locks. Where only one machine ever writes, say so with --assume-locks.',
  },
};

const unknownOutcome = (reason: string): Message => ({
  message: `writing failed (${reason}): whether the rounds of this input count is not known`,
  hint: 'See with --status which round is next, and with --again what the last ones were answered with.',
});

const busy = (seconds: number): Message => ({
  message: `another process goes on with this run, and did not end within ${String(seconds)} s`,
  hint: 'Wait for it, or wait longer with --wait.',
});

function toldOf(fault: Fault): Message {
  if (fault.code === 'busy') return busy(fault.seconds);
  if (fault.code === 'outcome-unknown') return unknownOutcome(shorten(fault.reason));
  return OF_RUN[fault.code] ?? faultMessage(fault);
}

/** The error that ends a command because of the file of a run. */
export function runFailure(fault: Fault, file: string): UsageError {
  const told = toldOf(fault);
  return new UsageError([{ code: fault.code, path: file, ...told }], {
    source: file,
    exit: FAULT_CODES[fault.code].exit,
  });
}

const UNREADABLE: Readonly<Record<Unreadable, Message>> = {
  'not-a-run': { message: 'this is not the file of a run', hint: 'Name a file that "lazy run --init" has made.' },
  'damaged-run': {
    message: 'the file was changed or is damaged: it is not what this program has written',
    hint: 'Do not put back an older copy: its rounds would be answered again. Begin a new run, which costs its privacy anew.',
  },
};

/** The error for a file that is no run, or one that was changed. */
export const unreadableRun = (code: Unreadable, file: string): UsageError =>
  new UsageError([{ code, path: file, ...UNREADABLE[code] }], { source: file });

/** The error for a run in another file than the one in which it went on. */
export const movedRun = (file: string): UsageError =>
  new UsageError(
    [
      {
        code: 'moved-run',
        path: file,
        message: 'this is a copy: the run went on in another file, and both could answer the same round',
        hint: 'Go on with the original. If that is gone and nothing was answered after this copy was made, say so with --adopt.',
      },
    ],
    { source: file },
  );
