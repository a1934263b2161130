import { failureOf } from '../../bounds/core/entries.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { relativeWidth, type Bracket } from '../../numeric/enclosure.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { solvedIn, type AppliedRow, type BoundRow, type Warning } from '../core/outcome.ts';

/** How a message names an entry. */
const nameOf = ({ label }: Entry, index: number): string => label ?? `mechanisms[${String(index)}]`;

const named = (entries: readonly Entry[], selects: (entry: Entry) => boolean): string[] =>
  entries.flatMap((entry, index) => (selects(entry) ? [nameOf(entry, index)] : []));

const isInteractive = ({ kind }: Entry): boolean => kind !== 'noninteractive';

/** Classes that one tight bound covers together. */
type Family = 'single pairs' | 'bounded-range' | 'zcdp' | 'rdp';

function family({ mechanism, kind }: Entry): Family {
  const { type } = mechanism;
  if (type === 'zcdp' || type === 'rdp') return type;
  return type === 'bounded-range' && kind === 'noninteractive' ? type : 'single pairs';
}

/** Interactive noise has no exact composition: pure noise goes by its (e, 0)-DP guarantee, Gaussian noise by Renyi DP. */
function interactiveWarnings(entries: readonly Entry[]): Warning[] {
  const interactive = (...types: Entry['mechanism']['type'][]): string[] =>
    named(entries, (entry) => isInteractive(entry) && types.includes(entry.mechanism.type));
  const ranged = interactive('bounded-range');
  const laplace = interactive('laplace', 'discrete-laplace');
  const pairs = interactive('gaussian', 'discrete-gaussian', 'gdp');
  return [
    ...(ranged.length > 0 ? [{ code: 'bounded-range-interactive', entries: ranged } as const] : []),
    ...(laplace.length > 0 ? [{ code: 'laplace-as-dp', entries: laplace } as const] : []),
    ...(pairs.length > 0 ? [{ code: 'single-pair-interactive', entries: pairs } as const] : []),
  ];
}

/** The warnings that the entries alone give about the quality of every bound; `tight`: one of the bounds is exact. */
export function entryWarnings(entries: readonly Entry[], tight: boolean): Warning[] {
  const families = new Set(entries.map(family));
  const classes = [...new Set(entries.map(({ mechanism }) => mechanism.type))];
  return [
    ...interactiveWarnings(entries),
    ...(families.size > 1 && !tight ? [{ code: 'mixed-classes', classes } as const] : []),
  ];
}

/** The smallest feasible delta, rounded up to 12 digits for reading. */
export const smallestDelta = (failure: Decimal): string => failure.toSignificantDigits(12, Decimal.ROUND_UP).toString();

/** Where a bound won that says nothing of how near the truth is, though one that would say it covers this too. */
export function weakerBound(rows: readonly BoundRow[], query: Query, best: AppliedRow, tolerance: number): Warning[] {
  const { lower, upper } = solvedIn(best, query);
  if (lower !== null || upper === 0) return [];
  for (const row of rows) {
    if (row.applies) {
      const { id } = row;
      const value = solvedIn(row, query);
      if (id === 'grouped' || value.lower === null || !(relativeWidth(value) > tolerance)) continue;
      return [{ code: 'weaker-bound', bound: best.id, sharper: id }];
    }
    const { id, reason } = row;
    if (reason.code === 'too-large')
      return [{ code: 'weaker-bound', bound: best.id, sharper: id, limit: reason.limit }];
  }
  return [];
}

/** What an answer leaves open: no finite epsilon, or bounds further apart than asked. */
export function answerWarnings(
  entries: readonly Entry[],
  cut: boolean,
  query: Query,
  value: Bracket,
  best: AppliedRow,
  tolerance: number,
  isTimeUp: boolean,
): Warning[] {
  if (query.solveFor === 'epsilon' && value.upper === Infinity) {
    const failure = failureOf(entries);
    if (query.delta.gte(failure.upper)) return cut ? [] : [{ code: 'no-finite-epsilon' }];
    const smallest = smallestDelta(failure.upper);
    return query.delta.lt(failure.lower)
      ? [{ code: 'delta-infeasible', failure: smallest, smallestDelta: smallest }]
      : [{ code: 'delta-not-covered', smallestDelta: smallest }];
  }
  const own = solvedIn(best, query);
  const reached = relativeWidth(own);
  return own.lower !== null && reached > tolerance
    ? [{ code: 'tolerance-not-met', asked: tolerance, reached, cut: isTimeUp }]
    : [];
}
