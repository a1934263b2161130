import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { recoverIn, annotateIn, nestIn } from '../../../../src/ledger/succession.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import { dp } from '../../../mechanisms.ts';
import { forget, HEADER, TERMS } from './files.ts';

// A record without its newline: its writer was stopped before all was done that belongs to it, or somebody took the newline away.

const folder = (): string => mkdtempSync(join(tmpdir(), 'dpcompose-settling-'));
const OPTIONS = { patience: 5 };

const withoutNewline = (path: string): void => {
  truncateSync(path, statSync(path).size - 1);
};

const spend = async (at: string, names: readonly string[], epsilon: string): Promise<string> => {
  const done = await spendIn(fileStore(at), names, { entries: [dp(epsilon)] }, OPTIONS);
  return done.kind === 'failed' ? done.fault.code : done.value.map(({ decision }) => decision.kind).join();
};

async function parentWith(at: string, names: readonly string[]): Promise<void> {
  await fileStore(at).create('p', HEADER);
  const children = names.map((name) => ({ name, id: name }));
  const terms = { ...TERMS, budget: { epsilon: new Decimal('0.9') } };
  expect(await nestIn(fileStore(at), 'p', { children, terms, label: null }, OPTIONS)).toMatchObject({
    kind: 'transacted',
  });
}

describe('the end of a ledger that is not finished', () => {
  it('brings nothing into being in a copy', async () => {
    const [one, two] = [folder(), folder()];
    await parentWith(one, ['kid']);
    expect(await spend(one, ['kid'], '0.9')).toBe('accepted');
    withoutNewline(join(one, 'p'));
    copyFileSync(join(one, 'p'), join(two, 'p'));
    expect(await spend(two, ['p'], '0.01')).toBe('moved');
    expect(existsSync(join(two, 'kid'))).toBe(false);
  });

  it('brings nothing into being beside a ledger that was moved to another folder', async () => {
    const [one, two] = [folder(), folder()];
    await parentWith(one, ['kid']);
    expect(await spend(one, ['kid'], '0.9')).toBe('accepted');
    withoutNewline(join(one, 'p'));
    renameSync(join(one, 'p'), join(two, 'p'));
    expect(await spend(two, ['p'], '0.01')).toBe('accepted');
    expect(existsSync(join(two, 'kid'))).toBe(false);
    expect(await spend(one, ['kid'], '0.9')).toBe('refused');
  });

  it('never takes a ledger away that was spent from', async () => {
    const at = folder();
    await parentWith(at, ['k1', 'k2']);
    expect(await spend(at, ['k1'], '0.9')).toBe('accepted');
    const spent = readFileSync(join(at, 'k1'), 'utf8');
    withoutNewline(join(at, 'p'));
    renameSync(join(at, 'k2'), join(at, 'k2-renamed'));
    rmSync(join(at, '.k2.stamp'));
    await fileStore(at).create('k2', { ...HEADER, id: 'another' });
    const another = readFileSync(join(at, 'k2'), 'utf8');
    expect(await spend(at, ['p'], '0.01')).toBe('accepted');
    expect(readFileSync(join(at, 'k1'), 'utf8')).toBe(spent);
    expect(readFileSync(join(at, 'k2'), 'utf8')).toBe(another);
  });

  it.each(['a new ledger', 'nothing', 'a copy of the head from before'])(
    'still counts where %s stands in the place of the head of its transaction',
    async (what) => {
      const at = folder();
      for (const id of ['a', 'b']) await fileStore(at).create(id, { ...HEADER, id });
      copyFileSync(join(at, 'a'), join(at, 'before'));
      expect(await spend(at, ['a', 'b'], '1')).toBe('accepted,accepted');
      withoutNewline(join(at, 'b'));
      renameSync(join(at, 'a'), join(at, 'a-2025'));
      if (what === 'a new ledger') await fileStore(at).create('a', { ...HEADER, id: 'a' });
      if (what.startsWith('a copy')) copyFileSync(join(at, 'before'), join(at, 'a'));
      const size = statSync(join(at, 'b')).size;
      expect(await spend(at, ['b'], '1')).toBe('unsettled');
      expect(statSync(join(at, 'b')).size).toBe(size);
    },
  );

  it('still counts where the ledger of its head was put back to before it, and goes on as that', async () => {
    const at = folder();
    for (const id of ['a', 'b']) await fileStore(at).create(id, { ...HEADER, id });
    copyFileSync(join(at, 'a'), join(at, 'before'));
    expect(await spend(at, ['a', 'b'], '0.9')).toBe('accepted,accepted');
    withoutNewline(join(at, 'b'));
    renameSync(join(at, 'before'), join(at, 'a'));
    const adopts = { event: 'adopt', label: null } as const;
    const adopted = await annotateIn(fileStore(at), 'a', adopts, { ...OPTIONS, adopt: true });
    expect(adopted).toMatchObject({ kind: 'transacted' });
    expect(await spend(at, ['b'], '0.9')).toBe('unsettled');
    expect(await recoverIn(fileStore(at), 'b', null, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(await spend(at, ['b'], '0.9')).toBe('refused');
  });

  it('counts where its head stands in its place, and does not where that was never written', async () => {
    const at = folder();
    for (const id of ['a', 'b']) await fileStore(at).create(id, { ...HEADER, id });
    expect(await spend(at, ['a', 'b'], '0.4')).toBe('accepted,accepted');
    withoutNewline(join(at, 'b'));
    expect(await spend(at, ['b'], '0.7')).toBe('refused');
    expect(await spend(at, ['a', 'b'], '0.4')).toBe('accepted,accepted');
    withoutNewline(join(at, 'b'));
    const head = readFileSync(join(at, 'a'), 'utf8').trimEnd().split('\n');
    truncateSync(join(at, 'a'), Buffer.byteLength(`${head.slice(0, -1).join('\n')}\n`));
    // It was written, and was cut off.
    expect(await spend(at, ['b'], '0.6')).toBe('unsettled');
    forget(join(at, 'a'));
    expect(await spend(at, ['b'], '0.6')).toBe('accepted');
  });
});
