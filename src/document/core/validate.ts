import * as z from 'zod/mini';
import { type Belonging, type Mistake, type Path, type Problem, member, type Vocabulary } from './input-error.ts';
import { notOffered } from './not-offered.ts';
import { describe, either, quote } from './quote.ts';
import { didYouMean, isShort, suggest } from './suggest.ts';
import { LAWS } from './value-text.ts';

const MECHANISM = '{"type": "dp", "epsilon": "0.1"}';

/** Values to write for keys of which it takes more than a word to say what they hold. */
const EXAMPLES: Readonly<Record<string, string>> = {
  mechanisms: `[${MECHANISM}]`,
  of: MECHANISM,
  each: `[${MECHANISM}]`,
  target: '{"delta": "1e-6"}',
  inputs: '[{"name": "x", "differing": 1, "change": 1}]',
  submechanisms: '[{"mechanism": "svt", "receives": [{"name": "row", "change": 1}]}], the mechanism by its label',
  procedure:
    '{"start": [{"create": "svt"}], "input": [{"send": ["x"], "to": "svt", "answer": "a"}, {"output": ["a"]}]}',
  send: '["x"], the values of the message',
  set: '"y", the name of a variable',
  add: '["x"], what the sum grows by',
  output: '["a"], what is output',
  if: '["a"], what the condition depends on',
  then: '[{"output": ["a"]}], the statements to be done',
  to: '"svt", the label of a mechanism or the name of a sum',
  differing: '1, or "unbounded"',
  change: '1, or "any"',
  on: '"the threshold", what the noise is added to',
  laplace: '6, the scale of the noise',
  gaussian: '6, the standard deviation of the noise',
};

/** `Add "then": [...], ....`: a key with a value to write; null where the key alone says enough. */
export function addition(key: string): string | null {
  const example = EXAMPLES[key];
  return example === undefined ? null : `Add "${key}": ${example}.`;
}

type Issue = z.core.$ZodIssue;

const isProblem = (value: unknown): value is Problem => typeof value === 'object' && value !== null && 'code' in value;

const ORDER = { is: 'a pair [alpha, epsilon]', hint: 'Write a pair such as ["2", "0.1"].' };
const POINT = { is: 'a pair [alpha, beta]', hint: 'Write a pair such as ["0.25", "0.25"].' };

/** What each item is of the list that holds the place. */
const pairAt = (path: Path): typeof ORDER => (path.at(-2) === 'points' ? POINT : ORDER);

/** The kind that a value should have been. */
const KINDS: Readonly<Record<string, { readonly is: string; readonly hint: string }>> = {
  object: { is: 'an object', hint: 'Write {"key": value, ...}.' },
  array: { is: 'a list', hint: 'Write [ ... ], also around a single item.' },
  string: { is: 'text in double quotes', hint: 'Put it in double quotes, or omit it.' },
  boolean: { is: 'true or false', hint: 'Write true or false, without quotes.' },
};

const PROBABILITIES = { is: 'a list of probabilities', hint: 'Write a list such as ["0.9", "0.1"].' };

/** Lists of which more can be said than that they are lists. */
const LISTS: Readonly<Record<string, { readonly is: string; readonly hint: string }>> = {
  p: PROBABILITIES,
  q: PROBABILITIES,
  orders: { is: 'a list of pairs [alpha, epsilon]', hint: 'Write a list such as [["2", "0.1"]].' },
  points: { is: 'a list of pairs [alpha, beta]', hint: 'Write a list such as [[0, 1], ["0.25", "0.25"], [1, 0]].' },
};

function nameOf(path: Path): string {
  const last = path[path.length - 1];
  if (last === undefined) return 'the document';
  return typeof last === 'number' ? 'each item' : last;
}

/** A key that has no meaning where it stands, with a hint of its own where it has one `elsewhere`. */
export function unknownKey(
  key: string,
  allowed: readonly string[],
  elsewhere: string | Belonging | null = null,
): Problem {
  if (elsewhere !== null && typeof elsewhere !== 'string') {
    return {
      code: 'unknown-key',
      message: `the key ${quote(key)} belongs ${elsewhere.belongs}`,
      hint: 'Move it there.',
    };
  }
  return {
    code: 'unknown-key',
    message: `the key ${quote(key)} has no meaning here; allowed are ${allowed.join(', ')}`,
    hint: elsewhere ?? `${didYouMean(key, allowed)}Correct or remove it.`,
  };
}

/** A key that stands for another one, which is missing. */
const misspeltKey = (key: string, meant: string): Problem => ({
  code: 'unknown-key',
  message: `the key ${quote(key)} has no meaning here`,
  hint: `Write ${quote(meant)}.`,
});

function wrongKind(expected: string, path: Path, input: unknown): Problem {
  const name = nameOf(path);
  const list = expected === 'array' ? LISTS[name] : undefined;
  const { is, hint } = list ??
    (expected === 'tuple' ? pairAt(path) : KINDS[expected]) ?? { is: expected, hint: 'Correct it.' };
  if (input === undefined) {
    const example =
      addition(name) ?? (list === undefined ? `Add ${name}.` : `Add ${name}, ${hint.slice('Write '.length)}`);
    return { code: 'missing-key', message: `${name} is missing; it must be ${is}`, hint: example };
  }
  return { code: 'wrong-type', message: `${name} must be ${is}, got ${describe(input)}`, hint };
}

/** The problem of an entry whose type is not one of those offered; the type itself if it is refused by name. */
function typeProblem(entry: unknown, types: readonly string[]): Problem | string {
  const type = member(entry, 'type');
  const list = either(types);
  if (type === undefined) {
    const misspelt = Object.keys(entry as object).find((key) => suggest(key, ['type']).length > 0);
    const hint =
      misspelt === undefined ? 'Add "type", such as "dp".' : `Did you mean "type" where ${quote(misspelt)} stands?`;
    return { code: 'missing-key', message: `type is missing; it must be ${list}`, hint };
  }
  if (typeof type !== 'string') {
    return {
      code: 'wrong-type',
      message: `type must be ${list}, got ${describe(type)}`,
      hint: 'Write a type such as "dp".',
    };
  }
  if (notOffered(type) !== null) return type;
  return {
    code: 'unknown-type',
    message: `type must be ${list}, got ${quote(type)}`,
    hint: `${didYouMean(type, types)}Write one of the types above.`,
  };
}

function wrongSize(path: Path, minimum: boolean, input: unknown): Problem {
  if (minimum && Array.isArray(input) && input.length === 0) {
    const name = nameOf(path);
    return {
      code: 'empty-list',
      message: `${name} must hold at least one item, got an empty list`,
      hint: `Add an item to ${name}.`,
    };
  }
  const got = Array.isArray(input) ? `a list of ${input.length}` : describe(input);
  return {
    code: 'wrong-type',
    message: `each item must be ${pairAt(path).is}, got ${got}`,
    hint: pairAt(path).hint,
  };
}

/** The hint where no word fits and one is needed. */
const OTHERWISE: Readonly<Record<string, string>> = {
  noise: '; with other noise, write a guarantee that the whole mechanism has, such as dp',
};

/** A value that is none of the words that may stand there. */
export function unknownWord(name: string, words: readonly string[], input: unknown, otherwise = ''): Problem {
  if (input === undefined) {
    const hint = `Add ${name}.`;
    return { code: 'missing-key', message: `${name} is missing; it must be ${either(words)}`, hint };
  }
  const suggestion = typeof input === 'string' ? didYouMean(input, words) : '';
  return {
    code: 'unknown-value',
    message: `${name} must be ${either(words)}, got ${describe(input)}`,
    hint: `${suggestion}Write one of these${otherwise}.`,
  };
}

const notAllowed = (path: Path, input: unknown): Problem => ({
  code: 'unknown-value',
  message: `${nameOf(path)} has a value that is not allowed, got ${describe(input)}`,
  hint: 'Correct it.',
});

/** How many mistakes of the input an issue stands for. */
const mistakesOf = (issue: Issue): number => (issue.code === 'unrecognized_keys' ? issue.keys.length : 1);

/** An entry of a type that is known but not offered. */
interface NotOfferedEntry {
  readonly path: Path;
  readonly type: string;
}

/**
 * One issue of the schema in our words: mistakes of the input, at most `limit` of them, or a mechanism refused by name;
 * the vocabulary is that of the input.
 */
function explainIssue(
  issue: Issue,
  limit: number,
  { keysOf, types, misplaced }: Vocabulary,
): readonly Mistake[] | NotOfferedEntry {
  const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
  const { input } = issue;
  const at = (problem: Problem): Mistake[] => [{ path, anchor: 'value', problem }];
  switch (issue.code) {
    case 'custom': {
      const { problem, refused } = issue.params ?? {};
      if (typeof refused === 'string') return { path, type: refused };
      return at(isProblem(problem) ? problem : notAllowed(path, input));
    }
    case 'unrecognized_keys': {
      const allowed = keysOf(path, input);
      return issue.keys.slice(0, limit).map((key) => {
        const elsewhere = misplaced?.(key, path, input) ?? null;
        const meant = elsewhere === null ? meantKey(key, allowed, input) : null;
        const problem =
          meant === null || !isShort(key, meant) ? unknownKey(key, allowed, elsewhere) : misspeltKey(key, meant);
        return { path: [...path, key], anchor: 'key', problem };
      });
    }
    case 'invalid_type':
      return at(wrongKind(issue.expected, path, input));
    case 'too_small':
      return at(wrongSize(path, true, input));
    case 'too_big':
      return at(wrongSize(path, false, input));
    case 'invalid_value': {
      const otherwise = OTHERWISE[nameOf(path)] ?? ', or omit it';
      return at(unknownWord(nameOf(path), issue.values.map(String), input, otherwise));
    }
    case 'invalid_union': {
      if (path.at(-1) === 'law') return at(unknownWord('law', LAWS, member(input, 'law')));
      const problem = typeProblem(input, types);
      return typeof problem === 'string' ? { path: path.slice(0, -1), type: problem } : at(problem);
    }
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
      return at(notAllowed(path, input));
  }
}

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
  readonly vocabulary: Vocabulary;

  constructor(vocabulary: Vocabulary) {
    this.vocabulary = vocabulary;
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
    const explained = explainIssue(issue, MAX_ERRORS - this.mistakes.length, this.vocabulary);
    if ('type' in explained) {
      this.notOffered ??= { ...explained, path: toPath(explained.path) };
      return;
    }
    const room = MAX_ERRORS - this.mistakes.length;
    this.mistakes.push(...explained.slice(0, room).map((mistake) => ({ ...mistake, path: toPath(mistake.path) })));
    this.more += Math.max(0, mistakesOf(issue) - room);
  }
}

/** The one key of an object that a key without a meaning stands for, as that key is missing; null where there is none. */
function meantKey(key: string, allowed: readonly string[], object: unknown): string | null {
  const [meant, ...others] = suggest(key, allowed);
  return meant === undefined || others.length > 0 || member(object, meant) !== undefined ? null : meant;
}

/** What a check of ours says where a key is missing; null of other issues. */
const missingText = (issue: Issue): string | null => {
  const problem: unknown = issue.code === 'custom' ? issue.params?.problem : null;
  return isProblem(problem) && problem.code === 'missing-key' ? problem.message : null;
};

/** Whether a key is missing in an object that has another in its place: one mistake, which that other one is. */
function isMisspelt(issue: Issue, issues: readonly Issue[], { keysOf }: Vocabulary): boolean {
  const text = missingText(issue);
  if (text === null && issue.input !== undefined) return false;
  const at = JSON.stringify(issue.path);
  return issues.some((other) => {
    if (other.code !== 'unrecognized_keys') return false;
    const path = other.path.map((step) => (typeof step === 'symbol' ? String(step) : step));
    const allowed = keysOf(path, other.input);
    const meant = other.keys.map((key) => meantKey(key, allowed, other.input)).filter((key) => key !== null);
    const isNeeded = (key: string): boolean => at === JSON.stringify(path) && text?.includes(key) === true;
    return meant.some((key) => at === JSON.stringify([...path, key]) || isNeeded(key));
  });
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
  const { issues } = result.error;
  for (const issue of issues) {
    if (!isMisspelt(issue, issues, diagnostics.vocabulary)) diagnostics.addIssue(issue, toPath);
  }
  return undefined;
}
