import { describe, expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { answer, atDelta, atEpsilon, gaussian, laplace, sampled } from '../mechanisms.ts';
import { PEERS, type PeerRow } from './sampled-peers.ts';

/* The tables of the tests of other accountants, whole: what they say of noise on Poisson samples, and where that is. */

/** Digits that they give. */
const ALIKE = 1.2e-5;
/** The PRV accountant adds a hundredth to epsilon, and a thousandth of delta; Renyi bounds are above by what they lose. */
const MOST_ABOVE: Readonly<Record<string, number>> = {
  'Opacus, PRV accountant': 0.017,
  'Opacus, Renyi accountant': 0.65,
  'TF Privacy, Renyi accountant': 6e6,
};

function own({ noise, scale, rate, steps, epsilon, delta, solveFor, direction }: PeerRow) {
  const base = noise === 'gaussian' ? gaussian(scale, { count: steps }) : laplace(scale, { count: steps });
  const [drawn = '', of = '1'] = rate.split('/');
  const entry = sampled(base, [drawn, of]);
  const query = solveFor === 'epsilon' ? atDelta(delta) : atEpsilon(epsilon);
  const found = answer([entry], query, { bounds: ['loss-distribution', 'rdp'], directions: true });
  return direction === 'larger' ? found[solveFor] : found.directions![direction];
}

describe.each(Object.entries(PEERS))('%s', (name, rows) => {
  it.each(rows)('$noise noise $scale at rate $rate, $steps steps: epsilon $epsilon, delta $delta', (row) => {
    const { lower, upper } = own(row);
    const theirs = new Decimal(row[row.solveFor]).toNumber();
    expect(upper - lower!).toBeLessThanOrEqual(1e-7 * upper);
    if (row.theirs === 'alike') {
      expect(Math.abs(upper / theirs - 1)).toBeLessThan(ALIKE);
    } else if (row.theirs === 'above') {
      expect(upper).toBeLessThan(theirs);
      expect(theirs - upper).toBeLessThan(MOST_ABOVE[name] ?? 4e-4);
    } else {
      // Theirs is no valid claim.
      expect(lower).toBeGreaterThan(theirs);
    }
  });
});
