import type { Budget } from '../composition/compose/compose.ts';
import type { PlacedNode } from '../composition/core/plan-node.ts';
import type { RiskLimit } from '../composition/risk/limits.ts';
import type { AskedQuestion, SolveQuestion } from '../composition/solve/solve.ts';
import { parameterNames } from '../composition/solve/largest-parameter.ts';
import { isNamed, mechanismsIn, nodesIn, type PlacedEntry } from '../composition/solve/mechanisms.ts';
import { STRUCTURE_NUMBERS, structureNumber, type StructureNumber } from '../composition/solve/largest-count.ts';
import type { ExactValue } from '../document/core/exact-value.ts';
import { quote } from '../document/core/quote.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import { didYouMean } from '../document/core/suggest.ts';
import type { ExactForm } from '../document/structure/normal-form.ts';
import { type Decimal, ZERO } from '../numeric/decimal.ts';
import { listed } from '../output/kit/prose.ts';
import type { ComposedFlags } from './kit/shared-options.ts';
import { inGroup, numberOption, textsOption, wordOption } from './kit/option.ts';
import { atLeastZero, budgeted, probability } from './kit/number-option.ts';
import { limitErrors, RISK_LIMITS } from './kit/risk-flags.ts';
import { conflict, type UsageError, lacking } from './kit/usage-error.ts';

/** The keys by which the value that is sought may be written. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  epsilon: ['epsilon'],
  'local-epsilon': ['local-epsilon'],
  scale: ['scale'],
  sigma: ['sigma', 'noise-multiplier'],
  rho: ['rho'],
  mu: ['mu'],
  reports: ['users'],
};

/** A mechanism without the value that is sought, and the flags with a value from which the search begins. */
interface Sought {
  readonly key: string;
  readonly flags: ComposedFlags;
  /** Whether a mechanism of the specification that these flags give is the one. */
  readonly isAt: (specification: Specification, index: number) => boolean;
}

/** The value may be left out in one mechanism: what a specification lacks by its only error. */
export function soughtIn(
  { errors: [error, ...more] }: UsageError,
  find: string | undefined,
  flags: ComposedFlags,
): Sought[] {
  const keys = Object.hasOwn(KEYS, find ?? '') ? KEYS[find ?? '']! : [];
  if (error?.code !== 'missing-key' || more.length > 0) return [];
  const { mechanism = [], set = [] } = flags;
  const number = /^-m #(\d+)/.exec(error.path)?.[1];
  return keys.map((key) => {
    if (number === undefined) {
      const place = error.path.endsWith(`.${key}`) ? error.path.slice(0, -1 - key.length) : error.path;
      const isAt: Sought['isAt'] = ({ entries }, index) => mechanismsIn(entries)[index]?.path === place;
      return { key, flags: { ...flags, set: [...set, `${place}.${key}=1`] }, isAt };
    }
    const at = Number(number) - 1;
    const begun = mechanism.map((text, index) =>
      index === at ? `${text}${text.includes(':') ? ',' : ':'}${key}=1` : text,
    );
    const isAt: Sought['isAt'] = ({ entries }, index) => index === mechanismsIn(entries).length - mechanism.length + at;
    return { key, flags: { ...flags, mechanism: begun }, isAt };
  });
}

/** Whether that mechanism alone varies: of several, the values that they have are their proportion. */
export const isAllThatVaries = ({ isAt }: Sought, specification: Specification, question: SolveQuestion): boolean =>
  'varied' in question && question.varied.length === 1 && isAt(specification, question.varied[0]!);

function withoutKey(value: ExactValue, steps: readonly string[], key: string): ExactValue {
  if (typeof value !== 'object' || value === null) return value;
  const [step, ...rest] = steps;
  if (Array.isArray(value)) {
    const items: readonly ExactValue[] = value;
    return items.map((item, index) => (String(index) === step ? withoutKey(item, rest, key) : item));
  }
  const pairs = Object.entries(value as ExactForm).filter(([name]) => step !== undefined || name !== key);
  return Object.fromEntries(pairs.map(([name, item]) => [name, name === step ? withoutKey(item, rest, key) : item]));
}

/** A specification in normal form as it was given: without the value from which the search began. */
export function formWithout(form: ExactForm, { key, isAt }: Sought, specification: Specification): ExactForm {
  const mechanism = mechanismsIn(specification.entries).find((_, index) => isAt(specification, index));
  const steps = mechanism?.path.match(/[^.[\]]+/g) ?? [];
  return withoutKey(form, steps, key) as ExactForm;
}

/** The values of --find. */
const UNKNOWNS = [
  'count',
  'parameter',
  'total-epsilon',
  'total-delta',
  'epsilon',
  'local-epsilon',
  'scale',
  'sigma',
  'rho',
  'mu',
  'reports',
  ...STRUCTURE_NUMBERS,
] as const;

type Find = (typeof UNKNOWNS)[number];

/** The options of what is asked. */
export const SOLVE = inGroup('Target:', {
  find: wordOption('--find <WHAT>', UNKNOWNS.join(', '), UNKNOWNS, 'For example: --find count'),
  vary: textsOption('--vary <NAME>', 'mechanisms to vary: label, place or #1 (repeatable; default: all)'),
  delta: numberOption('--delta <D>', 'delta of the budget', budgeted(probability), '1e-6'),
  epsilon: numberOption('--epsilon <E>', 'epsilon of the budget', budgeted(atLeastZero), '1'),
  ...RISK_LIMITS,
});

/** The ends of a budget, each where it is known. */
interface Ends {
  readonly epsilon: Decimal | undefined;
  readonly delta: Decimal | undefined;
}

const isTotal = (find: Find): boolean => find.startsWith('total-');

/** The default of --find: the total that is not given; null where both are. */
const usual = ({ epsilon, delta }: Ends): Find | null =>
  epsilon === undefined ? 'total-epsilon' : delta === undefined ? 'total-delta' : null;

/** The mechanisms that vary: all where --vary is not given. */
function readVaried(names: readonly string[], all: readonly PlacedEntry[], errors: InputError[]): readonly number[] {
  if (names.length === 0) return [...all.keys()];
  const labels = [...new Set(all.flatMap(({ entry, path }) => [...(entry.label === null ? [] : [entry.label]), path]))];
  const indexLists = names.map((name) =>
    [...all.entries()].flatMap(([index, placed]) => (isNamed(name, placed, index) ? [index] : [])),
  );
  indexLists.forEach((indices, at) => {
    const name = names[at] ?? '';
    if (indices.length > 0) return;
    const message = `no mechanism has the label ${quote(name)}, or this place`;
    const hint = `${didYouMean(name, labels)}Name a mechanism by its label, by its place such as mechanisms[0], or as #1 for the first.`;
    errors.push({ code: 'unknown-name', path: '--vary', message, hint });
  });
  return [...new Set(indexLists.flat())].sort((a, b) => a - b);
}

const isOfStructure = (find: Find): find is StructureNumber => STRUCTURE_NUMBERS.some((name) => name === find);

/** The node that has the number asked for: of the only name that is given, or the only one of all. */
function readVariedNode(
  find: StructureNumber,
  names: readonly string[],
  nodes: readonly PlacedNode[],
  errors: InputError[],
): PlacedNode | null {
  const having = nodes.filter(({ node }) => structureNumber(node, find) !== null);
  const [name, ...more] = names;
  const matching = having.filter(({ node, path }) => name === undefined || node.label === name || path === name);
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0 && more.length === 0) return only;
  const labels = having.flatMap(({ node, path }) => [...(node.label === null ? [] : [node.label]), path]);
  if (only === undefined) {
    const none = having.length === 0;
    const message = none
      ? `no part of this document has ${find}`
      : `nothing with ${find} has the label ${quote(name ?? '')}, or this place`;
    const hint = none
      ? `A document has ${find} in ${OWNERS[find]}.`
      : `${didYouMean(name ?? '', labels)}${find} may vary at: ${listed(labels)}.`;
    errors.push({ code: 'unknown-name', path: none ? '--find' : '--vary', message, hint });
    return null;
  }
  const message = `${find} varies at one place only, and here are several: ${listed(matching.map(({ path }) => path))}`;
  errors.push({ code: 'unknown-name', path: '--vary', message, hint: `Choose one of them: --vary ${only.path}` });
  return null;
}

/** The elements that have each number of the structure. */
const OWNERS: Readonly<Record<StructureNumber, string>> = {
  instances: 'parallel elements',
  sparsity: 'parallel elements and partitions',
  users: 'local elements with identical users; of shuffled reports it is --find reports',
  differing: 'local elements',
};

/** Whether the mechanisms that vary have the parameter that is asked for. */
function parameterErrors(find: Find, varied: readonly PlacedEntry[]): InputError[] {
  if (find === 'count' || isTotal(find)) return [];
  const names = parameterNames(
    varied.map(({ entry }) => entry.mechanism),
    find === 'reports' ? find : undefined,
  );
  const hint = 'Choose the mechanisms to vary with --vary.';
  if (names === null) {
    const message = 'what varies has no parameter, such as a finite pair, or noise that is given by its variance';
    return [{ code: 'unknown-value', path: '--find', message, hint }];
  }
  if (find === 'parameter' || (names.length === 1 && names[0] === find)) return [];
  const message = `the mechanisms that vary have ${listed(names)}, not ${find} alone`;
  return [{ code: 'unknown-value', path: '--find', message, hint: `${hint} --find parameter takes each by its own.` }];
}

/** The mechanisms that vary, which have what is asked for. */
function readVariedMechanisms(
  find: Find,
  { entries }: Specification,
  names: readonly string[],
  errors: InputError[],
): readonly number[] {
  const all = mechanismsIn(entries);
  const varied = readVaried(names, all, errors);
  errors.push(
    ...parameterErrors(
      find,
      varied.flatMap((index) => all[index] ?? []),
    ),
  );
  return varied;
}

const missing = (name: 'epsilon' | 'delta', example: string): InputError => ({
  code: 'no-target',
  path: `--${name}`,
  message: `no value is given for ${name} may be`,
  hint: `Add --${name} ${example}.`,
});

/** The question about what varies, within a budget or a limit; null where something is wrong, which goes to `errors`. */
function withinOf(
  find: Find,
  problem: Specification,
  budget: Budget | RiskLimit,
  vary: readonly string[],
  errors: InputError[],
): AskedQuestion | null {
  const about = { problem, budget };
  if (isOfStructure(find)) {
    const node = readVariedNode(find, vary, nodesIn(problem.entries), errors);
    if (node === null || errors.length > 0) return null;
    return { kind: 'within', question: { ...about, unknown: find, path: node.path } };
  }
  const varied = readVariedMechanisms(find, problem, vary, errors);
  const unknown = find === 'count' || find === 'reports' ? find : 'parameter';
  return errors.length > 0 ? null : { kind: 'within', question: { ...about, unknown, varied } };
}

/** The question about a specification; null where something is wrong, which goes to `errors`. */
export function askedOf(
  specification: Specification,
  vary: readonly string[],
  options: Ends & { readonly find: Find | undefined; readonly limits: readonly RiskLimit[] },
  errors: InputError[],
): AskedQuestion | null {
  const { target } = specification;
  const [limit, ...more] = options.limits;
  if (limit !== undefined) {
    errors.push(...limitErrors(limit, more, options));
    const find = options.find ?? 'parameter';
    if (!isTotal(find)) return withinOf(find, specification, limit, vary, errors);
    errors.push(conflict('--find', `${find} needs a budget, not a risk`, 'For example: --find sigma'));
    return null;
  }
  const ends: Ends = {
    epsilon: options.epsilon ?? (target?.solveFor === 'delta' ? target.epsilon : undefined),
    delta: options.delta ?? (target?.solveFor === 'epsilon' ? target.delta : undefined),
  };
  const find = options.find ?? usual(ends);
  if (find === null) {
    const message = 'is missing: epsilon and delta are both given';
    errors.push(lacking('--find', message, 'For example: --find count'));
    return null;
  }
  const { epsilon, delta } = ends;
  if (epsilon === undefined && find !== 'total-epsilon') errors.push(missing('epsilon', '1'));
  if (delta === undefined && find !== 'total-delta') errors.push(missing('delta', '1e-6'));
  if (!isTotal(find)) {
    const budget = { epsilon: epsilon ?? ZERO, delta: delta ?? ZERO };
    return withinOf(find, specification, budget, vary, errors);
  }
  if (errors.length > 0) return null;
  if (find === 'total-epsilon' && delta !== undefined) {
    return { kind: 'total', problem: specification, query: { solveFor: 'epsilon', delta } };
  }
  if (find === 'total-delta' && epsilon !== undefined) {
    return { kind: 'total', problem: specification, query: { solveFor: 'delta', epsilon } };
  }
  return null;
}
