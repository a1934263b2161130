import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { EVIDENCE } from '../../../ledger/core/evidence.ts';
import { reasonOf } from '../../../ledger/file/system-error.ts';
import { quote } from '../../../document/core/quote.ts';
import type { ErrorCode } from '../../../document/core/error-codes.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { noteInput } from '../../kit/run-files.ts';

/** The option that names the evidence for a guarantee, as typed. */
export interface EvidenceFlags {
  readonly evidence?: string;
}

/** The option --evidence. */
export const withEvidence = (command: Command): Command =>
  command.option('--evidence <FILE|sha256:HEX>', 'what the guarantee was verified by; its hash is recorded');

/** The hash of what a guarantee was verified by; null where nothing is given. What is wrong goes to `errors`. */
export async function readEvidence({ evidence }: EvidenceFlags, errors: InputError[], io: Io): Promise<string | null> {
  if (evidence === undefined || EVIDENCE.test(evidence)) return evidence ?? null;
  const fail = (code: ErrorCode, message: string, hint: string): null => {
    errors.push({ code, path: '--evidence', message, hint });
    return null;
  };
  if (evidence.startsWith('sha256:')) {
    const message = `must be sha256: and 64 hexadecimal digits in lower case, got ${quote(evidence)}`;
    return fail('malformed-hash', message, 'Name the file itself, and its hash is computed.');
  }
  noteInput(evidence, io);
  const digest = createHash('sha256');
  try {
    await pipeline(createReadStream(resolve(io.cwd(), evidence)), digest);
  } catch (error) {
    const message = `${quote(evidence)} cannot be read: ${reasonOf(error)}`;
    return fail('unreadable', message, 'Name a file that can be read, or its hash as sha256:HEX.');
  }
  return `sha256:${digest.digest('hex')}`;
}
