import { describe, expect, it } from 'vitest';
import { pairsOf } from '../../../src/bounds/loss-distribution/pair-entries.ts';
import { expectedLoss, remainingUncertainty } from '../../../src/numeric/contour/expectation.ts';
import type { ComposedLoss } from '../../../src/numeric/contour/composed-loss.ts';
import { exactly } from '../../../src/numeric/enclosure.ts';
import { Precise, holds } from '../../reference/precise.ts';
import { fc } from '../../reference/properties.ts';
import { dp, finitePair, gaussian } from '../../mechanisms.ts';

const lossOf = (entries: Parameters<typeof pairsOf>[0]): ComposedLoss =>
  pairsOf(entries, { way: 'forward', direction: 'remove' }).loss();

describe('an expectation by one line', () => {
  it('of the loss of Gaussian noise is half of mu^2', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.05, max: 5, noNaN: true }), (mu) => {
        const loss: ComposedLoss = { groups: [], muSquared: exactly(mu * mu), lattice: null, atoms: null };
        const found = expectedLoss(loss)!;
        expect(holds(found, new Precise(mu * mu).div(2))).toBe(true);
        expect(found.upper - found.lower).toBeLessThan(1e-10 * Math.exp((mu * mu) / 8));
      }),
      { numRuns: 50 },
    );
  });

  it('of the loss of randomized responses is the sum of e tanh(e / 2), whatever its size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), fc.integer({ min: 1, max: 5 }), (thousandths, count) => {
        const e = new Precise(thousandths).div(1000);
        const truth = e.times(e.div(2).tanh()).times(count);
        const found = expectedLoss(lossOf([dp(e.toString(), 0, { count }) as never]))!;
        expect(holds(found, truth), `[${found.lower}, ${found.upper}] for ${truth.toString()}`).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it('is given up where the loss is so large that its moments are', () => {
    expect(expectedLoss(lossOf([gaussian('0.02') as never]))).toBeNull();
  });

  it('of what is left of a bit is ln 2 where nothing is told, and nothing where all is', () => {
    const nothing = remainingUncertainty(lossOf([finitePair(['0.5', '0.5'], ['0.5', '0.5']) as never]), exactly(1))!;
    expect(holds(nothing, new Precise(2).ln())).toBe(true);
    const all = remainingUncertainty(lossOf([gaussian('0.02') as never]), exactly(1))!;
    expect(all.lower).toBe(0);
    expect(all.upper).toBeLessThan(1e-15);
  });

  it('of what is left of a bit is that of a sum of two responses', () => {
    // By mpmath, 30 digits.
    const truth = new Precise(2).ln().times(new Precise(1).minus('0.541700296366505213974397750485'));
    const { lower, upper } = remainingUncertainty(lossOf([dp(1), dp(2)] as never), exactly(1))!;
    expect(Math.abs(truth.toNumber() - (lower + upper) / 2)).toBeLessThan(1e-12);
    expect(upper - lower).toBeLessThan(1e-12);
  });
});
