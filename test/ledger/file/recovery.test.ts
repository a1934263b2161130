import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { seal } from '../../../src/ledger/file/line.ts';
import { add, fileOf, flaws, found, ledgerOf, linesIn } from './files.ts';

// What was acknowledged is what has its newline: the newline is written after the text of a record is durable, and
// nobody is told of the record before the newline is durable too.

describe('a ledger whose last write was cut short', () => {
  let bytes = Buffer.alloc(0);
  let start = 0;
  beforeAll(async () => {
    bytes = readFileSync(await ledgerOf(3));
    start = bytes.lastIndexOf(10, -2) + 1;
  });

  const labels = (path: string): unknown[] =>
    linesIn(path).map((line) => (JSON.parse(line) as { label?: string }).label);

  it('keeps what was acknowledged, wherever it was cut, and goes on', async () => {
    for (let end = start; end < bytes.length; end++) {
      const path = fileOf(bytes.subarray(0, end));
      expect(flaws(bytes.subarray(0, end)), `cut at ${end}`).toEqual([]);
      const whole = end === bytes.length - 1;
      const kind = end === start ? 'none' : whole ? 'whole' : 'torn';
      expect(await add(path, { event: 'spend', label: 'next' })).toMatchObject({
        kind: 'appended',
        recovered: { kind },
      });
      const kept = [undefined, 'release 1', 'release 2', ...(whole ? ['release 3'] : []), 'next'];
      expect(labels(path), `cut at ${end}`).toEqual(kept);
      expect(flaws(readFileSync(path))).toEqual([]);
    }
  });

  it('keeps a whole record whose newline an editor took away', async () => {
    const path = fileOf(bytes.subarray(0, -1));
    expect(found(readFileSync(path)).at(-1)).toMatchObject({ kind: 'rest', rest: { kind: 'whole' } });
    await add(path, { label: 'next' });
    expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
  });

  it('does not mind zeros for bytes that never reached the disk', async () => {
    for (const [end, kept] of [
      [start, 2],
      [start + 40, 2],
      [bytes.length - 1, 3],
    ] as const) {
      const path = fileOf(Buffer.concat([bytes.subarray(0, end), Buffer.alloc(300)]));
      expect(await add(path, { label: 'next' })).toMatchObject({ kind: 'appended' });
      expect(labels(path)).toHaveLength(1 + kept + 1);
      expect(flaws(readFileSync(path))).toEqual([]);
    }
  });

  it.each([
    ['text of another kind', 'hello'],
    ['a record of another number', '{"seq":9,"event":"spe'],
    ['a whole record that is not sealed', '{"seq":4,"event":"spend"}'],
    ['a whole record that follows another one', seal({ seq: 4, prev: '0'.repeat(64) }).text],
    ['something after a whole record', `${seal({ seq: 4 }).text} x`],
  ])('is not taken for one where its end is %s', async (_, end) => {
    const content = Buffer.concat([bytes, Buffer.from(end)]);
    const path = fileOf(content);
    expect(flaws(content)).toEqual(['line 5, record 4: damaged-end']);
    expect(await add(path, {})).toMatchObject({ fault: { code: 'damaged-end', line: 5, record: 4 } });
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it('is not taken for one where a line that has its newline is damaged', async () => {
    const content = Buffer.from(bytes);
    content[start + 30]! ^= 1;
    const path = fileOf(content);
    expect(await add(path, {})).toMatchObject({ fault: { code: 'damaged-record', line: 4, record: 3 } });
    expect(readFileSync(path).equals(content)).toBe(true);
  });
});
