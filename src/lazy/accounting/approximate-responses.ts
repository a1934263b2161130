import { minimumNear } from '../../numeric/convex/minimum-near.ts';
import {
  conversionFactor,
  momentOfParts,
  responseMoment,
  type ApproximateResampling,
  type Nearby,
} from './approximate-moments.ts';

/** So many standard deviations of the tilted loss are told apart, and so many of its Fourier transform are summed. */
const WINDOW = 18;
const REACH = 7;

/** The least tilt, over that which moves the loss by a standard deviation, and how finely its pole is resolved. */
const LEAST_TILT = 0.5;
const RESOLUTION = 26;

/** Beyond this tilted weights under- or overflow. */
const LARGEST_TILT = 40;

/** How close the tilt is to the best one, in its logarithm: any near it will do. */
const TOLERANCE = 0.05;

/** ln of what is too little to matter. */
const NEGLIGIBLE = -25;

/**
 * About delta at x >= 0 of rounds in which with these chances a randomized response of this epsilon is played: its loss
 * lies on the multiples of epsilon, so delta is an integral over one period of the transform of that loss, tilted to where
 * it matters, times that of (1 - e^(x - loss)) over the multiples beyond x, a difference of two geometric series.
 */
export function approximateResponsesDelta(
  epsilon: number,
  parts: readonly ApproximateResampling[],
  near: Nearby,
): (x: number) => number {
  const [up, down] = [1 / (1 + Math.exp(-epsilon)), 1 / (1 + Math.exp(epsilon))];
  const all = momentOfParts(responseMoment(epsilon), parts);
  const largest = parts.reduce((sum, { rounds }) => sum + rounds, 0);
  const spread = epsilon * Math.sqrt(parts.reduce((sum, { rounds, probability }) => sum + rounds * probability, 0));
  return (x) => {
    const first = Math.floor(x / epsilon) + 1;
    if (first > largest) return 0;
    const exponent = (order: number): number => all(order) + conversionFactor(order) - order * x;
    const [from, to] = [LEAST_TILT / spread, LARGEST_TILT / epsilon];
    const lambda = minimumNear(exponent, near.tilt, { from, to, tolerance: TOLERANCE });
    near.tilt = lambda;
    const [risen, fallen] = [up * Math.exp(lambda * epsilon), down * Math.exp(-lambda * epsilon)];
    const scale = all(lambda);
    let [mean, variance, logOpposite] = [0, 0, 0];
    for (const { rounds, probability: q } of parts) {
      const [norm, drift] = [1 + q * (risen + fallen - 1), q * (risen - fallen)];
      mean += (rounds * drift) / norm;
      variance += rounds * ((q * (risen + fallen)) / norm - (drift / norm) ** 2);
      logOpposite += rounds * Math.log(Math.abs(1 - q * (1 + risen + fallen)) / norm);
    }
    const deviation = Math.sqrt(Math.max(0, variance));
    const window = WINDOW * deviation + Math.abs(mean - first) + RESOLUTION / Math.min(1, lambda * epsilon);
    const period = 4 * Math.ceil(window / 4 + 2);
    const reach = Math.ceil((REACH * period) / (2 * Math.PI * deviation));
    // Where something is resampled in nearly every round losses are nearly all even, or odd: a second peak half a turn away.
    const whole = 4 * reach >= period;
    const half = whole ? period / 2 : reach;
    const peaks = whole || logOpposite < NEGLIGIBLE ? [0] : [0, period / 2];
    const [decay, further] = [Math.exp(-lambda * epsilon), Math.exp(-(lambda + 1) * epsilon)];
    const rise = Math.exp(x - first * epsilon);
    /** The real part of one term: that of -k is the same. */
    const termAt = (k: number): number => {
      const angle = (2 * Math.PI * k) / period;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      let [logSize, turn] = [-scale, -angle * first];
      for (const { rounds, probability: q } of parts) {
        const re = 1 - q + q * (risen + fallen) * cos;
        const im = q * (risen - fallen) * sin;
        logSize += (rounds / 2) * Math.log(re * re + im * im);
        turn += rounds * Math.atan2(im, re);
      }
      if (logSize < 2 * NEGLIGIBLE) return 0;
      // 1 / (1 - decay e^(-i angle)) less rise / (1 - further e^(-i angle)).
      const near = 1 + decay * (decay - 2 * cos);
      const far = 1 + further * (further - 2 * cos);
      const re = (1 - decay * cos) / near - (rise * (1 - further * cos)) / far;
      const im = (-decay * sin) / near + (rise * further * sin) / far;
      return Math.exp(logSize) * (re * Math.cos(turn) - im * Math.sin(turn));
    };
    let sum = 0;
    for (const peak of peaks) {
      sum += termAt(peak);
      for (let k = 1; k < half; k++) sum += 2 * termAt(peak + k);
      sum += (whole ? 1 : 2) * termAt(peak + half);
    }
    return Math.max(0, (sum / period) * Math.exp(scale - lambda * first * epsilon));
  };
}
