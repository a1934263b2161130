import { createSession } from '../../bounds/core/session.ts';
import { verdictOn, type Budget, type Verdict } from '../compose/budget.ts';
import { checkDesign, isPrivate, type DesignCheck } from '../design/check-design.ts';
import type { Refusal } from '../core/outcome.ts';
import { mechanismsIn } from '../solve/mechanisms.ts';
import { changesFor, type Change, type ChangeOptions } from './changes.ts';
import { differentNeighbours, together, type Specified } from './together.ts';

/** Why specifications are refused. */
export type CheckRefusal =
  | Refusal
  /** `specification`: which of them, counted from 0. */
  | { readonly code: 'design-fails'; readonly check: DesignCheck; readonly specification: number }
  | { readonly code: 'different-neighbours'; readonly neighbours: readonly [string, string] };

/** A change of a mechanism of one of several specifications. */
export type SpecifiedChange = Change & {
  /** Of which of them, counted from 0; `path` is the place in it. */
  readonly specification: number;
};

/** The result of comparing specifications with a budget. */
export type Checked =
  | (Exclude<Verdict, { kind: 'refused' }> & {
      /** Changes of one mechanism that would be enough; none where it is within. */
      readonly changes: readonly SpecifiedChange[];
      /** Of how many mechanisms changes were looked for, until time was up. */
      readonly searched: number;
      /** Whether time was up before all were looked at. */
      readonly isCut: boolean;
    })
  | { readonly kind: 'refused'; readonly refusal: CheckRefusal };

function refusalOf(specified: readonly Specified[]): CheckRefusal | null {
  for (const [specification, { design, entries }] of specified.entries()) {
    const check = design === null ? null : checkDesign(design, entries);
    if (check !== null && !isPrivate(check)) return { code: 'design-fails', check, specification };
  }
  const neighbours = differentNeighbours(specified);
  return neighbours === null ? null : { code: 'different-neighbours', neighbours };
}

/**
 * Compares what specifications cost together with a budget (see {@link verdictOn}), and looks for changes that would bring
 * them within it. Refused where no theorem covers them, a design does not have the privacy of its mechanisms, or they say
 * of different data that they are neighbouring.
 *
 * @param specified - at least one
 */
export function check(specified: readonly Specified[], budget: Budget, options: ChangeOptions): Checked {
  const refusal = refusalOf(specified);
  if (refusal !== null) return { kind: 'refused', refusal };
  const problem = together(specified);
  const { most } = options;
  const work = { session: createSession(), ...options };
  const verdict = verdictOn(problem, budget, work);
  if (verdict.kind === 'refused') return verdict;
  if (verdict.kind === 'within' || most === 0) return { ...verdict, changes: [], searched: 0, isCut: false };
  const places = specified.flatMap(({ entries }, specification) =>
    mechanismsIn(entries).map(({ path }) => ({ path, specification })),
  );
  const { changes, searched, isCut } = changesFor(problem, budget, work);
  return {
    ...verdict,
    changes: changes.map((change) => ({ ...change, ...places[change.index]! })),
    searched,
    isCut,
  };
}
