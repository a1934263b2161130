import { writtenKey } from '../../../ledger/records/approval.ts';
import type { ApprovalTerms } from '../../../ledger/core/approval.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { readNumberOption, wholeNumber } from '../../kit/number-option.ts';
import { readPublicKey } from './key-file.ts';

/** The options that say who has to approve what is launched, as typed. */
export interface ApproverFlags {
  readonly requireApproval?: string;
  readonly approver?: readonly string[];
}

const REQUIRED = wholeNumber('--require-approval', '2');

/** Reads who has to approve what is launched; undefined where nobody has. What is wrong goes to `errors`. */
export function readApprovers(flags: ApproverFlags, errors: InputError[], io: Io): ApprovalTerms | undefined {
  const { requireApproval, approver = [] } = flags;
  if (requireApproval === undefined && approver.length === 0) return undefined;
  if (requireApproval === undefined) {
    const hint = 'Say how many have to approve: --require-approval 1';
    errors.push({ code: 'missing-option', path: '--require-approval', message: 'approvers are named', hint });
    return undefined;
  }
  const required = readNumberOption(requireApproval, REQUIRED, errors)?.toNumber();
  const approvers = approver.flatMap((text) => {
    const [, name, file] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (name === undefined || file === undefined) {
      const message = `must be a name and the file of a public key, got ${quote(text)}`;
      errors.push({ code: 'malformed-key', path: '--approver', message, hint: 'For example: --approver ann=ann.pem' });
      return [];
    }
    const key = readPublicKey(file, '--approver', errors, io);
    return key === null ? [] : [{ name, key: writtenKey(key) }];
  });
  if (required === undefined || errors.length > 0) return undefined;
  if (approvers.length < required) {
    const message = `asks for ${required}, and ${approvers.length} can approve`;
    const hint = 'Name each of them: --approver ann=ann.pem --approver bob=bob.pem';
    errors.push({ code: 'missing-option', path: '--approver', message, hint });
    return undefined;
  }
  return { required, approvers };
}
