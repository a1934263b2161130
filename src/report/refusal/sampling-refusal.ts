import type { SamplingRefusal } from '../../composition/core/outcome.ts';
import { fix, type RefusalText } from '../kit/fix.ts';
import { lowerText, upperText } from '../kit/number.ts';
import { listed } from '../kit/prose.ts';

type InStructure = Extract<SamplingRefusal, { code: 'sampled-in-structure' }>;

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

/** Why samples in an element are refused: more than one of those in it may differ, or records move between parts. */
function inStructureText({ path, within, element, several }: InStructure): RefusalText {
  const message = `No theorem here covers the samples of ${path}`;
  if (!several) {
    return {
      message: `${message}: a replaced record may move between the parts of ${within}, which changes their sizes.`,
      mends: [fix('use Poisson samples, for add-remove neighbours: only one part has a record that is added')],
    };
  }
  const key = element === 'local' ? 'differing' : 'sparsity';
  return {
    message: `${message}: where several in ${within} may differ, a record may be added in one and removed in another.`,
    mends: [
      fix(`set "${key}" to 1 at ${within}, if neighbouring data differ in one of them only`, {
        path: within,
        key,
        value: 1,
      }),
    ],
  };
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
      return inStructureText(refusal);
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
