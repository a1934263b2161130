const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * A point near the minimum of a function of x > 0 that is unimodal in ln x on [from, to], by golden sections on ln x.
 * For choosing a parameter where any choice is sound: no error bound is given.
 */
export function goldenSection(f: (x: number) => number, from: number, to: number, sections = 64): number {
  let [a, b] = [Math.log(from), Math.log(to)];
  let c = b - GOLDEN * (b - a);
  let d = a + GOLDEN * (b - a);
  let [fc, fd] = [f(Math.exp(c)), f(Math.exp(d))];
  for (let i = 0; i < sections; i++) {
    if (fc < fd) {
      [b, d, fd] = [d, c, fc];
      c = b - GOLDEN * (b - a);
      fc = f(Math.exp(c));
    } else {
      [a, c, fc] = [c, d, fd];
      d = a + GOLDEN * (b - a);
      fd = f(Math.exp(d));
    }
  }
  return Math.exp((a + b) / 2);
}
