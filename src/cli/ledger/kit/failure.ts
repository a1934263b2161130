import type { Fault, FaultCode } from '../../../ledger/records/fault.ts';
import { FAULT_CODES } from '../../../report/codes/faults.ts';
import { faultMessage } from '../../../report/ledger/fault-message.ts';
import { refusalCode, refusalText, type Denial } from '../../../report/ledger/refusal-message.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { UsageError } from '../../kit/usage-error.ts';

/** A fault in the form of all errors, with its place in the file. */
export function faultError(fault: Fault, file: string): InputError<FaultCode> {
  const told = faultMessage(fault);
  if (!('line' in fault)) return { code: fault.code, path: file, ...told };
  const { line, record } = fault;
  return { code: fault.code, path: record === 0 ? 'the header' : `record ${record}`, ...told, line, column: 1 };
}

/** The error that ends a command because of a fault of a file. */
export const faultFailure = (fault: Fault, file: string): UsageError =>
  new UsageError([faultError(fault, file)], { source: file, exit: FAULT_CODES[fault.code].exit });

/** The error that ends a command because the request makes no sense for the ledger; `file` names it where several were asked. */
export function invalidRequest(refusal: Denial, path: string, file?: string): UsageError {
  const { message, hint } = refusalText(refusal);
  const said = file === undefined ? message : `${file}: ${message}`;
  return new UsageError([{ code: refusalCode(refusal), path, message: said, hint }]);
}
