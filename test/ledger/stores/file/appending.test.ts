import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { DISK, type Disk } from '../../../../src/ledger/stores/file/create.ts';
import { lock } from '../../../../src/ledger/stores/file/lock-files.ts';
import { add, fileOf, flaws, ledgerOf, linesIn, newPath } from './files.ts';

const failing = (code: string, message = code): Error =>
  Object.assign(new Error(`${code}: ${message}, write`), { code });

/** A disk that fails at its `n`-th call of one kind, and perhaps at all of another. */
function brokenDisk(kind: keyof Disk, n: number, error: Error, also?: keyof Disk): Disk {
  let calls = 0;
  const guarded =
    <A extends unknown[], R>(name: keyof Disk, call: (...args: A) => R) =>
    (...args: A): R => {
      if (name === also && calls >= n) throw error;
      if (name === kind && ++calls === n) throw error;
      return call(...args);
    };
  return {
    write: guarded('write', (fd: number, bytes: Uint8Array) => DISK.write(fd, bytes.subarray(0, 100))),
    sync: guarded('sync', DISK.sync),
    truncate: guarded('truncate', DISK.truncate),
  };
}

describe('a record that is added', () => {
  it('follows the last one, and is returned as it stands in the file', async () => {
    const path = await ledgerOf(1);
    const added = await add(path, { event: 'spend', label: 'é "quoted" \u2028' });
    const [header, first, second] = linesIn(path).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(added).toMatchObject({ kind: 'transacted', settled: 'none' });
    const record = added.kind === 'transacted' ? added.records[0] : null;
    expect({ ...record?.fields, hash: record?.hash }).toEqual(second);
    expect(second).toMatchObject({ seq: 2, ledger: header?.hash, prev: first?.hash });
    expect(flaws(readFileSync(path))).toEqual([]);
  });

  it('is refused where the last record is another than expected', async () => {
    const path = await ledgerOf(2);
    const before = readFileSync(path);
    const hash = (JSON.parse(linesIn(path)[2] ?? '') as { hash: string }).hash;
    const stale = (JSON.parse(linesIn(path)[1] ?? '') as { hash: string }).hash;
    const changed = { kind: 'failed', fault: { code: 'changed', expected: stale, found: hash }, ledger: path };
    expect(await add(path, {}, { expect: stale })).toEqual(changed);
    expect(readFileSync(path)).toEqual(before);
    expect(await add(path, {}, { expect: hash.slice(0, 12) })).toMatchObject({ kind: 'transacted' });
  });

  it('waits for whoever holds the lock, and not longer than it was told', async () => {
    const path = await ledgerOf(1);
    const held = openSync(path, 'a+');
    expect(await lock(held, 0)).toBeNull();
    expect(await add(path, {}, { patience: 0 })).toEqual({
      kind: 'failed',
      fault: { code: 'busy', seconds: 0 },
      ledger: path,
    });
    const waiting = add(path, { label: 'patient' });
    setTimeout(() => {
      closeSync(held);
    }, 50);
    expect(await waiting).toMatchObject({ kind: 'transacted' });
  });

  it('is one of many that are written at once, each after the other', async () => {
    const path = await ledgerOf(0);
    const all = await Promise.all(Array.from({ length: 40 }, (_, n) => add(path, { label: `writer ${n}` })));
    expect(all.every(({ kind }) => kind === 'transacted')).toBe(true);
    expect(flaws(readFileSync(path))).toEqual([]);
    expect(linesIn(path)).toHaveLength(41);
  });

  it('may be long, and may not be too long', async () => {
    const path = await ledgerOf(1);
    expect(await add(path, { label: 'x'.repeat(300_000) })).toMatchObject({ kind: 'transacted' });
    expect(await add(path, { label: 'after' })).toMatchObject({ kind: 'transacted' });
    const before = readFileSync(path);
    expect(await add(path, { label: 'x'.repeat(5_000_000) })).toMatchObject({ fault: { code: 'too-long' } });
    expect(readFileSync(path)).toEqual(before);
    expect(flaws(before)).toEqual([]);
  });

  describe('where the disk fails', () => {
    const size = (path: string): number => readFileSync(path).length;

    it.each([
      ['full before anything is written', brokenDisk('write', 1, failing('ENOSPC')), 'no-space'],
      ['full after some bytes', brokenDisk('write', 2, failing('ENOSPC')), 'no-space'],
      ['beyond its quota', brokenDisk('write', 2, failing('EDQUOT')), 'no-space'],
      ['full where the newline should stand', brokenDisk('write', 5, failing('ENOSPC')), 'no-space'],
      ['broken before the text is durable', brokenDisk('sync', 1, failing('EIO', 'i/o error')), 'write-failed'],
      ['broken before the newline is durable', brokenDisk('sync', 2, failing('EIO', 'i/o error')), 'write-failed'],
    ])('is not there if it was %s, and the file is as it was', async (_, disk, code) => {
      const path = await ledgerOf(2);
      const before = readFileSync(path);
      expect(await add(path, { label: 'x'.repeat(150) }, { disk })).toMatchObject({ kind: 'failed', fault: { code } });
      expect(readFileSync(path)).toEqual(before);
    });

    it('may be there where not even that could be undone, which is said', async () => {
      const path = await ledgerOf(2);
      const disk = brokenDisk('sync', 2, failing('EIO', 'i/o error'), 'truncate');
      const fault = { code: 'outcome-unknown', reason: 'i/o error' };
      expect(await add(path, {}, { disk })).toEqual({ kind: 'failed', fault });
      expect(flaws(readFileSync(path))).toEqual([]);
      expect(linesIn(path)).toHaveLength(4);
    });

    it('leaves a torn end to which nobody adds, where the process dies of it', async () => {
      const path = await ledgerOf(2);
      const before = size(path);
      const disk = brokenDisk('write', 3, failing('EIO', 'i/o error'), 'truncate');
      expect(await add(path, { label: 'lost' }, { disk })).toMatchObject({ kind: 'failed' });
      expect(size(path)).toBe(before + 200);
      const torn = readFileSync(path);
      expect(await add(path, { label: 'next' })).toMatchObject({ fault: { code: 'unfinished-record', bytes: 200 } });
      expect(readFileSync(path)).toEqual(torn);
      expect(flaws(torn)).toEqual([]);
    });
  });

  it('is not said to be there where somebody writes without asking for the lock', async () => {
    const path = await ledgerOf(2);
    const disk: Disk = {
      ...DISK,
      write(fd, bytes) {
        writeSync(fd, 'intruder\n');
        return DISK.write(fd, bytes);
      },
    };
    expect(await add(path, {}, { disk })).toEqual({ kind: 'failed', fault: { code: 'replaced' }, ledger: path });
  });

  it('is not said to be there where the file is moved away under its writer', async () => {
    const path = await ledgerOf(2);
    const disk: Disk = {
      ...DISK,
      write(fd, bytes) {
        renameSync(path, `${path}.old`);
        writeFileSync(path, 'another file');
        return DISK.write(fd, bytes);
      },
    };
    // Only the first write moves it.
    let moved = false;
    const once: Disk = {
      ...DISK,
      write: (fd, bytes) => {
        if (moved) return DISK.write(fd, bytes);
        moved = true;
        return disk.write(fd, bytes);
      },
    };
    expect(await add(path, {}, { disk: once })).toEqual({ kind: 'failed', fault: { code: 'replaced' }, ledger: path });
  });
});

describe('a ledger that was written elsewhere', () => {
  it('is added to only by who says that it goes on here', async () => {
    const path = await ledgerOf(2);
    const copy = fileOf(readFileSync(path));
    const before = readFileSync(copy);
    expect(await add(copy, {})).toEqual({ kind: 'failed', fault: { code: 'moved' }, ledger: copy });
    expect(readFileSync(copy)).toEqual(before);
    expect(await add(copy, {}, { adopt: true })).toMatchObject({ kind: 'transacted' });
    expect(await add(copy, {})).toMatchObject({ kind: 'transacted' });
    expect(flaws(readFileSync(copy))).toEqual([]);
  });

  it('is not one that was renamed', async () => {
    const path = await ledgerOf(1);
    const renamed = newPath();
    renameSync(path, renamed);
    expect(await add(renamed, {})).toMatchObject({ kind: 'transacted' });
  });

  it('is one that was put back under its own name', async () => {
    const path = await ledgerOf(1);
    const earlier = readFileSync(path);
    await add(path, {});
    writeFileSync(`${path}.new`, earlier);
    renameSync(`${path}.new`, path);
    expect(await add(path, {})).toMatchObject({ fault: { code: 'moved' } });
  });

  it('is one whose file was deleted and made again, although its number in the file system may be the same', async () => {
    const path = await ledgerOf(1);
    const content = readFileSync(path);
    for (let n = 0; n < 200; n++) {
      rmSync(path);
      writeFileSync(path, content);
      expect(await add(path, {})).toMatchObject({ fault: { code: 'moved' } });
    }
  });
});

describe('a file that is no ledger', () => {
  const json = JSON.stringify;

  it.each([
    ['empty', () => fileOf(''), 'empty-ledger'],
    ['some other JSON', () => fileOf('{ "dpcompose": 1 }\n'), 'not-a-ledger'],
    ['some text', () => fileOf('budget: 1\n'), 'not-a-ledger'],
    ['binary', () => fileOf(Uint8Array.of(0, 255, 10, 0, 13)), 'not-a-ledger'],
    ['one very long line', () => fileOf('x'.repeat(20_000_000)), 'not-a-ledger'],
    ['one very long header', () => fileOf(`{"schema":"dpcompose.ledger/2",${' '.repeat(40_000_000)}`), 'line-too-long'],
    ['of an earlier version', () => fileOf(`${json({ schema: 'dpcompose.ledger/1' })}\n`), 'unsupported-version'],
    [
      'of a later version',
      () => fileOf(`${json({ schema: 'dpcompose.ledger/3', cells: [] })}\n`),
      'unsupported-version',
    ],
    ['cut in its header', () => fileOf('{"schema":"dpcompose.ledger/2","seq'), 'unfinished-header'],
    ['missing', newPath, 'no-such-file'],
    ['in a missing directory', () => `${newPath()}/a.jsonl`, 'no-such-file'],
    ['below a file', () => `${fileOf('')}/a.jsonl`, 'no-such-file'],
  ])('is not written to where it is %s', async (_, make, code) => {
    expect(await add(make(), {})).toMatchObject({ kind: 'failed', fault: { code } });
  });

  it('may be a directory or a pipe, which is not waited for', async () => {
    const folder = newPath();
    mkdirSync(folder);
    expect(await add(folder, {})).toMatchObject({ fault: { code: 'is-a-directory' } });
    const pipe = newPath();
    execFileSync('mkfifo', [pipe]);
    expect(await add(pipe, {})).toMatchObject({ fault: { code: 'not-a-file' } });
  });

  it('may be a ledger that another program saved again: with CRLF, a byte order mark, or in UTF-16', async () => {
    const text = readFileSync(await ledgerOf(2), 'utf8');
    const crlf = fileOf(text.replaceAll('\n', '\r\n'));
    expect(await add(crlf, {})).toMatchObject({ fault: { code: 'damaged-record', what: 'carriage-return', line: 1 } });
    const marked = fileOf(`\ufeff${text}`);
    expect(await add(marked, {})).toMatchObject({
      fault: { code: 'damaged-record', what: 'byte-order-mark', line: 1 },
    });
    expect(await add(fileOf(Buffer.from(text, 'utf16le')), {})).toMatchObject({ fault: { code: 'not-a-ledger' } });
    expect(readFileSync(marked, 'utf8')).toBe(`\ufeff${text}`);
  });
});
