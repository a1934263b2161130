import type { LossLabels, LossWindow, About } from '../../numeric/contour/transform.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { logNormalTail } from '../../numeric/normal.ts';
import type { LogAtom } from '../atoms-transform.ts';
import { degreeOf, logOwn, logRatio, mixtureInverse, placeOf, ratioOf, type Ratio } from './ratio.ts';
import type { Label, SampledLaw, SampledPart } from './sampled-law.ts';
import { logLabels } from './tilted-part.ts';

/** Tilts at which an outline is kept. */
const MOST_TILTS = 64;

/** A loss at places that stand for all, with ln of their probabilities: for a first look, without a bound on what is off. */
export class Outline {
  readonly #losses: Float64Array;
  readonly #logs: Float64Array;
  readonly #about = new LruCache<About>(MOST_TILTS);

  constructor(losses: Float64Array, logs: Float64Array) {
    this.#losses = losses;
    this.#logs = logs;
  }

  /** About ln E[e^(cL)], its slope and its curvature. */
  about(c: number): About {
    return this.#about.get(String(c), () => this.#aboutAt(c));
  }

  #aboutAt(c: number): About {
    const [losses, logs] = [this.#losses, this.#logs];
    let top = -Infinity;
    for (let i = 0; i < losses.length; i++) {
      const log = logs[i]! + c * losses[i]!;
      if (log > top) top = log;
    }
    if (top === -Infinity) return { value: top, mean: 0, variance: 0 };
    let [sum, first, second] = [0, 0, 0];
    for (let i = 0; i < losses.length; i++) {
      const loss = losses[i]!;
      const log = logs[i]! + c * loss - top;
      if (log < NEGLIGIBLE) continue;
      const weight = Math.exp(log);
      sum += weight;
      first += weight * loss;
      second += weight * loss * loss;
    }
    const mean = first / sum;
    return { value: top + Math.log(sum), mean, variance: Math.max(0, second / sum - mean * mean) };
  }

  /**
   * What is exceeded, up to its sign, by 3 in 10 of the losses; where fewer than half are not 0 by 3 in 10 of those, times the root of
   * their share.
   */
  typical(): number {
    const different = this.#losses.reduce((sum, loss, i) => (loss === 0 ? sum : sum + Math.exp(this.#logs[i]!)), 0);
    const share = different < 0.5 ? different : 1;
    const order = [...this.#losses.keys()].sort((a, b) => Math.abs(this.#losses[b]!) - Math.abs(this.#losses[a]!));
    let sum = 0;
    for (const i of order) {
      sum += Math.exp(this.#logs[i]!);
      if (sum > TYPICAL * share) return Math.abs(this.#losses[i]!) * Math.sqrt(share);
    }
    return 0;
  }
}

/** The outline of a whole law, of which those of its labelled parts are made. */
export class LawOutline extends Outline {
  readonly #law: SampledLaw;
  readonly #losses: Float64Array;
  readonly #logs: Float64Array;
  /** Where they lie along their part (atoms: the l of a loss ln g), and where parts begin among them. */
  readonly #places: Float64Array;
  readonly #starts: readonly number[];

  private constructor(
    law: SampledLaw,
    losses: Float64Array,
    logs: Float64Array,
    places: Float64Array,
    starts: readonly number[],
  ) {
    super(losses, logs);
    this.#law = law;
    this.#losses = losses;
    this.#logs = logs;
    this.#places = places;
    this.#starts = starts;
  }

  /** Of a whole law, given that the loss is finite. */
  static of(law: SampledLaw, logSurvival: number): LawOutline {
    const [losses, logs, places]: [number[], number[], number[]] = [[], [], []];
    for (const { loss, logMass } of thinned(law.atoms)) {
      losses.push(loss);
      logs.push(logMass - logSurvival);
      places.push(loss > 0 ? mixtureInverse(law.rates, loss) : -Infinity);
    }
    const starts = law.parts.map((part) => {
      const start = losses.length;
      const { base, sign } = part;
      const { slope, law: kind } = base;
      const isNormal = kind === 'normal';
      const { own, other } = law.ratio;
      const reach = other.length > 0 ? FAR + slope * degreeOf(other) : NEAR;
      const [low, high] = sign > 0 ? [-reach, FAR + slope * degreeOf(own)] : [-FAR, NEAR];
      const from = isNormal ? Math.max(part.from, low) : part.from;
      const to = isNormal ? Math.min(part.to, high) : part.to;
      const step = isNormal ? Math.min(STEP, 0.9 / Math.sqrt(1 + 20 * slope)) : (to - from) / POINTS;
      const points = Math.min(MOST_POINTS, Math.ceil((to - from) / step));
      const h = (to - from) / points;
      for (let i = 0; i < points; i++) {
        const u = from + (i + 0.5) * h;
        losses.push(sign * logRatio(law.ratio, base, u));
        logs.push(base.logDensity(u) + (sign > 0 ? logOwn(law.ratio, base, u) : 0) + Math.log(h) - logSurvival);
        places.push(u);
      }
      return start;
    });
    const [a, b, c] = [losses, logs, places].map((list) => Float64Array.from(list));
    return new LawOutline(law, a!, b!, c!, starts);
  }

  /** What of it has some labels. */
  labelled(windows: LossLabels, kind: LabelKind): Outline {
    const { parts, ratio } = this.#law;
    const along = [
      labellingOf(ALONG_LOSS, alongLoss(this.#law), windows, kind),
      ...parts.map((part) => labellingOf(part, ratio, windows, kind)),
    ];
    const ends = [...this.#starts, this.#logs.length];
    const [losses, logs] = [new Float64Array(this.#logs.length), new Float64Array(this.#logs.length)];
    let [i, size] = [0, 0];
    along.forEach((labelling, at) => {
      for (; i < ends[at]!; i++) {
        const u = this.#places[i]!;
        const log = u === -Infinity ? (kind === 'bulk' ? 0 : -Infinity) : aboutLabelling(labelling, u);
        if (log === -Infinity) continue;
        losses[size] = this.#losses[i]!;
        logs[size++] = this.#logs[i]! + log;
      }
    });
    return new Outline(losses.subarray(0, size), logs.subarray(0, size));
  }
}

/** What is exceeded by so many is typical. */
const TYPICAL = 0.3;
/** Of more atoms than this some that follow each other are one. */
const MANY_ATOMS = 1000;

function thinned(atoms: readonly LogAtom[]): readonly LogAtom[] {
  const groupSize = Math.ceil(atoms.length / MANY_ATOMS);
  if (groupSize <= 1) return atoms;
  return Array.from({ length: Math.ceil(atoms.length / groupSize) }, (_, i) => {
    const some = atoms.slice(i * groupSize, (i + 1) * groupSize);
    const logMass = some.reduce((sum, atom) => approximateLogSum(sum, atom.logMass), -Infinity);
    return { loss: some[some.length >> 1]!.loss, logMass };
  });
}

/** Beyond so many deviations there is nothing, also where losses are tilted. */
const FAR = 40;
const NEAR = 12.5;
const STEP = 0.4;
/** Along noise that is small beside what is added they are farther apart. */
const MOST_POINTS = 1 << 16;
const POINTS = 128;
/** Weights below e to this are not added. */
const NEGLIGIBLE = -45;

/** About ln of a label: the Mills ratio is within 1 in 100 of 4 / (3 x + sqrt(x^2 + 8)). */
function aboutLabel({ place, width, rises }: Label, u: number): number {
  const x = (rises ? u - place : place - u) / width;
  if (x > 7) return 0;
  const tail = -0.5 * x * x + Math.log(1.5957691 / (3 * Math.abs(x) + Math.sqrt(x * x + 8)));
  return x < 0 ? tail : Math.log1p(-Math.exp(tail));
}

function aboutLabelling({ labels, cut, isRestOf }: Labelling, u: number): number {
  if (u > cut) return isRestOf ? 0 : -Infinity;
  return labels === null ? -Infinity : labels.reduce((sum, label) => sum + aboutLabel(label, u), 0);
}

/** What has some labels: neither of the two, jump and not beyond, or beyond. */
export type LabelKind = 'bulk' | 'jump' | 'beyond';

/** How a part is labelled: by these up to a place, and from there on as `beyond`. */
interface Labelling {
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
function labelOf({ base }: SampledPart, ratio: Ratio, { from, to }: LossWindow): Label {
  const { slope, law } = base;
  const [a, b] = [placeOf(ratio, base, from), placeOf(ratio, base, to)];
  const unit = law === 'normal' ? 1 : 1 / slope;
  const width = Math.min(WIDEST * unit, Math.max((b - a) / (2 * SIDE), NARROWEST * Math.min(unit, STEEP / slope)));
  return { place: a + SIDE * width, width, rises: true };
}

const falling = (label: Label): Label => ({ ...label, rises: false });

/** Atoms lie along a part of which the loss l itself is the parameter. */
const ALONG_LOSS: SampledPart = {
  base: { slope: 1, shift: 0, from: -Infinity, to: Infinity, logDensity: () => 0, law: 'exponential' },
  sign: 1,
  from: -Infinity,
  to: Infinity,
  labels: [],
};

/** The ratio along it. */
const alongLoss = ({ rates }: SampledLaw): Ratio => ratioOf(rates);

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
function labellingOf(part: SampledPart, ratio: Ratio, windows: LossLabels, kind: LabelKind): Labelling {
  if (part.sign < 0) return NEVER[kind];
  const beyond = labelOf(part, ratio, windows.beyond);
  const jump = windows.jump && labelOf(part, ratio, windows.jump);
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

/** Probabilities of atoms, of jumps, and of noise far out are left out below e to this. */
export const LEAST = -700;
/** Normal noise is further out than so many deviations with a smaller probability. */
const FARTHEST = 38;

/** Where a part of what is not beyond ends: far out a tilt would find what next to never happens. */
const endOf = ({ base: { law, slope }, to }: SampledPart, { own }: Ratio): number =>
  law === 'normal' ? Math.min(to, FARTHEST + slope * degreeOf(own)) : to;

/**
 * The part of a law that has some labels. Whatever a label is drawn by, it is drawn from the outcome alone, so that the pair of
 * distributions with the label is as far apart as without.
 */
export function labelledLaw(law: SampledLaw, windows: LossLabels, kind: LabelKind): SampledLaw {
  const parts = law.parts.flatMap((part): SampledPart[] => {
    const { labels, cut, isRestOf } = labellingOf(part, law.ratio, windows, kind);
    const to = Math.min(cut, isRestOf ? part.to : endOf(part, law.ratio));
    return [
      ...(labels !== null && to > part.from ? [{ ...part, to, labels }] : []),
      ...(isRestOf && cut < part.to ? [{ ...part, from: Math.max(cut, part.from) }] : []),
    ];
  });
  const along = labellingOf(ALONG_LOSS, alongLoss(law), windows, kind);
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
function logMostAlong({ rates, ratio }: SampledLaw, { base, sign }: SampledPart, { place, width }: Label): number {
  if (sign < 0) return -Infinity;
  const { slope, to, law } = base;
  if (law === 'normal') {
    const wide = Math.hypot(1, width);
    return ratio.logWeights
      .map((logWeight, m) => logWeight + logNormalTail((place - m * slope) / wide).upper)
      .reduce(approximateLogSum);
  }
  // Laplace noise from -to to `to`, under the one law and the other; further from its place a label is less likely than there.
  const from = Math.max(-to, place - CLEAR * width);
  const above =
    from < to ? (rates.rest * Math.exp(-(from + to) / 2) - rates.rate * Math.expm1((from - to) / 2)) / 2 : 0;
  return approximateLogSum(Math.log(above), logNormalTail((place - Math.min(from, to)) / width).upper);
}

/** At least ln of the probability that a loss bears the label of a window. */
export function logMostLabelled(law: SampledLaw, window: LossWindow): number {
  const along = labelOf(ALONG_LOSS, alongLoss(law), window);
  const atoms = law.atoms.reduce((sum, { loss, logMass }) => {
    const label = loss > 0 ? logLabels({ labels: [along] }, mixtureInverse(law.rates, loss)) : -Infinity;
    return approximateLogSum(sum, logMass + label);
  }, -Infinity);
  const parts = law.parts.map((part) => logMostAlong(law, part, labelOf(part, law.ratio, window)));
  return parts.reduce(approximateLogSum, atoms) + 1e-9;
}
