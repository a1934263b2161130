import { Rational } from '../../numeric/rational.ts';
import type { Noise, Submechanism } from '../../composition/design/design.ts';
import type { Described } from '../../composition/design/part.ts';
import { isEntry, withDescendants } from '../../composition/core/plan-node.ts';
import type { Entry, Gaussian, Laplace } from '../../privacy/mechanism.ts';
import { recordOf } from '../../privacy/mechanisms/records.ts';
import { sigmaForm, writtenVariance } from '../../privacy/gaussian.ts';
import { at } from './mistakes.ts';
import type { Mistake, Path } from '../core/input-error.ts';
import { quote } from '../core/quote.ts';

/** A mechanism that is nothing but noise on a statistic, of a distribution that a design can name. */
type NoiseMechanism = Laplace | Gaussian;

const NAMES: Readonly<Record<Noise['distribution'], string>> = { laplace: 'Laplace', gaussian: 'Gaussian' };

/** The key of the scale of each distribution in a mechanism. */
const SCALES: Readonly<Record<Noise['distribution'], string>> = { laplace: 'scale', gaussian: 'sigma' };

/** The mechanism of an entry that is all noise; `unknown` of one whose noise the guarantee does not say. */
function noiseOf({ mechanism }: Entry): NoiseMechanism | 'other' | 'unknown' {
  if (mechanism.type === 'laplace' || mechanism.type === 'gaussian') return mechanism;
  return recordOf(mechanism).noise === undefined ? 'unknown' : 'other';
}

/** Whether noise is that of a mechanism; of one given by its guarantee or its variance, whether there is at least as much. */
function isThatOf({ distribution, scale }: Noise, mechanism: NoiseMechanism | 'other'): boolean {
  if (mechanism === 'other' || mechanism.type !== distribution) return false;
  if (mechanism.type === 'laplace') return mechanism.byEpsilon === true || scale.eq(mechanism.scale);
  const variance = writtenVariance(mechanism);
  if (variance !== null) return Rational.ofDecimal(scale.times(scale)).compare(variance) >= 0;
  const guarantee = sigmaForm(mechanism)?.guarantee ?? null;
  return guarantee === null ? scale.eq(mechanism.sigma) : scale.gte(mechanism.sigma);
}

/** The noise of a mechanism, in words. */
function described(mechanism: NoiseMechanism | 'other'): string {
  if (mechanism === 'other') return 'discrete noise';
  if (mechanism.type === 'gaussian') return `Gaussian noise of sigma ${mechanism.sigma.toString()}`;
  return mechanism.byEpsilon === true ? 'Laplace noise' : `Laplace noise of scale ${mechanism.scale.toString()}`;
}

/**
 * Noise that a design lists for mechanisms which are noise themselves, and of another distribution or scale than that which
 * is paid for: whoever builds by the list would build something else. A guarantee such as dp says nothing of the noise.
 */
export function noiseMistakes({ mechanism: label, noise }: Submechanism, { node }: Described, path: Path): Mistake[] {
  const paid = withDescendants(node).filter(isEntry).map(noiseOf);
  const known = paid.filter((each) => each !== 'unknown');
  const [first] = known;
  if (first === undefined || known.length < paid.length) return [];
  return noise.flatMap((each, index): Mistake[] => {
    if (known.some((mechanism) => isThatOf(each, mechanism))) return [];
    const { distribution, scale } = each;
    const message = `is ${NAMES[distribution]} noise of ${SCALES[distribution]} ${scale.toString()}, but ${quote(label)} is ${described(first)}, by which it is priced`;
    const hint =
      first === 'other'
        ? 'Remove it: a design names Laplace and Gaussian noise only.'
        : `Write the noise of the mechanism${first.type === distribution ? '' : ` ("${first.type}")`}, or correct the mechanism.`;
    return [at([...path, 'noise', index, distribution], { code: 'conflicting-keys', message, hint })];
  });
}
