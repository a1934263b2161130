import { safeRegretOfConvex } from '../../../lazy/planning/regret.ts';
import type { Layout } from '../../kit/columns.ts';
import { pageText, paragraph } from '../../kit/page.ts';
import { counted, grouped } from '../../kit/prose.ts';
import { table } from '../../kit/table.ts';
import { lazyHeading } from '../kit/heading.ts';
import { aboutText, mostText } from '../kit/number.ts';
import { privacyText } from '../kit/privacy-text.ts';
import { settingText } from '../kit/setting-text.ts';
import type { ConvexRuns } from './simulate-convex-json.ts';

/** Runs of L2P on linear losses, for a person. */
export function lazySimulateConvexTable({ question, found, privacy }: ConvexRuns, layout: Layout): string {
  const { setting, measure, dimension, kind, runs, seed } = question;
  const { regret, switches } = found;
  const rows = [
    { quantity: 'regret', ...regret },
    { quantity: 'resamplings of x', ...switches.ofX },
    { quantity: 'resamplings of y', ...switches.ofY },
    { quantity: 'real switches', ...switches.real },
    { quantity: 'fake switches', ...switches.fake },
  ];
  return pageText(
    [
      lazyHeading(settingText(setting, measure)),
      paragraph(
        `${grouped(runs)} runs on ${counted(setting.rounds, 'round')} of linear losses on the ball in ${counted(dimension, 'dimension')}, losses ${kind}, seed ${seed}`,
      ),
      table(rows, [
        ['', ({ quantity }) => quantity],
        ['mean', ({ mean }) => aboutText(mean)],
        ['95% interval', ({ lower, upper }) => `${aboutText(lower)} to ${aboutText(upper)}`],
      ]),
      paragraph('Intervals are those of the means, by the normal approximation.'),
      paragraph(
        `The expected regret is at most ${mostText(safeRegretOfConvex(setting, measure, dimension))} for any losses that are fixed in advance.`,
      ),
      paragraph(privacyText(privacy)),
    ],
    layout,
  );
}
