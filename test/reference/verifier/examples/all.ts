import { asymmetricExample } from './asymmetric.ts';
import type { VerifyQuestion } from '../question.ts';
import { interactiveExample } from './interactive.ts';
import { mDeltaExample } from './m-delta.ts';
import { obliviousExample } from './oblivious.ts';
import { reductionExample } from './reduction.ts';
import { universalExample } from './universal.ts';

/** Every example, by its name. */
export const EXAMPLES: ReadonlyMap<string, VerifyQuestion> = new Map([
  ['m-delta', mDeltaExample],
  ['universal', universalExample],
  ['asymmetric', asymmetricExample],
  ['interactive', interactiveExample],
  ['reduction', reductionExample],
  ['oblivious', obliviousExample],
]);
