import type { Fault } from '../../ledger/file/fault.ts';
import type { Refusal } from '../../ledger/decision.ts';
import { faultMessage } from '../../report/ledger/fault-message.ts';
import { refusalCode, refusalText } from '../../report/ledger/refusal-message.ts';
import type { InputError } from '../../spec/specification.ts';
import { EXIT } from '../exit.ts';
import { UsageError } from '../usage-error.ts';

/** What a program ends with that could not do something with a ledger file. */
function exitOf(fault: Fault): number {
  switch (fault.code) {
    case 'no-such-file':
    case 'no-such-directory':
    case 'file-exists':
    case 'is-a-directory':
    case 'not-a-file':
    case 'unreadable':
    case 'not-a-ledger':
    case 'unsupported-version':
    case 'too-long':
      return EXIT.usage;
    case 'no-space':
    case 'read-only':
    case 'not-permitted':
    case 'write-failed':
    case 'outcome-unknown':
    case 'no-locks':
    case 'not-made':
      return EXIT.output;
    case 'busy':
    case 'changed':
    case 'replaced':
    case 'empty-ledger':
    case 'unfinished-header':
    case 'line-too-long':
    case 'damaged-record':
    case 'damaged-end':
    case 'duplicate-record':
    case 'fork':
    case 'missing-records':
    case 'broken-chain':
    case 'foreign-record':
    case 'malformed-record':
    case 'wrong-totals':
    case 'not-allowed':
    case 'needless-halt':
    case 'after-conversion':
    case 'wrong-origin':
      return EXIT.conflict;
  }
}

/** A fault in the form of all errors, with its place in the file. */
export function faultError(fault: Fault, file: string): InputError {
  const told = faultMessage(fault);
  if (!('line' in fault)) return { code: fault.code, path: file, ...told };
  const { line, record } = fault;
  return { code: fault.code, path: record === 0 ? 'the header' : `record ${record}`, ...told, line, column: 1 };
}

/** The error that ends a command because of a fault of a file. */
export const faultFailure = (fault: Fault, file: string): UsageError =>
  new UsageError([faultError(fault, file)], { source: file, exit: exitOf(fault) });

/** The error that ends a command because the request makes no sense for the ledger. */
export function invalidRequest(refusal: Refusal, path: string): UsageError {
  return new UsageError([{ code: refusalCode(refusal), path, ...refusalText(refusal) }]);
}
