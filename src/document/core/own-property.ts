import type { Problem } from './input-error.ts';
import { quote } from './quote.ts';

/** `container[key] = value` as an own property, whatever the key. */
export function setOwn<T>(container: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    container[key] = value;
  }
}

/** A key stands twice in one object. */
export function duplicateKey(name: string): Problem {
  return {
    code: 'duplicate-key',
    message: `the key ${quote(name)} stands twice in this object`,
    hint: 'Keep one of the two.',
  };
}
