import { describe, expect, it } from 'vitest';
import { gateVerification } from '../../../src/composition/attack/m-delta.ts';
import { PairVerification } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { endless, once } from '../../composition/attack/interaction/mechanisms.ts';
import { interactiveExample } from './examples/interactive.ts';
import { isFirstPairConsistent } from './first-pair.ts';

const interactive = new PairVerification(interactiveExample.verification);

describe('a verification function', () => {
  it('is first-pair consistent if a first pair that is equal allows no other kind', () => {
    expect(isFirstPairConsistent(gateVerification)).toBe(false);
    expect(isFirstPairConsistent(endless)).toBe(false);
    expect(isFirstPairConsistent(once)).toBe(true);
    expect(isFirstPairConsistent(interactive)).toBe(true);
  });
});
