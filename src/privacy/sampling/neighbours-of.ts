import type { Neighbours, SamplingScheme } from '../mechanism.ts';

/** The relation of neighbours for which something is known of a scheme: a theorem, or of shuffled batches a lower bound. */
export const NEIGHBOURS_OF: Readonly<Record<SamplingScheme, Neighbours>> = {
  poisson: 'add-remove',
  'without-replacement': 'replace-one',
  shuffled: 'add-remove',
};
