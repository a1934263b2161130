/** Complex numbers, real and imaginary parts apart. */
export interface Spectrum {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

const roots = new Map<number, Spectrum>();

function rootsOf(size: number): Spectrum {
  const known = roots.get(size);
  if (known) return known;
  const angle = (_: number, i: number): number => (-2 * Math.PI * i) / size;
  const angles = Float64Array.from({ length: size / 2 }, angle);
  const made = { re: angles.map(Math.cos), im: angles.map(Math.sin) };
  roots.set(size, made);
  return made;
}

/** The discrete Fourier transform in place, of a length that is a power of 2. */
function transform({ re, im }: Spectrum): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    [re[i], re[j]] = [re[j]!, re[i]!];
    [im[i], im[j]] = [im[j]!, im[i]!];
  }
  const turn = rootsOf(size);
  for (let length = 2; length <= size; length *= 2) {
    const [half, step] = [length / 2, size / length];
    for (let start = 0; start < size; start += length) {
      for (let k = 0; k < half; k++) {
        const [a, b] = [start + k, start + k + half];
        const [c, s] = [turn.re[k * step]!, turn.im[k * step]!];
        const x = re[b]! * c - im[b]! * s;
        const y = re[b]! * s + im[b]! * c;
        re[b] = re[a]! - x;
        im[b] = im[a]! - y;
        re[a]! += x;
        im[a]! += y;
      }
    }
  }
}

/** The cyclic convolution of lists of weights of one length, each with itself so many times. */
export function convolution(
  lists: readonly { readonly weights: Float64Array; readonly count: number }[],
): Float64Array {
  const size = lists[0]!.weights.length;
  const product: Spectrum = { re: new Float64Array(size).fill(1), im: new Float64Array(size) };
  for (const { weights, count } of lists) {
    const own: Spectrum = { re: weights.slice(), im: new Float64Array(size) };
    transform(own);
    // The weights are real: the other half is the conjugate.
    for (let i = 0; i <= size / 2; i++) {
      const [x, y] = [own.re[i]!, own.im[i]!];
      const modulus = Math.hypot(x, y) ** count;
      const angle = Math.atan2(y, x) * count;
      const [u, v] = [modulus * Math.cos(angle), modulus * Math.sin(angle)];
      const [a, b] = [product.re[i]!, product.im[i]!];
      product.re[i] = a * u - b * v;
      product.im[i] = a * v + b * u;
    }
  }
  for (let i = 1; i < size / 2; i++) {
    product.re[size - i] = product.re[i]!;
    product.im[size - i] = -product.im[i]!;
  }
  // Its inverse is that of the conjugate.
  product.im.forEach((y, i) => (product.im[i] = -y));
  transform(product);
  return product.re.map((x) => x / size);
}
