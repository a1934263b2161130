import { isBatchingClaimed, safeRegretOfExperts } from '../../../lazy/planning/regret.ts';
import type { Instances } from '../../../lazy/simulate/instances.ts';
import type { SimulatedRuns } from '../../../lazy/simulate/simulated-runs.ts';
import { isWithoutY } from '../../../lazy/core/setting.ts';
import type { Layout } from '../../kit/columns.ts';
import { lazyHeading } from '../kit/heading.ts';
import { aboutText, mostText } from '../kit/number.ts';
import { privacyText } from '../kit/privacy-text.ts';
import { settingText } from '../kit/setting-text.ts';
import { pageText, paragraph } from '../../kit/page.ts';
import { counted, grouped } from '../../kit/prose.ts';
import { table } from '../../kit/table.ts';

/** Whose numbers are shown. */
function runsText({ setting, experts, name, seed, found, instances }: SimulatedRuns): string {
  const size = `${counted(setting.rounds, 'round')} of ${grouped(experts)} experts`;
  const runs = `${grouped(found.runs)} runs on ${instances === null ? '' : 'each of '}`;
  const sequences = instances === null ? '' : `${grouped(instances.count)} loss sequences of `;
  return `${runs}${sequences}${size}, losses ${name}, seed ${seed}`;
}

const worstText = ({ worst }: Instances): string =>
  `The largest expected regret is that of sequence ${grouped(worst.instance)}, ${aboutText(worst.found.expectedRegret)}; --seed ${worst.seed} has that sequence alone.`;

/** Runs of L2P for a person. */
export function lazySimulateTable(simulated: SimulatedRuns, layout: Layout): string {
  const { setting, experts, found, instances } = simulated;
  const { regret, expectedRegret, unbatchedRegret, switches, expectedOfX } = found;
  const rows = [
    { quantity: 'regret', ...regret, expected: aboutText(expectedRegret) },
    { quantity: 'resamplings of x', ...switches.ofX, expected: aboutText(expectedOfX) },
    ...(isWithoutY(setting)
      ? []
      : [
          { quantity: 'resamplings of y', ...switches.ofY, expected: '' },
          { quantity: 'real switches', ...switches.real, expected: '' },
          { quantity: 'fake switches', ...switches.fake, expected: '' },
        ]),
  ];
  const penalty = expectedRegret - unbatchedRegret;
  const drift = setting.rounds * (setting.batch * setting.eta.toNumber()) ** 2;
  const claim = isBatchingClaimed(setting)
    ? `; Proposition 3.3 claims O(T B^2 eta^2), which is ${aboutText(drift)} with constant 1`
    : '';
  const ofWhat = instances === null ? 'the means' : 'means over loss sequences and their runs';
  return pageText(
    [
      lazyHeading(settingText(setting, { type: 'multiplicative-weights' })),
      paragraph(runsText(simulated)),
      table(rows, [
        ['', ({ quantity }) => quantity],
        ['mean', ({ mean }) => aboutText(mean)],
        ['95% interval', ({ lower, upper }) => `${aboutText(lower)} to ${aboutText(upper)}`],
        ['exact mean', ({ expected }) => expected],
      ]),
      paragraph(`Intervals are those of ${ofWhat}, by the normal approximation.`),
      paragraph(instances && worstText(instances)),
      paragraph(
        `The expected regret is at most ${mostText(safeRegretOfExperts(setting, experts))} for any losses that are fixed in advance.`,
      ),
      paragraph(
        setting.batch === 1 ? null : `Batches change the expected regret by ${aboutText(penalty)} here${claim}.`,
      ),
      paragraph(privacyText(simulated.privacy)),
    ],
    layout,
  );
}
