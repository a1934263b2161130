import { basename } from 'node:path';
import { flatEntries } from '../../composition/core/plan-node.ts';
import { entryText } from '../../output/kit/statement.ts';
import { grouped, listed, sourceName } from '../../output/kit/prose.ts';
import type { Specification } from '../../document/core/specification.ts';
import { loadSpecification, readDocumentOf, specificationIn, type Origin } from './load-specification.ts';
import { UsageError, conflict } from './usage-error.ts';

/** A specification with a name that tells it from others. */
export interface NamedSpecification {
  readonly name: string;
  readonly specification: Specification;
}

/** The same as designs are compared and drawn: with what its neighbours are. */
export const problemOf = ({ name, specification }: NamedSpecification) => ({
  name,
  problem: specification,
  neighbours: specification.neighbours,
});

/** So many mechanisms are a name. */
const FEW = 2;

/** Its mechanisms, or how many entries there are. */
function described({ entries }: Specification): string {
  const flat = flatEntries(entries);
  if (flat === null) return 'a plan';
  return flat.length <= FEW ? listed(flat.map(entryText)) : `${grouped(flat.length)} entries`;
}

/** The name of the file that a specification comes from; null where it is none. */
const fileOf = (source: string | undefined): string | null =>
  source === undefined || sourceName(source) !== source ? null : basename(source);

/** The name that a specification has, or that of its file, or its mechanisms in short. */
const ownName = (specification: Specification, source: string | undefined): string =>
  specification.name ?? fileOf(source) ?? described(specification);

/** A specification to be named, and where it comes from; `isChanged`: by the command line, from another. */
interface Nameless {
  readonly specification: Specification;
  readonly source: string | undefined;
  readonly isChanged?: boolean;
}

/** Names as they are; of several that are the same with what tells them apart. */
export function nameAll(specifications: readonly Nameless[]): NamedSpecification[] {
  const names = specifications.map(({ specification, source }) => ownName(specification, source));
  const counts = new Map<string, number>();
  return specifications.map(({ specification, source, isChanged = false }, index) => {
    const name = names[index]!;
    const same = specifications.filter((_, at) => names[at] === name);
    const file = fileOf(source);
    const isTold = same.length > 1 && !same.some((other) => other.isChanged === true) && file !== null && file !== name;
    const fullName = isChanged && same.length > 1 ? `${name}, changed` : isTold ? `${name} (${file})` : name;
    const times = (counts.get(fullName) ?? 0) + 1;
    counts.set(fullName, times);
    return { name: times === 1 ? fullName : `${fullName} #${times}`, specification };
  });
}

/** Reads several specifications, or the only one of the command line or of what is piped in. */
export async function loadAll({
  sources,
  ...origin
}: Omit<Origin, 'source'> & { readonly sources: readonly string[] }): Promise<readonly NamedSpecification[]> {
  if (sources.filter((source) => source === '-').length > 1) {
    const message = 'standard input can be read once only';
    throw new UsageError([...origin.errors, conflict('-', message, 'Give files for the others.')]);
  }
  const loaded: Nameless[] = [];
  for (const source of sources.length === 0 ? [undefined] : sources) {
    loaded.push({ specification: await loadSpecification({ ...origin, source }), source });
  }
  return nameAll(loaded);
}

/** The operands of a command that reads two documents. */
export type TwoSources = readonly [first: string | undefined, second: string | undefined];

/** Reads two specifications: -m and --set make the second, of the first where only that is given; all else is for both. */
export async function loadTwo({
  sources: [first, second],
  flags,
  ...origin
}: Omit<Origin, 'source'> & { readonly sources: TwoSources }): Promise<readonly [Specification, Specification]> {
  const { mechanism, set, ...both } = flags;
  const changed = mechanism !== undefined || set !== undefined;
  const fromPipe = second === '-' || (second === undefined && !changed);
  if ((first === undefined || first === '-') && fromPipe) {
    const message = first === undefined ? 'nothing is given to compare with' : 'standard input can be read once only';
    const hint = 'Give a file, or change the first specification with -m or --set.';
    const code = first === undefined ? 'no-input' : 'conflicting-options';
    const path = origin.command === 'diff' ? 'AFTER' : 'SECOND';
    throw new UsageError([...origin.errors, { code, path, message, hint }]);
  }
  const left = await readDocumentOf({ ...origin, source: first, flags: both });
  const right =
    second === undefined && changed ? left : await readDocumentOf({ ...origin, source: second, flags: both });
  if (left === null || right === null) throw new Error('without mechanisms of its own a document is read');
  return [await specificationIn(left, { ...origin, flags: both }), await specificationIn(right, { ...origin, flags })];
}
