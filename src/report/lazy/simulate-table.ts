import { isBatchingClaimed, safeRegretOfExperts } from '../../lazy/planning/regret.ts';
import type { Simulation, SimulationTask } from '../../lazy/simulate/simulate.ts';
import type { Layout } from '../kit/columns.ts';
import { lazyHeading } from './heading.ts';
import { aboutText, mostText } from './number.ts';
import { settingText } from './setting-text.ts';
import { pageText, paragraph } from '../kit/page.ts';
import { counted, grouped } from '../kit/prose.ts';
import { table } from '../kit/table.ts';

/** Runs of L2P for a person. */
export function lazySimulateTable(found: Simulation, task: SimulationTask, layout: Layout): string {
  const { setting, losses, name, runs, seed } = task;
  const { regret, expectedRegret, unbatchedRegret, switches, expectedOfX } = found;
  const rows = [
    { quantity: 'regret', ...regret, expected: aboutText(expectedRegret) },
    { quantity: 'resamplings of x', ...switches.ofX, expected: aboutText(expectedOfX) },
    { quantity: 'resamplings of y', ...switches.ofY, expected: '' },
    { quantity: 'real switches', ...switches.real, expected: '' },
    { quantity: 'fake switches', ...switches.fake, expected: '' },
  ];
  const penalty = expectedRegret - unbatchedRegret;
  const drift = setting.rounds * (setting.batch * setting.eta.toNumber()) ** 2;
  const claim = isBatchingClaimed(setting)
    ? `; Proposition 3.3 claims O(T B^2 eta^2), which is ${aboutText(drift)} with constant 1`
    : '';
  return pageText(
    [
      lazyHeading(settingText(setting, { type: 'multiplicative-weights' })),
      paragraph(
        `${grouped(runs)} runs on ${counted(losses.rounds, 'round')} of ${grouped(losses.experts)} experts, losses ${name}, seed ${seed}`,
      ),
      table(rows, [
        ['', ({ quantity }) => quantity],
        ['mean', ({ mean }) => aboutText(mean)],
        ['95% interval', ({ lower, upper }) => `${aboutText(lower)} to ${aboutText(upper)}`],
        ['exact mean', ({ expected }) => expected],
      ]),
      paragraph('Intervals are those of the means, by the normal approximation.'),
      paragraph(
        `The expected regret is at most ${mostText(safeRegretOfExperts(setting, losses.experts))} for any losses that are fixed in advance.`,
      ),
      paragraph(
        setting.batch === 1 ? null : `Batches change the expected regret by ${aboutText(penalty)} here${claim}.`,
      ),
    ],
    layout,
  );
}
