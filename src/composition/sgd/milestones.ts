import { Rational } from '../../numeric/rational.ts';
import { lengthOfEpochs, type Length, type Run } from './training.ts';

/** More rows are not computed. */
export const MOST_ROWS = 1000;
/** So many rows say how a cost grows. */
const USUAL_ROWS = 20;
/** Training of fewer epochs is looked at inside an epoch too. */
const FEW_EPOCHS = 3;
/** The distances 1, 2 and 5 times a power of ten, the smallest first. */
const DISTANCES = Array.from({ length: 48 }, (_, i) => {
  const power = Math.floor(i / 3) - 3;
  const digit = [1, 2, 5][i % 3]!;
  return power < 0 ? Rational.of(digit, 10 ** -power) : Rational.of(digit * 10 ** power);
});

/** The distance in epochs at which at most twenty rows reach the end. */
function usualDistance({ length: { epochs } }: Run): Rational {
  const least = epochs.compare(Rational.of(FEW_EPOCHS)) < 0 ? Rational.ZERO : Rational.ONE;
  const found = DISTANCES.find(
    (distance) => distance.compare(least) >= 0 && epochs.compare(distance.times(Rational.of(USUAL_ROWS))) <= 0,
  );
  return found ?? epochs;
}

/** How many distances lie before the end of a length. */
export function rowsBefore({ epochs }: Length, every: Rational): bigint {
  const { numerator, denominator } = epochs.over(every);
  return (numerator - 1n) / denominator;
}

/**
 * Lengths of training from the beginning on, `every` so many epochs (as usual where those are too many), each of more steps than
 * the one before; the end is left out.
 */
export function milestones(run: Run, every: Rational | 'usual'): Length[] {
  const asked = every !== 'usual' && rowsBefore(run.length, every) < BigInt(MOST_ROWS) ? every : null;
  const distance = asked ?? usualDistance(run);
  const all = Array.from({ length: Number(rowsBefore(run.length, distance)) }, (_, i) =>
    lengthOfEpochs(run, distance.times(Rational.of(i + 1))),
  );
  const before = all.filter((each): each is Length => each !== null && each.steps < run.length.steps);
  return before.filter(({ steps }, i) => steps !== before[i - 1]?.steps);
}
