import type { GuaranteeAt } from '../accounting/guarantee-at.ts';
import type { L2pSetting } from '../core/setting.ts';
import type { Instances } from './instances.ts';
import type { Simulation } from './simulator.ts';

/** Runs of L2P, with what they were. */
export interface SimulatedRuns {
  readonly setting: L2pSetting;
  readonly experts: number;
  /** The name of the losses. */
  readonly name: string;
  readonly seed: number;
  /** On one loss sequence, or means over several. */
  readonly found: Simulation;
  readonly instances: Instances | null;
  /** What exact accounting guarantees of a run with these parameters. */
  readonly privacy: GuaranteeAt;
}
