import * as z from 'zod/mini';
import { explainIssue, mistakesOf, type NotOfferedEntry } from './issues.ts';
import type { Mistake, Path } from './input-error.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How many errors are reported in full. */
export const MAX_ERRORS = 20;

/** Elements checked at a time: zod spreads the issues of a list over a call's arguments, which must not be too many. */
export const CHUNK = 1000;

/** All that is wrong with an input: the first mistakes, how many further ones, and what is refused by name. */
export class Diagnostics {
  readonly mistakes: Mistake[] = [];
  more = 0;
  /** The first mechanism that is known but not offered. */
  notOffered: NotOfferedEntry | null = null;
  readonly #vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
  }

  /** Nothing is wrong. */
  get none(): boolean {
    return this.mistakes.length === 0 && this.notOffered === null;
  }

  /** Notes a mistake, its path being that of the input. */
  note(mistake: Mistake): void {
    if (this.mistakes.length < MAX_ERRORS) this.mistakes.push(mistake);
    else this.more++;
  }

  /** Notes an issue of the schema; `toPath` leads from the checked value's paths to those of the input. */
  addIssue(issue: z.core.$ZodIssue, toPath: (path: Path) => Path): void {
    const explained = explainIssue(issue, MAX_ERRORS - this.mistakes.length, this.#vocabulary);
    if ('type' in explained) {
      this.notOffered ??= { ...explained, path: toPath(explained.path) };
      return;
    }
    const room = MAX_ERRORS - this.mistakes.length;
    this.mistakes.push(...explained.slice(0, room).map((mistake) => ({ ...mistake, path: toPath(mistake.path) })));
    this.more += Math.max(0, mistakesOf(issue) - room);
  }
}

/** Checks a value as read from text; undefined if anything is wrong with it, which is noted in `diagnostics`. */
export function validate<S extends z.ZodMiniType>(
  schema: S,
  value: unknown,
  diagnostics: Diagnostics,
  toPath: (path: Path) => Path = (path) => path,
): z.output<S> | undefined {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) diagnostics.addIssue(issue, toPath);
  return undefined;
}
