import type { RiskLimit } from '../../composition/risk/limits.ts';
import type { Budget } from '../../composition/compose/compose.ts';
import type { check, CheckRefusal } from '../../composition/check/check.ts';
import type { ChangeOptions } from '../../composition/check/changes.ts';
import {
  COMMAND_LINE,
  isFile,
  type PartialBudget,
  type CheckFile,
  type CheckItem,
  type CheckReport,
  type CheckScope,
  type Unreadable,
} from '../../output/check/words.ts';
import { placeIn } from '../../document/syntax/document-syntax.ts';
import { pathOf } from '../../document/syntax/places.ts';
import type { Specification } from '../../document/core/specification.ts';
import { decodeText } from '../../document/core/input-error.ts';
import { completed, type Reading, type Source, type Sources } from './sources.ts';
import type { Io } from '../kit/io.ts';
import { readSource, syntaxNamed, syntaxNameOf, type SourceHints } from '../kit/source.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';

/** A specification file as it was found. */
interface Loaded {
  readonly path: string;
  readonly text: string;
  readonly result:
    | { readonly kind: 'specification'; readonly specification: Specification }
    | { readonly kind: 'refusal'; readonly refusal: CheckRefusal }
    | { readonly kind: 'errors'; readonly errors: readonly UsageMistake[]; readonly more: number };
}

/** What to give in place of a folder. */
const FILES: SourceHints = {
  directory: "Give files or a quoted pattern, such as './**/*.json'.",
  large: 'Join equal mechanisms into one entry with "count".',
};

async function load(path: string, { flags, commandLine, inputFormat, piped }: Reading, io: Io): Promise<Loaded> {
  if (path === COMMAND_LINE) {
    const { specificationFromFlags } = await import('../../document/flags/command-line.ts');
    return { path, text: '', result: specificationFromFlags(commandLine) };
  }
  try {
    const input = path === '-' && piped !== null ? piped : await readSource(path, io, FILES);
    const { readSpecification } = await import('../../document/read-specification.ts');
    const syntax = await syntaxNameOf({ source: path, input }, inputFormat);
    // Places are looked up in JSON; in other forms, the file is named.
    const text = syntax === 'json' ? decodeText(input) : '';
    const result = readSpecification(input, flags, await syntaxNamed(syntax));
    return { path, text: typeof text === 'string' ? text : '', result };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { path, text: '', result: { kind: 'errors', errors: error.errors, more: 0 } };
  }
}

/** Specifications that are checked as one. */
interface Checkable {
  readonly loaded: readonly Loaded[];
  readonly budget: PartialBudget | null;
  readonly risks: readonly RiskLimit[];
}

/** A scope with its specifications read, in the groups that are checked as one. */
interface LoadedScope {
  readonly source: Source;
  readonly groups: readonly Checkable[];
}

/** Reads all that is to be checked. */
export async function loadSources({ scopes, reading }: Sources, io: Io): Promise<LoadedScope[]> {
  const loadings = new Map<string, Promise<Loaded>>();
  const once = (path: string): Promise<Loaded> => {
    const loading = loadings.get(path) ?? load(path, reading, io);
    loadings.set(path, loading);
    return loading;
  };
  const loadedScopes: LoadedScope[] = [];
  for (const source of scopes) {
    const loaded: Loaded[] = [];
    for (const path of source.files) loaded.push(await once(path));
    const { together, budget, risks } = source;
    const groups = together ? [{ loaded, budget, risks }] : loaded.map((file) => ({ loaded: [file], budget, risks }));
    loadedScopes.push({ source, groups });
  }
  return loadedScopes;
}

const nameOf = ({ result }: Loaded): string | null =>
  result.kind === 'specification' ? result.specification.name : null;

/** The errors because of which specifications cannot be compared with a budget. */
function unreadableIn({ loaded, budget }: Checkable): Unreadable[] {
  return loaded.flatMap(({ path, result, text }): Unreadable[] => {
    if (result.kind === 'errors') return [{ file: path, errors: result.errors, more: result.more }];
    if (result.kind === 'refusal' || budget === null) return [];
    const whole = completed(budget, result.specification.target);
    if (!('message' in whole)) return [];
    return [{ file: path, errors: [{ ...whole, ...placeIn(text, pathOf(whole.path)) }], more: 0 }];
  });
}

function budgetOf({ loaded, budget }: Checkable): Budget | null {
  if (budget === null) return null;
  const [first] = loaded;
  const target = first?.result.kind === 'specification' ? first.result.specification.target : null;
  const whole = completed(budget, target);
  return 'message' in whole ? null : whole;
}

/** Where to look: at the mechanism that a change is about, or at all of them. */
function placeOf({ loaded }: Checkable, outcome: CheckItem['outcome']): CheckItem['place'] {
  const [change] = 'changes' in outcome ? outcome.changes : [];
  const { path: file, text } = loaded[change?.specification ?? 0]!;
  if (!isFile(file)) return null;
  return { file, ...placeIn(text, pathOf(change?.path ?? 'mechanisms')) };
}

function itemOf(group: Checkable, options: ChangeOptions, compare: typeof check): CheckItem {
  const files = group.loaded.map((file): CheckFile => ({ path: file.path, name: nameOf(file) }));
  const { risks } = group;
  const budget = budgetOf(group);
  const done = (outcome: CheckItem['outcome']): CheckItem => ({
    files,
    budget,
    risks,
    outcome,
    place: outcome.kind === 'within' ? null : placeOf(group, outcome),
  });
  const unreadable = unreadableIn(group);
  if (unreadable.length > 0) return done({ kind: 'unreadable', unreadable });
  const specifications: Specification[] = [];
  for (const { result } of group.loaded) {
    if (result.kind === 'refusal') return done({ kind: 'refused', refusal: result.refusal });
    if (result.kind === 'specification') specifications.push(result.specification);
  }
  return done(compare(specifications, { budget, risks }, options));
}

/** Checks the scopes; `tell` receives how many results of how many are done, and the progress of the next. */
export function runCheck(
  { policy, name }: Sources,
  scopes: readonly LoadedScope[],
  options: ChangeOptions,
  compare: typeof check,
  tell?: (done: number, of: number, what: string, share: number) => void,
): CheckReport {
  const of = scopes.reduce((sum, { groups }) => sum + groups.length, 0);
  let done = 0;
  const checked = scopes.map(({ source, groups }): CheckScope => ({
    name: source.name,
    together: source.together,
    given: source.budget,
    items: groups.map((group) => {
      const at = done++;
      const progress: ChangeOptions['progress'] = (what, share) => tell?.(at, of, what, share);
      return itemOf(group, { ...options, ...(tell && { progress }) }, compare);
    }),
  }));
  return { policy, name, scopes: checked };
}
