import { enclosure, type Enclosure } from '../enclosure.ts';
import { ELEMENTARY_ERROR, nextUp, roundDownBy, roundUpBy, UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { Watch } from '../watch.ts';
import { composedLine, composedMoment, type ComposedLoss } from './composed-loss.ts';
import { TrapezoidSum, type Complex, type Kernel } from './nodes.ts';

/*
 * Expectations of functions phi of a loss L that have a transform K(z), the integral of phi(l) e^(-zl), on the line Re z = c,
 * which falls as e^(-pi |t|). With M(z) = E[e^(zL)], E[phi(L)] is the integral of M(z) K(z) over the line, over 2 pi i. By
 * the trapezoid rule with nodes h apart, Y = 2 pi / h, Poisson summation gives the sum over whole j of e^(cYj) E[phi(L - Yj)]:
 * that of j = 0 is sought, all others are errors. With w(l) = e^(-cl) phi(l) they are E[e^(cL) w(L - Yj)]. Where |L| <= Y/2,
 * these w are taken at distances from 0 of at least Y/2, 3Y/2 and so on to both sides. Elsewhere there is one more, of at
 * most max w; the measure e^(cL) of that is at most e^(-RY/2) (M(c - R) + M(c + R)). The functions here have c = R or -R and
 * w(l) at most (1 + |l|) e^(-R|l|), and at most 2.
 *
 * The lines are beside -1/2 and 1/2: at -1/2 the moments of Laplace noise are a quotient 0 / 0.
 */

/** R. */
const RATE = 7 / 16;
const SINE = Math.sin(Math.PI * RATE);
const COSINE = Math.cos(Math.PI * RATE);

/** Beyond this e^(-pi t) is less than a rounding of what it is added to. */
const LAST = 11.5;
/** The period of losses whose moments are about 1. */
const PERIOD = 202;
/** Moments beyond e to this are not taken. */
const LARGEST_LOG = 400;
const NEGLIGIBLE = 1e-18;
/** Moments of so many terms together are computed. */
const MOST_WORK = 3e6;

/** A function of a loss whose transform is pi / sin(pi z) times a factor. */
interface Transformed {
  /** c is R times it. */
  readonly sign: 1 | -1;
  /** Writes the factor at c + it. */
  readonly writeFactor: (c: number, t: number, factor: Complex) => void;
  /** Bounds its modulus from t on. */
  readonly modulusBound: (t: number) => number;
}

/** |sin(pi z)| is at least sin(pi R) cosh(pi t), as its square is sinh^2(pi t) + sin^2(pi R). */
function kernelOf({ sign, writeFactor, modulusBound }: Transformed): Kernel {
  const c = sign * RATE;
  return {
    isOne: true,
    at(t, factors) {
      const { first } = factors;
      writeFactor(c, t, first);
      const [grown, decayed] = [Math.expm1(Math.PI * t), Math.expm1(-Math.PI * t)];
      const [cosh, sinh] = [1 + (grown + decayed) / 2, (grown - decayed) / 2];
      const [re, im] = [sign * SINE * cosh, COSINE * sinh];
      const size = Math.PI / (re * re + im * im);
      const { re: x, im: y } = first;
      first.re = size * (x * re + y * im);
      first.im = size * (y * re - x * im);
      // Exponents, of at most 37, are rounded.
      factors.bound = (4 * Math.PI * modulusBound(t)) / (SINE * cosh);
    },
    bound: (t) => ((2 * Math.PI * modulusBound(t)) / SINE) * Math.exp(-Math.PI * t) * (1 + 1e-9),
  };
}

/**
 * Encloses E[phi(L)], phi >= 0; null where moments of L are too large.
 *
 * @param logAround - bounds ln (M(c - R) + M(c + R))
 */
function expectation(loss: ComposedLoss, phi: Transformed, logAround: number, watch: Watch): Enclosure | null {
  if (!(logAround < LARGEST_LOG)) return null;
  const c = phi.sign * RATE;
  const period = PERIOD + (2 / RATE) * Math.max(0, logAround);
  const h = (2 * Math.PI) / period;
  const last = Math.ceil(LAST / h);
  const kernel = kernelOf(phi);
  const line = composedLine(loss, c, [], h * last);
  const nodes = new TrapezoidSum(line, null, c, { h, last }, kernel, NEGLIGIBLE).nodes(0, MOST_WORK, watch);
  if (nodes === null) return null;
  let sum = 0;
  for (let i = 0; i < nodes.size; i++) sum += nodes.first[2 * i]!;
  // Terms fall at least as e^(-pi t), so that those beyond the last are at most an integral.
  const beyond = kernel.bound(last * h) / Math.PI ** 2;
  const off = (nodes.error + nodes.skipped + beyond + (nodes.size + 64) * nodes.mass * U) * (1 + 1e-9);
  const { value, error } = line.moment;
  const size = error + 8 * U * Math.abs(value) + ELEMENTARY_ERROR;
  const [lowerScale, upperScale] = [Math.exp(value - size) * (1 - 1e-15), Math.exp(value + size) * (1 + 1e-15)];
  const alias = Math.exp(-0.5 * RATE * period) * (2 * (1 + period / 2) * upperScale + 2 * Math.exp(logAround)) * 1.01;
  const [low, high] = [Math.max(0, sum - off), (sum + off) * upperScale];
  if (!Number.isFinite(high + alias)) return null;
  return enclosure(Math.max(0, roundDownBy(low * lowerScale, 4 * U) - nextUp(alias)), roundUpBy(high, 4 * U));
}

/** ln of what M(-2R) + M(0) is at most, as both are at most 1. */
const BELOW = Math.LN2 * (1 + 1e-15);

/**
 * Encloses E[ln(1 + e^-L) + e^-L ln(1 + e^L)] / 2 for the loss L of a pair (P, Q) of distributions, under P given that it
 * is finite, times `survival`, the probability of that, enclosed: the entropy, in nats, that a fair
 * coin which chose P or Q keeps once the result is seen. It is ln 2 less their Jensen-Shannon divergence.
 *
 * [derived] On -1 < Re z < 0 the transform of ln(1 + e^-l) is pi / (z sin(pi z)), that of e^-l ln(1 + e^l) is
 * -pi / ((1 + z) sin(pi z)); half their sum is pi / (2 z (1 + z) sin(pi z)).
 *
 * Source: the divergence is that of Lin (1991); the integral and its error are derived.
 */
export function remainingUncertainty(loss: ComposedLoss, survival: Enclosure, watch: Watch = {}): Enclosure | null {
  const phi: Transformed = {
    sign: -1,
    writeFactor(c, t, factor) {
      const [re, im] = [2 * (c * (1 + c) - t * t), 2 * (1 + 2 * c) * t];
      const square = re * re + im * im;
      factor.re = re / square;
      factor.im = -im / square;
    },
    modulusBound: (t) => 0.5 / (RATE * (1 - RATE) + t * t),
  };
  if (!(survival.lower > 0)) return null;
  // Given that the loss is finite, E[e^-L] is at most 1 / survival.
  const mean = expectation(loss, phi, BELOW - Math.log(survival.lower) + 1e-15, watch);
  if (mean === null) return null;
  const lower = Math.max(0, roundDownBy(mean.lower * survival.lower, U));
  return enclosure(lower, roundUpBy(mean.upper * survival.upper, U));
}

/** E[ln(1 + e^L)] (sign 1) or E[ln(1 + e^-L)] (sign -1), both with the transform pi / (z sin(pi z)), on lines apart. */
const softplusOf = (loss: ComposedLoss, sign: 1 | -1, logAround: number, watch: Watch): Enclosure | null =>
  expectation(
    loss,
    {
      sign,
      writeFactor(c, t, factor) {
        const square = c * c + t * t;
        factor.re = c / square;
        factor.im = -t / square;
      },
      modulusBound: (t) => 1 / Math.hypot(RATE, t),
    },
    logAround,
    watch,
  );

/**
 * Encloses E[L] of the loss of a pair (P, Q) under P, the Kullback-Leibler divergence in nats, where no loss is infinite, as
 * E[ln(1 + e^L)] - E[ln(1 + e^-L)]: the width is about 1e-12, and 1e-14 E[e^(L/2)]. null where moments of L are too large.
 *
 * Source: derived.
 */
export function expectedLoss(loss: ComposedLoss, watch: Watch = {}): Enclosure | null {
  const { value, error } = composedMoment(loss, 2 * RATE);
  const logMomentBound = Math.max(0, value + error + 8 * U * Math.abs(value));
  const above = softplusOf(loss, 1, logMomentBound + BELOW, watch);
  const below = softplusOf(loss, -1, BELOW, watch);
  if (above === null || below === null) return null;
  return enclosure(roundDownBy(above.lower - below.upper, U), roundUpBy(above.upper - below.lower, U));
}
