import { encloseDecimal } from '../../numeric/decimal.ts';
import { enclosure, exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { minimum } from '../../numeric/enclosure-arithmetic.ts';
import type { Directions } from '../curve.ts';
import { pureDpMoment, type LogMoment } from '../log-moment.ts';
import type { Selection } from '../mechanism.ts';
import { momentsOfRuns } from '../selection/moment-of-runs.ts';
import type { EpsilonDelta, MechanismRecord } from './record.ts';

/** What is known of the mechanisms of one run together. */
interface OneRun {
  readonly isZeroLoss: (of: Selection['of']) => boolean;
  /** Without what they lose to failures; null where no such moments are known. */
  readonly moments: (of: Selection['of']) => Directions<LogMoment> | null;
  /** The (e, d)-DP of the selection; null where there is none. */
  readonly guarantee: (selection: Selection) => EpsilonDelta | null;
}

const UNBOUNDED: LogMoment = () => enclosure(0, Infinity);

/** The upper end; where infinities cancelled nothing is known. */
const upperOf = ({ upper }: Enclosure): number => (Number.isNaN(upper) ? Infinity : upper);

/**
 * Private selection. Its moments are those of what is left of the selection where no run fails: where each run fails with
 * probability d whatever the data, the number of runs given that none fails is of the same kind with a smaller parameter, or
 * mean. Those moments are smaller than the ones that are taken. Only upper ends say something.
 */
export const selectionOf = ({ isZeroLoss, moments, guarantee }: OneRun) =>
  ({
    parameters: { of: 'run', runs: 'runs' },
    isZeroLoss: ({ of }) => isZeroLoss(of),
    moment(mechanism) {
      if (isZeroLoss(mechanism.of)) return () => exactly(0);
      const ofOne = moments(mechanism.of);
      if (ofOne === null) return UNBOUNDED;
      const { remove, add } = momentsOfRuns(mechanism.runs, ofOne);
      const larger: LogMoment = (lambda) => enclosure(0, Math.max(0, upperOf(remove(lambda)), upperOf(add(lambda))));
      const pure = guarantee(mechanism);
      if (pure?.delta.isZero() !== true) return larger;
      const ofPure = pureDpMoment(encloseDecimal(pure.epsilon));
      return (lambda) => minimum(larger(lambda), ofPure(lambda));
    },
  }) satisfies MechanismRecord<Selection>;
