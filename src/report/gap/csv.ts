import { givenName, type GapAnswer, type GapRow } from '../../composition/gap/gap.ts';
import { csvText } from '../kit/csv.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';

const EMPTY = ['', ''];

const ends = (value: Enclosure | null): string[] =>
  value === null ? EMPTY : [value.lower, value.upper].map((end) => String(end));

function record({ each, count, given, nonadaptive, gap }: GapRow): string[] {
  const setting = [each.toString(), String(count), given.toString()];
  const result =
    'reason' in gap
      ? [...EMPTY, ...EMPTY, ...EMPTY, gap.reason.code]
      : [...ends(gap.adaptive), ...ends(gap.ratio), ...ends(gap.difference), ''];
  return [...setting, ...ends(nonadaptive), ...result];
}

/**
 * Both optima of every composition and the gap between them as comma-separated values (RFC 4180); no field needs
 * quotes.
 */
export function gapCsv({ question, rows }: GapAnswer): string {
  const enclosed = ['nonadaptive', 'adaptive', 'ratio', 'difference'];
  const header = [
    'each',
    'count',
    givenName(question),
    ...enclosed.flatMap((name) => [`${name}_lower`, `${name}_upper`]),
    'reason',
  ];
  return csvText(header, rows.map(record));
}
