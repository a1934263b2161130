import { describe, expect, it } from 'vitest';
import { BOUND_IDS, type BoundId, type Composition, type MechanismType } from '../../src/bounds/core/bound.ts';
import { LITERATURE } from '../../src/bounds/core/exposition.ts';
import { ALL_BOUNDS } from '../../src/bounds/all.ts';
import type { Entry, MechanismKind } from '../../src/privacy/mechanism.ts';
import { SAMPLES } from '../mechanisms.ts';

const TYPES = Object.keys(SAMPLES) as MechanismType[];
const kindsOf = (type: MechanismType): readonly MechanismKind[] =>
  type === 'sampled' || type === 'selection' ? ['noninteractive'] : ['noninteractive', 'interactive', 'continual'];
/** A type with every kind that it may have. */
const KINDS_OF_TYPES = TYPES.flatMap((type) => kindsOf(type).map((kind) => [type, kind] as const));

const entry = (type: MechanismType, kind: MechanismKind, count = 2): Entry => ({ ...SAMPLES[type], kind, count });

const applies = (id: BoundId, entries: readonly Entry[], adaptivity: Composition['adaptivity']): boolean => {
  const bound = ALL_BOUNDS.find((each) => each.id === id)!;
  return 'curve' in bound.apply({ entries, adaptivity, order: 'any' }, { exhausted: () => true });
};

describe.each(BOUND_IDS)('what is said of %s', (id) => {
  const { coverage, formula, statement, works } = ALL_BOUNDS.find((each) => each.id === id)!.exposition;
  const { types, beside = [], together = false, noninteractive, adaptivity: adaptivities } = coverage;
  const isForOne = coverage.conditions.includes('one mechanism alone');
  const mayBe = (type: MechanismType, kind: MechanismKind): boolean =>
    kind === 'noninteractive' || !noninteractive.includes(type);

  it('has a statement, a formula and a source', () => {
    expect(statement).toMatch(/^[A-Z].*\.$/s);
    expect(formula.length).toBeGreaterThan(0);
    expect(works.map((work) => LITERATURE[work]).every((text) => /\d{4}/.test(text))).toBe(true);
  });

  it('is true of every type and kind of mechanism, chosen adaptively or fixed in advance', () => {
    for (const adaptivity of ['adaptive', 'nonadaptive'] as const) {
      const inTime = adaptivities === 'any' || adaptivities === adaptivity;
      for (const [type, kind] of KINDS_OF_TYPES) {
        const alone = inTime && !together && types.includes(type) && mayBe(type, kind);
        expect([type, kind, adaptivity, applies(id, [entry(type, kind, isForOne ? 1 : 2)], adaptivity)]).toEqual([
          type,
          kind,
          adaptivity,
          alone,
        ]);
      }
    }
  });

  it('is true of what may stand beside them', () => {
    const adaptivity = adaptivities === 'nonadaptive' ? 'nonadaptive' : 'adaptive';
    const [first] = types as [MechanismType];
    for (const [type, kind] of KINDS_OF_TYPES.filter(([each]) => !types.includes(each) || !together)) {
      const both = [entry(first, 'noninteractive'), entry(type, kind)];
      const covered = !isForOne && [...types, ...beside].includes(type) && mayBe(type, kind);
      expect([type, kind, applies(id, both, adaptivity)]).toEqual([type, kind, covered]);
    }
  });
});
