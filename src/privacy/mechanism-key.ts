import { Decimal } from '../numeric/decimal.ts';
import type { Entry, Mechanism } from './mechanism.ts';
import type { Order } from './curve.ts';
import { writtenVariance } from './gaussian.ts';

/** Parts with equal keys made one, as far as doubles add up their counts exactly; in the order in which keys first stand. */
export function equalTogether<Part extends { readonly count: number }>(
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): Part[] {
  const merged = new Map<string, Part>();
  const rest: Part[] = [];
  for (const part of parts) {
    const key = keyOf(part);
    const count = part.count + (merged.get(key)?.count ?? 0);
    if (count <= Number.MAX_SAFE_INTEGER) merged.set(key, { ...part, count });
    else rest.push(part);
  }
  return [...merged.values(), ...rest];
}

/** The texts of values that nobody changes. */
const KEYS = new WeakMap<object, string>();

/** A text that is equal for equal values (of decimals, texts, numbers, lists and objects), and for no others. */
export const valueKey = (value: unknown): string => {
  if (Decimal.isDecimal(value)) return value.toString();
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const cachedKey = KEYS.get(value);
  if (cachedKey !== undefined) return cachedKey;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${name}:${valueKey(member)}`).join()}}`;
};

/** A long value of its maker's own, which nobody changes: its text is made once. */
export function withKey<Value extends object>(value: Value): Value {
  KEYS.set(value, valueKey(value));
  return value;
}

/** Members that say in which form a mechanism was written. */
const FORMS: readonly string[] = ['written', 'byEpsilon'];

/**
 * A text that is equal for equal mechanisms, in whatever order their members stand and however they were written, and for
 * no others.
 */
export function mechanismKey(mechanism: Mechanism): string {
  if (!FORMS.some((form) => form in mechanism)) return valueKey(mechanism);
  // Its sigma is rounded.
  const isNoise = mechanism.type === 'gaussian' || mechanism.type === 'discrete-gaussian';
  if (isNoise && writtenVariance(mechanism) !== null) return valueKey(mechanism);
  return valueKey(Object.fromEntries(Object.entries(mechanism).filter(([name]) => !FORMS.includes(name))));
}

const entryKey = ({ kind, mechanism }: Entry): string => `${kind} ${mechanismKey(mechanism)}`;

/** Entries with equal keys made one, as far as their counts add up exactly. */
const joined = (entries: readonly Entry[]): Entry[] => equalTogether(entries, entryKey);

/** Entries in runs of equal keys. */
function runs(entries: readonly Entry[]): Entry[][] {
  const keyedRuns: { readonly key: string; readonly run: Entry[] }[] = [];
  for (const entry of entries) {
    const key = entryKey(entry);
    const last = keyedRuns.at(-1);
    if (last?.key === key) last.run.push(entry);
    else keyedRuns.push({ key, run: [entry] });
  }
  return keyedRuns.map(({ run }) => run);
}

/**
 * Entries with equal mechanisms and kinds made one, as far as their counts add up exactly: wherever they stand, or in a
 * declared order only neighbours.
 */
export const mergeEqual = (entries: readonly Entry[], order: Order = 'any'): Entry[] =>
  order === 'any' ? joined(entries) : runs(entries).flatMap(joined);
