import type { BatchLog } from '../composition/sgd/batch-log.ts';
import { decodeText } from './core/input-error.ts';
import { describe, quote } from './core/quote.ts';
import { orUnreadable, Unreadable, type TextProblem } from './core/unreadable.ts';

/** What a log of batches is of. */
type Claim = Pick<BatchLog, 'examples' | 'batch'>;

const FORMS =
  'Write one batch size a line, the indices of one batch a line, [[...], [...]], or a table with a column batch_size.';

/** Columns in which logs have the sizes of batches. */
const SIZE_COLUMNS = ['batch_size', 'size'];

/** Trials that can be counted in doubles. */
const MOST_TRIALS = Number.MAX_SAFE_INTEGER;

interface Line {
  readonly text: string;
  /** From 1. */
  readonly at: number;
}

function wholeNumber(text: string, at: number | null): number {
  if (!/^\d{1,15}$/.test(text)) {
    throw new Unreadable(at, `must be a whole number from 0, got ${quote(text)}`, FORMS);
  }
  return Number(text);
}

/** The numbers of a JSON list; those of the program are whole. */
function numbersIn(value: unknown, at: number | null): number[] {
  if (!Array.isArray(value)) throw new Unreadable(at, 'must be a list of the indices of a batch', FORMS);
  return value.map((index: unknown) => {
    if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0) return index;
    throw new Unreadable(at, `must be whole numbers from 0, got ${describe(index)}`, FORMS);
  });
}

function jsonIn(text: string, at: number | null): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Unreadable(at, 'is not a JSON list', FORMS, 'invalid-json');
  }
}

/** The indices of batches in JSON: one list of lists, or a list a line. */
function listsIn(text: string, lines: readonly Line[]): number[][] {
  if (/^\s*\[\s*\[/.test(text)) return (jsonIn(text, null) as unknown[]).map((batch) => numbersIn(batch, null));
  if (lines.length === 1) {
    const hint = 'Write one size a line if these are sizes, or [[...]] if they are the indices of one batch.';
    throw new Unreadable(1, 'one list of numbers may be sizes or indices', hint);
  }
  return lines.map((line) => numbersIn(jsonIn(line.text, line.at), line.at));
}

const cellsOf = (text: string): string[] => text.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

/** The sizes in a column of a table. */
function columnIn([head, ...rows]: readonly Line[]): number[] {
  const names = cellsOf(head!.text);
  const column = names.findIndex((name) => SIZE_COLUMNS.includes(name.toLowerCase()));
  if (column < 0) {
    const message = `has no column of batch sizes (${SIZE_COLUMNS.join(' or ')})`;
    throw new Unreadable(head!.at, message, FORMS, 'invalid-csv');
  }
  return rows.map(({ text, at }) => wholeNumber(cellsOf(text)[column] ?? '', at));
}

/** Indices as numbers from 0 on, in the order in which they come. */
function renamed(batches: readonly (readonly number[])[], { examples }: Claim): number[][] {
  const names = new Map<number, number>();
  const all = batches.map((batch) =>
    batch.map((index) => {
      const name = names.get(index);
      if (name !== undefined) return name;
      names.set(index, names.size);
      return names.size - 1;
    }),
  );
  if (names.size > examples) {
    const message = `has ${names.size} different examples, and --examples is ${examples}`;
    throw new Unreadable(null, message, 'Give the number of all examples.', 'out-of-range');
  }
  return all;
}

function batchesIn(text: string, claim: Claim): Pick<BatchLog, 'sizes' | 'members'> {
  const all = text.split(/\r\n|\r|\n/).map((line, at): Line => ({ text: line.trim(), at: at + 1 }));
  const lines = all.filter((line) => line.text !== '');
  const [first] = lines;
  if (first === undefined) throw new Unreadable(null, 'has no batch', FORMS, 'empty-document');
  if (first.text.startsWith('[')) {
    const members = renamed(listsIn(text, lines), claim);
    return { sizes: members.map(({ length }) => length), members };
  }
  if (/[A-Za-z]/.test(first.text)) {
    if (lines.length === 1) throw new Unreadable(null, 'has no batch', FORMS, 'empty-document');
    return { sizes: columnIn(lines), members: null };
  }
  const numbers = lines.map((line) => line.text.split(/[\s,;]+/).map((word) => wholeNumber(word, line.at)));
  if (numbers.every(({ length }) => length === 1)) return { sizes: numbers.map(([size]) => size!), members: null };
  const gap = all.find((line) => line.text === '' && line.at < lines.at(-1)!.at);
  if (gap !== undefined) {
    const hint = 'Remove the line, or write JSON with [] for an empty batch.';
    throw new Unreadable(gap.at, 'a blank line may be an empty batch or none', hint);
  }
  const members = renamed(numbers, claim);
  return { sizes: members.map(({ length }) => length), members };
}

/**
 * Reads the batches that a sampler drew: sizes, one a line or in a column `batch_size` or `size` of a table; or the indices of
 * each batch, a JSON list or numbers a line, or a JSON list of lists. Lines with one number each are sizes. Indices may be any
 * whole numbers; in the result they are numbered as they come.
 */
export function readBatchLog(input: string | Uint8Array, claim: Claim): BatchLog | TextProblem {
  const text = decodeText(input);
  if (typeof text !== 'string') return { problem: text, line: null };
  return orUnreadable(() => {
    const log = { ...claim, ...batchesIn(text, claim) };
    const larger = log.sizes.findIndex((size) => size > claim.examples && log.members === null);
    if (larger >= 0) {
      const message = `has a batch of ${log.sizes[larger]} examples, and --examples is ${claim.examples}`;
      const hint = 'If these are indices, write JSON: [[...], [...]]. Otherwise give the number of all examples.';
      throw new Unreadable(null, message, hint, 'out-of-range');
    }
    if (claim.examples * log.sizes.length > MOST_TRIALS) {
      throw new Unreadable(null, 'has too many batches for so many examples', 'Give fewer batches.', 'out-of-range');
    }
    return log;
  });
}
