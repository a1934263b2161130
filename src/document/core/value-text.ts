/** `2:0.1;4:0.3` as pairs. */
const readOrders = (text: string): string[][] =>
  text.split(';').map((pair) => pair.split(':').map((part) => part.trim()));

/** Whether a key of a mechanism of this type holds a list. */
export const isList = (type: string, key: string): boolean =>
  type === 'finite-pair' ? key === 'p' || key === 'q' : key === (type === 'banded-matrix' ? 'coefficients' : 'orders');

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
  return key === 'orders' ? readOrders(value) : value.split(';').map((part) => part.trim());
}
