import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../../../ledger/file/system-error.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { noteInput } from '../../kit/run-files.ts';

/** The environment variable with the passphrase of a private key. */
export const PASSPHRASE = 'DPCOMPOSE_KEY_PASSPHRASE';

const wrong = (path: string, message: string, hint: string): InputError => ({
  code: 'malformed-key',
  path,
  message,
  hint,
});

function textOf(file: string, flag: string, errors: InputError[], io: Io): string | null {
  noteInput(file, io);
  try {
    return readFileSync(resolve(io.cwd(), file), 'utf8');
  } catch (error) {
    const message = `${quote(file)} cannot be read: ${reasonOf(error)}`;
    errors.push({ code: 'unreadable', path: flag, message, hint: 'Name a file that can be read.' });
    return null;
  }
}

const MAKE = 'Make one with: openssl genpkey -algorithm ed25519 -out private.pem';
const MAKE_PUBLIC = 'Write it with: openssl pkey -in private.pem -pubout -out public.pem';

const isPrivate = (text: string): boolean => /-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text);

/** The public key of Ed25519 in a PEM file; what is wrong goes to `errors`, never with anything of the key. */
export function readPublicKey(file: string, flag: string, errors: InputError[], io: Io): KeyObject | null {
  const text = textOf(file, flag, errors, io);
  if (text === null) return null;
  if (isPrivate(text)) {
    errors.push(wrong(flag, `${quote(file)} has a private key, which belongs to its owner alone`, MAKE_PUBLIC));
    return null;
  }
  try {
    const key = createPublicKey(text);
    if (key.asymmetricKeyType === 'ed25519') return key;
    errors.push(wrong(flag, `${quote(file)} has a public key that is not of Ed25519`, MAKE));
  } catch {
    errors.push(wrong(flag, `${quote(file)} is not a public key in PEM`, MAKE_PUBLIC));
  }
  return null;
}

/**
 * The private key of Ed25519 in a PEM file, with the passphrase of the environment where it needs one; what is wrong goes to
 * `errors`, never with anything of the key.
 */
export function readPrivateKey(file: string, flag: string, errors: InputError[], io: Io): KeyObject | null {
  const text = textOf(file, flag, errors, io);
  if (text === null) return null;
  if (!isPrivate(text)) {
    errors.push(wrong(flag, `${quote(file)} is not a private key in PEM`, MAKE));
    return null;
  }
  const isEncrypted = text.includes('ENCRYPTED');
  const passphrase = io.env[PASSPHRASE];
  if (isEncrypted && passphrase === undefined) {
    const hint = `Put it into the environment variable ${PASSPHRASE}; it is asked for nowhere else.`;
    errors.push(wrong(flag, `${quote(file)} needs a passphrase`, hint));
    return null;
  }
  try {
    const key = createPrivateKey({ key: text, ...(isEncrypted && { passphrase }) });
    if (key.asymmetricKeyType === 'ed25519') return key;
    errors.push(wrong(flag, `${quote(file)} has a private key that is not of Ed25519`, MAKE));
  } catch {
    errors.push(
      isEncrypted
        ? wrong(flag, `${quote(file)} cannot be opened with the passphrase of ${PASSPHRASE}`, 'Check the passphrase.')
        : wrong(flag, `${quote(file)} is not a private key that can be read`, MAKE),
    );
  }
  return null;
}
