import type { PlacedEntry } from '../../composition/solve/mechanisms.ts';

/** Whether --vary names a mechanism: by its label, its place such as `mechanisms[2].of`, or its number, `#1` for the first. */
export const isNamed = (name: string, { entry, path }: PlacedEntry, index: number): boolean =>
  entry.label === name || path === name || name === `#${index + 1}`;
