import { isBatchingClaimed, safeRegretOfExperts } from '../../lazy/planning/regret.ts';
import type { Estimate, Simulation, SimulationTask } from '../../lazy/simulate/simulate.ts';
import type { Layout } from '../kit/columns.ts';
import { aboutText, mostText } from './number.ts';
import { paragraphs, plainLine, section } from './sections.ts';
import { settingText } from './setting-text.ts';
import { counted, grouped, printable } from '../kit/prose.ts';

const interval = ({ lower, upper }: Estimate): string => `${aboutText(lower)} to ${aboutText(upper)}`;

const row = (name: string, estimate: Estimate, expected: string) =>
  plainLine(name, aboutText(estimate.mean), interval(estimate), expected);

/** Runs of L2P for a person. */
export function lazySimulateTable(found: Simulation, task: SimulationTask, layout: Layout): string {
  const { setting, losses, name, runs, seed } = task;
  const { regret, expectedRegret, unbatchedRegret, switches, expectedOfX } = found;
  const lines = [
    row('regret', regret, aboutText(expectedRegret)),
    row('resamplings of x', switches.ofX, aboutText(expectedOfX)),
    row('resamplings of y', switches.ofY, ''),
    row('real switches', switches.real, ''),
    row('fake switches', switches.fake, ''),
  ];
  const penalty = expectedRegret - unbatchedRegret;
  const drift = setting.rounds * (setting.batch * setting.eta.toNumber()) ** 2;
  const claim = isBatchingClaimed(setting)
    ? `; Proposition 3.3 claims O(T B^2 eta^2), which is ${aboutText(drift)} with constant 1`
    : '';
  const batching =
    setting.batch === 1 ? [] : [`Batches change the expected regret by ${aboutText(penalty)} here${claim}.`];
  return paragraphs(
    [
      layout.style.heading(settingText(setting, { type: 'multiplicative-weights' })),
      printable(
        `${grouped(runs)} runs on ${counted(losses.rounds, 'round')} of ${grouped(losses.experts)} experts, losses ${name}, seed ${seed}`,
      ),
      section(['', 'mean', '95% interval', 'exact mean'], lines, layout),
      'Intervals are those of the means, by the normal approximation.',
      `The expected regret is at most ${mostText(safeRegretOfExperts(setting, losses.experts))} for any losses that are fixed in advance.`,
      ...batching,
    ],
    layout,
  );
}
