import { CsvError } from 'csv-parse/browser/esm/sync';
import { decodeText, type Problem } from './core/input-error.ts';
import { quote } from './core/quote.ts';
import { orUnreadable, Unreadable, type TextProblem } from './core/unreadable.ts';
import { cellsOf, rowsOf, syntaxProblem } from './csv-read.ts';

/** Scores of runs with the canary, and of runs without it. */
interface ReadScores {
  readonly members: Float64Array;
  readonly others: Float64Array;
}

/** How the two columns may be called; the first is the name to use. */
const COLUMNS = {
  member: ['member', 'is_member', 'membership', 'in'],
  score: ['score', 'scores', 'statistic'],
} as const;

const FORM = 'Begin with the line member,score; then write one run a line, such as 1,0.73.';

const nameOf = (cell: string): string => cell.toLowerCase().replace(/[\s-]+/g, '_');

const invalid = (message: string, hint: string): Problem => ({ code: 'invalid-csv', message, hint });

/** Where a column is: of two that may be meant, none. */
function columnIn(head: readonly string[], column: keyof typeof COLUMNS): number | Problem {
  const names: readonly string[] = COLUMNS[column];
  const [place, second] = head.flatMap((cell, index) => (names.includes(nameOf(cell)) ? [index] : []));
  const cells = quote(head.join(','));
  if (place === undefined) return invalid(`the first line must name a column ${column}, got ${cells}`, FORM);
  return second === undefined
    ? place
    : invalid(`the first line has several columns for ${column}: ${cells}`, `Keep one, called ${column}.`);
}

const MEMBERS: ReadonlyMap<string, boolean> = new Map([
  ...['1', 'true', 'yes', 'in', 'member'].map((word) => [word, true] as const),
  ...['0', 'false', 'no', 'out', 'non-member', 'nonmember'].map((word) => [word, false] as const),
]);

const NUMERAL = /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity)$/i;

/** A score: the double nearest to it, so that the order of scores is kept; infinite ones are scores too. */
function scoreIn(cell: string): number | Problem {
  if (NUMERAL.test(cell)) return Number(cell.replace(/inf(inity)?$/i, 'Infinity'));
  const code = /^[+-]?nan$/i.test(cell) ? 'not-finite' : 'not-a-number';
  return { code, message: `a score must be a number, got ${quote(cell)}`, hint: 'Correct it, or repeat the run.' };
}

const NAMES: readonly string[] = Object.values(COLUMNS).flat();
const isColumn = (name: string): boolean => NAMES.includes(nameOf(name));

function tableIn(text: string): readonly (readonly string[])[] {
  try {
    return cellsOf(text, isColumn);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { message, hint, code } = syntaxProblem(error);
    throw new Unreadable(typeof error.lines === 'number' ? error.lines : null, message, hint, code);
  }
}

function scoresIn(text: string): ReadScores {
  const rows = tableIn(text);
  const [head] = rows;
  if (head === undefined) throw new Unreadable(null, 'the table is empty', FORM, 'empty-document');
  // Lines are counted where one is needed only.
  const orThrow = <T extends number | boolean>(value: T | Problem, row: number): T => {
    if (typeof value !== 'object') return value;
    throw new Unreadable(rowsOf(text, isColumn)[row]?.line ?? null, value.message, value.hint, value.code);
  };
  const memberAt = orThrow(columnIn(head, 'member'), 0);
  const scoreAt = orThrow(columnIn(head, 'score'), 0);
  const [members, others]: [number[], number[]] = [[], []];
  for (let row = 1; row < rows.length; row++) {
    const cells = rows[row]!;
    if (cells.length !== head.length) {
      orThrow(invalid(`this row has ${cells.length} cells, and there are ${head.length} columns`, FORM), row);
    }
    const member = cells[memberAt]!;
    const isMember = orThrow<boolean>(
      MEMBERS.get(member.toLowerCase()) ?? {
        code: 'unknown-value',
        message: `member must be 1 or 0, got ${quote(member)}`,
        hint: 'Write 1 for a run with the canary, 0 for one without.',
      },
      row,
    );
    (isMember ? members : others).push(orThrow(scoreIn(cells[scoreAt]!), row));
  }
  if (members.length === 0 || others.length === 0) {
    const absent = members.length === 0 ? 'with' : 'without';
    throw new Unreadable(
      null,
      `has no run ${absent} the canary`,
      'An audit compares runs of both kinds.',
      'empty-list',
    );
  }
  return { members: Float64Array.from(members), others: Float64Array.from(others) };
}

/**
 * Reads the scores of an audit, a table (RFC 4180, or with tabs for commas): a column `member` that says whether the canary was in the
 * data of the run, and a column `score`. Other columns are passed over.
 */
export function readScores(input: string | Uint8Array): ReadScores | TextProblem {
  const text = decodeText(input);
  return typeof text === 'string' ? orUnreadable(() => scoresIn(text)) : { problem: text, line: null };
}
