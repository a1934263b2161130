import type { Exposition } from '../../../bounds/core/exposition.ts';

/** See `../design.ts`. */
export const design: Exposition = {
  statement:
    'A mechanism that runs sub-mechanisms adds no privacy loss of its own if what it does and outputs depends on its input through their answers alone, and neighbouring inputs make it send them no more than their guarantees cover.',
  formula: [
    "destination, response and f -> f' property: (e, d)-DP for f where the f'-concurrent composition of the sub-mechanisms is (e, d)-DP",
  ],
  departures: [
    'Definition 6.2 prints left and right messages the other way round; what is checked is the corrected form.',
  ],
  works: ['henzinger-safavi-vadhan-2025'],
};
