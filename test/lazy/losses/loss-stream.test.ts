import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { LossReader, lossRows } from '../../../src/lazy/losses/loss-stream.ts';
import type { LossText } from '../../../src/lazy/losses/loss-text.ts';

interface Refused {
  readonly code: string;
}

const TEXT: LossText<Refused> = {
  number: (text) => (text.trim() === '' || Number.isNaN(Number(text)) ? { code: 'not-a-number' } : Number(text)),
  json(text) {
    const value = JSON.parse(text) as object;
    const values = Object.values(value).map(String);
    return { names: Array.isArray(value) ? null : Object.keys(value), values };
  },
};

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function* inPieces(all: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < all.length; at += size) yield await Promise.resolve(all.slice(at, at + size));
}

/** All that a reader finds in a text which arrives in pieces of so many bytes. */
async function read(text: string | Uint8Array, size = 7) {
  const reader = new LossReader(TEXT);
  const rows: (readonly [line: number, ...losses: number[]])[] = [];
  const all = typeof text === 'string' ? bytes(text) : text;
  for await (const { line, losses } of lossRows(inPieces(all, size), reader)) rows.push([line, ...losses]);
  const { mistakes, names, experts } = reader;
  return { rows, mistakes: mistakes.map(({ kind, line }) => `${line}: ${kind}`), names, experts };
}

describe('losses that arrive piece by piece', () => {
  it('are the same in pieces of any size', async () => {
    const text = '\ufeff0, 1,0.5\r\n\n .25,1e-3,1.0\t\n  \n[0.125, 1, 5e-1]\n1,0,0';
    const rows = [
      [1, 0, 1, 0.5],
      [3, 0.25, 0.001, 1],
      [5, 0.125, 1, 0.5],
      [6, 1, 0, 0],
    ];
    for (const size of [1, 2, 3, 7, 1000]) {
      expect(await read(text, size)).toEqual({ rows, mistakes: [], names: null, experts: 3 });
    }
  });

  it('are the doubles that a reader of the language makes of them, in every notation', async () => {
    const notation = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }).map(String),
      fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x.toFixed(20)),
      fc.double({ min: 0, max: 1, noNaN: true }).map((x) => x.toExponential(16)),
      fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 25n }), fc.integer({ min: 25, max: 40 })).map(([n, e]) => `${n}e-${e}`),
      fc.constantFrom('0', '1', '0.5', '.25', '1e-3', '1.', '+1', '-0', '00.5', '1E0', '0e5', '1e-400', '0.1e+1'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(notation, { minLength: 2, maxLength: 6 }),
        fc.integer({ min: 1, max: 40 }),
        async (cells, size) => {
          const { rows, mistakes } = await read(cells.join(','), size);
          expect(mistakes).toEqual([]);
          expect(rows).toEqual([[1, ...cells.map((cell) => Math.abs(Number(cell)))]]);
        },
      ),
      { seed: 61, numRuns: 300 },
    );
  });

  it('are handed on with the piece that completes their line, before the next arrives', async () => {
    let given = 0;
    async function* pieces(): AsyncGenerator<Uint8Array> {
      for (const text of ['0,1\n0.', '5,1\n', '1,1']) {
        given++;
        yield await Promise.resolve(bytes(text));
      }
    }
    const seen: number[] = [];
    const reader = new LossReader(TEXT);
    for await (const { line } of lossRows(pieces(), reader)) {
      seen.push(given);
      expect(line).toBe(seen.length);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  it('may have names: in a first line without numbers, or in objects, in any order', async () => {
    const named = {
      rows: [
        [2, 0, 1],
        [3, 0.5, 0.25],
      ],
      mistakes: [],
      names: ['a', 'b, c'],
      experts: 2,
    };
    expect(await read('a, "b, c"\n0,1\n{"b, c": 0.25, "a": 0.5}\n')).toEqual(named);
    const objects = await read('{"x": 0, "y": 1}\n{"y": 0.5, "x": 1}\n[0, 0]\n1,1\n');
    expect(objects).toMatchObject({ names: ['x', 'y'], mistakes: [] });
    expect(objects.rows).toEqual([
      [1, 0, 1],
      [2, 1, 0.5],
      [3, 0, 0],
      [4, 1, 1],
    ]);
  });

  it.each<[string, string, string[]]>([
    ['a number outside [0, 1]', '0,1\n2,0\n-1,0\n', ['2: loss', '3: loss']],
    ['what is no number', '0,1\n0,x\n,0\n0.1.2,0\n1e,e\n', ['2: loss', '3: loss', '4: loss', '5: loss', '5: loss']],
    ['a first line with names and numbers', 'a,0.5\n0,1\n', ['1: loss']],
    ['a first line with what looks like numbers', 'nan,5%\n0,1\n', ['1: loss', '1: loss']],
    ['lines of different lengths', '0,1\n0\n0,1,1\n', ['2: uneven', '3: uneven']],
    ['one expert', '0\n1\n', ['1: one-expert']],
    ['one name', 'a\n1\n', ['1: one-expert']],
    ['names that stand twice', 'a,b,a\n0,1,1\n', ['1: repeated-name']],
    ['a name that is missing', 'a,,b\n0,1,1\n', ['1: empty-name']],
    ['an object without names before it', '0,1\n{"a": 0, "b": 1}\n', ['2: unknown-name']],
    ['an object with another name', 'a,b\n{"a": 0, "c": 1}\n', ['2: unknown-name']],
    ['an object with a name less', 'a,b\n{"a": 0}\n', ['2: missing-name']],
    ['an array with what is no number', '[0, 1]\n[0, true]\n[.5, -1]\n'.replace('.5', '0.5'), ['2: loss', '3: loss']],
    [
      'more mistakes than are looked for',
      '2,2\n'.repeat(8),
      [1, 1, 2, 2, 3, 3, 4, 4, 5, 5].map((line) => `${line}: loss`),
    ],
  ])('tell the line of %s', async (_, text, mistakes) => {
    expect((await read(text)).mistakes).toEqual(mistakes);
    expect((await read(text, 1)).mistakes).toEqual(mistakes);
  });

  it('hand on no round after a mistake, and look for no other where they are live', async () => {
    expect((await read('0,1\n0,2\n0,1\n')).rows).toEqual([[1, 0, 1]]);
    let given = 0;
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield await Promise.resolve(given++ === 1 ? '0,2\n' : '0,1\n');
    }
    const reader = new LossReader(TEXT);
    const lines: number[] = [];
    for await (const { line } of lossRows(endless(), reader, false)) lines.push(line);
    expect([lines, given, reader.mistakes.length]).toEqual([[1], 2, 1]);
  });

  it('are refused where they are not UTF-8, and where a line never ends', async () => {
    expect((await read(Uint8Array.of(48, 44, 49, 10, 0xff, 0xfe, 10))).mistakes).toEqual(['2: not-text']);
    let pieces = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      const piece = new Uint8Array(2 ** 24).fill(48);
      for (;;) {
        pieces++;
        yield await Promise.resolve(piece);
      }
    }
    const reader = new LossReader(TEXT);
    for await (const row of lossRows(endless(), reader)) expect(row).toBeNull();
    expect(reader.mistakes).toEqual([{ kind: 'long-line', line: 1, longest: 2 ** 26 }]);
    expect(pieces).toBe(5);
  });
});
