import { toQuery } from '../mechanism/entries.ts';
import { FLAG_VOCABULARY } from './flag-vocabulary.ts';
import { flagHint, parseMechanismFlag } from './mechanism-flag.ts';
import { orderSchema, targetSchema } from '../core/question-schema.ts';
import { quote } from '../core/quote.ts';
import { Diagnostics, validate } from '../core/validate.ts';
import { validateEntries } from '../mechanism/validate-entries.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Order, Query } from '../../privacy/query.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import type { InputError } from '../core/specification.ts';

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
export interface FlagReading<T> {
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
  const hint = mistake.problem.code === 'missing-key' && typeof key === 'string' ? flagHint(key) : null;
  return hint === null ? mistake : { ...mistake, problem: { ...mistake.problem, hint } };
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
  const given = delta !== undefined || epsilon !== undefined;
  const parsed = given ? validate(targetSchema, target, diagnostics) : undefined;
  const errors = diagnostics.mistakes.map((mistake) => {
    const path = mistake.path.length === 0 ? '--epsilon' : `--${mistake.path.join('.')}`;
    if (mistake.problem.code !== 'two-targets') return toError(mistake, () => path);
    const message = '--delta and --epsilon exclude each other: one is given, the other is the answer';
    return { code: mistake.problem.code, path, message, hint: 'Keep one of them.' };
  });
  return { value: parsed === undefined ? null : toQuery(parsed), errors, more: 0, notOffered: null };
}
