import { hash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  linkSync,
  readFileSync,
  statSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { sidecarPath, placeIdOfNew, placeIdOf } from '../../../../src/ledger/stores/file/fingerprint.ts';
import { foldOf } from '../../../../src/ledger/history.ts';
import { recoverIn, annotateIn } from '../../../../src/ledger/succession.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import { ITEMS } from '../../../../src/output/ledger/items.ts';
import { dp } from '../../../mechanisms.ts';
import { create } from '../../../../src/ledger/stores/file/create.ts';
import { FILES, HEADER, launch, newPath, OPTIONS } from './files.ts';

const spend = async (path: string, epsilon: string): Promise<boolean | string> => {
  const done = await launch(path, { entries: [dp(epsilon)] });
  return done.kind === 'failed' ? done.fault.code : done.value.decision.kind === 'accepted';
};

/** A ledger of 0.7 of 1, over which a copy from before the last spend of 0.4 was put. */
async function putBack(label = ''): Promise<string> {
  const path = newPath();
  create(path, HEADER);
  await launch(path, { entries: [{ ...dp('0.3'), label }] });
  copyFileSync(path, `${path}.bak`);
  await launch(path, { entries: [dp('0.4')] });
  writeFileSync(path, readFileSync(`${path}.bak`));
  return path;
}

const code = (found: object): unknown =>
  'fault' in found ? (found as { fault: { code: string } }).fault.code : 'none';

describe('an older copy that was put over a ledger', () => {
  it.each([
    ['small', ''],
    ['large', 'x'.repeat(600_000)],
  ])('grants nothing, whoever has looked at it: %s', async (_, label) => {
    const path = await putBack(label);
    expect(await spend(path, '0.4')).toBe('cut-off');
    // By then no further edit could have the same times.
    if (label !== '') await sleep(3500);
    expect(code(await FILES.ends(path))).toBe('cut-off');
    expect(code(await foldOf(FILES, path, ITEMS))).toBe('cut-off');
    expect(code(await verify(FILES, path))).toBe('cut-off');
    expect(await spend(path, '0.4')).toBe('cut-off');
    writeFileSync(path, readFileSync(`${path}.bak`));
    expect(await spend(path, '0.4')).toBe('cut-off');
  });

  it('goes on for who says that it does', async () => {
    const path = await putBack();
    const adopted = await annotateIn(
      FILES,
      path,
      { event: 'adopt', label: 'the rest is lost' },
      { ...OPTIONS, adopt: true },
    );
    expect(adopted.kind).toBe('transacted');
    expect(await spend(path, '0.4')).toBe(true);
  });

  it.each([
    ['small', ''],
    ['large', 'x'.repeat(600_000)],
  ])('is seen also where a longer one takes the place of what went on from it: %s', async (_, label) => {
    const path = newPath();
    create(path, HEADER);
    await launch(path, { entries: [{ ...dp('0.1'), label }] });
    const older = readFileSync(path);
    for (let n = 0; n < 5; n++) await spend(path, '0.1');
    const longer = readFileSync(path);
    writeFileSync(path, older);
    const adopts = { event: 'adopt', label: 'the rest is lost' } as const;
    expect(await annotateIn(FILES, path, adopts, { ...OPTIONS, adopt: true })).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.7')).toBe(true);
    writeFileSync(path, longer);
    expect(await spend(path, '0.3')).toBe('cut-off');
    expect(code(await FILES.ends(path))).toBe('cut-off');
    expect(code(await verify(FILES, path))).toBe('cut-off');
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    truncateSync(path, longer.length - 1);
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    expect(await spend(path, '0.3')).toBe('cut-off');
    appendFileSync(path, '{"seq"');
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.3')).toBe('cut-off');
    expect(await annotateIn(FILES, path, adopts, { ...OPTIONS, adopt: true })).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.3')).toBe(true);
  });

  it('is told by a stamp of an earlier version as before', async () => {
    const path = await putBack();
    const beside = sidecarPath(path, 'stamp');
    const facts = readFileSync(beside, 'utf8').split('\n').slice(1, -2);
    const earlier = facts.filter((fact) => !/^(end|last) /.test(fact)).join('\n');
    expect(facts.length).toBeGreaterThan(earlier.split('\n').length);
    writeFileSync(beside, `dpcompose.ledger-stamp/1\n${earlier}\n${hash('sha256', earlier)}\n`);
    expect(await spend(path, '0.4')).toBe('cut-off');
  });
});

describe('a ledger that is as it was left', () => {
  it('may have lost its last newline, and be renamed', async () => {
    const path = newPath();
    create(path, HEADER);
    expect(await spend(path, '0.3')).toBe(true);
    truncateSync(path, statSync(path).size - 1);
    expect(await spend(path, '0.3')).toBe(true);
    expect(await spend(path, '0.5')).toBe(false);
  });

  it('is not taken for cut while others add to it', async () => {
    const path = newPath();
    create(path, HEADER);
    const over = new AbortController();
    const looking = (async () => {
      const seen = new Set<unknown>();
      while (!over.signal.aborted) {
        seen.add(code(await FILES.ends(path)));
        await sleep(0);
      }
      return [...seen];
    })();
    for (let n = 0; n < 60; n++) await launch(path, { entries: [dp('0.001')] });
    over.abort();
    expect(await looking).toEqual(['none']);
  });

  it('says what it ends in where a write was cut short, and goes on when that was set aside', async () => {
    const path = newPath();
    create(path, HEADER);
    await spend(path, '0.3');
    appendFileSync(path, '{"seq"');
    expect(await spend(path, '0.3')).toBe('unfinished-record');
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.3')).toBe(true);
  });
});

describe('a ledger from whose end records are gone', () => {
  const ways: readonly [string, (path: string, older: Buffer) => void][] = [
    [
      'a piece of the last one is left',
      (path) => {
        truncateSync(path, statSync(path).size - 20);
      },
    ],
    [
      'a piece of one is left, and of the others nothing',
      (path, older) => {
        truncateSync(path, older.length + 20);
      },
    ],
    [
      'an editor put an older text there, and a blank line',
      (path, older) => {
        writeFileSync(path, `${older.toString()}\n`);
      },
    ],
    [
      'an editor put an older text there, and something as long as what is gone',
      (path, older) => {
        writeFileSync(path, older.toString() + 'x'.repeat(statSync(path).size - older.length - 1) + '\n');
      },
    ],
  ];

  it.each(ways)('grants nothing after a recovery either: %s', async (_, damage) => {
    const path = newPath();
    create(path, HEADER);
    await spend(path, '0.1');
    const older = readFileSync(path);
    for (let n = 0; n < 3; n++) await spend(path, '0.3');
    damage(path, older);
    expect(await spend(path, '0.9')).not.toBe(true);
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.9')).toBe('cut-off');
    expect(code(await FILES.ends(path))).toBe('cut-off');
    expect(await recoverIn(FILES, path, null, OPTIONS)).toMatchObject({ fault: { code: 'nothing-to-recover' } });
    expect(await spend(path, '0.9')).toBe('cut-off');
    const adopts = { event: 'adopt', label: 'the rest is lost' } as const;
    expect(await annotateIn(FILES, path, adopts, { ...OPTIONS, adopt: true })).toMatchObject({ kind: 'transacted' });
    expect(await spend(path, '0.3')).toBe(true);
  });
});

describe('a ledger file with several names', () => {
  it('is written under none of them, until it has one again', async () => {
    const path = newPath();
    create(path, HEADER);
    linkSync(path, `${path}.link`);
    expect(await spend(path, '0.3')).toBe('unfit-place');
    expect(await spend(`${path}.link`, '0.3')).toBe('unfit-place');
    expect(code(await FILES.ends(path))).toBe('none');
    unlinkSync(`${path}.link`);
    expect(await spend(path, '0.3')).toBe(true);
  });
});

describe('the place of a file', () => {
  const file = { ino: 39n, birthtimeNs: 1_764_000_000_000_000_000n, ctimeNs: 5n };

  it('is that of its number and of when it was made', () => {
    const place = placeIdOf(file, () => false);
    expect(place).toBe(placeIdOfNew(file));
    expect(placeIdOf({ ...file, ctimeNs: 6n }, () => false)).toBe(place);
    expect(placeIdOf({ ...file, birthtimeNs: file.birthtimeNs + 1n }, () => true)).not.toBe(place);
    expect(placeIdOf({ ...file, ino: 40n }, () => true)).not.toBe(place);
  });

  it('is only known where it is as it was left if nobody knows when it was made, as its number is given away again', () => {
    const unborn = { ...file, birthtimeNs: 0n };
    expect(placeIdOf(unborn, () => true)).toBe(placeIdOfNew(unborn));
    expect(placeIdOf(unborn, () => false)).not.toBe(placeIdOfNew(unborn));
    expect(placeIdOf(unborn, () => false)).not.toBe(placeIdOf({ ...unborn, ctimeNs: 6n }, () => false));
  });
});
