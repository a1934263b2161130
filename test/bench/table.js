import { verdicts } from './targets.js';

const milliseconds = (time) =>
  time >= 10_000 ? `${(time / 1000).toFixed(1)} s` : `${time.toPrecision(time >= 100 ? 4 : 3)} ms`;

/** Rows in columns; the first is the head. */
function columns(rows, leftAligned) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (leftAligned.includes(i) ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** The cases as a table. */
export function casesTable(cases) {
  const head = ['case', 'whole', 'x node', 'first call', 'warm call', 'peak', 'width', 'targets'];
  const rows = cases.map((measured) => {
    const { name, whole, work, memory } = measured;
    return [
      name,
      milliseconds(whole.time),
      whole.ratio.toFixed(2),
      milliseconds(work.first),
      milliseconds(work.warm),
      `${memory.toFixed(0)} MB`,
      work.width === null ? '' : work.width.toExponential(0),
      verdicts(measured)
        .map(({ text, verdict }) => `${text}: ${verdict}`)
        .join('; '),
    ];
  });
  return columns([head, ...rows], [0, 7]);
}

/** How one kind of work grows. */
export function growthTable({ what, points, fitted }) {
  const rows = points.map(({ size, first, warm, exponent }) => [
    String(size),
    milliseconds(first),
    milliseconds(warm),
    exponent === null ? '' : exponent.toFixed(2),
  ]);
  const table = columns([['k', 'first call', 'warm call', 'exponent'], ...rows], []);
  return `${what}\n${table}\nfitted: warm time grows as k^${fitted.toFixed(2)}`;
}

/** All kinds of work by the largest size, the time there and the fitted exponent. */
export function exponentsTable(growth) {
  const rows = growth.map(({ what, points, fitted }) => {
    const { size, warm } = points.at(-1);
    return [what, String(size), milliseconds(warm), `k^${fitted.toFixed(2)}`];
  });
  return columns([['work', 'largest k', 'warm there', 'grows as'], ...rows], [0]);
}

/** The cases as a Markdown table, for docs/speed.md. */
export function markdownTable(cases) {
  const head = ['what', 'whole process', 'bare node = 1', 'work, first call', 'work, warm', 'peak memory'];
  const rows = cases.map(({ what, whole, work, memory }) => [
    what,
    milliseconds(whole.time),
    whole.ratio.toPrecision(3),
    milliseconds(work.first),
    milliseconds(work.warm),
    `${memory.toFixed(0)} MB`,
  ]);
  return [head, ['---', ...head.slice(1).map(() => '---:')], ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Batches as a table. */
export function batchTable(batches) {
  const rows = batches.map(({ name, lines, time, rate, memory, target }) => [
    name,
    String(lines),
    milliseconds(time),
    `${Math.round(rate)}`,
    `${memory.toFixed(0)} MB`,
    `${target} a second: ${rate >= target ? 'met' : 'NOT met'}`,
  ]);
  return columns([['batch', 'lines', 'whole', 'a second', 'peak', 'target'], ...rows], [0, 5]);
}

/** Stores as a table. */
export function storesTable(stores) {
  const rows = stores.map(({ name, rate, target }) =>
    rate === null
      ? [name, '', 'left out: no server here']
      : [name, `${Math.round(rate)}`, `${target} a second: ${rate >= target ? 'met' : 'NOT met'}`],
  );
  return columns([['store', 'spends a second', 'target'], ...rows], [0, 2]);
}
