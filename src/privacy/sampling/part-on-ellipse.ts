import { UNIT_ROUNDOFF as U } from '../../numeric/rounding.ts';
import { logMixture, type SampledLaw, type SampledPart } from './sampled-law.ts';
import { share } from './tilted-part.ts';

/** Bounds of a part on an ellipse around a stretch of its u. */
export interface OnEllipse {
  /** ln of a bound on |density g^(w + it)|, for each of the powers w and all |t| up to the one that was asked. */
  readonly logWeight: number;
  /** Bounds |ln g|. */
  readonly loss: number;
}

/** Beyond a quarter turn only a smaller share than this is looked at: there g keeps away from 0. */
const SMALL_SHARE = 0.4;

/** The largest s (1 - s) of low <= s <= high. */
const largestSpread = (low: number, high: number): number => {
  const s = Math.min(Math.max(low, 0.5), high);
  return s * (1 - s);
};

/** The largest a + b z + c z^2 on [-1, 1]. */
function largestOfSquare(a: number, b: number, c: number): number {
  const isInside = c < 0 && Math.abs(b) < -2 * c;
  return isInside ? a - (b * b) / (4 * c) : a + Math.abs(b) + c;
}

/**
 * The weight of a part on the Bernstein ellipse rho >= 1 of the stretch middle +- half; null where it is not known to be
 * analytic there. For rho = 1 on the stretch itself.
 *
 * The ellipse is {x + iv: x = middle + A z, |v| <= B sqrt(1 - z^2), |z| <= 1}, A, B = half (rho +- 1 / rho) / 2. There
 * g = g(x) (1 - s + s e^ib), b = slope v, s the share of the second summand at x, of modulus g(x) r, r^2 = 1 - 4 s (1 - s)
 * sin^2(b / 2), and of argument atan2(s sin b, 1 - s + s cos b), which grows with s, and with b up to pi / 2, and is never
 * more than asin(s / (1 - s)) for s < 1/2; then r >= 1 - 2s. The modulus of a normal density is e^(v^2 / 2) times that at x,
 * that of an exponential one is that at x. The logarithm of the density at x times g(x)^w has a second derivative of at most
 * max(0, w) slope^2 s (1 - s), less 1 where the density is normal: by its value and slope in the middle, that of the
 * modulus is at most a square function of z.
 */
export function onEllipse(
  law: SampledLaw,
  { base }: SampledPart,
  powers: readonly number[],
  t: number,
  { middle, half }: { readonly middle: number; readonly half: number },
  rho: number,
): OnEllipse | null {
  const { slope, shift } = base;
  const [wide, high] = [(half * (rho + 1 / rho)) / 2, (half * (rho - 1 / rho)) / 2];
  const g = (u: number): number => logMixture(law.rates, slope * u + shift);
  const shareAt = (u: number): number => share(law, slope * u + shift);
  const most = shareAt(middle + wide);
  const turn = slope * high;
  const isNear = turn <= Math.PI / 2;
  if (!isNear && !(most < SMALL_SHARE)) return null;
  const spread = largestSpread(shareAt(middle - wide), most);
  const shrunk = -0.5 * Math.log1p(-4 * spread * (isNear ? Math.sin(turn / 2) ** 2 : 1));
  const angle = isNear
    ? Math.atan2(most * Math.sin(turn), 1 - most + most * Math.cos(turn))
    : Math.asin(most / (1 - most));
  const isNormal = base.law === 'normal';
  const raised = isNormal ? (high * high) / 2 : 0;
  const [log, logDensity, own] = [g(middle), base.logDensity(middle), isNormal ? -middle : -0.5];
  const weights = powers.map((w) => {
    const bend = Math.max(0, w) * slope * slope * spread - (isNormal ? 1 : 0);
    const steep = own + w * slope * shareAt(middle);
    const size =
      Math.abs(logDensity) +
      Math.abs(w * log) +
      Math.abs(steep) * (wide + Math.abs(middle)) +
      Math.abs(bend) * wide * wide;
    return (
      largestOfSquare(logDensity + w * log + raised, steep * wide, (bend * wide * wide) / 2 - raised) +
      Math.max(0, -w) * shrunk +
      64 * U * size
    );
  });
  return {
    logWeight: Math.max(...weights) + t * angle * (1 + 1e-9) + 1e-9,
    loss: (Math.max(Math.abs(g(middle - wide)), Math.abs(g(middle + wide))) + shrunk + angle) * (1 + 1e-9),
  };
}
