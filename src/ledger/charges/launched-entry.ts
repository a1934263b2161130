import type { Entry, Mechanism, MechanismKind } from '../../privacy/mechanism.ts';

/** One mechanism as the bounds take it. */
export const launchedEntry = (mechanism: Mechanism, kind: MechanismKind): Entry => ({
  mechanism,
  kind,
  count: 1,
  label: null,
});
