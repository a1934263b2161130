import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readRequest, type ApprovedRequest } from '../../../ledger/records/request.ts';
import { reasonOf } from '../../../ledger/file/system-error.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';

/** The request in a file; what is wrong goes to `errors`. */
export function readRequestFile(file: string, path: string, errors: InputError[], io: Io): ApprovedRequest | null {
  let text: string;
  try {
    text = readFileSync(resolve(io.cwd(), file), 'utf8');
  } catch (error) {
    const message = `${quote(file)} cannot be read: ${reasonOf(error)}`;
    errors.push({ code: 'unreadable', path, message, hint: 'Name a file that "ledger request" has written.' });
    return null;
  }
  const request = readRequest(text);
  if (request !== null) return request;
  const message = `${quote(file)} is not a request of a ledger`;
  errors.push({ code: 'malformed-request', path, message, hint: 'Write one with "ledger request".' });
  return null;
}

/** Options that a request has already: each must not stand beside --request. */
export function refuseBeside(flags: object, names: readonly string[], errors: InputError[]): void {
  for (const name of names) {
    if ((flags as Readonly<Record<string, unknown>>)[name] === undefined) continue;
    const path = name === 'mechanism' ? '-m' : `--${name}`;
    errors.push({
      code: 'conflicting-options',
      path,
      message: 'stands in the request, as it was approved',
      hint: 'Leave it out beside --request.',
    });
  }
}
