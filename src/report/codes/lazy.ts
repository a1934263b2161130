import type { AuditNote } from '../../lazy/accounting/audit.ts';
import type { NoSetting } from '../../lazy/core/setting.ts';
import type { Explanations } from './code.ts';

/** Every note of lazy, and every reason for which a formula gives no parameters. */
export const LAZY_CODES: Explanations<AuditNote['code'] | NoSetting['reason']> = {
  'batch-rounded': {
    meaning: 'A formula gives a batch that is not a whole number, and a whole one is used in its place.',
    remedy: 'Nothing need be done: all that is told is about the batch that is used.',
  },
  'hypothesis-fails': {
    meaning: 'Theorem 3.2 does not cover the parameters: a hypothesis fails.',
    remedy: 'Rely on exact accounting, or change what the hypothesis names.',
  },
  'claim-only': {
    meaning:
      'Theorem 3.2 covers the parameters, but its epsilon is printed as a claim, not as a guarantee of this program.',
    remedy: 'Rely on exact accounting.',
  },
  'without-y': {
    meaning: 'There is no y: Theorem 3.2, which is about L2P with one, says nothing.',
    remedy: 'Rely on exact accounting.',
  },
  'flag-of-any-measure': {
    meaning:
      'Theorem 3.2 takes 2 eta for what one loss does to the logarithm of the chance to keep a decision. For any measure of Assumption 3.1 it is 4 eta, so that exact accounting may be above the theorem (docs/theorem-3-2.md has an example).',
    remedy: 'Rely on exact accounting, or name the measure with --measure, for which less may hold.',
  },
  'claim-above-target': {
    meaning: 'The epsilon of Theorem 3.2 is above the target.',
    remedy: 'Rely on exact accounting, or change the parameters.',
  },
  'measure-moves-further': {
    meaning: 'By Lemma 3.11 the measure moves by more than its eta, so that Theorem 3.2 is about that larger eta.',
    remedy: 'Read the row at the larger eta.',
  },
  'guarantee-above-target': {
    meaning: 'Exact accounting does not give the target either.',
    remedy: 'Change the parameters, or raise the target; lazy plan finds parameters for one.',
  },
  'no-accounting': {
    meaning: 'With delta0 above 0 exact accounting needs to know the measure.',
    remedy: 'For convex losses give --measure convex with --beta and --lambda.',
  },
  'switch-reveals': {
    meaning: 'There is no finite epsilon: without fake switches a switch may tell the neighbours apart.',
    remedy: 'Give a p above 0, or a larger eta; without y a larger c.',
  },
  'no-finite-epsilon': {
    meaning: 'Exact accounting finds no finite epsilon at this delta.',
    remedy: 'Give a larger delta, or a smaller eta or beta.',
  },
  'never-covered': {
    meaning:
      'With the parameters of Theorem 3.10 a hypothesis of Theorem 3.2 fails for every delta below 1 at so many rounds.',
    remedy: 'Use the repaired parameters of lazy plan.',
  },
  'fake-switch-probability': {
    meaning: 'A formula gives a probability of fake switches above 1, and so no parameters.',
    remedy: 'Use other parameters, such as the best of lazy plan; or a larger epsilon.',
  },
};
