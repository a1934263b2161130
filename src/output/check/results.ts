import type { Budget } from '../../composition/compose/compose.ts';
import type { RiskLimit } from '../../composition/risk/limits.ts';
import type { Checked } from '../../composition/check/check.ts';
import type { Place } from '../../document/syntax/places.ts';
import type { InputError } from '../../document/core/specification.ts';

/** The path that stands for the mechanisms of the command line alone. */
export const COMMAND_LINE = '-m';

/** Whether a specification was read from a file, and not from standard input or the command line. */
export const isFile = (path: string): boolean => path !== '-' && path !== COMMAND_LINE;

/** A specification that was to be checked. */
export interface CheckFile {
  /** As a person writes it, from the working directory; `-` for standard input, `-m` for the command line. */
  readonly path: string;
  /** The name in the specification; null where it has none. */
  readonly name: string | null;
}

/** The mistakes in one of the files. */
export interface Unreadable {
  readonly file: string;
  readonly errors: readonly InputError<string>[];
  /** How many further mistakes there are. */
  readonly more: number;
}

/** The outcome for one specification, or for several together. */
export interface CheckItem {
  /** At least one. */
  readonly files: readonly CheckFile[];
  /** null where there is none, or a specification that should declare it cannot be read. */
  readonly budget: Budget | null;
  readonly risks: readonly RiskLimit[];
  readonly outcome: Checked | { readonly kind: 'unreadable'; readonly unreadable: readonly Unreadable[] };
  /** Where to look, in one of the files. */
  readonly place: ({ readonly file: string } & Place) | null;
}

/** The outcomes of a scope, whose specifications are checked each or all together. */
export interface CheckScope {
  /** null for those of the command line. */
  readonly name: string | null;
  readonly together: boolean;
  readonly items: readonly CheckItem[];
}

/** The outcome of a check. */
export interface CheckReport {
  /** The file of the policy; null for the command line. */
  readonly policy: string | null;
  readonly name: string | null;
  readonly scopes: readonly CheckScope[];
}

/** The possible outcomes for a specification. */
export type CheckStatus = CheckItem['outcome']['kind'];

/** From bad to good: what a check as a whole is. */
export const STATUSES: readonly CheckStatus[] = ['unreadable', 'exceeds', 'undecided', 'refused', 'within'];

/** Every item of a check. */
export const itemsOf = ({ scopes }: CheckReport): CheckItem[] => scopes.flatMap(({ items }) => items);

/** The worst that came of any specification: a check that is incomplete, then a budget that is not kept, then a refusal. */
export function statusOf(report: CheckReport): CheckStatus {
  const found = new Set(itemsOf(report).map(({ outcome }) => outcome.kind));
  return STATUSES.find((status) => found.has(status)) ?? 'unreadable';
}
