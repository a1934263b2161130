import { below, Xoshiro } from '../../numeric/random.ts';
import { estimate, type Estimate } from './estimate.ts';
import type { Simulation } from './simulator.ts';

/** One of several loss sequences, with what was found on it. */
export interface Instance {
  /** From 1 on. */
  readonly instance: number;
  /** With this seed it is the only one. */
  readonly seed: number;
  readonly found: Simulation;
}

/** What several loss sequences tell that one does not. */
export interface Instances {
  readonly count: number;
  /** The exact expected regrets of the instances. */
  readonly expectedRegret: Estimate;
  /** The instance of the largest expected regret. */
  readonly worst: Instance;
}

/** A seed for each instance; the first is the seed given. */
export function instanceSeeds(seed: number, count: number): readonly number[] {
  const source = new Xoshiro([(seed % 2 ** 32) | 0, Math.floor(seed / 2 ** 32), 0x696e7374, 0x616e6365]);
  for (let i = 0; i < 16; i++) source.word();
  return Array.from({ length: count }, (_, instance) => (instance === 0 ? seed : below(2 ** 53, source)));
}

/**
 * What is found on at least two independent instances: means over them, whose intervals are for instance and runs
 * together, since each instance counts as one value, the mean over its runs.
 */
export function overInstances(all: readonly Instance[]): { readonly found: Simulation; readonly instances: Instances } {
  const [first] = all;
  if (first === undefined) throw new RangeError('there are no instances');
  const over = (value: (found: Simulation) => number): Estimate => estimate(all.map(({ found }) => value(found)));
  const mean = (value: (found: Simulation) => number): number => over(value).mean;
  return {
    found: {
      runs: first.found.runs,
      rounds: first.found.rounds,
      regret: over(({ regret }) => regret.mean),
      expectedRegret: mean(({ expectedRegret }) => expectedRegret),
      unbatchedRegret: mean(({ unbatchedRegret }) => unbatchedRegret),
      bestLoss: mean(({ bestLoss }) => bestLoss),
      switches: {
        real: over(({ switches }) => switches.real.mean),
        fake: over(({ switches }) => switches.fake.mean),
        ofX: over(({ switches }) => switches.ofX.mean),
        ofY: over(({ switches }) => switches.ofY.mean),
      },
      expectedOfX: mean(({ expectedOfX }) => expectedOfX),
    },
    instances: {
      count: all.length,
      expectedRegret: over(({ expectedRegret }) => expectedRegret),
      worst: all.reduce((worst, each) => (each.found.expectedRegret > worst.found.expectedRegret ? each : worst)),
    },
  };
}
