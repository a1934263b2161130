import type { LossLabels, LossWindow } from '../../numeric/contour/transform.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import type { RateInDoubles } from './rate.ts';
import { mixtureInverse, type Label, type SampledLaw, type SampledPart } from './sampled-law.ts';
import { logLabels } from './tilted-part.ts';

/** What has some labels: neither of the two, jump and not beyond, or beyond. */
export type LabelKind = 'bulk' | 'jump' | 'beyond';

/** How a part is labelled: by these up to a place, and from there on as `beyond`. */
export interface Labelling {
  /** null: nothing of it is of the kind. */
  readonly labels: readonly Label[] | null;
  readonly cut: number;
  /** Whether what comes after is of the kind. */
  readonly isRestOf: boolean;
}

/** A label is as good as 0 and 1 so many widths from its place. */
const SIDE = 6;
/** From here on all is beyond. */
const CUT = 12;
/** Labels along normal noise are not narrower and not wider than this. */
const NARROWEST = 1 / 40;
const WIDEST = 0.7;
/**
 * Along steeper noise they are narrower, so that the loss varies by a tenth over a width: up to the cut a tilted loss grows by the
 * exponential of that, and must not outgrow the label that falls.
 */
const STEEP = 4;

/** Where the losses of a window lie along a part: the label begins where it does. */
function labelOf({ base: { slope, shift, law } }: SampledPart, rates: RateInDoubles, { from, to }: LossWindow): Label {
  const placeOf = (loss: number): number => (mixtureInverse(rates, loss) - shift) / slope;
  const [a, b] = [placeOf(from), placeOf(to)];
  const unit = law === 'normal' ? 1 : 1 / slope;
  const width = Math.min(WIDEST * unit, Math.max((b - a) / (2 * SIDE), NARROWEST * Math.min(unit, STEEP / slope)));
  return { place: a + SIDE * width, width, rises: true };
}

const falling = (label: Label): Label => ({ ...label, rises: false });

/** Atoms lie along a part of which the loss l itself is the parameter. */
export const ALONG_LOSS: SampledPart = {
  base: { slope: 1, shift: 0, from: -Infinity, to: Infinity, logDensity: () => 0, law: 'exponential' },
  sign: 1,
  from: -Infinity,
  to: Infinity,
  labels: [],
};

/** Losses that have no labels. */
const NEVER: Readonly<Record<LabelKind, Labelling>> = {
  bulk: { labels: [], cut: Infinity, isRestOf: false },
  jump: { labels: null, cut: Infinity, isRestOf: false },
  beyond: { labels: null, cut: Infinity, isRestOf: false },
};

/**
 * Of losses ln g a step is labelled `beyond` with the probability Phi((u - a) / v), and surely from 12 v after a on; of the others
 * `jump` with Phi((u - b) / w). Losses -ln g bear no label.
 */
export function labellingOf(part: SampledPart, rates: RateInDoubles, windows: LossLabels, kind: LabelKind): Labelling {
  if (part.sign < 0) return NEVER[kind];
  const beyond = labelOf(part, rates, windows.beyond);
  const jump = windows.jump && labelOf(part, rates, windows.jump);
  const cut = beyond.place + CUT * beyond.width;
  switch (kind) {
    case 'bulk':
      return { labels: [falling(beyond), ...(jump === null ? [] : [falling(jump)])], cut, isRestOf: false };
    case 'jump':
      return { labels: jump && [falling(beyond), jump], cut, isRestOf: false };
    case 'beyond':
      return { labels: [beyond], cut, isRestOf: true };
  }
}

/** Probabilities of atoms, and of jumps, are left out below e to this. */
export const LEAST = -700;

/**
 * The part of a law that has some labels. Whatever a label is drawn by, it is drawn from the outcome alone, so that the pair of
 * distributions with the label is as far apart as without.
 */
export function labelledLaw(law: SampledLaw, windows: LossLabels, kind: LabelKind): SampledLaw {
  const parts = law.parts.flatMap((part): SampledPart[] => {
    const { labels, cut, isRestOf } = labellingOf(part, law.rates, windows, kind);
    return [
      ...(labels !== null && cut > part.from ? [{ ...part, to: Math.min(part.to, cut), labels }] : []),
      ...(isRestOf && cut < part.to ? [{ ...part, from: Math.max(cut, part.from) }] : []),
    ];
  });
  const along = labellingOf(ALONG_LOSS, law.rates, windows, kind);
  const atoms = law.atoms.flatMap(({ loss, logMass }) => {
    if (!(loss > 0)) return kind === 'bulk' ? [{ loss, logMass }] : [];
    const l = mixtureInverse(law.rates, loss);
    if (l > along.cut) return along.isRestOf ? [{ loss, logMass }] : [];
    if (along.labels === null) return [];
    const log = logMass + logLabels({ labels: along.labels }, l);
    return log > LEAST ? [{ loss, logMass: log }] : [];
  });
  const { beyond, jump } = windows;
  const outside =
    kind === 'bulk' ? Math.exp(logMostLabelled(law, beyond)) + (jump ? Math.exp(logMostLabelled(law, jump)) : 0) : 1;
  return { ...law, atoms, parts, outside };
}

/** A label is less than e^-(7^2 / 2) so many widths before its place. */
const CLEAR = 7;

/** At least ln of the probability of a rising label along a part: of normal noise that of u plus other normal noise above its place. */
function logMostAlong({ rates }: SampledLaw, { base, sign }: SampledPart, { place, width }: Label): number {
  if (sign < 0) return -Infinity;
  const { slope, to, law } = base;
  if (law === 'normal') {
    const wide = Math.hypot(1, width);
    const [q, p] = [logNormalTail(place / wide).upper, logNormalTail((place - slope) / wide).upper];
    return approximateLogSum(Math.log(rates.rest) + q, Math.log(rates.rate) + p);
  }
  // Laplace noise from -to to `to`, under the one law and the other; further from its place a label is less likely than there.
  const from = Math.max(-to, place - CLEAR * width);
  const above =
    from < to ? (rates.rest * Math.exp(-(from + to) / 2) - rates.rate * Math.expm1((from - to) / 2)) / 2 : 0;
  return approximateLogSum(Math.log(above), logNormalTail((place - Math.min(from, to)) / width).upper);
}

/** At least ln of the probability that a loss bears the label of a window. */
export function logMostLabelled(law: SampledLaw, window: LossWindow): number {
  const along = labelOf(ALONG_LOSS, law.rates, window);
  const atoms = law.atoms.reduce((sum, { loss, logMass }) => {
    const label = loss > 0 ? logLabels({ labels: [along] }, mixtureInverse(law.rates, loss)) : -Infinity;
    return approximateLogSum(sum, logMass + label);
  }, -Infinity);
  const parts = law.parts.map((part) => logMostAlong(law, part, labelOf(part, law.rates, window)));
  return parts.reduce(approximateLogSum, atoms) + 1e-9;
}
