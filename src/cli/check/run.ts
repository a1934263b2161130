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
  readonly read:
    | { readonly kind: 'specification'; readonly specification: Specification }
    | { readonly kind: 'refusal'; readonly refusal: CheckRefusal }
    | { readonly kind: 'errors'; readonly errors: readonly UsageMistake[]; readonly more: number };
}

/** What to give in place of a folder. */
const FILES: SourceHints = {
  directory: "Give files or a quoted pattern, such as './**/*.json'.",
  large: 'Join equal mechanisms into one entry with "count".',
};

async function load(path: string, { flags, commandLine, asked, piped }: Reading, io: Io): Promise<Loaded> {
  if (path === COMMAND_LINE) {
    const { specificationFromFlags } = await import('../../document/flags/command-line.ts');
    return { path, text: '', read: specificationFromFlags(commandLine) };
  }
  try {
    const input = path === '-' && piped !== null ? piped : await readSource(path, io, FILES);
    const { readSpecification } = await import('../../document/read-specification.ts');
    const syntax = await syntaxNameOf({ source: path, input }, asked);
    // Places are looked up in JSON; in other forms, the file is named.
    const text = syntax === 'json' ? decodeText(input) : '';
    const read = readSpecification(input, flags, await syntaxNamed(syntax));
    return { path, text: typeof text === 'string' ? text : '', read };
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return { path, text: '', read: { kind: 'errors', errors: error.errors, more: 0 } };
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
  const known = new Map<string, Promise<Loaded>>();
  const once = (path: string): Promise<Loaded> => {
    const loading = known.get(path) ?? load(path, reading, io);
    known.set(path, loading);
    return loading;
  };
  const read: LoadedScope[] = [];
  for (const source of scopes) {
    const loaded: Loaded[] = [];
    for (const path of source.files) loaded.push(await once(path));
    const { together, budget, risks } = source;
    const groups = together ? [{ loaded, budget, risks }] : loaded.map((each) => ({ loaded: [each], budget, risks }));
    read.push({ source, groups });
  }
  return read;
}

const nameOf = ({ read }: Loaded): string | null => (read.kind === 'specification' ? read.specification.name : null);

/** The errors because of which specifications cannot be compared with a budget. */
function unreadableIn({ loaded, budget }: Checkable): Unreadable[] {
  return loaded.flatMap(({ path, read, text }): Unreadable[] => {
    if (read.kind === 'errors') return [{ file: path, errors: read.errors, more: read.more }];
    if (read.kind === 'refusal' || budget === null) return [];
    const whole = completed(budget, read.specification.target);
    if (!('message' in whole)) return [];
    return [{ file: path, errors: [{ ...whole, ...placeIn(text, pathOf(whole.path)) }], more: 0 }];
  });
}

function budgetOf({ loaded, budget }: Checkable): Budget | null {
  if (budget === null) return null;
  const [first] = loaded;
  const target = first?.read.kind === 'specification' ? first.read.specification.target : null;
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
  const files = group.loaded.map((each): CheckFile => ({ path: each.path, name: nameOf(each) }));
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
  for (const { read } of group.loaded) {
    if (read.kind === 'refusal') return done({ kind: 'refused', refusal: read.refusal });
    if (read.kind === 'specification') specifications.push(read.specification);
  }
  return done(compare(specifications, { budget, risks }, options));
}

/** Checks the scopes; `told` receives how many results of how many are done, and the progress of the next. */
export function runCheck(
  { policy, name }: Sources,
  scopes: readonly LoadedScope[],
  options: ChangeOptions,
  compare: typeof check,
  told?: (done: number, of: number, what: string, share: number) => void,
): CheckReport {
  const of = scopes.reduce((sum, { groups }) => sum + groups.length, 0);
  let done = 0;
  const checked = scopes.map(({ source, groups }): CheckScope => ({
    name: source.name,
    together: source.together,
    given: source.budget,
    items: groups.map((group) => {
      const at = done++;
      const progress: ChangeOptions['progress'] = (what, share) => told?.(at, of, what, share);
      return itemOf(group, { ...options, ...(told && { progress }) }, compare);
    }),
  }));
  return { policy, name, scopes: checked };
}
