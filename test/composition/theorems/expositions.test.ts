import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../../src/bounds/core/bound.ts';
import { LITERATURE } from '../../../src/bounds/core/exposition.ts';
import { ALL_THEOREMS } from '../../../src/composition/theorems/all.ts';
import { ruleFacts, theoremFacts } from '../../../src/output/theorems.ts';

describe('what is said of theorems', () => {
  it('names each of them once, bounds and theorems of plans together', () => {
    const ids = theoremFacts().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual([...BOUND_IDS, ...ALL_THEOREMS.map(({ id }) => id)]);
  });

  it.each(theoremFacts().map((facts) => [facts.id, facts] as const))(
    '%s: statement, formula and source',
    (_, facts) => {
      expect(facts.statement).toMatch(/^[A-Z].*\.$/s);
      expect(facts.formula.length).toBeGreaterThan(0);
      expect(facts.sources.length).toBeGreaterThan(0);
      for (const text of facts.departures) expect(text).toMatch(/^[A-Z].*\.$/s);
    },
  );

  it('names as preconditions what the theorem asks for', () => {
    for (const { id, needs } of ALL_THEOREMS) {
      const facts = theoremFacts().find((each) => each.id === id)!;
      expect([id, facts.preconditions.length]).toEqual([id, needs.length]);
    }
  });

  it('says it where a result is derived', () => {
    for (const { id, number, reference, exposition } of ALL_THEOREMS) {
      if (number !== 'derived' && !reference.includes('derived')) continue;
      expect([id, exposition.departures.length > 0]).toEqual([id, true]);
    }
  });

  it('uses every work it lists', () => {
    const used = new Set([...theoremFacts(), ...ruleFacts()].flatMap(({ sources }) => sources));
    expect(Object.values(LITERATURE).filter((work) => !used.has(work))).toEqual([]);
  });
});
