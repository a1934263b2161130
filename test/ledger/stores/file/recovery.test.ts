import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DISK, type Disk } from '../../../../src/ledger/stores/file/create.ts';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { seal } from '../../../../src/ledger/line.ts';
import { add, flaws, found, ledgerOf, linesIn, rewrite } from './files.ts';

// A whole record counts, as its text was durable. What is left of one may be the beginning of a record that nobody was told
// of, or what remains of an acknowledged one whose end was cut off: the file does not tell which, so that people have to.

describe('a ledger whose last write was cut short', () => {
  let path = '';
  let bytes = Buffer.alloc(0);
  let start = 0;
  beforeAll(async () => {
    path = await ledgerOf(3);
    bytes = readFileSync(path);
    start = bytes.lastIndexOf(10, -2) + 1;
  });

  const labelsIn = (file: string): unknown[] =>
    linesIn(file).map((line) => (JSON.parse(line) as { label?: string }).label);

  const recover = (file: string, options: { readonly patience?: number; readonly disk?: Disk } = {}) =>
    fileStore(dirname(file), options).recover!(
      file,
      (aside) => () => ({ kind: 'proposal', additions: [{ event: 'recover', aside }], value: aside }),
      { patience: 5 },
    );

  it('is added to where its last record is whole or not there at all', async () => {
    for (const [end, settled] of [
      [start, 'none'],
      [bytes.length - 1, 'finished'],
      [bytes.length, 'none'],
    ] as const) {
      rewrite(path, bytes.subarray(0, end));
      expect(await add(path, { event: 'spend', label: 'next' })).toMatchObject({ kind: 'transacted', settled });
      const kept = [undefined, 'release 1', 'release 2', ...(end === start ? [] : ['release 3']), 'next'];
      expect(labelsIn(path)).toEqual(kept);
      expect(flaws(readFileSync(path))).toEqual([]);
    }
  });

  it('grants nothing wherever else it was cut, and is left as it is', async () => {
    for (let end = start + 1; end < bytes.length - 1; end++) {
      const cut = bytes.subarray(0, end);
      rewrite(path, cut);
      const fault = { code: 'unfinished-record', line: 4, record: 3, bytes: end - start };
      expect(await add(path, { label: 'next' }), `cut at ${end}`).toMatchObject({ kind: 'failed', fault });
      expect(readFileSync(path).equals(cut)).toBe(true);
      expect(found(cut).at(-1)).toMatchObject({ kind: 'rest', rest: { kind: 'torn' } });
    }
  });

  it('goes on after what is left was set aside, in a record that keeps it', async () => {
    for (let end = start + 1; end < bytes.length - 1; end += 7) {
      rewrite(path, bytes.subarray(0, end));
      const aside = { bytes: end - start, text: bytes.toString('utf8', start, end), base64: null };
      expect(await recover(path)).toMatchObject({ kind: 'transacted', value: aside, settled: 'none' });
      expect(await add(path, { event: 'spend', label: 'next' })).toMatchObject({ kind: 'transacted' });
      expect(JSON.parse(linesIn(path)[3] ?? '')).toMatchObject({ seq: 3, event: 'recover', aside });
      expect(labelsIn(path)).toEqual([undefined, 'release 1', 'release 2', undefined, 'next']);
      expect(flaws(readFileSync(path))).toEqual([]);
      expect(existsSync(`${path}.aside`)).toBe(false);
    }
  });

  it('keeps what is set aside where the disk is full, in the ledger or beside it', async () => {
    const cut = bytes.subarray(0, start + 100);
    for (let writes = 0; writes < 8; writes++) {
      const file = await ledgerOf(0);
      rewrite(file, cut);
      let left = writes;
      const disk: Disk = {
        ...DISK,
        write: (fd, part) => {
          if (left-- <= 0) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
          return DISK.write(fd, part.subarray(0, 60));
        },
      };
      await recover(file, { disk });
      const beside = existsSync(`${file}.aside`) ? readFileSync(`${file}.aside`, 'utf8') : '';
      const inside = readFileSync(file, 'utf8');
      const [, , , last = ''] = inside.split('\n');
      expect(`${beside}\n${last}`, `after ${writes} writes`).toContain('"seq":3,"nonce"');
      expect(inside.startsWith(bytes.toString('utf8', 0, start))).toBe(true);
    }
  });

  it('keeps what an earlier attempt took away, however often the next one cannot be recorded', async () => {
    rewrite(path, bytes.subarray(0, start));
    const beside = `${path}.aside`;
    writeFileSync(beside, 'taken away');
    const full: Disk = {
      ...DISK,
      write: () => {
        throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      },
    };
    for (let attempt = 0; attempt < 2; attempt++) {
      appendFileSync(path, '{"seq":');
      expect(await recover(path, { disk: full }).catch(() => 'thrown')).not.toMatchObject({ kind: 'transacted' });
      expect(readFileSync(beside, 'utf8')).toBe('taken away');
      rewrite(path, bytes.subarray(0, start));
    }
    const aside = { bytes: 10, text: 'taken away', base64: null };
    expect(await recover(path)).toMatchObject({ kind: 'transacted', value: aside });
    expect(existsSync(beside)).toBe(false);
  });

  it('has nothing to be set aside where its last record has its end', async () => {
    rewrite(path, bytes);
    expect(await recover(path)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('keeps a whole record whose newline an editor took away', async () => {
    rewrite(path, bytes.subarray(0, -1));
    expect(found(readFileSync(path)).at(-1)).toMatchObject({ kind: 'rest', rest: { kind: 'whole' } });
    await add(path, { label: 'next' });
    expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
  });

  it('does not mind zeros for bytes that never reached the disk', async () => {
    rewrite(path, Buffer.concat([bytes.subarray(0, bytes.length - 1), Buffer.alloc(300)]));
    expect(await add(path, { label: 'next' })).toMatchObject({ kind: 'transacted', settled: 'finished' });
    expect(labelsIn(path)).toHaveLength(5);
    for (const end of [start, start + 40]) {
      rewrite(path, Buffer.concat([bytes.subarray(0, end), Buffer.alloc(300)]));
      expect(await add(path, { label: 'next' })).toMatchObject({ fault: { code: 'unfinished-record' } });
      expect(await recover(path)).toMatchObject({ kind: 'transacted' });
      expect(await add(path, { label: 'next' })).toMatchObject({ kind: 'transacted' });
      expect(labelsIn(path)).toHaveLength(5);
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
    rewrite(path, content);
    expect(flaws(content)).toEqual(['line 5, record 4: damaged-end']);
    expect(await add(path, {})).toMatchObject({ fault: { code: 'damaged-end', line: 5, record: 4 } });
    expect(readFileSync(path).equals(content)).toBe(true);
    // People may have looked at it, and say so.
    expect(await recover(path)).toMatchObject({ kind: 'transacted', value: { text: end } });
    expect(flaws(readFileSync(path))).toEqual([]);
  });

  it('is not taken for one where a line that has its newline is damaged', async () => {
    const content = Buffer.from(bytes);
    content[start + 30]! ^= 1;
    rewrite(path, content);
    expect(await add(path, {})).toMatchObject({ fault: { code: 'damaged-record', line: 4, record: 3 } });
    expect(readFileSync(path).equals(content)).toBe(true);
  });

  it.each([
    ['blank lines', '\n\n'],
    ['a piece that an editor gave an end', '{"seq":4,"nonce":"ab\n'],
    ['lines of something else', 'what is this?\nand this\n'],
    ['something else, and a piece', '\n{"seq":'],
  ])('goes on after %s were set aside', async (_, more) => {
    const file = await ledgerOf(3);
    const before = readFileSync(file);
    appendFileSync(file, more);
    expect(await add(file, { label: 'next' })).toMatchObject({ kind: 'failed' });
    expect(await recover(file)).toMatchObject({ kind: 'transacted', value: { text: more } });
    expect(readFileSync(file).subarray(0, before.length).equals(before)).toBe(true);
    expect(await add(file, { label: 'next' })).toMatchObject({ kind: 'transacted' });
    expect(flaws(readFileSync(file))).toEqual([]);
  });

  it('does not set aside a record that was changed, or one that stands behind something else', async () => {
    for (const change of [
      (lines: string[]) => [...lines.slice(0, -1), lines.at(-1)!.replace('release 3', 'release 4')],
      (lines: string[]) => [...lines.slice(0, -1), '', lines.at(-1)!],
      (lines: string[]) => [...lines, lines.at(-1)!],
    ]) {
      const file = await ledgerOf(3);
      rewrite(file, `${change(linesIn(file)).join('\n')}\n`);
      const before = readFileSync(file);
      expect(await recover(file)).toMatchObject({ kind: 'failed' });
      expect(readFileSync(file).equals(before)).toBe(true);
    }
  });

  it('keeps very much in a file of its own, and its hash in the record', async () => {
    const file = await ledgerOf(1);
    const much = `{"seq":2,${'x'.repeat(6_000_000)}`;
    appendFileSync(file, much);
    const sha256 = createHash('sha256').update(much).digest('hex');
    const aside = { bytes: much.length, text: null, base64: null, sha256 };
    expect(await recover(file)).toMatchObject({ kind: 'transacted', value: aside });
    expect(readFileSync(`${file}.aside-${sha256.slice(0, 12)}`, 'utf8')).toBe(much);
    expect(await add(file, { label: 'next' })).toMatchObject({ kind: 'transacted' });
  });

  it('grants nothing between the taking away and the record, and records once what was taken away', async () => {
    const file = await ledgerOf(2);
    const beside = `${file}.aside`;
    appendFileSync(file, '{"seq":3');
    const stopped: Disk = {
      ...DISK,
      write: (fd, part) => {
        if (part.toString().includes('recover')) throw new Error('stopped');
        return DISK.write(fd, part);
      },
    };
    await expect(recover(file, { disk: stopped })).rejects.toThrow('stopped');
    writeFileSync(beside, '{"seq":3');
    rewrite(file, `${linesIn(file).join('\n')}\n`);
    expect(await add(file, { label: 'next' })).toMatchObject({ fault: { code: 'unfinished-record', bytes: 8 } });
    expect(await recover(file)).toMatchObject({ kind: 'transacted', value: { text: '{"seq":3' } });
    // As it is left by who was stopped after the record.
    writeFileSync(beside, '{"seq":3');
    expect(await recover(file)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    expect(existsSync(beside)).toBe(false);
    expect(linesIn(file).filter((line) => line.includes('"aside"'))).toHaveLength(1);
  });
});
