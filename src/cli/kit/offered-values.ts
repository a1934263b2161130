import type { Argument, Option } from 'commander';

/** The values that an option or argument may have, listed only when they are asked for. */
export type Values = () => readonly string[] | Promise<readonly string[]>;

const OFFERED = new WeakMap<Option | Argument, Values>();

/** An option or argument for which a shell may offer these values; what is typed is checked elsewhere. */
export function offering<T extends Option | Argument>(item: T, values: Values): T {
  OFFERED.set(item, values);
  return item;
}

/** The values that a shell may offer; null where nothing is known of them. */
export const offeredValues = (item: Option | Argument): Values | null => OFFERED.get(item) ?? null;
