import type { Path } from '../core/input-error.ts';
import { locate } from './json-locate.ts';

/** Line and column of an offset, counted from 1; columns count UTF-16 units. */
export function lineAndColumn(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  const lineEnd = /\r\n?|\n/g;
  for (let match = lineEnd.exec(text); match !== null && match.index < offset; match = lineEnd.exec(text)) {
    line++;
    start = lineEnd.lastIndex;
  }
  return { line, column: offset - start + 1 };
}

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
