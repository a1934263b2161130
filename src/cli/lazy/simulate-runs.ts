import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { guaranteeAt } from '../../lazy/accounting/guarantee-at.ts';
import { instanceSeeds, overInstances, type Instance } from '../../lazy/simulate/instances.ts';
import { generatedLosses } from '../../lazy/simulate/losses.ts';
import { simulate } from '../../lazy/simulate/simulate.ts';
import type { SimulatedRuns } from '../../lazy/simulate/simulated-runs.ts';
import { Simulator, type Simulation } from '../../lazy/simulate/simulator.ts';
import type { Io } from '../kit/io.ts';
import type { Report } from '../kit/progress.ts';
import { openLosses } from './loss-file.ts';
import { checkBatch, type RunsQuestion } from './simulate-question.ts';

type Generated = Extract<RunsQuestion, { kind: 'generated' }>;
type Listed = Extract<RunsQuestion, { kind: 'file' }>;

type Found = Pick<SimulatedRuns, 'setting' | 'experts' | 'found' | 'instances'>;

function runGenerated(question: Generated, report: Report | undefined): Found {
  const { losses: kind, setting, experts, runs, seed: given, instances: count } = question;
  const all = instanceSeeds(given, count).map((seed, index): Instance => {
    const losses = generatedLosses(kind, { ...setting, experts, seed });
    const found = simulate({ setting, losses, runs, seed }, (share) => report?.('rounds', (index + share) / count));
    return { instance: index + 1, seed, found };
  });
  const [first] = all;
  if (count > 1 || first === undefined) return { setting, experts, ...overInstances(all) };
  return { setting, experts, found: first.found, instances: null };
}

/** The size of a file in bytes; null of what has none. */
async function sizeOf(file: string, io: Io): Promise<number | null> {
  if (file === '-') return null;
  const found = await stat(resolve(io.cwd(), file)).catch(() => null);
  return found?.isFile() === true ? found.size : null;
}

/** Runs on losses as they are read, all runs side by side. */
async function runListed({ file, setting, runs, seed }: Listed, io: Io, report: Report | undefined): Promise<Found> {
  const size = report && (await sizeOf(file, io));
  let done = 0;
  const progress = (bytes: number): void => {
    done += bytes;
    if (size) report('rounds', done / size);
  };
  let simulator: Simulator | null = null;
  for await (const { losses } of openLosses(file, { flag: '--losses', progress }, io).rows) {
    simulator ??= new Simulator(setting, losses.length, { runs, seed });
    simulator.take(losses);
  }
  if (simulator === null) throw new RangeError('a source of losses ended without losses or mistakes');
  const found: Simulation = simulator.finish();
  const played = { ...setting, rounds: found.rounds };
  checkBatch(played);
  return { setting: played, experts: simulator.experts, found, instances: null };
}

/** Runs what was asked for, and states the privacy of a run. */
export async function runSimulation(question: RunsQuestion, io: Io, report?: Report): Promise<SimulatedRuns> {
  const { name, seed, delta } = question;
  const found = question.kind === 'file' ? await runListed(question, io, report) : runGenerated(question, report);
  const privacy = guaranteeAt(found.setting, { type: 'multiplicative-weights' }, delta);
  return { ...found, name, seed, privacy };
}
