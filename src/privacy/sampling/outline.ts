import type { About, LossLabels } from '../../numeric/contour/transform.ts';
import { approximateLogSum } from '../../numeric/enclosure-arithmetic.ts';
import type { LogAtom } from '../transform/atoms.ts';
import { ALONG_LOSS, labellingOf, type LabelKind, type Labelling } from './labels.ts';
import { logMixture, mixtureInverse, type Label, type SampledLaw } from './sampled-law.ts';

/** A loss at places that stand for all, with ln of their probabilities: for a first look, without a bound on what is off. */
export class Outline {
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
    this.#law = law;
    this.#losses = losses;
    this.#logs = logs;
    this.#places = places;
    this.#starts = starts;
  }

  /** Of a whole law, given that the loss is finite. */
  static of(law: SampledLaw, logSurvival: number): Outline {
    const [losses, logs, places]: [number[], number[], number[]] = [[], [], []];
    for (const { loss, logMass } of thinned(law.atoms)) {
      losses.push(loss);
      logs.push(logMass - logSurvival);
      places.push(loss > 0 ? mixtureInverse(law.rates, loss) : -Infinity);
    }
    const starts = law.parts.map((part) => {
      const start = losses.length;
      const { base, sign } = part;
      const { slope, shift, law: kind } = base;
      const isNormal = kind === 'normal';
      const [low, high] = sign > 0 ? [-NEAR, FAR + slope] : [-FAR, NEAR];
      const from = isNormal ? Math.max(part.from, low) : part.from;
      const to = isNormal ? Math.min(part.to, high) : part.to;
      const step = isNormal ? Math.min(STEP, 0.9 / Math.sqrt(1 + 20 * slope)) : (to - from) / POINTS;
      const points = Math.ceil((to - from) / step);
      const h = (to - from) / points;
      for (let i = 0; i < points; i++) {
        const u = from + (i + 0.5) * h;
        const log = logMixture(law.rates, slope * u + shift);
        losses.push(sign * log);
        logs.push(base.logDensity(u) + (sign > 0 ? log : 0) + Math.log(h) - logSurvival);
        places.push(u);
      }
      return start;
    });
    const [a, b, c] = [losses, logs, places].map((list) => Float64Array.from(list));
    return new Outline(law, a!, b!, c!, starts);
  }

  /** What of it has some labels. */
  labelled(windows: LossLabels, kind: LabelKind): Outline {
    const logs = new Float64Array(this.#logs.length);
    const along = [ALONG_LOSS, ...this.#law.parts].map((part) => labellingOf(part, this.#law.rates, windows, kind));
    const ends = [...this.#starts, logs.length];
    let i = 0;
    along.forEach((labelling, at) => {
      for (; i < ends[at]!; i++) {
        const u = this.#places[i]!;
        const log = u === -Infinity ? (kind === 'bulk' ? 0 : -Infinity) : aboutLabelling(labelling, u);
        logs[i] = this.#logs[i]! + log;
      }
    });
    return new Outline(this.#law, this.#losses, logs, this.#places, this.#starts);
  }

  /** About ln E[e^(cL)], its slope and its curvature. */
  about(c: number): About {
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

/** What is exceeded by so many is typical. */
const TYPICAL = 0.3;
/** Of more atoms than this some that follow each other are one. */
const MANY_ATOMS = 1000;

function thinned(atoms: readonly LogAtom[]): readonly LogAtom[] {
  const each = Math.ceil(atoms.length / MANY_ATOMS);
  if (each <= 1) return atoms;
  return Array.from({ length: Math.ceil(atoms.length / each) }, (_, i) => {
    const some = atoms.slice(i * each, (i + 1) * each);
    const logMass = some.reduce((sum, atom) => approximateLogSum(sum, atom.logMass), -Infinity);
    return { loss: some[some.length >> 1]!.loss, logMass };
  });
}

/** Beyond so many deviations there is nothing, also where losses are tilted. */
const FAR = 40;
const NEAR = 12.5;
const STEP = 0.4;
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
