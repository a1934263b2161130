import type { L2pSetting } from '../core/setting.ts';
import type { LossSequence } from './losses.ts';
import { Simulator, type Simulation } from './simulator.ts';

/** Runs of L2P on a loss sequence. */
export interface SimulationTask {
  readonly setting: L2pSetting;
  readonly losses: LossSequence;
  /** At least 2. */
  readonly runs: number;
  /** A whole number from 0 to 2^53 - 1. */
  readonly seed: number;
}

/**
 * Runs on losses that are known from the start (see {@link Simulator}).
 *
 * @param progress - called with the share of the rounds that are done
 */
export function simulate(
  { setting, losses, runs, seed }: SimulationTask,
  progress?: (share: number) => void,
): Simulation {
  const simulator = new Simulator(setting, losses.experts, { runs, seed });
  let done = 0;
  for (const round of losses.play()) {
    simulator.take(round);
    done++;
    if (done % setting.batch === 0 || done === losses.rounds) progress?.(done / losses.rounds);
  }
  return simulator.finish();
}
