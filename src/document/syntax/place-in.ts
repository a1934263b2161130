import type { Path } from '../core/input-error.ts';
import { locate } from './json-locate.ts';
import { lineAndColumn } from '../core/line-and-column.ts';

/** A place in a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The steps of a place as it is written: `mechanisms[2].of`. */
export const pathOf = (written: string): Path =>
  [...written.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );

/** Where a path of a JSON document stands in its text: its value, or the innermost thing on the way that exists. */
export function placeIn(text: string, path: Path): Place {
  const problem = { code: 'unknown-value', message: '', hint: '' } as const;
  const [offset = 0] = locate(text, [{ path, anchor: 'value', problem }]);
  return lineAndColumn(text, Math.max(0, offset));
}
