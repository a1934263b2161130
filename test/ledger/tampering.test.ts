import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { flaws, found, ledgerOf, linesIn } from './stores/file/files.ts';

describe('a ledger whose past was changed', () => {
  let bytes = Buffer.alloc(0);
  let lines: string[] = [];
  beforeAll(async () => {
    const path = await ledgerOf(4);
    bytes = readFileSync(path);
    lines = linesIn(path);
  });

  /** Which line a byte is in, from 1; a newline belongs to the line it ends. */
  const lineOf = (position: number): number => bytes.subarray(0, position).filter((byte) => byte === 10).length + 1;

  const joined = (...chosen: (string | undefined)[]): string => chosen.map((line) => `${line ?? ''}\n`).join('');

  it('is found and located, whichever byte it is', () => {
    const missed: string[] = [];
    for (let position = 0; position < bytes.length; position++) {
      for (const mask of [0x01, 0x20, 0x80]) {
        const changed = Buffer.from(bytes);
        changed[position]! ^= mask;
        const first = flaws(changed)[0];
        if (first?.startsWith(`line ${lineOf(position)}, record ${lineOf(position) - 1}: `) !== true) {
          missed.push(`byte ${position} ^ ${mask} of line ${lineOf(position)}: ${first ?? 'nothing'}`);
        }
      }
    }
    expect(missed).toEqual([]);
  });

  it('tells whether the content or its hash was changed, by what the next record says', () => {
    const content = found(joined(lines[0], lines[1]?.replace('release 1', 'release 7'), lines[2]));
    expect(content[1]).toMatchObject({ kind: 'flaw', flaw: { line: 2, what: 'wrong-hash', changed: 'content' } });
    const hash = found(joined(lines[0], lines[1]?.replace(/.{64}"\}$/, `${'0'.repeat(64)}"}`), lines[2]));
    expect(hash[1]).toMatchObject({ kind: 'flaw', flaw: { line: 2, what: 'wrong-hash', changed: 'hash' } });
    expect(hash[2]).toMatchObject({ kind: 'record', place: { line: 3, record: 2 } });
  });

  it('is found where a line is missing, doubled, moved or of another ledger', async () => {
    expect(flaws(joined(lines[0], lines[1], lines[3]))).toEqual(['line 3, record 3: missing-records']);
    expect(flaws(joined(lines[0], lines[1], lines[1], lines[2]))).toEqual(['line 3, record 1: duplicate-record']);
    expect(flaws(joined(lines[0], lines[2], lines[1], lines[3]))[0]).toBe('line 2, record 2: missing-records');
    const [, other] = linesIn(await ledgerOf(1));
    expect(flaws(joined(lines[0], other))).toEqual(['line 2, record 1: foreign-record']);
    const foreign = JSON.stringify({ ...JSON.parse(lines[4] ?? ''), ledger: 'f'.repeat(64) });
    expect(flaws(joined(...lines.slice(0, 4), foreign))).toEqual(['line 5, record 4: damaged-record (wrong-hash)']);
  });
});
