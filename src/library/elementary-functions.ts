import { checkElementary, type CheckGroup } from '../composition/self-test/elementary.ts';

/**
 * Whether exp, log, sin and their like are on this JavaScript engine as precise as every certificate takes them to be: at
 * about a thousand points, hard ones among them, each is compared with decimal arithmetic. Where one value fails, no answer
 * of this library is certified on this engine. In node this is a part of `dpcompose self-test`; it takes about half a second.
 *
 * @example
 * ```js
 * import { elementaryFunctions } from 'dpcompose';
 *
 * console.log(elementaryFunctions().checks.every(({ passed }) => passed)); // true
 * ```
 */
export function elementaryFunctions(): CheckGroup {
  return checkElementary();
}
