/** Losses of a run are multiples of 1 / this, so that their sums are exact. */
export const UNIT = 2 ** 20;

/** Runs may have so many rounds: their sums stay whole numbers of 53 bits. */
export const MOST_ROUNDS = 2 ** 33;

/** A loss of [0, 1] in units, rounded to the nearest; off by at most half a unit. */
export const inUnits = (loss: number): number => Math.round(loss * UNIT);

/** A digest of losses in units, round by round, of 64 bits: tells losses apart that differ by a mistake, not by design. */
export class LossDigest {
  #one: number;
  #other: number;

  /** `text`: that of the rounds before. */
  constructor(text: string) {
    [this.#one, this.#other] = [parseInt(text.slice(0, 8), 16), parseInt(text.slice(8), 16)];
  }

  /** The losses of one round. */
  take(units: Float64Array): void {
    let [one, other] = [this.#one, this.#other];
    for (const loss of units) {
      one = Math.imul(one ^ loss, 0x85ebca6b);
      one ^= one >>> 13;
      other = Math.imul(other ^ loss, 0xc2b2ae35);
      other ^= other >>> 16;
    }
    [this.#one, this.#other] = [one, other];
  }

  get text(): string {
    return [this.#one, this.#other].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** The digest of no round. */
export const NO_DIGEST = '243f6a8885a308d3';

const [TAB, SPACE, PLUS, COMMA, MINUS, POINT, ZERO, NINE] = [9, 32, 43, 44, 45, 46, 48, 57];
const [LARGE_E, SMALL_E] = [69, 101];

/** Powers of ten that are doubles. */
const POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));
const MOST_POWER = POWERS.length - 1;

/** Numbers of more bytes are not plain. */
const LONGEST = 40;
const MOST_EXPONENT = 99;

/** That a line is not plain, so that it has to be looked at in another way. */
export const NOT_PLAIN = -1;

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= ZERO && byte <= NINE;

/**
 * Reads numbers in [0, 1] with commas between them from `bytes[from]` to before `bytes[to]` into `into`, each as the double
 * nearest to the decimal, without making text of it where its digits are a whole number below 2^53: then that number over,
 * or times, a power of ten up to 10^22 is rounded once, since both are doubles.
 *
 * Plain are numbers as in JSON that are not negative, and where `withoutZero` also `.5`. Spaces may stand around them.
 *
 * Source: Clinger, "How to read floating point numbers accurately", PLDI 1990.
 *
 * @returns how many there are, or {@link NOT_PLAIN} where anything else stands there or `into` is too short
 */
export function readPlainLosses(
  bytes: Uint8Array,
  from: number,
  to: number,
  into: Float64Array,
  withoutZero: boolean,
): number {
  let at = from;
  for (let count = 0; count < into.length;) {
    while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
    const start = at;
    let digits = 0;
    let scale = 0;
    while (at < to) {
      const digit = bytes[at]! - ZERO;
      if (digit < 0 || digit > 9) break;
      digits = digits * 10 + digit;
      at++;
    }
    if (at - start > 1 && bytes[start] === ZERO) return NOT_PLAIN;
    if (at === start && !withoutZero) return NOT_PLAIN;
    if (at < to && bytes[at] === POINT) {
      const point = ++at;
      while (at < to) {
        const digit = bytes[at]! - ZERO;
        if (digit < 0 || digit > 9) break;
        digits = digits * 10 + digit;
        at++;
      }
      scale = at - point;
      if (scale === 0) return NOT_PLAIN;
    } else if (at === start) return NOT_PLAIN;
    if (at < to && (bytes[at] === SMALL_E || bytes[at] === LARGE_E)) {
      at++;
      const isBelow = bytes[at] === MINUS;
      if (isBelow || bytes[at] === PLUS) at++;
      if (at >= to || !isDigit(bytes[at])) return NOT_PLAIN;
      let exponent = 0;
      for (; at < to && isDigit(bytes[at]); at++) exponent = exponent * 10 + bytes[at]! - ZERO;
      if (exponent > MOST_EXPONENT) return NOT_PLAIN;
      scale += isBelow ? exponent : -exponent;
    }
    const end = at;
    while (at < to && (bytes[at] === SPACE || bytes[at] === TAB)) at++;
    if (at < to && bytes[at] !== COMMA) return NOT_PLAIN;

    let value = digits;
    if (digits <= Number.MAX_SAFE_INTEGER && scale >= -MOST_POWER && scale <= MOST_POWER) {
      if (scale > 0) value = digits / POWERS[scale]!;
      else if (scale < 0) value = digits * POWERS[-scale]!;
    } else {
      if (end - start > LONGEST) return NOT_PLAIN;
      value = Number(String.fromCharCode(...bytes.subarray(start, end)));
    }
    if (value > 1) return NOT_PLAIN;
    into[count++] = value;
    if (at >= to) return count;
    at++;
  }
  return NOT_PLAIN;
}
