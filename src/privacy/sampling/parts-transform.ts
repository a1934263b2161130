import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { LineTransform, LogRatio, LossTransform } from '../../numeric/contour/transform.ts';
import { UNKNOWN_LINE } from '../../numeric/contour/unknown-line.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { SampledLaw } from './sampled-law.ts';
import { heightAt, tiltedNodes, type TiltedNodes } from './tilted-nodes.ts';

/** Tilts that are kept. */
const KEPT = 64;
/** The first set of nodes of a tilt serves t up to this, the next ones each up to so many times more. */
const FIRST = 4;
const FACTOR = 2;

/** About as many nodes as a small t takes. */
const TERMS = 100;
/** The atoms' share of so many losses that contours of them end soon is below e^-FADED. */
const FADED = 40;

/** Writes the ratio by nodes that were made for t or more. */
function writeRatio(nodes: TiltedNodes, t: number, ratio: LogRatio): void {
  const { weights, losses, extent, lossOff, weightOff, leveredOff, off, beyond } = nodes;
  let [x, y] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const turn = 0.5 * losses[i]! * t;
    const sine = Math.sin(turn);
    const part = 2 * weights[i]! * sine;
    x -= part * sine;
    y += part * Math.cos(turn);
  }
  const turn = Math.min(3, extent * t);
  const error =
    t * (lossOff + 8 * U * extent + off) +
    2 * Math.min(t * leveredOff, 2 * weightOff) +
    (2 * weights.length + 64) * U * turn +
    2 * beyond;
  writeLogRatio(x, y, error, ratio);
}

/** ln of a bound on the modulus at t and beyond. */
const logMostFrom = ({ still, turning }: TiltedNodes, t: number): number =>
  t > 0 ? Math.min(0, Math.log(still + turning / t) + 1e-12) : 0;

/**
 * The loss of a sampled mechanism that has a density besides atoms, given that it is finite: M(z) = the sum over its atoms of
 * p e^(zL), and the integrals over its parts, by a Gauss-Legendre rule on panels whose errors are bounded (see panelsOf).
 */
export function partsTransform(law: SampledLaw, logSurvival: number): LossTransform {
  const tilts = new LruCache<(level: number) => TiltedNodes | null>(KEPT);
  /** The nodes for t up to FIRST FACTOR^level. */
  const nodesAt = (c: number): ((level: number) => TiltedNodes | null) =>
    tilts.get(String(c), () => {
      const levels: (TiltedNodes | null)[] = [];
      return (level) => {
        const known = levels[level];
        return known === undefined
          ? (levels[level] = tiltedNodes(law, logSurvival, c, FIRST * FACTOR ** level))
          : known;
      };
    });
  const share = law.atoms.reduce((sum, { logMass }) => sum + Math.exp(logMass - logSurvival), 0);
  return {
    terms: TERMS,
    isSlowToDecay: true,
    fewest: share > 0 ? Math.ceil(FADED / -Math.log(Math.min(1, share))) : 0,
    logMoment: (c) => nodesAt(c)(0)?.logMoment ?? { value: heightAt(law, logSurvival, c), error: Infinity },
    on(c): LineTransform {
      const levels = nodesAt(c);
      const first = levels(0);
      if (first === null) return UNKNOWN_LINE;
      const at = (t: number, ratio: LogRatio): void => {
        const level = t <= FIRST ? 0 : Math.ceil(Math.log(t / FIRST) / Math.log(FACTOR) + 1e-9);
        const nodes = levels(level);
        if (nodes === null) {
          ratio.modulus = logMostFrom(first, t);
          ratio.angle = 0;
          ratio.error = Infinity;
        } else {
          writeRatio(nodes, t, ratio);
        }
      };
      const ratio: LogRatio = { modulus: 0, angle: 0, error: 0 };
      return {
        deviation: first.deviation,
        mean: first.mean,
        logMost(t, radius, enough) {
          const beyond = logMostFrom(first, t - radius);
          const change = first.deviation * radius * (1 + 1e-12);
          if (beyond <= enough || change > 0.9) return beyond;
          at(t, ratio);
          const here = Math.exp(ratio.error === Infinity ? ratio.modulus : ratio.modulus + ratio.error) + change;
          return Math.min(beyond, Math.log(here));
        },
        at,
      };
    },
  };
}
