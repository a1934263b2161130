import type { CampaignReport } from './campaign.ts';
import type { Distribution } from './statistics.ts';

/** Answers wider than this are shown. */
const WIDE = 0.01;

const number = (x: number): string => (x === 0 ? '0' : x.toExponential(1));

const widthCells = (widths: Distribution): string[] =>
  widths.count === 0
    ? ['-', '-', '-']
    : [number(widths.quantile(0.5)), number(widths.quantile(0.9)), number(widths.largest)];

const HEAD = [
  ['class', 'cases', 'misses', 'no width', 'ms work', 'ms truth', 'epsilon: median', '90 %', 'largest'],
  ['delta: median', '90 %', 'largest'],
].flat();

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The campaign's result for reading: relative widths by class and direction, the slowest cases, the speed. */
export function reportText({ cases, misses, classes, slowest }: CampaignReport, seconds: number): string {
  const rows = classes.map((one) => [
    one.name,
    one.cases.toString(),
    one.misses.toString(),
    one.withoutWidth.toString(),
    (one.work / one.cases).toFixed(2),
    (one.reference / one.cases).toFixed(2),
    ...widthCells(one.widths.epsilon),
    ...widthCells(one.widths.delta),
  ]);
  const slow = slowest.map(({ work, spec }) => `${work.toFixed(0).padStart(6)} ms  ${JSON.stringify(spec)}`);
  const wide = classes.flatMap(({ widest }) =>
    widest && widest.width > WIDE ? [`${number(widest.width).padStart(9)}  ${JSON.stringify(widest.spec)}`] : [],
  );
  return [
    'Relative widths of the answers; ms per case of the code under test and of the exact evaluation:',
    table([HEAD, ...rows]),
    '',
    'Slowest cases:',
    ...slow,
    '',
    `Widest of each class, above ${WIDE}:`,
    ...wide,
    '',
    `${cases} cases, ${misses} misses, ${seconds.toFixed(1)} s, ${(cases / seconds).toFixed(1)} cases/s`,
  ].join('\n');
}
