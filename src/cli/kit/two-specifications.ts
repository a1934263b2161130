import type { Query } from '../../privacy/query.ts';
import type { Io } from './io.ts';
import {
  readDocumentOf,
  specificationIn,
  type Loaded,
  type Origin,
  type SpecificationFlags,
} from './load-specification.ts';
import { UsageError } from './usage-error.ts';

/** The operands of a command that reads two documents. */
export type TwoSources = readonly [first: string | undefined, second: string | undefined];

/** Two operands, and what is typed besides; `errors` are mistakes found so far. */
interface TwoOrigins extends Pick<Origin, 'command' | 'flags'> {
  readonly sources: TwoSources;
  readonly errors: Origin['errors'];
}

/** The flags of a specification, of those of a command. */
const ownFlags = ({
  mechanism,
  set,
  inputFormat,
  adaptive,
  nonadaptive,
  order,
  neighbours,
  delta,
  epsilon,
}: SpecificationFlags) => ({
  changes: { mechanism, set },
  both: { inputFormat, adaptive, nonadaptive, order, neighbours, delta, epsilon },
});

/** Reads two specifications: -m and --set make the second, of the first where only that is given; all else is for both. */
export async function loadTwo(
  { command, sources: [first, second], flags, errors }: TwoOrigins,
  io: Io,
): Promise<readonly [Loaded<Query | null>, Loaded<Query | null>]> {
  const { changes, both } = ownFlags(flags);
  const changed = changes.mechanism !== undefined || changes.set !== undefined;
  const fromPipe = second === '-' || (second === undefined && !changed);
  if ((first === undefined || first === '-') && fromPipe) {
    const message = first === undefined ? 'nothing is given to compare with' : 'standard input can be read once only';
    const hint = 'Give a file, or change the first specification with -m or --set.';
    const code = first === undefined ? 'no-input' : 'conflicting-options';
    throw new UsageError([...errors, { code, path: command === 'diff' ? 'AFTER' : 'SECOND', message, hint }]);
  }
  const origin = { command, errors } as const;
  const one = await readDocumentOf({ ...origin, source: first, flags: both }, io);
  const other =
    second === undefined && changed ? one : await readDocumentOf({ ...origin, source: second, flags: both }, io);
  if (one === null || other === null) throw new Error('without mechanisms of its own a document is read');
  return [
    await specificationIn(one, { ...origin, flags: both }),
    await specificationIn(other, { ...origin, flags: { ...both, ...changes } }),
  ];
}
