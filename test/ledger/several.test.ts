import { describe, expect, it } from 'vitest';
import type { FilterTerms } from '../../src/ledger/rules/terms.ts';
import { spendIn } from '../../src/ledger/spend-in.ts';
import { verify } from '../../src/ledger/verify.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { shareOf } from '../reference/share.ts';
import { filterTerms } from './helpers.ts';
import { memoryStore } from './memory-store.ts';
import { fraction, SequentialModel, type Budget, type Request } from './sequential-model.ts';

/** Numbers from 0 to 1 that look random: the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const RULES = ['pure', 'basic', 'zcdp'] as const;

/** A decimal of so many thousandths. */
const thousandths = (n: number): Decimal => new Decimal(n).div(1000);

/** A ledger, and the same for the model. */
function randomLedger(random: () => number): { readonly terms: FilterTerms; readonly budget: Budget } {
  const rule = RULES[Math.floor(random() * 3)]!;
  const limit = 100 + Math.floor(random() * 1500);
  if (rule === 'pure') {
    const terms = filterTerms({ id: 'pure' }, { epsilon: thousandths(limit) });
    return { terms, budget: { rule, limits: [fraction(limit, 3)] } };
  }
  if (rule === 'zcdp') {
    const terms = filterTerms({ id: 'zcdp' }, { rho: thousandths(limit).div(10) });
    return { terms, budget: { rule, limits: [fraction(limit, 4)] } };
  }
  const deltas = Math.floor(random() * 8);
  const terms = filterTerms(
    { id: 'basic', deltas: 'sum' },
    { epsilon: thousandths(limit), delta: new Decimal(`${deltas}e-7`) },
  );
  return { terms, budget: { rule, limits: [fraction(limit, 3), fraction(deltas, 7)] } };
}

/** Some of so many ledgers, in any order. */
function randomSome(size: number, random: () => number): number[] {
  const all = Array.from({ length: size }, (_, i) => ({ i, at: random() })).sort((a, b) => a.at - b.at);
  return all.slice(0, 1 + Math.floor(random() * Math.min(4, size))).map(({ i }) => i);
}

/** How requests to several ledgers were answered, by the program and by the model. */
async function trace(seed: number) {
  const random = randomFrom(seed);
  const ledgers = Array.from({ length: 3 + Math.floor(random() * 18) }, () => randomLedger(random));
  const store = memoryStore();
  for (const [i, { terms }] of ledgers.entries()) {
    await store.create(`l${i}`, { version: '0', at: null, id: `l${i}`, terms, origin: null });
  }
  const model = new SequentialModel(ledgers.map(({ budget }) => budget));
  const [answers, expected]: [boolean[], (boolean | null)[]] = [[], []];
  for (let n = 0; n < 40; n++) {
    const names = randomSome(ledgers.length, random);
    const [epsilon, count] = [Math.floor(random() * 250), 1 + Math.floor(random() * 3)];
    const delta = random() < 0.2 ? 1 : 0;
    const request: Request = { epsilon: fraction(epsilon, 3), delta: fraction(delta, 7), count };
    const mechanism = { type: 'dp', epsilon: thousandths(epsilon), delta: new Decimal(`${delta}e-7`) } as const;
    const asked = { entries: [{ mechanism, count, kind: 'noninteractive', label: null } as const] };
    const done = await spendIn(
      store,
      names.map((i) => `l${i}`),
      asked,
      { patience: 0 },
    );
    if (done.kind === 'failed') throw new Error(done.fault.code);
    const granted = done.value.every(({ decision }) => decision.kind === 'accepted');
    expect(done.records.every((record) => (record !== null) === granted)).toBe(true);
    answers.push(granted);
    expected.push(model.ask(names, request));
  }
  for (const i of ledgers.keys()) expect(await verify(store, `l${i}`)).toMatchObject({ flaws: [] });
  return { answers, expected };
}

describe('requests to several ledgers', () => {
  it('are granted where a sequential model in exact fractions grants them', async () => {
    let [granted, refused] = [0, 0];
    for (let seed = 1; seed <= shareOf(300); seed++) {
      const { answers, expected } = await trace(seed);
      expect(answers, `seed ${seed}`).toEqual(expected);
      granted += answers.filter((each) => each).length;
      refused += answers.filter((each) => !each).length;
    }
    expect(granted).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(200);
  });
});
