import type { LedgerState } from '../../ledger/core/state.ts';
import type { Kept } from '../../ledger/journal/history.ts';
import type { Present } from '../../ledger/journal/present.ts';
import { resumingMany } from '../../ledger/resume.ts';
import type { Chart, ChartLine, ChartPoint } from '../chart/chart.ts';
import { claimText } from './amounts.ts';
import { coordinateName } from './refusal-message.ts';
import { shareOf } from './shares.ts';

/** Changes by less than this share of the height are not drawn. */
const VISIBLE = 0.0005;

const point = (x: number, y: number): ChartPoint => ({ x, lower: y, upper: y });

/** What each total of a ledger is worth in the chart: the share of the budget; without a budget the total itself. */
function heights(state: LedgerState): ReadonlyMap<string, number> {
  const shares = shareOf(state);
  if (shares.length > 0) return new Map(shares.map(({ name, share }) => [coordinateName(name), 100 * share]));
  return new Map(state.rule.names.map((name, i) => [coordinateName(name), state.spent[i]!.toNumber()]));
}

/** Where records stand along the axis: at their times where all have one, these ascend, and some are apart, or else by their numbers. */
function along(
  records: readonly Kept[],
  madeAt: string | null,
): { readonly isTime: boolean; readonly at: (index: number) => number } {
  const times = records.map(({ recorded }) => (recorded.at === null ? Number.NaN : Date.parse(recorded.at)));
  const first = Math.min(times[0] ?? Number.NaN, madeAt === null ? Infinity : Date.parse(madeAt));
  const isTime = times.at(-1)! > first && times.every((time, i) => time >= (i === 0 ? -Infinity : times[i - 1]!));
  return { isTime, at: isTime ? (index) => times[index]! : (index) => index + 1 };
}

/** A line in steps: each total holds until the record that changes it. */
class Steps {
  readonly points: ChartPoint[] = [];
  #height: number;

  constructor(x: number, height: number) {
    this.#height = height;
    this.points.push(point(x, height));
  }

  to(x: number, height: number, isLast: boolean): void {
    const isSeen = Math.abs(height - this.#height) > VISIBLE * Math.max(1, Math.abs(height));
    if (!isSeen && !isLast) return;
    this.points.push(point(x, this.#height), point(x, height));
    this.#height = height;
  }
}

/**
 * The spending of a ledger over time, with the requests by which it halted. Requests that were refused while it went on leave no
 * record, and are not in it.
 */
export function spendingChart(file: string, present: Present, records: readonly Kept[], start: LedgerState): Chart {
  const { header, state } = present;
  const { isTime, at } = along(records, header.at);
  const resuming = resumingMany(1);
  const made = isTime && header.at !== null ? Math.min(Date.parse(header.at) || at(0), at(0)) : isTime ? at(0) : 0;
  const lines = new Map([...heights(start)].map(([name, height]) => [name, new Steps(made, height)]));
  const halts: number[] = [];
  records.forEach(({ recorded }, i) => {
    if (recorded.event === 'halt') halts.push(at(i));
    const after = resuming(header.terms, recorded.totals, start.provenance);
    if (after === null) return;
    for (const [name, height] of heights(after)) lines.get(name)?.to(at(i), height, i === records.length - 1);
  });
  const guarantee = state.rule.guarantee;
  const hasBudget = shareOf(state).length > 0;
  const drawn = [...lines].map(([name, { points }]): ChartLine => ({ name, stroke: 'solid', points }));
  const last = records.length === 0 ? made + 1 : at(records.length - 1);
  const budget: ChartLine[] = hasBudget
    ? [{ name: 'budget', isReference: true, stroke: 'dotted', points: [point(made, 100), point(last, 100)] }]
    : [];
  const title = `${file}: ${guarantee === null ? 'an odometer' : `spending of ${claimText(guarantee)}`}`;
  const what = hasBudget ? 'Percent of the budget that is used' : 'The totals';
  return {
    title,
    description: `${title}. ${what} after each record.`,
    notes: [
      ...(halts.length === 0 ? [] : ['A cross marks a request that did not fit, and by which the ledger ended.']),
      'Requests that are refused while a ledger goes on leave no record.',
    ],
    panels: [
      {
        title: null,
        x: isTime ? { label: 'time (UTC)', scale: 'time' } : { label: 'record', scale: 'linear', whole: true },
        y: { label: hasBudget ? '% of the budget' : 'total', scale: 'linear' },
        lines: [...drawn, ...budget],
        marks: halts,
      },
    ],
  };
}
