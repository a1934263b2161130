import { describe, expect, it } from 'vitest';
import { exactAccounting } from '../../src/learning/accounting/accounting.ts';
import { guaranteesOf } from '../../src/learning/accounting/resampling.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { deltaBetween, outputDistribution, VIEWS, type ExpertLosses } from '../enumeration/views.ts';
import { fc } from '../reference/properties.ts';
import { MULTIPLICATIVE, scaled, setting } from './helpers.ts';

const loss = fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true }));

/** Neighbouring losses of T rounds: those of one round are replaced, most often by the opposite ones. */
const neighbours = (rounds: number, experts: number) =>
  fc
    .record({
      losses: fc.array(fc.array(loss, { minLength: experts, maxLength: experts }), {
        minLength: rounds,
        maxLength: rounds,
      }),
      at: fc.nat({ max: rounds - 1 }),
      other: fc.option(fc.array(loss, { minLength: experts, maxLength: experts })),
    })
    .map(({ losses, at, other }) => ({
      losses,
      neighbour: losses.map((round, t) => (t === at ? (other ?? round.map((x) => 1 - x)) : round)),
    }));

/** Whether every view of every pair stays below the accounting, at epsilons up to beyond the largest loss. */
function below(
  parameters: ReturnType<typeof setting>,
  one: readonly ExpertLosses[],
  other: readonly ExpertLosses[],
): boolean {
  const [eta, p] = [parameters.eta.toNumber(), parameters.fakeSwitch.toNumber()];
  const flag = Math.log1p(((1 - p) * 2 * eta) / (p + parameters.batch * eta));
  const epsilons = [0, 0.25, 0.7, 1, 1.4, 2.5].flatMap((f) => [2 * eta * f, flag * f, flag + 2 * eta * f]);
  const curves = guaranteesOf(MULTIPLICATIVE, parameters.eta).map((each) =>
    exactAccounting(parameters, MULTIPLICATIVE, each, 'upper'),
  );
  const laws = VIEWS.map(
    (view) => [outputDistribution(parameters, one, view), outputDistribution(parameters, other, view)] as const,
  );
  return epsilons.every((x) => {
    const epsilon = new Decimal(x.toPrecision(6));
    const seen = Math.max(...laws.map(([p1, p2]) => deltaBetween(p1, p2, epsilon.toNumber())));
    return curves.every((curve) => seen <= curve.delta(epsilon).upper * (1 + 1e-12) + 1e-15);
  });
}

describe('exact enumeration never exceeds the accounting', () => {
  it.each([
    [2, 1, 2, 60],
    [2, 1, 4, 40],
    [3, 1, 2, 60],
    [3, 1, 3, 25],
    [3, 2, 2, 25],
    [4, 1, 2, 30],
    [4, 2, 3, 20],
    [5, 1, 2, 10],
    [5, 2, 2, 20],
    [5, 2, 3, 8],
    [5, 3, 4, 12],
  ])('in %i rounds in batches of %i with %i experts', (rounds, batch, experts, runs) => {
    fc.assert(
      fc.property(scaled(1e-4, 2), scaled(1e-4, 0.999), neighbours(rounds, experts), (eta, fakeSwitch, pair) =>
        below({ rounds, batch, eta, fakeSwitch }, pair.losses, pair.neighbour),
      ),
      { seed: rounds * 100 + batch * 10 + experts, numRuns: runs },
    );
  });

  it.each(['0', '1'])('without or with nothing but fake switches (p = %s)', (p) => {
    fc.assert(
      fc.property(scaled(1e-3, 1), neighbours(4, 2), (eta, pair) =>
        below({ ...setting(4, 1, '1', p), eta }, pair.losses, pair.neighbour),
      ),
      { seed: 4, numRuns: 20 },
    );
  });

  it('where the flag that the neighbours change tells that x is sampled anew', () => {
    // With x sampled anew in that round only as often as in others the accounting would be 5.3e-6.
    const parameters = setting(2, 1, '0.01003', '0.001084');
    const later = [0, 1, 1];
    const [one, other] = [
      outputDistribution(parameters, [[0, 0, 1], later], 'flags'),
      outputDistribution(parameters, [[1, 1, 0], later], 'flags'),
    ];
    const exact = deltaBetween(one, other, 1.03068);
    expect(exact).toBeCloseTo(9.240469e-6, 11);
    for (const guarantee of guaranteesOf(MULTIPLICATIVE, parameters.eta)) {
      const { upper } = exactAccounting(parameters, MULTIPLICATIVE, guarantee).delta(new Decimal('1.03068'));
      expect(upper).toBeGreaterThan(exact);
    }
  });
});
