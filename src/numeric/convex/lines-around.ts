import { nextDown, nextUp, UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Enclosure } from '../enclosure.ts';

/** A place k > 0, and what encloses the curve there. */
export interface CurvePoint {
  readonly k: number;
  readonly value: Enclosure;
}

/** Points (x - k)+ of masses: sum over j of masses[j] (places[j] - k)+ + beyond. */
export interface ConvexLaw {
  readonly places: Float64Array;
  readonly masses: Float64Array;
  /** A mean at infinity. */
  readonly beyond: number;
  /** Bounds the relative error of the curve that masses add up to. */
  readonly error: number;
}

interface Vertex {
  readonly k: number;
  readonly height: number;
}

/** Of corners in ascending order, those of the largest convex function below them, with the slopes between. */
function hullOf(corners: readonly Vertex[]): {
  readonly vertices: readonly Vertex[];
  readonly slopes: readonly number[];
} {
  const [vertices, slopes]: [Vertex[], number[]] = [[], []];
  for (const corner of corners) {
    for (;;) {
      const last = vertices.at(-1);
      if (last === undefined) break;
      const slope = (corner.height - last.height) / (corner.k - last.k);
      if (slopes.length === 0 || slope > slopes.at(-1)!) {
        slopes.push(slope);
        break;
      }
      vertices.pop();
      slopes.pop();
    }
    vertices.push(corner);
  }
  return { vertices, slopes };
}

/** The changes of slope at the vertices after the first; after the last the slope is 0. */
function lawOf(corners: readonly Vertex[], beyond: number): ConvexLaw {
  const { vertices, slopes } = hullOf(corners);
  const falling = slopes.filter((slope) => slope < 0);
  return {
    places: Float64Array.from(falling, (_, j) => vertices[j + 1]!.k),
    masses: Float64Array.from(falling, (slope, j) => (falling[j + 1] ?? 0) - slope),
    beyond,
    error: (8 * corners.length + 64) * U,
  };
}

/**
 * A convex curve that is at least the one through points in ascending order, which falls and is `first` at 0.
 *
 * The largest convex function below upper ends is at least any that is below them.
 */
export function chordsAbove(first: Enclosure, points: readonly CurvePoint[]): ConvexLaw {
  const corners = points.map(({ k, value }) => ({ k, height: value.upper }));
  return lawOf([{ k: 0, height: first.upper }, ...corners], Math.max(0, corners.at(-1)!.height));
}

/** A line through two points, of which what is further off is an upper end. */
interface Line {
  readonly at: number;
  readonly height: number;
  readonly slope: number;
}

const heightAt = ({ at, height, slope }: Line, k: number): number => {
  const rise = slope * (k - at);
  return height + rise - 64 * U * (Math.abs(height) + Math.abs(rise));
};

/**
 * A convex curve that is at most the one through points in ascending order, which is `first` at 0 and falls at most by `steepest`
 * there.
 *
 * Between two points it is above the chords beside them, prolonged; the largest convex function below where those meet, and below the points,
 * is below them everywhere.
 */
export function chordsBelow(first: Enclosure, steepest: number, points: readonly CurvePoint[]): ConvexLaw {
  const corners: Vertex[] = [{ k: 0, height: first.lower }];
  const lowest = ({ value }: CurvePoint): number => Math.max(0, value.lower);
  /** The line through the j-th point and the one before. */
  const before = (j: number): Line => {
    if (j < 0) return { at: 0, height: first.lower, slope: -nextUp(steepest) };
    const [{ k }, height] = [points[j]!, lowest(points[j]!)];
    const other = points[j - 1];
    const span = k - (other?.k ?? 0);
    return { at: k, height, slope: Math.min(0, nextDown((height - (other?.value.upper ?? first.upper)) / span)) };
  };
  const after = (j: number): Line => {
    const [{ k }, height] = [points[j]!, lowest(points[j]!)];
    const other = points[j + 1];
    return {
      at: k,
      height,
      slope: other === undefined ? 0 : Math.min(0, nextUp((other.value.upper - height) / (other.k - k))),
    };
  };
  for (let j = -1; j + 1 < points.length; j++) {
    const [left, right] = [before(j), after(j + 1)];
    const [from, to] = [left.at, right.at];
    const meeting = (right.height - left.height + left.slope * from - right.slope * to) / (left.slope - right.slope);
    const k = meeting > from && meeting < to ? meeting : (from + to) / 2;
    corners.push({ k, height: Math.min(heightAt(left, k), heightAt(right, k)) }, { k: to, height: right.height });
  }
  const end = before(points.length - 1);
  if (end.slope < 0) corners.push({ k: nextDown(end.at - end.height / end.slope), height: 0 });
  return lawOf(throughZero(corners), 0);
}

/** The corners as far as they are above 0, and where the curve comes to it. */
function throughZero(corners: readonly Vertex[]): readonly Vertex[] {
  const { vertices } = hullOf(corners);
  const end = vertices.findIndex(({ height }) => !(height > 0));
  if (end <= 0) return [{ k: 0, height: 0 }];
  const [a, b] = [vertices[end - 1]!, vertices[end]!];
  const k = a.k + ((b.k - a.k) * a.height) / (a.height - b.height);
  return [...vertices.slice(0, end), { k: Math.max(k * (1 - 4 * U), nextUp(a.k)), height: 0 }];
}
