import { exactly, type Enclosure } from '../../numeric/enclosure.ts';
import { bracketRoot } from '../../numeric/bracket-root.ts';

/** Where does one end of a decreasing function cross a target? */
export interface CertainCrossing {
  /** Whether x is certainly on the side that is looked for. */
  readonly holds: (x: number) => boolean;
  /** About how far the function is above its target. */
  readonly excess: (x: number) => number;
  /** `holds` at the end that is returned where nothing better is found: `to` for 'upper', `from` for 'lower'. */
  readonly from: number;
  readonly to: number;
}

/** The first step from where doubles have the crossing, relatively, and how it grows. */
const FIRST_STEP = 2 ** -46;
const GROWTH = 8;

/** A step that had to be larger than this is halved again: doubles were far from the crossing. */
const LARGE_STEP = 2 ** -36;
const HALVINGS = 24;

/**
 * The least x found at which the function is certainly at most the target ('upper'), or the largest at which it is
 * certainly above ('lower'): from the crossing in doubles, which may be anywhere, steps outward until it is certain.
 */
export function certainCrossing({ holds, excess, from, to }: CertainCrossing, end: 'upper' | 'lower'): number {
  const evaluate = (x: number): Enclosure => exactly(excess(x));
  const about = bracketRoot({ evaluate, target: exactly(0), from, to, start: (from + to) / 2 });
  const [outward, limit] = end === 'upper' ? [1, to] : [-1, from];
  const centre = Math.max(from, Math.min(to, end === 'upper' ? about.upper : about.lower));
  const scale = Math.max(centre, to * Number.EPSILON, Number.MIN_VALUE);
  let inside = centre;
  for (let step = FIRST_STEP; ; step *= GROWTH) {
    const x = centre + outward * step * scale;
    const beyond = outward > 0 ? x >= limit : x <= limit;
    if (!beyond && !holds(x)) {
      inside = x;
      continue;
    }
    let found = beyond ? limit : x;
    for (let i = 0; step > LARGE_STEP && i < HALVINGS; i++) {
      const middle = inside + (found - inside) / 2;
      if (holds(middle)) found = middle;
      else inside = middle;
    }
    return found;
  }
}
