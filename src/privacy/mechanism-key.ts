import { Decimal } from '../numeric/decimal.ts';
import type { Entry, Mechanism } from './mechanism.ts';

const text = (value: unknown): string => {
  if (Decimal.isDecimal(value)) return value.toString();
  if (Array.isArray(value)) return `[${value.map(text).join()}]`;
  return typeof value === 'object' && value !== null ? text(Object.values(value)) : String(value);
};

/** A text that is equal for equal mechanisms. */
export const mechanismKey = (mechanism: Mechanism): string => text(mechanism);

/** Entries with equal mechanisms and kinds made one, as far as their counts add up exactly. */
export function mergeEqual(entries: readonly Entry[]): Entry[] {
  const merged = new Map<string, Entry>();
  const rest: Entry[] = [];
  for (const entry of entries) {
    const key = `${entry.kind} ${mechanismKey(entry.mechanism)}`;
    const count = entry.count + (merged.get(key)?.count ?? 0);
    if (count <= Number.MAX_SAFE_INTEGER) merged.set(key, { ...entry, count });
    else rest.push(entry);
  }
  return [...merged.values(), ...rest];
}
