/** `2:0.1;4:0.3` as pairs. */
const readPairs = (text: string): string[][] =>
  text.split(';').map((pair) => pair.split(':').map((part) => part.trim()));

/** The keys that hold lists, of the types that have other ones than `orders`. */
const LISTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['finite-pair', ['p', 'q']],
  ['trade-off', ['points']],
  ['banded-matrix', ['coefficients']],
]);

/** Whether a key of a mechanism of this type holds a list. */
export const isList = (type: string, key: string): boolean => (LISTS.get(type) ?? ['orders']).includes(key);

/** The keys whose lists hold pairs. */
const OF_PAIRS = ['orders', 'points'];

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * The value of a key of a mechanism, as a flag or the cell of a table writes it: lists have semicolons between their items
 * (`orders=2:0.1;4:0.3`, `p=0.9;0.1`), `monotonic` is true or false, all else is text as it stands.
 */
export function readValueText(type: string, key: string, value: string): unknown {
  if (key === 'monotonic') return TRUTH.get(value.trim()) ?? value;
  if (!isList(type, key)) return value;
  return OF_PAIRS.includes(key) ? readPairs(value) : value.split(';').map((part) => part.trim());
}
