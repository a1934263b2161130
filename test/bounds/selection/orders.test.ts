import { describe, expect, it } from 'vitest';
import type { BoundId } from '../../../src/bounds/core/bound.ts';
import { ALL_BOUNDS } from '../../../src/bounds/all.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { momentOf } from '../../../src/privacy/mechanisms/records.ts';
import { finitePair, selection } from '../../mechanisms.ts';
import { Random } from '../../soundness/random.ts';
import { bestOf, generating, hockeyStick, LAWS, permutations } from './selection-orders.ts';

/** Probabilities of few digits that sum to 1. */
function distribution(outcomes: number, random: Random): string[] {
  const weights = Array.from({ length: outcomes }, () => random.whole(1, 12));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.slice(1).map((weight) => new Decimal(weight).div(total).toDecimalPlaces(6));
  return [new Decimal(1).minus(shares.reduce((sum, share) => sum.plus(share), new Decimal(0))), ...shares].map(String);
}

const EPSILONS = ['0', '0.2', '0.7', '1.5', '3'];
const effort = { exhausted: () => false };

const curveOf = (id: BoundId, entry: ReturnType<typeof selection>) => {
  const applied = ALL_BOUNDS.find((bound) => bound.id === id)!.apply(
    { entries: [entry], adaptivity: 'adaptive', order: 'any' },
    effort,
  );
  if (!('curve' in applied)) throw new Error(`${id} does not apply`);
  return applied.curve;
};

/** What rounding of doubles may take from an exact delta. */
const ROUNDED = 1e-11;

describe('a selection from a pair of few outcomes, in every order of them', () => {
  const random = new Random(7);
  const pairs = Array.from({ length: 2 }, (_, i) => {
    const outcomes = 3 + i;
    return { p: distribution(outcomes, random), q: distribution(outcomes, random) };
  });

  it.each(LAWS.map((law) => [JSON.stringify(law), law] as const))('%s: loses at most what is claimed', (_, law) => {
    const f = generating(law);
    for (const { p, q } of pairs) {
      const [own, other] = [p.map(Number), q.map(Number)];
      const entry = selection([finitePair(p, q, { direction: 'fixed' })], law);
      const curves = (['selection-profile', 'selection-rdp', 'rdp'] as const).map((id) => curveOf(id, entry));
      const orders = [...permutations([...p.keys()])].map((order) => [bestOf(own, order, f), bestOf(other, order, f)]);
      for (const epsilon of EPSILONS) {
        const most = Math.max(
          ...orders.flatMap(([a, b]) => [hockeyStick(a!, b!, Number(epsilon)), hockeyStick(b!, a!, Number(epsilon))]),
        );
        for (const curve of curves) {
          expect(curve.delta(new Decimal(epsilon)).upper).toBeGreaterThanOrEqual(most - ROUNDED);
        }
      }
    }
  });

  it.each(LAWS.map((law) => [JSON.stringify(law), law] as const))('%s: has at most the moments claimed', (_, law) => {
    const f = generating(law);
    for (const { p, q } of pairs) {
      const [own, other] = [p.map(Number), q.map(Number)];
      const moment = momentOf(selection([finitePair(p, q, { direction: 'fixed' })], law));
      for (const order of permutations([...p.keys()])) {
        const [a, b] = [bestOf(own, order, f), bestOf(other, order, f)];
        for (const lambda of [0.2, 1, 3, 8]) {
          const sums = [
            a.reduce((sum, mass, i) => sum + mass * (mass / b[i]!) ** lambda, f(0)),
            b.reduce((sum, mass, i) => sum + mass * (mass / a[i]!) ** lambda, f(0)),
          ];
          expect(moment(lambda).upper).toBeGreaterThanOrEqual(Math.log(Math.max(...sums)) - ROUNDED);
        }
      }
    }
  });
});
