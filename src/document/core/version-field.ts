import { Decimal } from '../../numeric/decimal.ts';
import { readDecimal } from './decimal-text.ts';
import { published, valueRead } from './fields.ts';
import { describe } from './quote.ts';
import { NumberText } from './number-text.ts';
import type { Problem } from './input-error.ts';

/** The version of the document format that this program reads. */
const SPEC_VERSION = 1;

function versionProblem(value: unknown): Problem | null {
  if (value === undefined) {
    return {
      code: 'missing-key',
      message: `dpcompose is missing; it must be ${SPEC_VERSION}, the version of the document format`,
      hint: `Add "dpcompose": ${SPEC_VERSION}.`,
    };
  }
  const text = value instanceof NumberText ? value.text : value;
  const number = typeof text === 'string' ? readDecimal(text) : null;
  if (Decimal.isDecimal(number) && number.equals(SPEC_VERSION)) return null;
  return {
    code: 'unsupported-version',
    message: `dpcompose must be ${SPEC_VERSION}, the only supported version of the document format, got ${describe(value)}`,
    hint: `Write "dpcompose": ${SPEC_VERSION}, or read a newer document with a newer program.`,
  };
}

/** The key `dpcompose` of a document. */
export const version = valueRead<typeof SPEC_VERSION>((value) => {
  const problem = versionProblem(value);
  return problem === null ? { value: SPEC_VERSION } : { problem };
}).register(published, {
  description: 'The version of the document format.',
  enum: [SPEC_VERSION, String(SPEC_VERSION)],
});
