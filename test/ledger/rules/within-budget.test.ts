import { describe, expect, it } from 'vitest';
import type { BoundRow } from '../../../src/composition/core/outcome.ts';
import { composeEntries } from '../../../src/composition/entries/compose-entries.ts';
import { open } from '../../../src/ledger/open.ts';
import { DECLARED_BOUNDS, type DeclaredBound } from '../../../src/ledger/rules/terms.ts';
import { Decimal, exactUpper } from '../../../src/numeric/decimal.ts';
import type { Entry, MechanismKind } from '../../../src/privacy/mechanism.ts';
import { mergeEqual } from '../../../src/privacy/mechanism-key.ts';
import { boundedRange, dp, finitePair, gaussian, gdp, laplace, rdp, zcdp } from '../../mechanisms.ts';
import { fc } from '../../reference/properties.ts';
import { compositorTerms } from '../helpers.ts';

const MECHANISMS: readonly Entry[] = [
  dp('0.1'),
  dp('0.2', '1e-4'),
  dp(0, '0.01'),
  zcdp('0.01'),
  rdp([
    [2, '0.05'],
    [16, '0.3'],
  ]),
  laplace(8),
  boundedRange('0.3'),
  gaussian(7),
  gdp('0.2'),
  finitePair(['0.5', '0.45', '0.05'], ['0.45', '0.55', '0']),
];
const KINDS: readonly MechanismKind[] = ['noninteractive', 'interactive', 'continual'];
const BOUNDS = DECLARED_BOUNDS;
const EPSILON = new Decimal('0.7');

const drawn = fc.record({
  each: fc.constantFrom(...MECHANISMS),
  kind: fc.constantFrom(...KINDS),
  count: fc.integer({ min: 1, max: 3 }),
});

/** Of all types together, and of one type that answers once, which the narrower bounds are for. */
const lists = fc
  .oneof(fc.array(drawn, { minLength: 1, maxLength: 4 }), fc.tuple(drawn.map((one) => ({ ...one, kind: KINDS[0]! }))))
  .map((all) => all.map(({ each, kind, count }): Entry => ({ ...each, kind, count })));

/** One bound for a list of mechanisms, where they are composed. */
function composed(declared: readonly Entry[], bound: DeclaredBound): BoundRow {
  const entries = mergeEqual(declared, 'any');
  const query = { solveFor: 'delta' as const, epsilon: EPSILON };
  const outcome = composeEntries({ entries, adaptivity: 'adaptive' }, query, { bounds: [bound] });
  if (outcome.kind === 'answer') return outcome.answer.bounds[0]!;
  if (outcome.refusal.code !== 'no-bound') throw new Error(outcome.refusal.code);
  return outcome.refusal.bounds[0]!;
}

describe('a compositor', () => {
  it.each(BOUNDS)('certifies by %s what is certified where the same mechanisms are composed, and no less', (bound) => {
    fc.assert(
      fc.property(lists, fc.constantFrom('concurrent' as const, 'sequential' as const), (declared, concurrency) => {
        const row = composed(declared, bound);
        const openWith = (delta: Decimal) =>
          open(compositorTerms(bound, declared, [EPSILON.toString(), delta.toString()], { concurrency }));
        if (!row.applies) {
          const refusal = { code: 'no-theorem', reason: 'bound-does-not-apply', inapplicability: row.reason };
          expect(openWith(new Decimal(1))).toEqual({ kind: 'refused', refusal });
          return;
        }
        const delta = exactUpper(row.delta);
        expect(openWith(delta).kind).toBe('opened');
        if (!delta.isZero()) {
          expect(openWith(delta.times('0.999'))).toMatchObject({ refusal: { code: 'insufficient-budget' } });
        }
      }),
      { numRuns: 60 },
    );
  });
  it('takes interactive zCDP beside interactive mechanisms with d > 0, asked in turns', () => {
    const mixed = [zcdp('0.001', { kind: 'interactive' }), dp('0.01', '1e-9', { kind: 'interactive' })];
    for (const concurrency of ['concurrent', 'sequential'] as const) {
      expect(open(compositorTerms('zcdp', mixed, [1, '1e-6'], { concurrency })).kind).toBe('opened');
    }
  });
});
