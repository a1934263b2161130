import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/query.ts';
import type { ParsedTarget } from '../core/question-schema.ts';
import { countOf, mechanismOf, type ParsedEntry } from './entry-schema.ts';
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
