import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Decision, totalsOf, type LedgerState, at } from '../../src/ledger/state.ts';
import { incur, spend } from '../../src/ledger/decide.ts';
import { decide, decideReservation } from '../../src/ledger/present.ts';
import { type Event, type ReservationEvent, readRecord, recordFields } from '../../src/ledger/record.ts';
import { Replay } from '../../src/ledger/replay.ts';
import { remaining } from '../../src/ledger/loss.ts';
import { resume } from '../../src/ledger/open.ts';
import { dp, zcdp } from '../mechanisms.ts';
import { shareOf } from '../reference/share.ts';
import { basic, compositorTerms, filterTerms, opened, pure, refused, zcdpOptimal } from './helpers.ts';
import { Decimal } from '../../src/numeric/decimal.ts';

const START = Date.parse('2026-03-02T09:00:00.000Z');
const time = (minutes: number): string => new Date(START + 60_000 * minutes).toISOString();

/** A ledger that is only its last record, as a store has it. */
class Journal {
  readonly replay: Replay;
  state: LedgerState;
  records = 0;

  readonly start: LedgerState;

  constructor(start: LedgerState) {
    this.start = start;
    this.state = start;
    this.replay = new Replay(start);
  }

  /** Keeps what was decided as a record that is read again, and goes on from its totals alone. */
  keep(event: Event, decision: Decision): boolean {
    if (decision.kind === 'refused') return false;
    const noted = { at: null, actor: null, key: null };
    const fields = recordFields({ ...event, ...noted, totals: totalsOf(decision.state) });
    const all = { seq: 1, nonce: '0'.repeat(32), ...fields, home: '', ledger: '', prev: '' };
    const recorded = readRecord({ kind: 'record', fields: all, hash: '' }, { line: 2, record: 1 });
    if ('kind' in recorded) throw new Error(JSON.stringify(recorded));
    expect(this.replay.take(recorded)).toBeNull();
    const state = resume(this.start.terms, recorded.totals);
    if (state === null) throw new Error('not resumed');
    this.state = state;
    this.records++;
    return true;
  }

  spend(epsilon: string, minutes: number): boolean {
    const asked = { entries: [dp(epsilon)], evidence: null };
    return this.keep({ event: 'spend', ...asked }, decide(this.state, asked, time(minutes)));
  }

  held(asked: ReservationEvent, minutes: number): boolean {
    return this.keep(asked, decideReservation(this.state, asked, time(minutes)));
  }

  reserve(hold: string, epsilon: string, minutes: number, until: number): boolean {
    return this.held({ event: 'hold', hold, until: time(until), entries: [dp(epsilon)], evidence: null }, minutes);
  }

  commit(hold: string, epsilon: string, minutes: number): boolean {
    return this.held({ event: 'commit', hold, entries: [dp(epsilon)], evidence: null }, minutes);
  }

  release(hold: string, minutes: number): boolean {
    return this.held({ event: 'release', hold, label: null }, minutes);
  }

  incur(epsilon: string): boolean {
    const entries = [dp(epsilon)];
    return this.keep({ event: 'incurred', entries, evidence: null }, incur(this.state, entries));
  }
}

describe('a hold', () => {
  it('takes its part of the budget from others, and gives it back when it has expired', () => {
    const journal = new Journal(pure(1));
    expect(journal.reserve('a', '0.7', 0, 15)).toBe(true);
    expect(journal.spend('0.4', 14)).toBe(false);
    expect(journal.spend('0.3', 14)).toBe(true);
    expect(journal.spend('0.7', 15)).toBe(true);
    expect(journal.commit('a', '0.7', 15)).toBe(false);
  });

  it('is spent only when it is committed, and once', () => {
    const journal = new Journal(pure(1));
    journal.reserve('a', '0.7', 0, 15);
    expect(totalsOf(journal.state)).toMatchObject({ launched: 0, spent: { epsilon: '0' } });
    expect(journal.commit('a', '0.7', 1)).toBe(true);
    expect(totalsOf(journal.state)).toEqual({ launched: 1, spent: { epsilon: '0.7' }, halted: null, clock: time(1) });
    expect(journal.commit('a', '0.7', 2)).toBe(false);
    expect(journal.release('a', 2)).toBe(false);
  });

  it('stays expired where a clock goes backwards', () => {
    const journal = new Journal(pure(1));
    journal.reserve('a', '0.7', 0, 15);
    journal.reserve('b', '0.1', 20, 40);
    expect(journal.commit('a', '0.7', 5)).toBe(false);
  });

  it('leaves nothing to others in what remains, and does not end a ledger that halts on excess', () => {
    const journal = new Journal(pure(1, { onExcess: 'halt' }));
    journal.reserve('a', '0.7', 0, 15);
    expect(remaining(journal.state, { form: 'left' })).toMatchObject({ left: { epsilon: new Decimal('0.3') } });
    const decision = refused(spend(at(journal.state, time(1)), dp('0.4')));
    expect(decision).toMatchObject({ halts: false, refusal: { code: 'insufficient-budget', holds: 1, total: '1.1' } });
    expect(refused(spend(at(journal.state, time(1)), dp('1.4')))).toMatchObject({ halts: true });
  });

  it('counts towards the number of mechanisms', () => {
    const journal = new Journal(pure(1, { maxMechanisms: 2 }));
    journal.reserve('a', '0.1', 0, 15);
    expect(journal.spend('0.1', 1)).toBe(true);
    expect(journal.spend('0.1', 1)).toBe(false);
    expect(journal.commit('a', '0.1', 2)).toBe(true);
  });

  it('cannot be committed beyond a budget that was incurred meanwhile', () => {
    const journal = new Journal(pure(1));
    journal.reserve('a', '0.7', 0, 15);
    journal.incur('0.4');
    expect(journal.commit('a', '0.7', 1)).toBe(false);
    expect(journal.release('a', 2)).toBe(true);
    expect(journal.spend('0.6', 3)).toBe(true);
  });
});

type Op =
  | { readonly op: 'spend' | 'incur'; readonly tenths: number }
  | { readonly op: 'reserve'; readonly tenths: number; readonly minutes: number }
  | { readonly op: 'commit' | 'release'; readonly which: number }
  | { readonly op: 'wait'; readonly minutes: number };

const tenths = fc.integer({ min: 0, max: 6 });
const ops = (incurs: boolean): fc.Arbitrary<Op[]> =>
  fc.array(
    fc.oneof(
      fc.record({ op: fc.constantFrom('spend' as const, ...(incurs ? (['incur'] as const) : [])), tenths }),
      fc.record({ op: fc.constant('reserve' as const), tenths, minutes: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ op: fc.constantFrom('commit' as const, 'release' as const), which: fc.nat(8) }),
      fc.record({ op: fc.constant('wait' as const), minutes: fc.integer({ min: -2, max: 5 }) }),
    ),
    { maxLength: 40 },
  );

const BUDGET = 10;
const text = (count: number): string => new Decimal(count).div(10).toString();

/** The same in whole tenths, as one who has the only clock does it. */
class Model {
  spent = 0;
  clock = 0;
  readonly holds = new Map<string, { readonly tenths: number; readonly until: number }>();

  at(minutes: number): void {
    this.clock = Math.max(this.clock, minutes);
    for (const [id, { until }] of this.holds) if (until <= this.clock) this.holds.delete(id);
  }

  get held(): number {
    return [...this.holds.values()].reduce((sum, hold) => sum + hold.tenths, 0);
  }

  fits(amount: number): boolean {
    return this.spent + this.held + amount <= BUDGET;
  }
}

function agree(sequence: readonly Op[]): Model {
  const journal = new Journal(pure(1));
  const model = new Model();
  const ids: { readonly id: string; readonly tenths: number }[] = [];
  let now = 0;
  for (const each of sequence) {
    switch (each.op) {
      case 'wait':
        now = Math.max(0, now + each.minutes);
        break;
      case 'incur':
        journal.incur(text(each.tenths));
        model.spent += each.tenths;
        break;
      case 'spend': {
        const before = { clock: model.clock, holds: new Map(model.holds) };
        // Without holds nothing depends on the time, which does not go on then.
        if (model.holds.size > 0) model.at(now);
        const fits = model.fits(each.tenths);
        expect(journal.spend(text(each.tenths), now)).toBe(fits);
        if (fits) model.spent += each.tenths;
        else restore(model, before);
        break;
      }
      case 'reserve': {
        const before = { clock: model.clock, holds: new Map(model.holds) };
        model.at(now);
        const until = now + each.minutes;
        const fits = until > model.clock && model.fits(each.tenths);
        const id = `h${ids.length}`;
        expect(journal.reserve(id, text(each.tenths), now, until)).toBe(fits);
        ids.push({ id, tenths: each.tenths });
        if (fits) model.holds.set(id, { tenths: each.tenths, until });
        else restore(model, before);
        break;
      }
      case 'commit':
      case 'release': {
        const { id, tenths } = ids[each.which] ?? { id: 'none', tenths: 0 };
        const before = { clock: model.clock, holds: new Map(model.holds) };
        model.at(now);
        const isOpen = model.holds.has(id);
        const fits = isOpen && (each.op === 'release' || model.spent + tenths <= BUDGET);
        expect(each.op === 'commit' ? journal.commit(id, text(tenths), now) : journal.release(id, now)).toBe(fits);
        if (!fits) {
          restore(model, before);
          break;
        }
        model.holds.delete(id);
        if (each.op === 'commit') model.spent += tenths;
      }
    }
    expect(totalsOf(journal.state).spent.epsilon).toBe(text(model.spent));
  }
  expect(totalsOf(journal.replay.state)).toEqual(totalsOf(journal.state));
  return model;
}

/** What is refused is not recorded, and leaves the clock as it was. */
function restore(model: Model, { clock, holds }: { readonly clock: number; readonly holds: Model['holds'] }): void {
  model.clock = clock;
  model.holds.clear();
  for (const [id, hold] of holds) model.holds.set(id, hold);
}

describe('any sequence of spending, reserving, committing, releasing and waiting', () => {
  it('grants what a sequential model in whole numbers grants, replays, and never exceeds the budget', () => {
    let spent = 0;
    fc.assert(
      fc.property(ops(false), (sequence) => {
        const model = agree(sequence);
        expect(model.spent).toBeLessThanOrEqual(BUDGET);
        spent += model.spent;
      }),
      { numRuns: shareOf(2000) },
    );
    expect(spent).toBeGreaterThan(0);
  });

  it('counts what was incurred beside it, and grants nothing beyond the budget then', () => {
    fc.assert(
      fc.property(ops(true), (sequence) => {
        agree(sequence);
      }),
      { numRuns: shareOf(1000) },
    );
  });
});

describe('a hold that is open can be committed, whatever was granted since', () => {
  const declared = [dp('0.1', 0, { count: 2 }), dp('0.2', 0, { count: 1 }), dp('0.3', 0, { count: 2 })];
  const ledgers = {
    basic: basic(1, '1e-5', 'product'),
    'zcdp-optimal': zcdpOptimal(1, '1e-6'),
    zcdp: opened(filterTerms({ id: 'zcdp' }, { rho: new Decimal('0.5') })),
    compositor: opened(compositorTerms('basic', declared, ['1', '0'])),
  };

  it.each(Object.keys(ledgers) as (keyof typeof ledgers)[])('by %s', (name) => {
    const start = ledgers[name];
    const entry = fc.constantFrom(
      ...(name === 'compositor' || name === 'zcdp' ? [] : [dp('0.01', '1e-6'), dp('0.2', '3e-7')]),
      ...(name === 'zcdp' ? [zcdp('0.03'), zcdp('0.2')] : [dp('0.1'), dp('0.15'), dp('0.3')]),
    );
    let open = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, fc.integer({ min: 0, max: 2 })), { maxLength: 14 }), (sequence) => {
        let state = start;
        for (const [i, [each, what]] of sequence.entries()) {
          const held = state.held.at(0);
          const entries = [each];
          const decision =
            what === 0
              ? decide(state, { entries, evidence: null }, time(0))
              : what === 1 || held === undefined
                ? decideReservation(
                    state,
                    { event: 'hold', hold: `${i}`, until: time(9), entries, evidence: null },
                    time(0),
                  )
                : decideReservation(state, { event: 'commit', hold: held.id, entries, evidence: null }, time(0));
          ({ state } = decision);
        }
        for (const { id } of state.held.toReversed()) {
          const decision = decideReservation(
            state,
            { event: 'commit', hold: id, entries: [], evidence: null },
            time(1),
          );
          expect(decision.kind).toBe('accepted');
          ({ state } = decision);
          open++;
        }
        expect(state.rule.excess(state.spent)).toBeNull();
      }),
      { numRuns: shareOf(800) },
    );
    expect(open).toBeGreaterThan(0);
  });
});
