import type { Adaptivity } from '../../privacy/query.ts';
import type { Problem } from '../compose/compose.ts';
import type { Design } from '../design/design.ts';
import { USUAL_SETTING, type Setting, type Standing } from '../core/setting.ts';

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
