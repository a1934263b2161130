import { writeLogRatio } from '../../numeric/contour/log-ratio.ts';
import type { LineTransform, LogRatio, LossTransform } from '../../numeric/contour/transform.ts';
import { LruCache } from '../../numeric/lru-cache.ts';
import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import type { SampledLaw } from './sampled-law.ts';
import { tiltedNodes, type TiltedNodes } from './tilted-nodes.ts';

/** Tilts that are kept. */
const KEPT = 64;
/** From one set of nodes to the next that serves larger t. */
const FACTOR = 2;
/** The first serves t up to this, over 1 and the power. */
const FIRST = 4;

/** Writes the ratio by nodes that were made for t or more. */
function writeRatio(nodes: TiltedNodes, relative: number, t: number, ratio: LogRatio): void {
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
    (relative + (2 * weights.length + 64) * U) * turn +
    2 * beyond;
  writeLogRatio(x, y, error, ratio);
}

/** Writes that nothing is known. */
function writeUnknown(ratio: LogRatio): void {
  ratio.modulus = ratio.angle = 0;
  ratio.error = Infinity;
}

/**
 * The loss of a sampled mechanism that has a density besides atoms, given that it is finite: M(z) = the sum over its atoms of
 * p e^(zL), and the integrals over its parts, by a Gauss-Legendre rule on panels whose errors are bounded (see panelsOf).
 */
export function partsTransform(law: SampledLaw, logSurvival: number): LossTransform {
  const tilts = new LruCache<(level: number) => TiltedNodes | null>(KEPT);
  const firstReach = (c: number): number => FIRST * (2 + Math.abs(c));
  /** The nodes for t up to FACTOR^level times the first. */
  const nodesAt = (c: number): ((level: number) => TiltedNodes | null) =>
    tilts.get(String(c), () => {
      const levels: (TiltedNodes | null)[] = [];
      return (level) => (levels[level] ??= tiltedNodes(law, logSurvival, c, firstReach(c) * FACTOR ** level));
    });
  return {
    logMoment: (c) => nodesAt(c)(0)?.logMoment ?? { value: 0, error: Infinity },
    on(c): LineTransform {
      const levels = nodesAt(c);
      const first = levels(0);
      const reach = firstReach(c);
      return {
        deviation: first?.deviation ?? Infinity,
        ...(first === null ? {} : { mean: first.mean }),
        at(t, ratio) {
          const level = t <= reach ? 0 : Math.ceil(Math.log(t / reach) / Math.log(FACTOR) + 1e-9);
          const nodes = levels(level);
          if (nodes === null) writeUnknown(ratio);
          else writeRatio(nodes, nodes.logMoment.error, t, ratio);
        },
      };
    },
  };
}
