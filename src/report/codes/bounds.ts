import type { Inapplicability } from '../../bounds/core/bound.ts';
import type { Unavailable } from '../../bounds/precise/curve.ts';
import type { Explanations } from './code.ts';

const OTHERS = 'Nothing need be done: the answer is by the bounds that apply.';

/** Every reason for which a bound does not apply. */
export const INAPPLICABILITY_CODES: Explanations<Inapplicability['code']> = {
  'needs-types': {
    meaning: 'The bound holds for mechanisms of certain types only, and others are listed.',
    remedy: 'Describe the others by a guarantee of those types that they have, or rely on the bounds that apply.',
  },
  'needs-noninteractive': {
    meaning: 'The bound holds for noninteractive mechanisms only, and some are interactive or continual.',
    remedy: 'Set "kind" to "noninteractive" where a mechanism answers once.',
  },
  'needs-nonadaptive': {
    meaning: 'The bound holds where every mechanism is fixed in advance.',
    remedy: 'Say --nonadaptive if that is so.',
  },
  'is-dp-optimal': {
    meaning: 'Without noise of a known distribution and finite pairs the bound is dp-optimal, which is listed itself.',
    remedy: OTHERS,
  },
  'is-exact-otherwise': {
    meaning: 'The bound is for mechanisms that are chosen along the way; of those fixed in advance another is exact.',
    remedy: OTHERS,
  },
  'too-large': {
    meaning: 'The bound is computed only up to a number of mechanisms that is exceeded.',
    remedy: OTHERS,
  },
  'needs-mixture': {
    meaning: 'The bound joins bounded-range mechanisms to others, and only one of the two is listed.',
    remedy: OTHERS,
  },
  'no-sampling-theorem': {
    meaning:
      'No theorem is known to this program for a way in which samples are drawn, under its relation of neighbours.',
    remedy: 'Sample as poisson (a record added or removed) or without-replacement (a record replaced).',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before the bound had a number.',
    remedy: 'Allow more time, or rely on the bounds that have one.',
  },
  needless: {
    meaning: 'Another bound is exact, so that this one, which takes longer, could not be less.',
    remedy: 'Nothing need be done; name the bound with --bounds to see its number.',
  },
};

/** Every reason for which there is no second opinion. */
export const PRECISION_CODES: Explanations<Unavailable> = {
  'too-large': {
    meaning: 'There are too many mechanisms, or their parameters are too large, to add up every term in decimals.',
    remedy: 'Rely on the enclosure, which does not depend on it; or ask for fewer mechanisms.',
  },
  'needs-lattice': {
    meaning: 'The bound is computed by integrals or tables, for which there is no evaluation in decimals.',
    remedy: 'Rely on the enclosure, or choose another bound with --bounds.',
  },
  'mechanism-not-covered': {
    meaning: 'The bound has no form in decimals for these mechanisms.',
    remedy: 'Rely on the enclosure, or choose another bound with --bounds.',
  },
  'not-resolved': {
    meaning: 'So many digits were lost to cancellation that those asked for are not certain.',
    remedy: 'Ask for more digits with --precision.',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before the decimals were computed.',
    remedy: 'Allow more time, or rely on the enclosure.',
  },
};
