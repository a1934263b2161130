import { member } from './input-error.ts';

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

/** The keys of each law of the number of runs, as documents name them. */
const LAW_KEYS: Readonly<Record<string, readonly string[]>> = {
  poisson: ['mean'],
  geometric: ['mean', 'gamma'],
  logarithmic: ['mean', 'gamma'],
  'negative-binomial': ['shape', 'mean', 'gamma'],
  binomial: ['trials', 'rate'],
  fixed: ['count'],
};

export const LAWS: readonly string[] = Object.keys(LAW_KEYS);

/** The keys that a law of runs may have; null of what is none. */
export function keysOfLaw(object: unknown): readonly string[] | null {
  const law = member(object, 'law');
  return typeof law === 'string' && Object.hasOwn(LAW_KEYS, law) ? ['law', ...LAW_KEYS[law]!] : null;
}

/** `poisson mean=20`, as options and flags write a law of runs, as the object that documents have; text that is none, or has a key twice, stays text. */
export function lawOfText(text: string): unknown {
  const [name, ...pairs] = text.trim().split(/[\s;]+/);
  const keys = pairs.map((pair) => /^([a-z]+)=(.+)$/.exec(pair));
  if (name === undefined || keys.includes(null)) return text;
  const entries = [['law', name], ...keys.map((key) => [key![1]!, key![2]!])] as const;
  return new Set(entries.map(([key]) => key)).size < entries.length ? text : Object.fromEntries(entries);
}

/**
 * The value of a key of a mechanism, as a flag or the cell of a table writes it: lists have semicolons between their items
 * (`orders=2:0.1;4:0.3`, `p=0.9;0.1`), `monotonic` is true or false, `best-of` a law of runs (`poisson mean=20`), all else is text as it stands.
 */
export function readValueText(key: string, value: string): unknown {
  if (key === 'monotonic') return TRUTH.get(value.trim()) ?? value;
  if (key === 'best-of') return lawOfText(value);
  const example = listExample(key);
  if (example === null) return value;
  const items = value.split(';');
  return example.includes(':') ? items.map((pair) => trimmed(pair.split(':'))) : trimmed(items);
}
