import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/query.ts';
import type { Path } from '../core/input-error.ts';
import type { ParsedTarget } from '../core/question-schema.ts';
import { CHUNK, validate, type Diagnostics } from '../core/validate.ts';
import { countOf, entriesSchema, mechanismOf, type ParsedEntry } from './entry-schema.ts';
import { required } from './written-type.ts';

/** The normal form of a validated entry: aliases resolved, every default filled in. */
export function toEntry(parsed: ParsedEntry): Entry {
  const mechanism = mechanismOf(parsed);
  const { neighbours } = parsed;
  return {
    mechanism,
    count: countOf(parsed),
    kind: parsed.kind,
    label: parsed.label ?? null,
    ...(neighbours === undefined || mechanism.type === 'sampled' ? {} : { neighbours }),
  };
}

/** The query that a validated target asks. */
export function toQuery({ delta, epsilon }: ParsedTarget): Query {
  return delta === undefined ? { solveFor: 'delta', epsilon: required(epsilon) } : { solveFor: 'epsilon', delta };
}

/** Checks a list of entries; `toPath` leads from paths in the list to those of the input. */
export function validateEntries(
  raw: readonly unknown[],
  diagnostics: Diagnostics,
  toPath: (path: Path) => Path,
): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < raw.length; start += CHUNK) {
    const chunk = validate(entriesSchema, raw.slice(start, start + CHUNK), diagnostics, ([index, ...rest]) =>
      toPath([start + Number(index), ...rest]),
    );
    for (const entry of chunk ?? []) entries.push(toEntry(entry));
  }
  return entries;
}
