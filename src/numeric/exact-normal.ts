import { exponentialCoin, randomBits, type ExactExponent } from './exact-coin.ts';
import { bit, type RandomSource } from './random.ts';
import { Rational } from './rational.ts';

/** Binary digits after the point that a normal is known to at first. */
export const FIRST_DIGITS = 64;

/** A real number of which so many binary digits after the point are known: it is from cell to cell + 1, times 2^-digits. */
export interface KnownDigits {
  readonly cell: bigint;
  readonly digits: number;
}

const WORD = 2 ** -32;

const rational = (n: number, denominator: bigint | number): ExactExponent => ({
  approximate: n / Number(denominator),
  exact: () => Rational.of(n, denominator),
});

const HALF = rational(1, 2);

/**
 * The first digits of a standard normal, exactly, if the words of `source` are uniform and independent: of the real number drawn
 * all digits that are not told yet are uniform and independent too, so that who needs more of them draws them by {@link moreDigits}.
 *
 * A whole k >= 0 of weight e^(-k^2 / 2) and a uniform x of [0, 1), taken with chance e^(-x (2k + x) / 2), are k + x of the law of |N|.
 * Coins look at as many digits of x as decide them, and what is decided holds for all of the cell. With 64 digits gamma is known within
 * 2^-50 (1 + gamma) for every k up to 2^14; a larger one is drawn with a chance below e^(-2^26).
 *
 * Source: Karney, "Sampling exactly from the normal distribution", ACM TOMS 42 (2016), Algorithm N.
 */
export function exactNormal(source: RandomSource): KnownDigits {
  for (;;) {
    let k = 0;
    while (exponentialCoin(HALF, source)) k++;
    if (!exponentialCoin(rational(k * (k - 1), 2), source)) continue;
    const [high, low] = [source.word(), source.word()];
    const x = (high + (low + 0.5) * WORD) * WORD;
    let fraction: KnownDigits = { cell: (BigInt(high) << 32n) | BigInt(low), digits: FIRST_DIGITS };
    const gammaAt = (cell: bigint): Rational => {
      const one = 1n << BigInt(fraction.digits);
      return Rational.of(cell * (2n * BigInt(k) * one + cell), 2n * one * one);
    };
    const gamma: ExactExponent = {
      approximate: (x * (2 * k + x)) / 2,
      exact: (bits) => {
        if (fraction.digits < bits + FIRST_DIGITS) fraction = moreDigits(fraction, FIRST_DIGITS, source);
        return [gammaAt(fraction.cell), gammaAt(fraction.cell + 1n)];
      },
    };
    if (!exponentialCoin(gamma, source)) continue;
    const { cell, digits } = fraction;
    const magnitude = (BigInt(k) << BigInt(digits)) | cell;
    return { cell: bit(source) === 1 ? magnitude : ~magnitude, digits };
  }
}

/** The same number to so many digits more. */
export const moreDigits = ({ cell, digits }: KnownDigits, more: number, source: RandomSource): KnownDigits => ({
  cell: (cell << BigInt(more)) | randomBits(more, source),
  digits: digits + more,
});
