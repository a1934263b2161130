import { describe, expect, it } from 'vitest';
import { entryForm } from '../../src/document/structure/normal-form.ts';
import type { Common, Terms } from '../../src/ledger/rules/terms.ts';
import type { Failed } from '../../src/ledger/fault.ts';
import { reservationIn } from '../../src/ledger/reservation.ts';
import { incurIn, spendIn, type RecordOptions } from '../../src/ledger/spend-in.ts';
import type { Fields } from '../../src/ledger/line.ts';
import { readPresent } from '../../src/ledger/present.ts';
import type { LaunchRequest } from '../../src/ledger/record.ts';
import { annotateIn, voidIn, convertIn } from '../../src/ledger/succession.ts';
import { replayOf } from '../../src/ledger/replay.ts';
import type { Store } from '../../src/ledger/store.ts';
import { verify } from '../../src/ledger/verify.ts';
import { toOdometer } from '../../src/ledger/conversions.ts';
import { dp } from '../mechanisms.ts';
import { add, FILES, HEADER, newPath, TERMS } from './stores/file/files.ts';

const OPTIONS: RecordOptions = { patience: 5 };
const time = (minute: number): string => `2026-03-02T09:${String(minute).padStart(2, '0')}:00.000Z`;

/** The store of files with a clock of its own. */
class Clock {
  minute = 0;
  readonly store: Store = {
    ...FILES,
    transact: (names, propose, options) => FILES.transact(names, (seen) => propose(seen, time(this.minute)), options),
  };
}

type Changes = Pick<Common, 'refusals' | 'evidence'> & { readonly conversions?: 'forbidden' };

async function ledgerOf(changes: Changes = {}): Promise<string> {
  const path = newPath();
  const terms: Terms = { ...TERMS, ...changes };
  await FILES.create(path, { ...HEADER, terms });
  return path;
}

const sound = <T extends object>(value: T | Failed): T => {
  if ('fault' in value) throw new Error(JSON.stringify(value.fault));
  return value;
};

const asking = (epsilon: string): LaunchRequest => ({ entries: [dp(epsilon)], evidence: null });

/** What a ledger says to a spend: granted, or a code. */
async function spend(
  store: Store,
  path: string,
  asked: LaunchRequest,
  more: Partial<RecordOptions> = {},
): Promise<string> {
  const done = await spendIn(store, [path], asked, { ...OPTIONS, ...more });
  if (done.kind === 'failed') return done.fault.code;
  const { decision } = done.value[0]!;
  if (decision.kind !== 'refused') return decision.kind;
  return 'reason' in decision.refusal ? decision.refusal.reason : decision.refusal.code;
}

const flawsOf = async (path: string): Promise<string[]> =>
  sound(await verify(FILES, path)).flaws.map(({ code, record }) => `${record}: ${code}`);

const totals = (epsilon: string, launched: number, more: Fields = {}): Fields => ({
  launched,
  spent: { epsilon },
  halted: null,
  ...more,
});

const MECHANISMS = [entryForm(dp('0.4'))];

describe('what ran without being granted', () => {
  it('counts beyond the budget, after which nothing fits', async () => {
    const path = await ledgerOf();
    expect(await spend(FILES, path, asking('0.8'))).toBe('accepted');
    sound(await incurIn(FILES, path, { entries: [dp('0.4')], evidence: null }, OPTIONS));
    expect(sound(await readPresent(FILES, path)).state).toMatchObject({ launched: 2, incurred: 1 });
    expect(await spend(FILES, path, asking('0'))).toBe('insufficient-budget');
    expect(await flawsOf(path)).toEqual([]);
    expect(sound(await replayOf(FILES, path)).replay.state.incurred).toBe(1);
  });

  it('is counted once under a key', async () => {
    const path = await ledgerOf();
    const entries = [dp('0.4')];
    for (let n = 0; n < 2; n++) {
      sound(await incurIn(FILES, path, { entries, evidence: null }, { ...OPTIONS, key: 'monday' }));
    }
    expect(sound(await readPresent(FILES, path)).state.spent.map(String)).toEqual(['0.4']);
  });

  it('is found where the record counts too little, or does not say that it was not granted', async () => {
    const forged: Record<string, Fields> = {
      'totals.spent': totals('0.3', 1, { incurred: 1 }),
      'totals.incurred': totals('0.4', 1),
    };
    for (const each of Object.values(forged)) {
      const path = await ledgerOf();
      await add(path, { event: 'incurred', mechanisms: MECHANISMS, totals: each });
      expect(await flawsOf(path)).toEqual(['1: wrong-totals']);
    }
    const path = await ledgerOf();
    await add(path, { event: 'incurred', mechanisms: MECHANISMS, totals: totals('0.4', 1, { incurred: 1 }) });
    expect(await flawsOf(path)).toEqual([]);
  });
});

describe('a record that is said never to have run', () => {
  it('is one that has launched something; nothing is given back', async () => {
    const path = await ledgerOf();
    await spend(FILES, path, asking('0.8'));
    expect(sound(await voidIn(FILES, path, { voids: 1, label: 'crashed' }, OPTIONS)).records).toHaveLength(1);
    expect(sound(await readPresent(FILES, path)).state.spent.map(String)).toEqual(['0.8']);
    const wrong = await voidIn(FILES, path, { voids: 2, label: 'crashed' }, OPTIONS);
    expect(wrong).toMatchObject({ kind: 'failed', fault: { code: 'nothing-to-void' } });
    expect(await flawsOf(path)).toEqual([]);
    await add(path, { event: 'void', voids: 2, label: 'x', totals: totals('0.8', 1) });
    expect(await flawsOf(path)).toEqual(['3: wrong-void']);
  });
});

describe('a ledger that has ended', () => {
  it('takes no notes, after which it would look open', async () => {
    const path = await ledgerOf();
    sound(await convertIn(FILES, path, { name: newPath(), id: 'next' }, toOdometer, OPTIONS));
    const noted = await annotateIn(FILES, path, { event: 'note', label: 'later' }, OPTIONS);
    expect(noted).toMatchObject({ kind: 'failed', fault: { code: 'converted', successor: { id: 'next' } } });
    expect(await spend(FILES, path, asking('0.1'))).toBe('ended');
  });

  it('is never a filter whose budget is fixed', async () => {
    const path = await ledgerOf({ conversions: 'forbidden' });
    const converted = sound(await convertIn(FILES, path, { name: newPath(), id: 'next' }, toOdometer, OPTIONS));
    expect(converted.value.decision).toMatchObject({ refusal: { reason: 'fixed-budget' } });
    expect(await spend(FILES, path, asking('1'))).toBe('accepted');
  });

  it('has given back what was held in it', async () => {
    const clock = new Clock();
    const [path, next] = [await ledgerOf(), newPath()];
    const entries = [dp('0.4')];
    sound(
      await reservationIn(
        clock.store,
        [path],
        { event: 'hold', hold: 'a', until: time(9), entries, evidence: null },
        OPTIONS,
      ),
    );
    sound(await convertIn(clock.store, path, { name: next, id: 'next' }, toOdometer, OPTIONS));
    expect(sound(await readPresent(FILES, next)).state).toMatchObject({ held: [], clock: time(0) });
    expect(await flawsOf(path)).toEqual([]);
  });
});

describe('holds in a store', () => {
  const hold = (epsilon: string, until: string | number = 60_000) =>
    ({ event: 'hold', hold: 'a', until, entries: [dp(epsilon)], evidence: null }) as const;

  it('are made and committed in several ledgers, or in none', async () => {
    const clock = new Clock();
    const [one, two] = [await ledgerOf(), await ledgerOf()];
    await spend(clock.store, two, asking('0.8'));
    const made = sound(await reservationIn(clock.store, [one, two], hold('0.4'), OPTIONS));
    expect(made.records).toEqual([null, null]);
    expect(sound(await reservationIn(clock.store, [one, two], hold('0.2'), OPTIONS)).records).not.toContain(null);
    const commit = { event: 'commit', hold: 'a' } as const;
    expect(sound(await reservationIn(clock.store, [one, two], commit, OPTIONS)).records).not.toContain(null);
    for (const path of [one, two]) expect(await flawsOf(path)).toEqual([]);
    expect(sound(await readPresent(FILES, one)).state.spent.map(String)).toEqual(['0.2']);
  });

  it('are committed once under a key, and not after they have expired', async () => {
    const clock = new Clock();
    const path = await ledgerOf();
    sound(await reservationIn(clock.store, [path], hold('0.4'), OPTIONS));
    const commit = { event: 'commit', hold: 'a' } as const;
    const first = sound(await reservationIn(clock.store, [path], commit, { ...OPTIONS, key: 'k' }));
    const second = sound(await reservationIn(clock.store, [path], commit, { ...OPTIONS, key: 'k' }));
    expect(first.records[0]?.hash).toBe(second.value[0]?.again?.hash);
    sound(await reservationIn(clock.store, [path], hold('0.4'), OPTIONS));
    clock.minute = 1;
    expect(sound(await reservationIn(clock.store, [path], commit, OPTIONS)).value[0]?.decision).toMatchObject({
      refusal: { code: 'no-such-hold' },
    });
    expect(await flawsOf(path)).toEqual([]);
  });

  const held = { id: 'a', until: time(9), launched: 1, spent: { epsilon: '0.4' }, mechanisms: MECHANISMS };
  const reservation = { event: 'hold', hold: 'a', until: time(9), mechanisms: MECHANISMS };
  const reserved = totals('0', 0, { clock: time(0), held: [held] });
  const LARGER = [entryForm(dp('0.5'))];

  it.each<readonly [string, readonly Fields[], readonly string[]]>([
    ['as they are made', [{ ...reservation, totals: reserved }], []],
    [
      'that hold too little',
      [{ ...reservation, totals: totals('0', 0, { clock: time(0), held: [{ ...held, spent: { epsilon: '0.1' } }] }) }],
      ['1: wrong-totals'],
    ],
    ['that nobody holds', [{ ...reservation, totals: totals('0', 0, { clock: time(0) }) }], ['1: wrong-totals']],
    ['without a time', [{ ...reservation, totals: totals('0', 0, { held: [held] }) }], ['1: wrong-totals']],
    [
      'that had expired when they were made',
      [{ ...reservation, totals: totals('0', 0, { clock: time(9), held: [held] }) }],
      ['1: not-allowed'],
    ],
    [
      'that are committed after they have expired',
      [
        { ...reservation, totals: reserved },
        { event: 'commit', hold: 'a', mechanisms: MECHANISMS, totals: totals('0.4', 1, { clock: time(9) }) },
      ],
      ['2: not-allowed'],
    ],
    [
      'that are committed before they were made',
      [
        { ...reservation, totals: totals('0', 0, { clock: time(3), held: [held] }) },
        { event: 'commit', hold: 'a', mechanisms: MECHANISMS, totals: totals('0.4', 1, { clock: time(2) }) },
      ],
      ['2: wrong-totals'],
    ],
    [
      'of which something else is launched',
      [
        { ...reservation, totals: reserved },
        { event: 'commit', hold: 'a', mechanisms: LARGER, totals: totals('0.4', 1, { clock: time(1) }) },
      ],
      ['2: other-hold'],
    ],
    [
      'that a spend does not see',
      [
        { ...reservation, totals: reserved },
        {
          event: 'spend',
          mechanisms: [entryForm(dp('0.7'))],
          totals: totals('0.7', 1, { clock: time(1), held: [held] }),
        },
      ],
      ['2: not-allowed'],
    ],
    [
      'that are released and stay',
      [
        { ...reservation, totals: reserved },
        { event: 'release', hold: 'a', totals: totals('0', 0, { clock: time(1), held: [held] }) },
      ],
      ['2: wrong-totals'],
    ],
  ])('are found %s', async (_, records, flaws) => {
    const path = await ledgerOf();
    for (const fields of records) await add(path, fields);
    expect(await flawsOf(path)).toEqual(flaws);
  });
});

describe('refusals', () => {
  it('are recorded with their code where terms say so, under no key', async () => {
    const path = await ledgerOf({ refusals: 'recorded' });
    expect(await spend(FILES, path, asking('1.1'), { key: 'k' })).toBe('insufficient-budget');
    expect(await spend(FILES, path, asking('1'), { key: 'k' })).toBe('accepted');
    expect(sound(await readPresent(FILES, path)).records).toBe(2);
    expect(await flawsOf(path)).toEqual([]);
  });

  it('are found where the rule allows what is said to be refused, or nobody asked for records of them', async () => {
    const path = await ledgerOf({ refusals: 'recorded' });
    const refusal = { event: 'refuse', code: 'insufficient-budget', mechanisms: MECHANISMS, totals: totals('0', 0) };
    await add(path, refusal);
    expect(await flawsOf(path)).toEqual(['1: needless-refusal']);
    const other = await ledgerOf();
    await add(other, { ...refusal, mechanisms: [entryForm(dp('2'))] });
    expect(await flawsOf(other)).toEqual(['1: needless-refusal']);
  });
});
