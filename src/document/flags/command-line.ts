import * as z from 'zod/mini';
import type { Refusal } from '../../composition/core/outcome.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import { USUAL_SETTING } from '../../composition/core/setting.ts';
import type { Entry, RunLaw } from '../../privacy/mechanism.ts';
import type { Order, Query } from '../../privacy/curve.ts';
import {
  type Mistake,
  type Path,
  type Problem,
  STRUCTURE_TYPES,
  member,
  type Vocabulary,
} from '../core/input-error.ts';
import { orderSchema, TARGET_KEYS, targetSchema } from '../core/question-schema.ts';
import { either, quote } from '../core/quote.ts';
import type { InputError, Specification } from '../core/specification.ts';
import { Diagnostics, MAX_ERRORS, validate } from '../core/validate.ts';
import { keysOfLaw, lawOfText, listExample, readValueText } from '../core/value-text.ts';
import { toQuery, validateEntries, ENTRY_KEYS, MECHANISM_TYPES } from '../mechanism/entry-schema.ts';
import { runLawOf, runs } from '../mechanism/run-law.ts';
import { declaredOrder, neighboursOf, otherRelation, withImpliedSparsity } from '../structure/relation.ts';
import type { DocumentReading } from '../syntax/read-document.ts';

/** The vocabulary of command-line flags: types of mechanisms, their keys, and those of a target. */
const FLAG_VOCABULARY: Vocabulary = {
  types: MECHANISM_TYPES,
  keysOf: (_path, object) => {
    const type = member(object, 'type');
    return keysOfLaw(object) ?? (typeof type === 'string' ? (ENTRY_KEYS.get(type) ?? []) : TARGET_KEYS);
  },
};

/** An entry as a `-m` flag gives it: the shape of a document's entry, every value a text but truth values and lists. */
interface RawFlagEntry {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly mistakes: readonly Mistake[];
}

const malformed = (message: string, hint: string): Problem => ({ code: 'malformed-flag', message, hint });

/** Whether a flag is a mechanism without any mistake. */
function isMechanism(flag: string): boolean {
  const { entry, mistakes } = parseMechanismFlag(flag, 0);
  if (mistakes.length > 0) return false;
  const diagnostics = new Diagnostics(FLAG_VOCABULARY);
  validateEntries([entry], diagnostics, (path) => path);
  return diagnostics.none && diagnostics.notOffered === null;
}

/** Whether a part may as well be the decimals of the number before it. */
const mayBeDecimals = (before: string, part: string): boolean => /[=;:]\d+$/.test(before) && /^\d+\b/.test(part);

/** A key and its value with a colon or a space in place of the equals sign. */
const PAIR = /^([a-z][a-z-]*)\s*[:\s]\s*(.+)$/;

/**
 * Every flag that can have been meant where parts are not key=value: lists with commas are joined, colons are equals signs, and a
 * value that stands alone gets each key that it can have. What would not be a mechanism, or leave out what was typed, is none.
 */
function readings(type: string, parts: readonly string[]): readonly string[] {
  const [only = ''] = parts;
  if (parts.length === 1 && !PAIR.test(only) && !only.includes('=')) {
    return (ENTRY_KEYS.get(type) ?? []).map((key) => `${type}:${key}=${only}`).filter(isMechanism);
  }
  const pairs: string[] = [];
  for (const part of parts) {
    const [, key, value] = PAIR.exec(part) ?? [];
    const before = pairs.at(-1);
    if (keyOf(part) !== '') pairs.push(part);
    else if (key !== undefined) pairs.push(`${key}=${value ?? ''}`);
    else if (before !== undefined && listExample(keyOf(before)) !== null && !mayBeDecimals(before, part))
      pairs[pairs.length - 1] = `${before};${part}`;
    else return [];
  }
  return [`${type}:${pairs.join(',')}`].filter(isMechanism);
}

/** So many readings are named; where there are more, none is. */
const MOST_READINGS = 3;

/** The error of parts of a flag that are not key=value. */
function notPairs(type: string, parts: readonly string[]): Problem {
  const wrong = parts.find((part) => keyOf(part) === '') ?? '';
  if (parts.includes(''))
    return malformed('a key=value is missing at a comma or colon', 'Remove the comma, or write key=value.');
  const meant = readings(type, parts);
  const flagTexts = meant.map((flag) => `-m ${/^[\w.+:,=-]+$/.test(flag) ? flag : `'${flag}'`}`);
  const isNamed = meant.length > 0 && meant.length <= MOST_READINGS && !meant.some((flag) => flag.includes("'"));
  const hint = isNamed
    ? `Write ${either(flagTexts)}.`
    : 'Write a key before each value, semicolons between the items of a list, and a point as the decimal mark.';
  return malformed(`each part after the colon must be key=value, got ${quote(wrong)}`, hint);
}

/** The key of a part; empty where it has none. */
const keyOf = (part: string): string => part.slice(0, Math.max(0, part.indexOf('='))).trim();

/** Reads `TYPE:key=value,key=value`, the `index`-th (from 0) `-m` of the command line. */
function parseMechanismFlag(text: string, index: number): RawFlagEntry {
  const colon = text.indexOf(':');
  const type = (colon < 0 ? text : text.slice(0, colon)).trim();
  const mistakes: Mistake[] = [];
  const report = (problem: Problem, ...path: string[]): void => {
    mistakes.push({ path: [index, ...path], anchor: 'value', problem });
  };
  if (type === '' || type.includes('=')) {
    const hint = `Begin with a type (${MECHANISM_TYPES.join(', ')}), as in -m dp:epsilon=0.1.`;
    report(malformed(`a mechanism must be TYPE:key=value,key=value, got ${quote(text)}`, hint));
    return { entry: {}, mistakes };
  }
  if (STRUCTURE_TYPES.includes(type) || type === 'selection') {
    const hint =
      type === 'selection'
        ? "For one mechanism, write best-of beside it: -m 'gaussian:sigma=4,best-of=poisson mean=20'. For several, write a document."
        : 'Write it in a JSON document, beside which -m may add mechanisms.';
    report(malformed(`${type} holds other mechanisms, which a flag cannot write`, hint));
    return { entry: {}, mistakes };
  }
  const entry = new Map<string, unknown>([['type', type]]);
  const parts = colon < 0 || text.slice(colon + 1).trim() === '' ? [] : text.slice(colon + 1).split(',');
  if (parts.some((part) => keyOf(part) === '')) {
    report(
      notPairs(
        type,
        parts.map((part) => part.trim()),
      ),
    );
    return { entry: {}, mistakes };
  }
  for (const part of parts) {
    const key = keyOf(part);
    const value = part.slice(part.indexOf('=') + 1);
    if (entry.has(key)) {
      const hint = key === 'type' ? 'The type stands before the colon; remove this one.' : 'Keep one of the two.';
      report({ code: 'duplicate-key', message: `the key ${quote(key)} stands twice in this flag`, hint }, key);
    } else {
      entry.set(key, readValueText(key, value));
    }
  }
  return { entry: Object.fromEntries(entry), mistakes };
}

/** The flags of a command line that describe a specification, as text. */
export interface SpecFlags {
  /** The values of `-m`, in their order. */
  readonly mechanisms?: readonly string[] | undefined;
  /** The values of `--set`: changes `PLACE=VALUE` of the document, such as `mechanisms[0].count=50`. */
  readonly set?: readonly string[] | undefined;
  readonly delta?: string | undefined;
  readonly epsilon?: string | undefined;
  readonly adaptive?: boolean | undefined;
  readonly nonadaptive?: boolean | undefined;
  readonly order?: string | undefined;
  readonly neighbours?: string | undefined;
}

/** The value that flags stand for, with all their errors. */
interface FlagReading<T> {
  readonly value: T;
  readonly errors: readonly InputError[];
  readonly more: number;
  readonly notOffered: { readonly path: string; readonly type: string } | null;
}

/** `-m #2 epsilon`, `-m #1 orders[0][1]`. */
function flagPath([index, ...rest]: Path): string {
  const steps = rest.map((step, depth) => {
    if (typeof step === 'number') return `[${step}]`;
    return `${depth === 0 ? ' ' : '.'}${/^[\w-]{1,60}$/.test(step) ? step : quote(step)}`;
  });
  return `-m #${typeof index === 'number' ? index + 1 : 1}${steps.join('')}`;
}

const toError = ({ path, problem }: Mistake, format: (path: Path) => string): InputError => ({
  ...problem,
  path: format(path),
});

/** A document's problem as one of a flag, whose lists are written otherwise. */
function inFlag(mistake: Mistake): Mistake {
  const key = mistake.path.at(-1);
  const example = mistake.problem.code === 'missing-key' && typeof key === 'string' ? listExample(key) : null;
  if (example === null) return mistake;
  const hint = `Add ${key}=${example} or the like; a shell needs quotes around semicolons.`;
  return { ...mistake, problem: { ...mistake.problem, hint } };
}

/** Reads the values of `-m`, each `TYPE:key=value,key=value`, as entries. */
export function parseMechanismFlags(texts: readonly string[]): FlagReading<readonly Entry[]> {
  const raw = texts.map(parseMechanismFlag);
  // A flag that cannot be taken apart is not checked further: what it lacks is not known.
  const readable = [...raw.keys()].filter((index) => raw[index]?.mistakes.length === 0);
  const diagnostics = new Diagnostics(FLAG_VOCABULARY);
  const value = validateEntries(
    readable.map((index) => raw[index]?.entry),
    diagnostics,
    ([at, ...rest]) => [readable[Number(at)] ?? 0, ...rest],
  );
  const mistakes = [...raw.flatMap((flag) => flag.mistakes), ...diagnostics.mistakes.map(inFlag)];
  mistakes.sort((a, b) => Number(a.path[0]) - Number(b.path[0]));
  const { more, notOffered } = diagnostics;
  return {
    value,
    errors: mistakes.map((mistake) => toError(mistake, flagPath)),
    more,
    notOffered: notOffered === null ? null : { path: flagPath(notOffered.path), type: notOffered.type },
  };
}

/** Reads `--adaptive` and `--nonadaptive`; null if neither is there. */
export function parseAdaptivityFlags({
  adaptive,
  nonadaptive,
}: Pick<SpecFlags, 'adaptive' | 'nonadaptive'>): FlagReading<'adaptive' | 'nonadaptive' | null> {
  const both = adaptive === true && nonadaptive === true;
  const message = 'and --nonadaptive exclude each other';
  const errors: InputError[] = both
    ? [{ code: 'conflicting-options', path: '--adaptive', message, hint: 'Keep one of the two.' }]
    : [];
  const value = adaptive === true ? 'adaptive' : nonadaptive === true ? 'nonadaptive' : null;
  return { value, errors, more: 0, notOffered: null };
}

const tuningSchema = z.object({ tuning: z.optional(runs) });

/** Reads `--tuning`, such as `poisson mean=20`; null if it is not there. */
export function parseTuningFlag(text: string | undefined): FlagReading<RunLaw | null> {
  const diagnostics = new Diagnostics(FLAG_VOCABULARY);
  const parsed = text === undefined ? undefined : validate(tuningSchema, { tuning: lawOfText(text) }, diagnostics);
  const errors = diagnostics.mistakes.map((mistake) => toError(mistake, () => '--tuning'));
  return { value: parsed?.tuning === undefined ? null : runLawOf(parsed.tuning), errors, more: 0, notOffered: null };
}

/** Reads `--order`; null if it is not there. */
export function parseOrderFlag({ order }: Pick<SpecFlags, 'order'>): FlagReading<Order | null> {
  const diagnostics = new Diagnostics(FLAG_VOCABULARY);
  const parsed = order === undefined ? undefined : validate(orderSchema, { order }, diagnostics);
  const errors = diagnostics.mistakes.map((mistake) => toError(mistake, () => '--order'));
  return { value: parsed?.order ?? null, errors, more: 0, notOffered: null };
}

/** Reads `--delta` and `--epsilon`: one of them is the target; null if neither is there. */
export function parseTargetFlags({ delta, epsilon }: Pick<SpecFlags, 'delta' | 'epsilon'>): FlagReading<Query | null> {
  const diagnostics = new Diagnostics(FLAG_VOCABULARY);
  const target = { ...(delta === undefined ? {} : { delta }), ...(epsilon === undefined ? {} : { epsilon }) };
  const hasTarget = delta !== undefined || epsilon !== undefined;
  const parsed = hasTarget ? validate(targetSchema, target, diagnostics) : undefined;
  const errors = diagnostics.mistakes.map((mistake) => {
    const path = mistake.path.length === 0 ? '--epsilon' : `--${mistake.path.join('.')}`;
    if (mistake.problem.code !== 'two-targets') return toError(mistake, () => path);
    const message = '--delta and --epsilon exclude each other: one is given, the other is the answer';
    return { code: mistake.problem.code, path, message, hint: 'Keep one of them.' };
  });
  return { value: parsed === undefined ? null : toQuery(parsed), errors, more: 0, notOffered: null };
}

/** A specification; or everything that is wrong with the input; or a mechanism that is known but not offered. */
export type SpecResult =
  | { readonly kind: 'specification'; readonly specification: Specification }
  | {
      readonly kind: 'errors';
      /** The first errors, in the order of the document; those of flags after them. */
      readonly errors: readonly InputError[];
      /** How many further errors there are. */
      readonly more: number;
    }
  | { readonly kind: 'refusal'; readonly refusal: Refusal };

/** The error of `--set` where there is no document. */
function nothingToSet({ set = [] }: SpecFlags): InputError[] {
  if (set.length === 0) return [];
  const message = 'changes a document, and none is given';
  return [{ code: 'no-input', path: '--set', message, hint: 'Write the value into -m, or give a document.' }];
}

/** Joins a document (null: there is none) with the flags of a command line; of the two, the line wins. */
export function withFlags(reading: DocumentReading<Specification> | null, flags: SpecFlags): SpecResult {
  const mechanisms = parseMechanismFlags(flags.mechanisms ?? []);
  const adaptivity = parseAdaptivityFlags(flags);
  const order = parseOrderFlag(flags);
  const target = parseTargetFlags(flags);
  const parts = [mechanisms, adaptivity, order, target];
  const errors = [
    ...(reading === null ? nothingToSet(flags) : reading.errors),
    ...parts.flatMap((part) => part.errors),
  ];
  const more = (reading?.more ?? 0) + mechanisms.more;
  if (errors.length > 0) {
    return {
      kind: 'errors',
      errors: errors.slice(0, MAX_ERRORS),
      more: more + Math.max(0, errors.length - MAX_ERRORS),
    };
  }
  const refused = reading?.notOffered ?? mechanisms.notOffered;
  if (refused !== null) return { kind: 'refusal', refusal: { code: 'not-offered', ...refused } };

  const document = reading?.document;
  const entries = [...(document?.entries ?? []), ...mechanisms.value];
  if (entries.length === 0) {
    const message = 'there are no mechanisms to compose';
    const hint = 'Add -m TYPE:key=value,..., such as -m dp:epsilon=0.1,count=100, or give a specification file.';
    return { kind: 'errors', errors: [{ code: 'empty-list', path: '-m', message, hint }], more: 0 };
  }
  if (order.value === 'declared' && !entries.every(isEntry)) {
    const { problem } = declaredOrder([]);
    return { kind: 'errors', errors: [{ ...problem, path: '--order' }], more: 0 };
  }
  const words = flags.neighbours ?? document?.neighbours ?? null;
  const other = otherRelation(words, entries, []);
  if (other !== null) return { kind: 'errors', errors: [{ ...other.problem, path: '--neighbours' }], more: 0 };
  const neighbours = neighboursOf(words, entries);
  return {
    kind: 'specification',
    specification: {
      name: document?.name ?? null,
      adaptivity: adaptivity.value ?? document?.adaptivity ?? 'adaptive',
      order: order.value ?? document?.order ?? 'any',
      target: target.value ?? document?.target ?? null,
      neighbours,
      setting: document?.setting ?? USUAL_SETTING,
      entries: withImpliedSparsity(entries, neighbours),
      design: document?.design ?? null,
    },
  };
}

/** The specification that the flags of a command line give without a document. */
export function specificationFromFlags(flags: SpecFlags): SpecResult {
  return withFlags(null, flags);
}
