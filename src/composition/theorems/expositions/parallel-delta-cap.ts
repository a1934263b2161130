import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../parallel-delta-cap.ts`. */
export const parallelDeltaCap: Exposition = {
  statement:
    'Continual mechanisms with deltas: every instance that is created pays its delta, whether its data differ or not, and creation stops at a cap or a number.',
  formula: [
    'D = 1 - prod(1 - d_j) over all instances ever created',
    'if the composition of those k RR(e_i, 0) is (e, d)-DP, theirs is (e, 1 - (1 - d)(1 - D))-DP',
  ],
  departures: [
    'The theorem prints d + D; the product form is that of its Lemma 5.11, and is smaller.',
    'The proof of the product form needs neighbours to be neighbours the other way round: a counterexample breaks it otherwise. Where that is denied, every d_j counts twice.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
