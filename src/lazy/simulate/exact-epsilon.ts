import type { OutputDistribution } from './output-distribution.ts';

const BISECTIONS = 60;

/** Masses of both laws for everything that either shows. */
function pairs(one: OutputDistribution, other: OutputDistribution): (readonly [p: number, q: number])[] {
  const found = [...one].map(([seen, p]) => [p, other.get(seen) ?? 0] as const);
  for (const [seen, q] of other) if (!one.has(seen)) found.push([0, q]);
  return found;
}

/** The smallest epsilon >= 0 at which two laws are within delta of each other, in both orders; in doubles. */
export function epsilonBetween(one: OutputDistribution, other: OutputDistribution, delta: number): number {
  const masses = pairs(one, other);
  const excess = (epsilon: number): number => {
    const rise = Math.exp(epsilon);
    let [forth, back] = [0, 0];
    for (const [p, q] of masses) {
      forth += Math.max(0, p - rise * q);
      back += Math.max(0, q - rise * p);
    }
    return Math.max(forth, back);
  };
  if (excess(0) <= delta) return 0;
  let most = 0;
  let [alone, onlyOther] = [0, 0];
  for (const [p, q] of masses) {
    if (q === 0) alone += p;
    else if (p === 0) onlyOther += q;
    else most = Math.max(most, Math.abs(Math.log(p / q)));
  }
  if (Math.max(alone, onlyOther) > delta) return Infinity;
  let [below, above] = [0, most];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (below + above) / 2;
    if (excess(middle) > delta) below = middle;
    else above = middle;
  }
  return below;
}
