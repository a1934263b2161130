import type { Adaptivity } from '../../privacy/curve.ts';
import { verdictOn, type Problem, type Verdict } from '../compose/compose.ts';
import type { Design } from '../design/design.ts';
import { USUAL_SETTING, type Setting, type Standing, differentNeighbours } from '../core/setting.ts';
import { createSession } from '../../bounds/core/session.ts';
import { checkDesign, isPrivate, type DesignCheck } from '../design/check-design.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Answer, Refusal } from '../core/outcome.ts';
import { mechanismsIn } from '../solve/mechanisms.ts';
import { changesFor, type Change, type ChangeOptions, type Enough } from './changes.ts';
import { budgetOf, riskVerdicts, type Limits, type RiskVerdict } from '../risk/limits.ts';

/** A problem as a specification declares it. */
export interface Specified extends Problem {
  /** Which data are neighbouring, in the user's words. */
  readonly neighbours: string | null;
  readonly design: Design | null;
}

/** A fact of several: denied if of any, stated if of all. */
function joined<S extends Standing>(standings: readonly S[], otherwise: S): S {
  const denied = standings.find((standing) => standing === 'denied');
  if (denied !== undefined) return denied;
  return standings.every((standing) => standing === 'stated') ? standings[0]! : otherwise;
}

function joinedSettings(settings: readonly Setting[]): Setting {
  const of = <Fact extends keyof Setting>(fact: Fact): Setting[Fact] =>
    joined<Setting[Fact]>(
      settings.map((setting) => setting[fact]),
      USUAL_SETTING[fact],
    );
  return {
    discrete: of('discrete'),
    adaptiveAdversary: of('adaptiveAdversary'),
    symmetric: of('symmetric'),
    finiteCommunication: of('finiteCommunication'),
  };
}

/**
 * Several specifications on the same data as one, each once: all their mechanisms, in any order.
 *
 * Who writes one of them may have seen the answers of another, so together they count as adaptive, also where each is
 * fixed in advance; a fact holds where it is stated in all.
 *
 * @param specified - at least one; one alone is returned as it is
 */
export function together(specified: readonly Specified[]): Problem {
  const [only, ...others] = specified;
  if (only !== undefined && others.length === 0) return only;
  const chosen = specified.some(({ adaptivity }) => adaptivity === 'parameters');
  const adaptivity: Adaptivity = chosen ? 'parameters' : 'adaptive';
  return {
    entries: specified.flatMap(({ entries }) => entries),
    adaptivity,
    order: 'any',
    setting: joinedSettings(specified.map(({ setting = USUAL_SETTING }) => setting)),
  };
}

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

/** Whether a limit is kept: exceeds and undecided as of a {@link Verdict}. */
export type LimitStatus = 'within' | 'exceeds' | 'undecided';

/** The cost of specifications, compared with a budget. */
export interface Spent {
  readonly kind: LimitStatus;
  /** Their cost at the delta of the budget. */
  readonly answer: Answer;
  /** Their delta at the epsilon of the budget, where that decided or might have decided. */
  readonly delta: Bracket | null;
}

/** The result of comparing specifications with limits. */
export type Checked =
  | {
      /** exceeds where a limit is for certain, else undecided where one may be. */
      readonly kind: LimitStatus;
      /** null where there is no budget. */
      readonly spent: Spent | null;
      /** In the order of their limits. */
      readonly risks: readonly RiskVerdict[];
      /** Changes of one mechanism that would be enough; none where all limits are kept. */
      readonly changes: readonly SpecifiedChange[];
      /** Of how many mechanisms changes were looked for, until time was up. */
      readonly searched: number;
      /** Whether time was up before all were looked at. */
      readonly isCut: boolean;
    }
  | { readonly kind: 'refused'; readonly refusal: CheckRefusal };

function refusalOf(specified: readonly Specified[]): CheckRefusal | null {
  for (const [specification, { design, entries }] of specified.entries()) {
    const check = design === null ? null : checkDesign(design, entries);
    if (check !== null && !isPrivate(check)) return { code: 'design-fails', check, specification };
  }
  const neighbours = differentNeighbours(specified);
  return neighbours === null ? null : { code: 'different-neighbours', neighbours };
}

const WORST = ['exceeds', 'undecided', 'within'] as const;

/** Amounts that are enough for the limits that are not kept; null where none is known for one of them. */
function amountsFor({ budget }: Limits, spent: Spent | null, risks: readonly RiskVerdict[]): Enough[] | null {
  const own = budget !== null && spent?.kind !== 'within' ? [{ budget, isNeeded: true }] : [];
  const others = risks
    .filter(({ kind }) => kind !== 'within')
    .map(({ limit }) => ({ budget: budgetOf(limit), isNeeded: limit.measure === 'advantage' }));
  const amounts = [...own, ...others];
  return amounts.every((amount): amount is Enough => amount.budget !== null) ? amounts : null;
}

/**
 * Compares what specifications cost together with limits (see {@link verdictOn}), and looks for changes that would bring
 * them within all of them. Refused where no theorem covers them, a design does not have the privacy of its mechanisms, or
 * they say of different data that they are neighbouring.
 *
 * @param specified - at least one
 */
export function check(specified: readonly Specified[], limits: Limits, options: ChangeOptions): Checked {
  const refusal = refusalOf(specified);
  if (refusal !== null) return { kind: 'refused', refusal };
  const problem = together(specified);
  const { most } = options;
  const work = { session: createSession(), ...options };
  const verdict: Verdict | null = limits.budget && verdictOn(problem, limits.budget, work);
  if (verdict?.kind === 'refused') return verdict;
  const compared = riskVerdicts(problem, limits.risks, work);
  if (compared.kind === 'refusal') return { kind: 'refused', refusal: compared.refusal };
  const { verdicts: risks } = compared;
  const verdictKinds = [...(verdict === null ? [] : [verdict]), ...risks].map(({ kind }) => kind);
  const kind = WORST.find((candidate) => verdictKinds.includes(candidate)) ?? 'within';
  const result = { kind, spent: verdict, risks };
  const amounts = kind === 'within' || most === 0 ? null : amountsFor(limits, verdict, risks);
  if (amounts === null) return { ...result, changes: [], searched: 0, isCut: false };
  const places = specified.flatMap(({ entries }, specification) =>
    mechanismsIn(entries).map(({ path }) => ({ path, specification })),
  );
  const { changes, searched, isCut } = changesFor(problem, amounts, work);
  return {
    ...result,
    changes: changes.map((change) => ({ ...change, ...places[change.index]! })),
    searched,
    isCut,
  };
}
