import type { Mistake, Path } from '../core/input-error.ts';

/** A value where it stands in a text, and the offset of its key, which in a list is its own. */
interface Member {
  readonly value: unknown;
  readonly keyAt: number;
  readonly valueAt: number;
}

/** Where the members of lists and objects stand in the text that they were read from, whatever becomes of them later. */
export class Places {
  readonly #members = new Map<object, Map<string | number, Member>>();
  #root: Member | undefined;

  setRoot(value: unknown, valueAt: number): void {
    this.#root = { value, keyAt: valueAt, valueAt };
  }

  set(holder: object, step: string | number, value: unknown, valueAt: number, keyAt = valueAt): void {
    const members = this.#members.get(holder) ?? new Map<string | number, Member>();
    this.#members.set(holder, members.set(step, { value, keyAt, valueAt }));
  }

  /** The offset of a member; undefined where that is not known. */
  of(holder: object, step: string | number): number | undefined {
    return this.#members.get(holder)?.get(step)?.valueAt;
  }

  /** The offset of a mistake: of the key, the value, or the innermost thing on the path that exists. */
  readonly offsetOf = ({ path, anchor, offset }: Mistake): number => {
    if (offset !== undefined) return offset;
    let member = this.#root;
    for (const step of path) {
      const holder = member?.value;
      const inside = typeof holder === 'object' && holder !== null ? this.#members.get(holder)?.get(step) : undefined;
      if (inside === undefined) return member?.valueAt ?? 0;
      member = inside;
    }
    return (anchor === 'key' ? member?.keyAt : member?.valueAt) ?? 0;
  };
}

/** A place in a text, counted from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset, counted from 1; columns count UTF-16 units. */
export function lineAndColumn(text: string, offset: number): Place {
  let line = 1;
  let start = 0;
  const lineEnd = /\r\n?|\n/g;
  for (let match = lineEnd.exec(text); match !== null && match.index < offset; match = lineEnd.exec(text)) {
    line++;
    start = lineEnd.lastIndex;
  }
  return { line, column: offset - start + 1 };
}

/** The steps of a place as it is written: `mechanisms[2].of`. */
export const pathOf = (text: string): Path =>
  [...text.matchAll(/\[(\d+)\]|([^.[\]]+)/g)].map(([, index, key]) =>
    index === undefined ? (key ?? '') : Number(index),
  );
