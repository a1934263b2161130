/** The keys of mechanisms that hold lists, and how those are written in a flag or a cell. */
const LISTS: Readonly<Record<string, string>> = {
  orders: '2:0.1;4:0.3',
  p: '0.9;0.1',
  q: '0.1;0.9',
  points: '0:1;0.25:0.25;1:0',
  coefficients: '1;0.5;0.375',
};

/** How a list of a key is written, for example; null where the key holds none. */
export const listExample = (key: string): string | null => (Object.hasOwn(LISTS, key) ? (LISTS[key] ?? null) : null);

const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const trimmed = (parts: readonly string[]): string[] => parts.map((part) => part.trim());

/**
 * The value of a key of a mechanism, as a flag or the cell of a table writes it: lists have semicolons between their items
 * (`orders=2:0.1;4:0.3`, `p=0.9;0.1`), `monotonic` is true or false, all else is text as it stands.
 */
export function readValueText(key: string, value: string): unknown {
  if (key === 'monotonic') return TRUTH.get(value.trim()) ?? value;
  const example = listExample(key);
  if (example === null) return value;
  const items = value.split(';');
  return example.includes(':') ? items.map((pair) => trimmed(pair.split(':'))) : trimmed(items);
}
