import type { Warning } from '../../composition/core/outcome.ts';
import type { Explanations } from './code.ts';

const ONCE = 'Set "kind" to "noninteractive" where a mechanism answers once.';

/** Every warning of an answer. */
export const WARNING_CODES: Explanations<Warning['code']> = {
  'laplace-as-dp': {
    meaning:
      'Laplace noise of an interactive or continual mechanism is composed as (sensitivity / scale, 0)-DP and through Renyi DP, because loss distributions compose for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'bounded-range-interactive': {
    meaning:
      'A bounded-range mechanism that is interactive or continual is composed as (epsilon, 0)-DP and through Renyi DP, because the theorems on bounded range hold for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'single-pair-interactive': {
    meaning:
      'Noise of a known distribution in an interactive or continual mechanism is composed through Renyi DP, because exact loss distributions compose for noninteractive mechanisms only.',
    remedy: ONCE,
  },
  'mixed-classes': {
    meaning:
      'The list mixes classes of mechanisms that no bound here uses in full at once, so that only bounds that hold for all are used, and the claim may be larger than it need be.',
    remedy: 'Compose one class at a time to see what each costs alone.',
  },
  'delta-infeasible': {
    meaning:
      'The target delta is below the chance that the mechanisms together fail completely, so that no epsilon is large enough; the infinite epsilon is the answer.',
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'delta-not-covered': {
    meaning:
      'No theorem here gives a finite epsilon at the target delta, which is below the chance of a complete failure that the theorems allow for; whether the plan can fail that often is not known.',
    remedy: 'Ask for a delta of at least that chance, or make each mechanism less likely to fail.',
  },
  'no-finite-epsilon': {
    meaning:
      'No bound that applies gives a finite epsilon at this delta, because the privacy loss of these mechanisms is not bounded.',
    remedy: 'Ask for a larger delta.',
  },
  'large-delta': {
    meaning:
      'A delta is not below one over the number of examples: giving away one example, drawn at random, is (0, 1 / N)-differentially private.',
    remedy: 'Ask for a delta well below one over the number of examples.',
  },
  'weaker-bound': {
    meaning:
      'A sharper bound found no narrow number, or is not computed for a composition so large: a weaker one won. The claim is valid, and perhaps far larger than it need be.',
    remedy: 'Ask for a larger delta, or compose fewer mechanisms, within the limits that the warning names.',
  },
  interrupted: {
    meaning: 'Time was up (--max-seconds) before some bounds had a number. The claim is valid; theirs may be smaller.',
    remedy: 'Allow more time with --max-seconds, or name the bounds to compute with --bounds.',
  },
  'tolerance-not-met': {
    meaning: 'An enclosure is wider than --tolerance asks. The claim is valid all the same.',
    remedy: 'Allow more time with --max-seconds, or accept the width with a larger --tolerance.',
  },
  'different-neighbours': {
    meaning:
      'Designs that are set beside each other are for different neighbouring data, so that their numbers bound different risks: the smaller one need not protect more.',
    remedy: 'Give the guarantees of both for the same "neighbours".',
  },
  'design-not-checked': {
    meaning:
      'The document holds a design that was not checked: the answer is what its mechanisms cost together, and a guarantee of the whole only if the design passes.',
    remedy: 'Run dpcompose design on the document.',
  },
  'cap-below-instance': {
    meaning: 'A "deltaCap" is smaller than the delta of one instance, so that not one instance fits under it.',
    remedy: 'Raise "deltaCap", or lower the delta of the instances.',
  },
};
