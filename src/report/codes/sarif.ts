import type { Explanations } from './code.ts';

/** A rule of SARIF that a result can be about. */
export type SarifRule = 'budget-exceeded' | 'budget-not-shown' | 'no-theorem' | 'unreadable-specification';

/** Every rule of SARIF. */
export const SARIF_RULES: Explanations<SarifRule> = {
  'budget-exceeded': {
    meaning: 'The mechanisms cost more than their privacy budget.',
    remedy: 'Lower what the message names, or raise the budget.',
  },
  'budget-not-shown': {
    meaning: 'The mechanisms cannot be shown to be within their privacy budget.',
    remedy: 'Lower what the message names, or raise the budget; whether it is exceeded is not known.',
  },
  'no-theorem': {
    meaning: 'No composition theorem covers the specification.',
    remedy: 'Change what the message names; dpcompose compose tells what would be covered.',
  },
  'unreadable-specification': {
    meaning: 'The specification cannot be read.',
    remedy: 'Correct it at the line that is told.',
  },
};
