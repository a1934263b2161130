import { describe, expect, it } from 'vitest';
import type { Mistake, Path } from '../../../src/document/core/input-error.ts';
import { JSON_SYNTAX } from '../../../src/document/syntax/document-syntax.ts';
import { lineAndColumn } from '../../../src/document/syntax/places.ts';

const text = '{"a": [10, {"b": 2, "b": 3}],\r\n "c": {}}';
const at = (path: Path, anchor: 'key' | 'value'): Mistake => ({
  path,
  anchor,
  problem: { code: 'unknown-key', message: '', hint: '' },
});
const startingAt = (path: Path, anchor: 'key' | 'value'): string =>
  text.slice(JSON_SYNTAX(text, 20).offsetOf(at(path, anchor)));

describe('the place of a path', () => {
  it('is that of its value or its key', () => {
    expect(startingAt(['a', 0], 'value')).toMatch(/^10/);
    expect(startingAt(['a', 1, 'b'], 'value')).toMatch(/^2,/);
    expect(startingAt(['a', 1, 'b'], 'key')).toMatch(/^"b": 2/);
    expect(startingAt([], 'value')).toBe(text);
  });

  it('is that of the innermost thing there is, for what is missing', () => {
    expect(startingAt(['c', 'd', 0], 'value')).toBe('{}}');
    expect(startingAt(['a', 7], 'value')).toMatch(/^\[10/);
  });
});

describe('lines and columns', () => {
  it('count from 1, across all kinds of line ends', () => {
    expect(lineAndColumn('ab', 0)).toEqual({ line: 1, column: 1 });
    expect(lineAndColumn('a\nb\r\nc\rd', 7)).toEqual({ line: 4, column: 1 });
    expect(lineAndColumn('a\n  b', 4)).toEqual({ line: 2, column: 3 });
  });
});
