import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { LossReader, type LossRow } from '../../../src/cli/lazy/loss-reader.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function* rowsOf(pieces: Iterable<Uint8Array>, reader: LossReader): Generator<LossRow> {
  for (const piece of pieces) {
    yield* reader.rows(piece);
    if (reader.mistake !== null) return;
  }
  yield* reader.end();
}

function* inPieces(all: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

/** All that a reader finds in a text which arrives in pieces of so many bytes. */
function read(text: string | Uint8Array, size = 7) {
  const reader = new LossReader();
  const rows: (readonly [line: number, ...losses: number[]])[] = [];
  const all = typeof text === 'string' ? bytes(text) : text;
  for (const { line, losses } of rowsOf(inPieces(all, size), reader)) rows.push([line, ...losses]);
  const { mistake, names } = reader;
  const code = mistake === null || mistake.problem === 'one-expert' ? 'one-expert' : mistake.problem.code;
  return { rows, mistakes: mistake === null ? [] : [`${mistake.line}: ${code}`], names };
}

describe('losses that arrive piece by piece', () => {
  it('are the same in pieces of any size', () => {
    const text = '\ufeff0, 1,0.5\r\n\n .25,1e-3,1.0\t\n  \n[0.125, 1, 5e-1]\n1,0,0';
    const rows = [
      [1, 0, 1, 0.5],
      [3, 0.25, 0.001, 1],
      [5, 0.125, 1, 0.5],
      [6, 1, 0, 0],
    ];
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(read(text, size)).toEqual({ rows, mistakes: [], names: null });
    }
  });

  it('are the doubles that a reader of the language makes of them, in every notation', () => {
    // Smaller numbers than 1e-300 are refused everywhere.
    const double = fc.double({ min: 0, max: 1, noNaN: true }).map((x) => (x < 1e-290 ? 0 : x));
    const notation = fc.oneof(
      double.map(String),
      double.map((x) => x.toFixed(20)),
      double.map((x) => x.toExponential(16)),
      fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.integer({ min: 25, max: 40 })).map(([n, e]) => `${n}e-${e}`),
      fc.constantFrom('0', '1', '0.5', '.25', '1e-3', '1.', '+1', '-0', '00.5', '1E0', '0e5', '1e-200', '0.1e+1'),
    );
    fc.assert(
      fc.property(
        fc.array(notation, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        (cells, size) => {
          const { rows, mistakes } = read(cells.join(','), size);
          expect(mistakes).toEqual([]);
          expect(rows).toEqual([[1, ...cells.map((cell) => Math.abs(Number(cell)))]]);
        },
      ),
      { seed: 61, numRuns: 300 },
    );
  });

  it('are handed on with the piece that completes their line, before the next arrives', () => {
    let given = 0;
    function* pieces(): Generator<Uint8Array> {
      for (const text of ['0,1\n0.', '5,1\n', '1,1']) {
        given++;
        yield bytes(text);
      }
    }
    const seen: number[] = [];
    const reader = new LossReader();
    for (const { line } of rowsOf(pieces(), reader)) {
      seen.push(given);
      expect(line).toBe(seen.length);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it('may have names: in a first line without numbers, or in objects, in any order', () => {
    const named = {
      rows: [
        [2, 0, 1],
        [3, 0.5, 0.25],
      ],
      mistakes: [],
      names: ['a', 'b, c'],
    };
    expect(read('a, "b, c"\n0,1\n{"b, c": 0.25, "a": 0.5}\n')).toEqual(named);
    const objects = read('{"x": 0, "y": 1}\n{"y": 0.5, "x": 1}\n[0, 0]\n1,1\n');
    expect(objects).toMatchObject({ names: ['x', 'y'], mistakes: [] });
    expect(objects.rows).toEqual([
      [1, 0, 1],
      [2, 1, 0.5],
      [3, 0, 0],
      [4, 1, 1],
    ]);
  });

  it.each<[string, string, string[]]>([
    ['a number above 1', '0,1\n2,0\n-1,0\n', ['2: out-of-range']],
    ['a number below 0', '0,1\n-1,0\n', ['2: out-of-range']],
    ['a word', '0,1\n0,x\n', ['2: not-a-number']],
    ['an empty cell', '0,1\n,0\n', ['2: not-a-number']],
    ['a number with two points', '0,1\n0.1.2,0\n', ['2: not-a-number']],
    ['an exponent without digits', '0,1\n1e,e\n', ['2: not-a-number']],
    ['a first line with names and numbers', 'a,0.5\n0,1\n', ['1: not-a-number']],
    ['a first line with what looks like numbers', 'nan,5%\n0,1\n', ['1: not-finite']],
    ['a line that is shorter', '0,1\n0\n', ['2: unequal-lengths']],
    ['a line that is longer', '0,1\n0,1,1\n', ['2: unequal-lengths']],
    ['one expert', '0\n1\n', ['1: one-expert']],
    ['one name', 'a\n1\n', ['1: one-expert']],
    ['names that stand twice', 'a,b,a\n0,1,1\n', ['1: duplicate-name']],
    ['a name that is missing', 'a,,b\n0,1,1\n', ['1: unknown-name']],
    ['an object without names before it', '0,1\n{"a": 0, "b": 1}\n', ['2: unknown-name']],
    ['an object with another name', 'a,b\n{"a": 0, "c": 1}\n', ['2: unknown-name']],
    ['an object with a name less', 'a,b\n{"a": 0}\n', ['2: missing-key']],
    ['an array with what is no number', '[0, 1]\n[0, true]\n', ['2: not-a-number']],
    ['an array with a number below 0', '[0, 1]\n[0.5, -1]\n', ['2: out-of-range']],
  ])('tell the line of %s', (_, text, mistakes) => {
    expect(read(text).mistakes).toEqual(mistakes);
    expect(read(text, 1).mistakes).toEqual(mistakes);
  });

  it('are read no further than a mistake', () => {
    const text = '0,1\n0,2\n0,1\n2,2\n';
    for (const size of [1, 3, 1000]) {
      expect(read(text, size)).toEqual({ rows: [[1, 0, 1]], mistakes: ['2: out-of-range'], names: null });
    }
  });

  it('are refused where they are not UTF-8, and where a line never ends', () => {
    expect(read(Uint8Array.of(48, 44, 49, 10, 0xff, 0xfe, 10)).mistakes).toEqual(['2: not-text']);
    let pieces = 0;
    function* endless(): Generator<Uint8Array> {
      const piece = new Uint8Array(2 ** 24).fill(48);
      for (;;) {
        pieces++;
        yield piece;
      }
    }
    const reader = new LossReader();
    for (const row of rowsOf(endless(), reader)) expect(row).toBeNull();
    expect(reader.mistake).toMatchObject({ line: 1, problem: { code: 'out-of-range' } });
    expect(pieces).toBe(5);
  });
});
