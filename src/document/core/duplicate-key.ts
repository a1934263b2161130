import type { Problem } from './input-error.ts';
import { quote } from './quote.ts';

/** A key stands twice in one object. */
export function duplicateKey(name: string): Problem {
  return {
    code: 'duplicate-key',
    message: `the key ${quote(name)} stands twice in this object`,
    hint: 'Keep one of the two.',
  };
}
