import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Concurrency } from '../../../src/ledger/core/terms.ts';
import { sectionsOf, verifyAt } from '../../../src/ledger/file/sections.ts';
import { fileStore } from '../../../src/ledger/file/store.ts';
import { converseIn } from '../../../src/ledger/journal/converse.ts';
import { launchIn } from '../../../src/ledger/journal/launch.ts';
import { unseal, seal } from '../../../src/ledger/records/line.ts';
import { remarkIn } from '../../../src/ledger/journal/remark.ts';
import { verifiedOf } from '../../../src/ledger/journal/sections.ts';
import { verify, type Verified } from '../../../src/ledger/journal/verify.ts';
import { convertIn } from '../../../src/ledger/journal/succession.ts';
import { toOdometer } from '../../../src/ledger/to-odometer.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { MechanismKind } from '../../../src/privacy/mechanism.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-sections-'));
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
const store = fileStore(folder);
const OPTIONS = { patience: 5 };
let made = 0;

const entry = (kind: MechanismKind) => ({
  mechanism: { type: 'dp' as const, epsilon: new Decimal('0.01'), delta: new Decimal(0) },
  count: 1,
  kind,
  label: null,
});

async function newLedger(concurrency: Concurrency, onExcess: 'halt' | 'refuse' = 'refuse'): Promise<string> {
  const name = `${made++}.jsonl`;
  const terms = {
    mode: 'filter',
    rule: { id: 'pure' },
    budget: { epsilon: new Decimal('0.3') },
    onExcess,
    concurrency,
    maxMechanisms: null,
    distance: new Decimal(1),
    neighbours: null,
  } as const;
  await store.create(name, { version: '0.1.0', at: null, id: 'sections', terms, origin: null });
  return name;
}

/** What happens to a ledger, by numbers from a generator. */
async function happen(name: string, what: number, which: number): Promise<void> {
  const ordinal = 1 + (which % 12);
  if (what < 4) await launchIn(store, [name], { entries: [entry('noninteractive')] }, OPTIONS);
  else if (what < 6) await launchIn(store, [name], { entries: [entry('interactive'), entry('interactive')] }, OPTIONS);
  else if (what < 9) await converseIn(store, name, { event: 'query', mechanism: ordinal, label: null }, OPTIONS);
  else if (what < 10) await converseIn(store, name, { event: 'close', mechanism: ordinal, label: null }, OPTIONS);
  else await remarkIn(store, name, { event: 'note', label: 'a note' }, OPTIONS);
}

/** The result by sections of about so many bytes. */
function bySections(name: string, size: number, contains: string | null = null): Verified | null {
  const fd = openSync(join(folder, name), 'r');
  try {
    const found = sectionsOf(fd, size);
    if (found === null) return null;
    const sound = found.sections.map((section) => verifyAt(fd, section, contains));
    return verifiedOf(found.header, sound, contains);
  } finally {
    closeSync(fd);
  }
}

async function inOrder(name: string, contains: string | null = null): Promise<Verified> {
  const verified = await verify(store, name, contains);
  if (verified.kind === 'failed') throw new Error(JSON.stringify(verified.fault));
  return verified;
}

const linesOf = (name: string): string[] => readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);

/** Writes lines with fields that are changed, sealed and linked anew, as who forges a ledger would. */
function forge(name: string, change: (fields: Record<string, unknown>, at: number) => Record<string, unknown>): string {
  let prev = '';
  let ledger = '';
  const lines = linesOf(name).map((line, at) => {
    const record = unseal(Buffer.from(line));
    if (record.kind !== 'record') throw new Error('a line is no record');
    const fields = change({ ...record.fields }, at);
    const sealed = seal(at === 0 ? fields : { ...fields, ledger, prev });
    if (at === 0) ledger = sealed.hash;
    prev = sealed.hash;
    return `${sealed.text}\n`;
  });
  const forged = `${made++}.jsonl`;
  writeFileSync(join(folder, forged), lines.join(''));
  return forged;
}

const steps = fc.array(fc.tuple(fc.nat(10), fc.nat(100)), { minLength: 5, maxLength: 30 });
const concurrency = fc.constantFrom<Concurrency>('concurrent', 'sequential');

describe('a ledger that is verified by sections', () => {
  it('is as when it is read from the first record to the last, however it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(steps, concurrency, fc.integer({ min: 1, max: 4000 }), async (all, how, size) => {
        const name = await newLedger(how);
        for (const [what, which] of all) await happen(name, what, which);
        const some = linesOf(name).at(-1)!.slice(-66, -50);
        expect(bySections(name, size)).toEqual(await inOrder(name));
        expect(bySections(name, size, some)).toEqual(await inOrder(name, some));
      }),
      { numRuns: 25 },
    );
  });

  it('is never sound where it goes on after it was moved away', async () => {
    const name = await newLedger('concurrent');
    for (let n = 0; n < 4; n++) await happen(name, 10, n);
    const to = { store: 'sqlite:elsewhere', name: 'a' };
    const forged = forge(name, ({ label, ...fields }, at) =>
      at === 2 ? { ...fields, event: 'move', to, arrived: false } : at === 0 ? fields : { ...fields, label },
    );
    expect((await inOrder(forged)).flaws).toMatchObject([{ code: 'after-move' }]);
    for (let size = 1; size < 3000; size += 50) expect(bySections(forged, size)).toBeNull();
  });

  it('is never sound where the whole is not: bytes changed, lines taken out, doubled, moved', async () => {
    const name = await newLedger('concurrent');
    for (let n = 0; n < 24; n++) await happen(name, n % 11, n);
    const whole = readFileSync(join(folder, name));
    const lines = linesOf(name);
    const damaged = fc.oneof(
      fc.tuple(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 })).map(([at, by]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = bytes[at]! ^ by;
        return bytes;
      }),
      fc
        .tuple(fc.nat(lines.length - 1), fc.nat(lines.length - 1), fc.constantFrom('out', 'twice', 'swapped'))
        .map(([one, other, how]) => {
          const changed = [...lines];
          if (how === 'out') changed.splice(one, 1);
          else if (how === 'twice') changed.splice(other, 0, lines[one]!);
          else [changed[one], changed[other]] = [lines[other]!, lines[one]!];
          return Buffer.from(`${changed.join('\n')}\n`);
        }),
      fc.nat(whole.length).map((length) => whole.subarray(0, length)),
    );
    const seen = { sound: 0, unsound: 0 };
    await fc.assert(
      fc.asyncProperty(damaged, fc.integer({ min: 1, max: 4000 }), async (bytes, size) => {
        writeFileSync(join(folder, 'damaged.jsonl'), bytes);
        const sections = bySections('damaged.jsonl', size);
        const verified = await verify(store, 'damaged.jsonl');
        const isSound = verified.kind === 'verified' && verified.flaws.length === 0;
        seen[isSound ? 'sound' : 'unsound']++;
        expect(sections).toEqual(isSound ? verified : null);
      }),
      { numRuns: 150 },
    );
    expect(Math.min(seen.sound, seen.unsound)).toBeGreaterThan(0);
  });

  it('is not sound where totals were lowered and all after it was sealed anew', async () => {
    const name = await newLedger('concurrent');
    for (let n = 0; n < 12; n++) await happen(name, 0, n);
    for (let changed = 1; changed <= 12; changed++) {
      const forged = forge(name, (fields, at) =>
        at === changed ? { ...fields, totals: { launched: at, spent: { epsilon: '0.001' }, halted: null } } : fields,
      );
      expect((await inOrder(forged)).flaws).not.toEqual([]);
      for (const size of [1, 500, 1500, 4000]) expect(bySections(forged, size)).toBeNull();
    }
  });

  it('is not sound where a mechanism of an earlier section is asked that cannot be, or was closed', async () => {
    const name = await newLedger('concurrent');
    await launchIn(store, [name], { entries: [entry('interactive'), entry('noninteractive')] }, OPTIONS);
    for (let n = 0; n < 4; n++) await happen(name, 10, n);
    await converseIn(store, name, { event: 'close', mechanism: 1, label: null }, OPTIONS);
    for (let n = 0; n < 4; n++) await happen(name, 10, n);
    for (const [at, mechanism, isSound] of [
      [4, 1, true],
      [4, 2, false],
      [4, 3, false],
      [8, 1, false],
      [8, 2, false],
    ] as const) {
      const forged = forge(name, (fields, line) => {
        if (line !== at) return fields;
        const { seq, nonce, totals, home, ledger, prev } = fields;
        return { seq, nonce, event: 'query', mechanism, totals, home, ledger, prev };
      });
      expect((await inOrder(forged)).flaws.length === 0, `${mechanism} at ${at}`).toBe(isSound);
      for (const size of [1, 600, 1800])
        expect(bySections(forged, size) !== null, `${mechanism} at ${at}`).toBe(isSound);
    }
  });

  it('is not by sections where it holds what these do not know of, and where it goes on after its end', async () => {
    const name = await newLedger('concurrent');
    for (let n = 0; n < 6; n++) await happen(name, 0, n);
    const strange = forge(name, (fields, at) => (at === 4 ? { ...fields, window: 'P1D' } : fields));
    expect(bySections(strange, 800)).toBeNull();
    await convertIn(store, name, { name: `${made++}.jsonl`, id: 'heir' }, toOdometer, OPTIONS);
    expect(bySections(name, 800)).toEqual(await inOrder(name));
    expect(await remarkIn(store, name, { event: 'note', label: 'ended' }, OPTIONS)).toMatchObject({
      fault: { code: 'after-conversion' },
    });
    const end = unseal(Buffer.from(linesOf(name).at(-1)!));
    if (end.kind !== 'record') throw new Error('the last line is no record');
    const more = seal({ ...end.fields, seq: Number(end.fields.seq) + 1, prev: end.hash });
    const longer = `${made++}.jsonl`;
    writeFileSync(join(folder, longer), `${[...linesOf(name), more.text].join('\n')}\n`);
    expect(bySections(longer, 1)).toBeNull();
    expect((await inOrder(longer)).flaws).toMatchObject([{ code: 'after-conversion' }]);
  });
});
