import { Decimal, decimalFromDouble } from '../decimal.ts';
import { difference, fromDecimal, scaled, sum, toDouble, type DoubleDouble } from '../double-double.ts';
import { Rational } from '../rational.ts';
import { leadingDigits } from '../rounding.ts';
import type { ComposedLoss, LossLattice } from './composed-loss.ts';
import type { Grid, Kernel, Complex } from './nodes.ts';

/**
 * The kernel of the curve, 1 / (z (z + 1)), with smoothing by normal noise of variance `smoothing`, which bounds it on both
 * sides. First, from above: e^(v z (z+1) / 2) / (z (z + 1)), the curve composed with a Gaussian mechanism of mu^2 = v. Second,
 * from below: e^(v z^2 / 2) / z - e^(v (z+1)^2 / 2) / (z + 1), what a test of the loss plus noise gains.
 *
 * The second is e^(v z^2 / 2) (1 - z (e^w - 1)) / (z (z + 1)), w = v (z + 1/2).
 */
function smoothKernel(c: number, smoothing: number): Kernel {
  const v = smoothing;
  const raised = Math.exp((v * (1 + Math.abs(c)) ** 2) / 2);
  const [raisedAbove, raisedBelow] = [Math.exp((v * c * (c + 1)) / 2), Math.exp((v * c * c) / 2)];
  // e^w - 1 at t = 0
  const grown = Math.expm1(v * (c + 0.5));
  return {
    isOne: v === 0,
    at(t, factors) {
      // 1 / (z (z + 1))
      const [re, im] = [c * (c + 1) - t * t, (2 * c + 1) * t];
      const square = re * re + im * im;
      const [inverseRe, inverseIm] = [re / square, -im / square];
      const plain = 1 / Math.sqrt(square);
      if (v === 0) {
        factors.first.re = inverseRe;
        factors.first.im = inverseIm;
        factors.bound = plain;
        return;
      }
      const decay = Math.exp((-v * t * t) / 2);
      const [cos, sin] = [Math.cos((v * t) / 2), Math.sin((v * t) / 2)];
      const [cosTilt, sinTilt] = [Math.cos(v * c * t), Math.sin(v * c * t)];
      const above = raisedAbove * decay;
      const [aboveRe, aboveIm] = [above * (cos * cosTilt - sin * sinTilt), above * (sin * cosTilt + cos * sinTilt)];
      factors.first.re = inverseRe * aboveRe - inverseIm * aboveIm;
      factors.first.im = inverseRe * aboveIm + inverseIm * aboveRe;
      const below = raisedBelow * decay;
      const [leastRe, leastIm] = [grown - 2 * (1 + grown) * sin * sin, 2 * (1 + grown) * sin * cos];
      const [gainRe, gainIm] = [1 - (c * leastRe - t * leastIm), -(c * leastIm + t * leastRe)];
      const [quotientRe, quotientIm] = [
        gainRe * inverseRe - gainIm * inverseIm,
        gainRe * inverseIm + gainIm * inverseRe,
      ];
      factors.second.re = below * (quotientRe * cosTilt - quotientIm * sinTilt);
      factors.second.im = below * (quotientRe * sinTilt + quotientIm * cosTilt);
      const size = 1 + (Math.abs(c) + t) * (Math.abs(leastRe) + Math.abs(leastIm));
      // Exponents and turns are off by few roundings of themselves.
      factors.bound = plain * Math.max(above, below * size) * (1 + v * (c * c + t * t + Math.abs(c) * (1 + t)));
    },
    bound: (t) => raised * Math.exp((-v * t * t) / 2) * (1 / (t * t) + v * (1 + 1 / t)) * (1 + 1e-9),
  };
}

/** 1 / (1 - e^-(a + ib)) u: real and imaginary part. */
function writeSeries(a: number, b: number, u: number, factor: Complex): number {
  const decay = Math.exp(-a);
  const half = Math.sin(b / 2);
  const [re, im] = [-Math.expm1(-a) + 2 * decay * half * half, decay * Math.sin(b)];
  const square = re * re + im * im;
  factor.re = (u * re) / square;
  factor.im = (-u * im) / square;
  return u / Math.sqrt(square);
}

/**
 * The kernels of a curve whose losses are u apart. Where the next loss is d > 0 beyond epsilon, the curve is
 * the sum over losses l = epsilon + d + mu, m >= 0, of their probability times 1 - e^(epsilon - l): first, of the 1,
 * u / (1 - e^(-zu)); second, of what is e^-d times u / (1 - e^(-(z+1)u)).
 */
function latticeKernel(c: number, u: number): Kernel {
  /** |1 - e^(-(a + ib))|, which grows with b up to half a turn. */
  const distance = (a: number, b: number): number =>
    Math.hypot(Math.expm1(-a), 2 * Math.exp(-a / 2) * Math.sin(Math.min(Math.PI, b) / 2));
  return {
    isOne: false,
    at(t, factors) {
      const firstSize = writeSeries(c * u, t * u, u, factors.first);
      const secondSize = writeSeries((c + 1) * u, t * u, u, factors.second);
      // Turns are off by few roundings of themselves, and so are they relative to their distance from a whole one.
      factors.bound = 4 * (firstSize + secondSize);
    },
    bound: (t) => u * (1 / distance(c * u, t * u) + 1 / distance((c + 1) * u, t * u)) * (1 + 1e-9),
  };
}

/** How the sums of a contour become the curve at an epsilon. */
export interface Reading {
  /** Where the terms are turned to: the epsilon, or the first loss of a lattice beyond it. */
  readonly place: DoubleDouble;
  /** How much of the second sum is taken off the first, NaN where it is not known; null where they are the two ends of the curve. */
  readonly share: number | null;
}

/** Where nodes are, and what is made of them. */
export interface Quadrature {
  readonly grid: Grid & { readonly period: number };
  readonly kernel: Kernel;
  /** Bounds the terms beyond the last node. */
  readonly beyond: number;
  /** A bound on what else may be left out. */
  readonly negligible: number;
  readonly read: (epsilon: DoubleDouble) => Reading;
}

/** The width and the errors that a quadrature is to reach. */
interface Aim {
  /** The width that is asked, relative, over |c (c + 1)|. */
  readonly width: number;
  /** An error small enough, relative to e^(K(c) - c epsilon), where there is smoothing. */
  readonly negligible: number;
  /** The same where the nodes are exact, so that all that is left out and rounding make the width. */
  readonly slack: number;
  /** Whether exact nodes were too many. */
  readonly smoothed: boolean;
  /** Where moments fall without noise: bounds the terms beyond t; else null. */
  readonly cut: ((t: number) => number) | null;
  /** How much of those may be cut off. */
  readonly cutShare: number;
}

/** More nodes than this are not laid out, whatever width is asked. */
const MOST_NODES = 2 ** 26;
/** Where noise ends the sum after so many nodes, nothing is smoothed. */
const FEW_NODES = 2000;
/** How closely it is looked for the last node. */
const CLOSE = 0.02;
/** Of so few digits, multiples of a step are exact, and like losses have the same. */
const STEP_DIGITS = 5;
/** A lattice is worth as many more nodes, as it is exact. */
const WORTH = 8;

/** The first node, about, after which no more than `share` is left. */
function lastNode(h: number, beyond: (t: number) => number, share: number): number {
  let [low, last] = [4, 4];
  while (beyond(last * h) > share && last < 2 * MOST_NODES) [low, last] = [last, 2 * last];
  while (last - low > 1 + CLOSE * last) {
    const middle = Math.ceil((low + last) / 2);
    if (beyond(middle * h) > share) low = middle;
    else last = middle;
  }
  return last;
}

function smoothQuadrature({ muSquared }: ComposedLoss, c: number, period: number, aim: Aim): Quadrature {
  const { width, negligible, slack, cut, cutShare } = aim;
  const h = leadingDigits((2 * Math.PI) / period, STEP_DIGITS);
  const decay = 2 * Math.log(1 / negligible + 10);
  const own: number = muSquared.lower;
  const allowance = 0.5 * width;
  const plain = Math.sqrt(decay / own) / h;
  const smoothed = Math.sqrt(decay / (own + allowance)) / h;
  const isExact = !aim.smoothed && (plain <= FEW_NODES || plain <= 3 * smoothed);
  const smoothing = isExact ? 0 : Math.max(allowance, decay / (h * MOST_NODES) ** 2 - own);
  const smooth = smoothKernel(c, smoothing);
  const share = isExact ? slack : negligible;
  const total = own + smoothing;
  // Terms fall, so that their sum is at most an integral.
  const beyond = (t: number): number => (smooth.bound(t) * Math.exp((-own * t * t) / 2)) / (Math.PI * total * t);
  const [last, lastOfCut] = [lastNode(h, beyond, share), cut === null ? Infinity : lastNode(h, cut, cutShare)];
  const grid = { h, period: ((2 * Math.PI) / h) * (1 - 1e-15) };
  const isCut = cut !== null && lastOfCut < last;
  return {
    grid: { ...grid, last: isCut ? lastOfCut : last },
    kernel: isCut ? smoothKernel(c, 0) : smooth,
    beyond: (isCut ? cut(lastOfCut * h) : beyond(last * h)) * (1 + 1e-9),
    negligible: isCut ? negligible : share,
    read: (place) => ({ place, share: null }),
  };
}

const Wide = Decimal.clone({ precision: 60 });
const asDecimal = ({ numerator, denominator }: Rational): Decimal =>
  new Decimal(new Wide(numerator.toString()).div(denominator.toString()));
const ofDouble = (x: DoubleDouble): Rational =>
  Rational.ofDecimal(decimalFromDouble(x.high)).plus(Rational.ofDecimal(decimalFromDouble(x.low)));

/** Quotients nearer to a whole number than this, over their size, are not rounded down as doubles. */
const CLEAR = 1e-14;

/** The largest whole number at most x. */
function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

function latticeQuadrature({ unit, offset }: LossLattice, c: number, period: number, { slack }: Aim): Quadrature {
  const u = asDecimal(unit).toNumber();
  const half = Math.max(1, Math.ceil(period / u / 2));
  const size = 2 * half + 1;
  const near = { unit: fromDecimal(asDecimal(unit)), offset: fromDecimal(asDecimal(offset)) };
  /** How many units the first loss beyond x is from the offset; in doubles unless it is too close to call. */
  const stepsBeyond = (x: DoubleDouble): number => {
    const place = toDouble(difference(x, near.offset)) / toDouble(near.unit);
    const whole = Math.floor(place);
    const isClear = Math.min(place - whole, whole + 1 - place) > CLEAR * (1 + Math.abs(place));
    return 1 + (isClear ? whole : Number(floor(ofDouble(x).minus(offset).over(unit))));
  };
  return {
    grid: { h: (2 * Math.PI) / (size * u), last: half, period: size * u * (1 - 1e-15) },
    kernel: latticeKernel(c, u),
    beyond: 0,
    negligible: slack,
    read(x) {
      const steps = stepsBeyond(x);
      const place = sum(scaled(near.unit, steps), near.offset);
      const isKnown = Number.isSafeInteger(steps);
      return { place, share: isKnown ? Math.exp(-toDouble(difference(place, x))) : NaN };
    },
  };
}

/** Nodes by which a curve is found: those of its lattice, where it has one that is not much finer than what is asked. */
export function quadratureFor(loss: ComposedLoss, c: number, period: number, aim: Aim): Quadrature {
  const smooth = smoothQuadrature(loss, c, period, aim);
  const { lattice } = loss;
  if (lattice === null || aim.smoothed || loss.muSquared.upper > 0) return smooth;
  const u = asDecimal(lattice.unit).toNumber();
  const nodes = period / u / 2;
  return nodes <= Math.max(FEW_NODES, WORTH * smooth.grid.last) && nodes < MOST_NODES
    ? latticeQuadrature(lattice, c, period, aim)
    : smooth;
}
