import type { SgdAnswer } from '../../composition/sgd/sgd.ts';
import { csvText } from '../kit/csv.ts';
import { epochsNumber } from './words.ts';

/** The cost along the training as comma-separated values (RFC 4180), the last record of all of it; no field needs quotes. */
export function sgdCsv({ trained, milestones }: SgdAnswer): string {
  const name = trained?.answer.query.solveFor ?? 'epsilon';
  return csvText(milestones, [
    ['noise_multiplier', () => trained?.run.noise.toString() ?? null],
    ['epochs', ({ epochs }) => epochsNumber(epochs)],
    'steps',
    [`${name}_lower`, ({ cost }) => cost?.lower ?? null],
    [`${name}_upper`, ({ cost }) => cost?.upper ?? null],
  ]);
}
