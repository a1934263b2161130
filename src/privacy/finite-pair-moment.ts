import { Decimal, toLower, toUpper } from '../numeric/decimal.ts';
import {
  add,
  exponential,
  expm1,
  log1p,
  logarithm,
  maximum,
  multiply,
  subtract,
} from '../numeric/enclosure-arithmetic.ts';
import { enclosure, exactly, type Enclosure } from '../numeric/enclosure.ts';
import { failureOfPair, swapped, type FinitePair } from './finite-pair.ts';
import type { LogMoment } from './log-moment.ts';

/** A finite loss with the probability that it occurs where nothing is revealed. */
interface Atom {
  readonly loss: Enclosure;
  readonly mass: Enclosure;
}

const Down = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_FLOOR });
const Up = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_CEIL });

const quotient = (a: Decimal, b: Decimal): Enclosure =>
  enclosure(toLower(new Decimal(new Down(a).div(b))), toUpper(new Decimal(new Up(a).div(b))));

/** ln(p / q), also near 1. */
function lossOf(p: Decimal, q: Decimal): Enclosure {
  const difference = quotient(p.minus(q), q);
  return Math.abs(difference.lower) < 0.5 ? log1p(difference) : logarithm(quotient(p, q));
}

function atomsOf({ p, q }: FinitePair): readonly Atom[] {
  const survival = new Decimal(1).minus(failureOfPair({ p, q }));
  return p.flatMap((mass, i) => {
    const other = q[i]!;
    return mass.isZero() || other.isZero() ? [] : [{ loss: lossOf(mass, other), mass: quotient(mass, survival) }];
  });
}

/** The finite losses of one direction of a pair. */
export interface FiniteLosses {
  /** ln E[e^(lambda L)], given that nothing is revealed. */
  readonly logMoment: LogMoment;
  /** E[L], given that nothing is revealed. */
  readonly mean: Enclosure;
  readonly smallest: number;
  readonly largest: number;
}

const total = (values: readonly Enclosure[]): Enclosure => values.reduce(add, exactly(0));

/** Where all exponents are this small, their difference from 1 is summed. */
const NEAR = 0.5;

/** The finite losses of a pair as it stands; null where it reveals everything. */
export function finiteLossesOf(pair: FinitePair): FiniteLosses | null {
  const atoms = atomsOf(pair);
  if (atoms.length === 0) return null;
  const largest = Math.max(...atoms.map(({ loss }) => loss.upper));
  const smallest = Math.min(...atoms.map(({ loss }) => loss.lower));
  const farthest = Math.max(Math.abs(largest), Math.abs(smallest));
  return {
    mean: total(atoms.map(({ loss, mass }) => multiply(mass, loss))),
    smallest,
    largest,
    logMoment(lambda) {
      const t = exactly(lambda);
      if (lambda * farthest < NEAR) {
        const excess = total(atoms.map(({ loss, mass }) => multiply(mass, expm1(multiply(t, loss)))));
        return log1p(enclosure(Math.max(-1, excess.lower), excess.upper));
      }
      const top = exactly(largest);
      const rest = atoms.map(({ loss, mass }) => multiply(mass, exponential(multiply(t, subtract(loss, top)))));
      return add(multiply(t, top), logarithm(total(rest)));
    },
  };
}

/** The finite losses of both directions; none where a direction reveals everything. */
export const lossesOfBoth = (pair: FinitePair): readonly FiniteLosses[] =>
  [pair, swapped(pair)].flatMap((each) => finiteLossesOf(each) ?? []);

/**
 * The larger of ln E[e^(lambda L)] over both directions of a finite pair, given that nothing is revealed; what is revealed
 * comes on top as in (e, d)-DP.
 *
 * [derived] Of a composition, with f the largest chance and M the largest moment of either direction,
 * delta <= 1 - prod(1 - f_i) (1 - c e^(-lambda eps) prod M_i), whichever directions are chosen along the way: this holds
 * with nothing left to play, and 1 - (1 - f) a (1 - b M) grows in f and M as long as it is below 1.
 */
export function finitePairMoment(pair: FinitePair): LogMoment {
  const both = lossesOfBoth(pair);
  return (lambda) => both.map(({ logMoment }) => logMoment(lambda)).reduce(maximum, exactly(0));
}
