import type { SamplingRefusal } from '../../composition/core/sampling-refused.ts';
import { fix, type RefusalText } from '../kit/fix.ts';
import { lowerText, upperText } from '../kit/number.ts';
import { listed } from '../kit/prose.ts';

/** What is said of shuffled batches. */
function shuffledText({ solveFor, least, asPoisson }: Extract<SamplingRefusal, { code: 'shuffled-batches' }>): string {
  const poisson =
    asPoisson === null
      ? ''
      : `, where accounting them as Poisson samples would say ${upperText({ lower: null, upper: asPoisson })}`;
  const known = least === null ? '' : ` Here ${solveFor} is at least ${lowerText(least)} for some data${poisson}.`;
  const told = least === Infinity ? ` Here no finite ${solveFor} holds for all data.` : known;
  return `Shuffled batches are no Poisson samples, and no theorem here says how much privacy they gain.${told}`;
}

/** Why mechanisms on samples are refused, and what would fix it. */
export function samplingRefusalText(refusal: SamplingRefusal): RefusalText {
  switch (refusal.code) {
    case 'mixed-neighbours':
      return {
        message: `The mechanisms are for different neighbours (${listed(refusal.relations)}): guarantees of one relation do not add to those of another.`,
        mends: [fix('describe all of them for the same neighbours, with the sensitivities of that relation')],
      };
    case 'sampled-in-structure':
      return {
        message: `${refusal.path} runs on samples inside an element of instances, users or parts for which no theorem on samples is known.`,
        mends: [fix('write it beside the element, or without its sampling')],
      };
    case 'shuffled-batches':
      return {
        message: shuffledText(refusal),
        mends: [
          fix('draw Poisson samples in the training, and write "scheme": "poisson"'),
          fix(
            'leave out the sampling, with one run of the mechanism for each epoch and "neighbours": "replace-one": a record that is replaced is in one batch of it, and no amplification is needed',
          ),
        ],
      };
  }
}
