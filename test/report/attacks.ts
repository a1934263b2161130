import { obliviousAttack } from '../../src/composition/attack/oblivious.ts';
import { parallelAttack } from '../../src/composition/attack/parallel.ts';
import { renyiAttack, renyiExpectations } from '../../src/composition/attack/renyi.ts';
import { Decimal } from '../../src/numeric/decimal.ts';

/** Attacks as reports are given them: small, and with a seed. */

const SEED = { runs: 200, seed: 1 };

const decimals = (...texts: string[]): Decimal[] => texts.map((text) => new Decimal(text));

export const threeGates = parallelAttack({ deltas: decimals('0.1'), instances: 3 }, SEED);
export const differentGates = parallelAttack({ deltas: decimals('0.001', '0.002', '0.0005'), instances: 3 }, null);
export const anyGates = parallelAttack({ deltas: decimals('0.1'), instances: null }, { runs: 1, seed: 1 });

/** A seed that is one of the odd ones. */
export const oddGates = {
  ...threeGates,
  simulated: { ...threeGates.simulated!, guessed: { times: 150, of: 200, interval: { lower: 0.66, upper: 0.83 } } },
} as typeof threeGates;

const claim = { alpha: new Decimal(2), epsilon: new Decimal(1) };

export const renyi = renyiAttack(renyiExpectations({ ...claim, target: new Decimal(10), instances: null }), null);
export const limitedRenyi = renyiAttack(renyiExpectations({ ...claim, target: new Decimal(2), instances: 50 }), SEED);

export const oblivious = obliviousAttack(new Decimal('0.1'), SEED);
export const expectedOblivious = obliviousAttack(new Decimal('0.3'), null);
