import { describe, expect, it } from 'vitest';
import { isDominatedBy } from '../../../src/ledger/rules/compositor.ts';
import { totalsOf, type LedgerState } from '../../../src/ledger/state.ts';
import { spend } from '../../../src/ledger/decide.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { open } from '../../../src/ledger/open.ts';
import { boundedRange, dp, gdp, laplace } from '../../mechanisms.ts';
import { logDeltaByDecimals } from '../../numeric/normal-oracle.ts';
import { fc } from '../../reference/properties.ts';
import { deltaAt, response } from '../adversary.ts';
import { codeOf, compositorTerms, howMany, launched, opened, refused } from '../helpers.ts';

const compositor = (...declared: readonly Entry[]): LedgerState =>
  opened(compositorTerms('basic', declared, [1000, '0.5']));
const taken = (state: LedgerState): Readonly<Record<string, string>> => totalsOf(state).spent;

const once = ({ count, ...entry }: Entry): Entry[] => Array.from({ length: count }, () => ({ ...entry, count: 1 }));

/** Whether each of some launches can have a slot of its own that dominates it: by Kuhn's augmenting paths. */
function haveSlots(launches: readonly Entry[], declared: readonly Entry[]): boolean {
  const slots = declared.flatMap(once);
  const holder = new Map<number, Entry>();
  const place = (entry: Entry, tried: Set<number>): boolean =>
    slots.some((slot, i) => {
      if (tried.has(i) || !isDominatedBy(entry.mechanism, entry.kind, slot)) return false;
      tried.add(i);
      const other = holder.get(i);
      if (other !== undefined && !place(other, tried)) return false;
      holder.set(i, entry);
      return true;
    });
  return launches.flatMap(once).every((entry) => place(entry, new Set()));
}

const counted = (each: fc.Arbitrary<Entry>): fc.Arbitrary<Entry> =>
  fc.tuple(each, fc.integer({ min: 1, max: 2 })).map(([entry, count]) => ({ ...entry, count }));
const pure = counted(fc.constantFrom('0.1', '0.2', '0.3', '0.4').map((epsilon) => dp(epsilon)));
const mixed = counted(
  fc.oneof(
    fc
      .tuple(fc.constantFrom('0.1', '0.2', '0.3'), fc.constantFrom(0, '1e-6', '1e-5'))
      .map(([epsilon, delta]) => dp(epsilon, delta)),
    fc.constantFrom(laplace(10), laplace(5), boundedRange('0.2'), dp('0.2', 0, { kind: 'interactive' })),
  ),
);
const several = (each: fc.Arbitrary<Entry>): fc.Arbitrary<Entry[]> => fc.array(each, { minLength: 1, maxLength: 6 });

/** What was let in of some launches, one after the other, and whether each was. */
function run(declared: readonly Entry[], launches: readonly Entry[]) {
  let state = compositor(...declared);
  const accepted: Entry[] = [];
  const could: boolean[] = [];
  const did: boolean[] = [];
  for (const entry of launches) {
    const decision = spend(state, entry);
    could.push(haveSlots([...accepted, entry], declared));
    did.push(decision.kind === 'accepted');
    if (decision.kind === 'accepted') accepted.push(entry);
    ({ state } = decision);
  }
  return { state, accepted, could, did };
}

describe('the slot of a launch', () => {
  it('is the smallest free one, whatever the order in which they were declared', () => {
    const state = compositor(dp('0.3'), dp('0.1'), dp('0.2'));
    const [one, two, three] = [1, 2, 3].map((count) => launched(state, dp('0.05', 0, { count })));
    expect(taken(one!)).toEqual({ slot1: '1' });
    expect(taken(two!)).toEqual({ slot1: '1', slot2: '1' });
    expect(taken(three!)).toEqual({ slot0: '1', slot1: '1', slot2: '1' });
    expect(codeOf(spend(one!, dp('0.2')))).toBe('accepted');
    expect(codeOf(spend(two!, dp('0.3')))).toBe('accepted');
  });
  it('is that of the very mechanism, also among slots of which a larger one was declared before', () => {
    const state = compositor(dp('0.1'), laplace(10), dp('0.1', 0, { kind: 'interactive' }), boundedRange('0.1'));
    expect(taken(launched(state, laplace(10)))).toEqual({ slot1: '1' });
    expect(taken(launched(state, dp('0.1')))).toEqual({ slot0: '1' });
    expect(taken(launched(state, dp('0.1', 0, { kind: 'interactive' })))).toEqual({ slot2: '1' });
    expect(taken(launched(state, boundedRange('0.1')))).toEqual({ slot3: '1' });
  });
  it('is, of two of which none is below the other, that in which fewer of what was declared could be run', () => {
    // 0.2 and 0.3 without a delta could need the first, only the second itself that.
    const state = compositor(dp('0.4', '1e-6'), dp('0.1', '1e-5'), dp('0.2'), dp('0.3'));
    const full = launched(state, dp('0.2'), dp('0.3'));
    expect(taken(launched(full, dp('0.05')))).toEqual({ slot1: '1', slot2: '1', slot3: '1' });
  });
  it('is settled when it is launched: nothing changes its slot afterwards', () => {
    const state = compositor(dp('0.1', '1e-6'), dp('0.2'));
    const one = launched(state, dp('0.05'));
    expect(taken(one)).toEqual({ slot0: '1' });
    expect(refused(spend(one, dp('0.1', '1e-6'))).refusal).toEqual({
      code: 'insufficient-budget',
      coordinate: 'slot0',
      total: '2',
      limit: '1',
    });
    expect(codeOf(spend(one, dp('0.2')))).toBe('accepted');
    expect(howMany(one, dp('0.05'))).toBe('1');
  });
  it('would break the guarantee if it were settled later, by what was seen', () => {
    const declared = [gdp('2.4'), dp('2.8')];
    const epsilon = 2.7;
    for (const slot of declared) expect(isDominatedBy(dp(2).mechanism, 'noninteractive', slot)).toBe(true);
    // After an answer of loss l the worse of the two slots, by their exact curves.
    const pure = (e: number): number => deltaAt(response('2.8').outcomes, e);
    const gaussian = (e: number): number => Math.exp(logDeltaByDecimals(2.4, e).toNumber());
    const truth = response(2).outcomes.reduce(
      (sum, { loss, chance }) => sum + chance * Math.max(pure(epsilon - loss), gaussian(epsilon - loss)),
      0,
    );
    const together = open(compositorTerms('loss-distribution', declared, [epsilon, '0.741']));
    expect(together.kind).toBe('opened');
    expect(truth).toBeGreaterThan(0.7449);
  });
  it('is there wherever any assignment has one, where slots are ordered', () => {
    fc.assert(
      fc.property(several(pure), several(pure), (declared, launches) => {
        const { could, did } = run(declared, launches);
        expect(did).toEqual(could);
      }),
    );
  });
  it('is one of its own that dominates it, of whatever types', () => {
    fc.assert(
      fc.property(several(mixed), several(mixed), (declared, launches) => {
        const { state, accepted, could, did } = run(declared, launches);
        expect(haveSlots(accepted, declared)).toBe(true);
        did.forEach((each, i) => {
          expect(each && !could[i]).toBe(false);
        });
        const inAll = Object.values(taken(state)).reduce((sum, count) => sum + Number(count), 0);
        expect(inAll).toBe(accepted.reduce((sum, { count }) => sum + count, 0));
      }),
    );
  });
  it('is there for all that was declared, launched as it was declared in any order', () => {
    fc.assert(
      fc.property(
        several(mixed).chain((declared) =>
          fc.tuple(fc.constant(declared), fc.shuffledSubarray(declared, { minLength: declared.length })),
        ),
        ([declared, launches]) => {
          expect(run(declared, launches).did.every(Boolean)).toBe(true);
        },
      ),
    );
  });
});
