import type { DesignComparison } from '../../composition/compare/compare.ts';
import { csvText } from '../kit/csv.ts';
import { comparedRows, smallerOf } from './words.ts';

/** The numbers of both designs as comma-separated values (RFC 4180): both ends, and whose is certainly smaller. */
export const compareCsv = (comparison: DesignComparison): string =>
  csvText(comparedRows(comparison), [
    'quantity',
    ['first_lower', ({ values: [first] }) => first.lower],
    ['first_upper', ({ values: [first] }) => first.upper],
    ['second_lower', ({ values: [, second] }) => second.lower],
    ['second_upper', ({ values: [, second] }) => second.upper],
    ['smaller', ({ values }) => smallerOf(values)],
  ]);
