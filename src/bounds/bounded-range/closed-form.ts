import { NEVER } from '../../privacy/failure.ts';
import { curveWithFailure, type FiniteLossCurve } from '../../privacy/finite-loss-curve.ts';
import type { PureGroup } from '../../privacy/pure.ts';
import type { Bound } from '../core/bound.ts';
import { boundedRangeGroups } from '../core/entries.ts';
import type { Coverage } from '../core/exposition.ts';

/** Noninteractive bounded-range mechanisms alone, adaptive or not. */
export const RANGES_ALONE: Coverage = {
  types: ['bounded-range'],
  noninteractive: ['bounded-range'],
  adaptivity: 'any',
  conditions: [],
};

/** Applies an upper bound on the curve of {@link RANGES_ALONE}, given their parameters, equal ones together. */
export const onRanges =
  (curveOf: (groups: readonly PureGroup[]) => FiniteLossCurve): Bound['apply'] =>
  (composition) => {
    const covered = boundedRangeGroups(composition);
    if ('reason' in covered) return covered;
    return { curve: curveWithFailure(curveOf(covered.groups), NEVER, 'upper-only') };
  };
