import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../../src/bounds/core/bound.ts';
import { LITERATURE } from '../../../src/bounds/core/literature.ts';
import { ALL_THEOREMS } from '../../../src/composition/theorems/all.ts';
import { THEOREM_EXPOSITIONS } from '../../../src/composition/theorems/expositions/all.ts';
import { ruleFacts, theoremFacts } from '../../../src/report/theorems/theorem-facts.ts';

const SOURCE = join(import.meta.dirname, '../../../src');

/** The ids that the files of a folder define. */
const filesIn = (folder: string): string[] =>
  readdirSync(join(SOURCE, folder))
    .filter((name) => name !== 'all.ts')
    .map((name) => name.replace(/\.ts$/, ''))
    .sort();

describe('what is said of theorems', () => {
  it('is said of every one, each in its file', () => {
    expect(filesIn('bounds/expositions')).toEqual([...BOUND_IDS].sort());
    expect(filesIn('composition/theorems/expositions')).toEqual(ALL_THEOREMS.map(({ id }) => id).sort());
  });

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
    for (const { id, number, reference } of ALL_THEOREMS) {
      if (number !== 'derived' && !reference.includes('derived')) continue;
      expect([id, THEOREM_EXPOSITIONS[id].departures.length > 0]).toEqual([id, true]);
    }
  });

  it('uses every work it lists', () => {
    const used = new Set([...theoremFacts(), ...ruleFacts()].flatMap(({ sources }) => sources));
    expect(Object.values(LITERATURE).filter((work) => !used.has(work))).toEqual([]);
  });
});
