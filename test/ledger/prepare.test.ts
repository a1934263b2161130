import { describe, expect, it } from 'vitest';
import { prepare, sealHeader } from '../../src/ledger/prepare.ts';
import type { LedgerView, Lookup } from '../../src/ledger/store.ts';
import { headerOf, sound } from './store-contract.ts';

const HOME = 'here';

/** A ledger as a store shows it, with so many answers to what was sought. */
function seenWith(answers: number): LedgerView {
  const { record } = sound(sealHeader(headerOf('a'), { placeId: HOME }));
  const ends = { kind: 'ends', header: record, last: record, rest: { kind: 'none' } } as const;
  return { name: 'a', ends, found: Array.from({ length: answers }, () => null) };
}

const prepared = (answers: number, sought?: readonly Lookup[]) =>
  prepare([seenWith(answers)], () => ({ kind: 'proposal', additions: [{ event: 'spend' }], value: null }), {
    placeIds: [HOME],
    now: '',
    store: { reference: (_, to) => to },
    options: { patience: 0, ...(sought && { lookups: sought }) },
  });

describe('what lies between looking and keeping', () => {
  const key: Lookup = { kind: 'key', key: 'k' };

  it('is not done for a store that has not looked for what was sought', () => {
    expect(() => prepared(0, [key])).toThrow('The store sought 0 of 1 records in "a".');
    expect(() => prepared(1, [key, key])).toThrow('The store sought 1 of 2 records in "a".');
    expect(() => prepared(1)).toThrow('The store sought 1 of 0 records in "a".');
    for (const each of [prepared(0), prepared(0, []), prepared(1, [key])]) expect(each.kind).toBe('prepared');
  });
});
