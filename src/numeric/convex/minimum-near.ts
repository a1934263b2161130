const GOLDEN = (3 - Math.sqrt(5)) / 2;

/** The first step away from where the minimum may be, in ln x; each further one is twice as long. */
const FIRST_STEP = 0.5;

/** Steps after which the best point so far is taken. */
const MOST_STEPS = 60;

interface Point {
  readonly at: number;
  readonly value: number;
}

/** A point inside an interval that is no higher than its two ends. */
interface Valley {
  readonly left: Point;
  readonly lowest: Point;
  readonly right: Point;
}

/** Goes down from a point, with steps that grow, until it goes up again or an end is reached. To the right f may be infinite. */
function valleyNear(look: (at: number) => Point, near: number, low: number, high: number): Valley {
  let lowest = look(Math.min(high, Math.max(low, near)));
  let step = FIRST_STEP;
  for (; lowest.value === Infinity && lowest.at > low; step *= 2) lowest = look(Math.max(low, lowest.at - step));
  step = FIRST_STEP;
  let left = look(Math.max(low, lowest.at - step));
  let right = look(Math.min(high, lowest.at + step));
  while (right.value < lowest.value && right.at < high) {
    [left, lowest, step] = [lowest, right, 2 * step];
    right = look(Math.min(high, lowest.at + step));
  }
  while (left.value < lowest.value && left.at > low) {
    [right, lowest, step] = [lowest, left, 2 * step];
    left = look(Math.max(low, lowest.at - step));
  }
  if (right.value < lowest.value) return { left: lowest, lowest: right, right };
  return left.value < lowest.value ? { left, lowest: left, right: lowest } : { left, lowest, right };
}

/**
 * A point near the minimum of a function of x > 0 that is unimodal in ln x on [from, to], to about this tolerance in ln x, looked
 * for from a point near which it may be: by parabolas through the lowest points, and golden sections where these do not help. For
 * choosing a parameter where any choice is sound: no error bound is given.
 *
 * Source: Brent (1973), Algorithms for Minimization without Derivatives, chapter 5.
 */
export function minimumNear(
  f: (x: number) => number,
  near: number,
  { from, to, tolerance }: { readonly from: number; readonly to: number; readonly tolerance: number },
): number {
  const look = (at: number): Point => ({ at, value: f(Math.exp(at)) });
  const { left, lowest, right } = valleyNear(look, Math.log(near), Math.log(from), Math.log(to));
  let [a, b, best] = [left.at, right.at, lowest];
  let [second, third] = left.value < right.value ? [left, right] : [right, left];
  let [step, before] = [b - a, b - a];
  for (let i = 0; i < MOST_STEPS; i++) {
    const { at: x, value } = best;
    const middle = (a + b) / 2;
    if (Math.abs(x - middle) <= 2 * tolerance - (b - a) / 2) break;
    const r = (x - second.at) * (value - third.value);
    const q = (x - third.at) * (value - second.value);
    const parabolic = ((x - second.at) * r - (x - third.at) * q) / (2 * (q - r));
    const isInside = x + parabolic > a + tolerance && x + parabolic < b - tolerance;
    if (isInside && Math.abs(parabolic) < Math.abs(before) / 2) [before, step] = [step, parabolic];
    else {
      before = x < middle ? b - x : a - x;
      step = GOLDEN * before;
    }
    const next = look(x + (Math.abs(step) >= tolerance ? step : Math.sign(step) * tolerance));
    if (next.value <= value) {
      if (next.at < x) b = x;
      else a = x;
      [third, second, best] = [second, best, next];
      continue;
    }
    if (next.at < x) a = next.at;
    else b = next.at;
    if (next.value <= second.value || second.at === x) [third, second] = [second, next];
    else if (next.value <= third.value || third.at === x || third.at === second.at) third = next;
  }
  return Math.exp(best.at);
}
