import { describe, expect, it } from 'vitest';
import { above, below, convolve, hockeyStick, type Cells } from '../../../src/numeric/mesh/mesh-measure.ts';
import { meshOver, type Mesh } from '../../../src/numeric/mesh/mesh.ts';

interface Atom {
  readonly p: number;
  readonly q: number;
}

const lossOf = ({ p, q }: Atom): number => Math.log(p / q);

/** Atoms in cells, each sum made too large or too small by a share. */
function cellsOf(atoms: readonly Atom[], mesh: Mesh, error = 0, sign = 1): Cells {
  const [p, q] = [new Float64Array(mesh.length + 1), new Float64Array(mesh.length + 1)];
  for (const atom of atoms) {
    const cell = mesh.findIndex((x) => x > lossOf(atom));
    p[cell < 0 ? mesh.length : cell]! += atom.p * (1 - sign * error);
    q[cell < 0 ? mesh.length : cell]! += atom.q * (1 + sign * error);
  }
  return { mesh, p, q, beyond: 0, error: error + 1e-14 };
}

const curveOf = (atoms: readonly Atom[], epsilon: number): number =>
  atoms.reduce((sum, { p, q }) => sum + Math.max(0, p - Math.exp(epsilon) * q), 0);

const product = (a: readonly Atom[], b: readonly Atom[]): Atom[] =>
  a.flatMap((x) => b.map((y) => ({ p: x.p * y.p, q: x.q * y.q })));

/** The same in every run. */
function atomsOf(count: number, spread: number): Atom[] {
  let state = 12345 + count;
  const random = (): number => (state = (state * 16807) % 2147483647) / 2147483647;
  const raw = Array.from({ length: count }, () => {
    const q = random() ** 3;
    return { p: q * Math.exp(spread * (random() - 0.4) ** 3), q };
  });
  const [p, q] = [raw.reduce((sum, x) => sum + x.p, 0), raw.reduce((sum, x) => sum + x.q, 0)];
  return raw.map((x) => ({ p: x.p / p, q: x.q / q }));
}

const MESH = meshOver(-20, 20, 0.01, 20);

describe.each([1, 8, 60])('losses of spread %f', (spread) => {
  const [a, b] = [atomsOf(40, spread), atomsOf(25, spread / 2)];
  const three = product(product(a, b), b);
  const compose = (side: typeof above): ReturnType<typeof above> => {
    const [one, other] = [side(cellsOf(a, MESH)), side(cellsOf(b, MESH))];
    return side(convolve(side(convolve(one, other, MESH)), other, MESH));
  };
  it('added up have their curve between that above and that below', () => {
    const [upper, lower] = [compose(above), compose(below)];
    for (const epsilon of [0, 1e-3, 0.1, 0.5, 1, 2, 5, 12]) {
      const truth = curveOf(three, epsilon);
      expect(hockeyStick(upper, epsilon).upper).toBeGreaterThanOrEqual(truth * (1 - 1e-13));
      expect(hockeyStick(lower, epsilon).lower).toBeLessThanOrEqual(truth * (1 + 1e-13));
      expect(hockeyStick(upper, epsilon).upper - hockeyStick(lower, epsilon).lower).toBeLessThan(0.01);
    }
  });
});

describe('masses that are off', () => {
  // All in one cell, whose length is little more than the error: what moves up is a difference of the two sums.
  const error = 1e-6;
  const mesh = Float64Array.of(-1, 0, 1e-5, 1);
  const atoms = [1e-9, 9.99e-6].map((loss) => ({ p: Math.exp(loss) / 2, q: 1 / 2 }));

  it.each([1, -1])('within the error bounded for them leave the curve enclosed', (sign) => {
    const cells = cellsOf(atoms, mesh, error, sign);
    for (const epsilon of [0, 1e-6, 5e-6, 9e-6]) {
      const truth = curveOf(atoms, epsilon);
      expect(hockeyStick(above(cells), epsilon).upper).toBeGreaterThanOrEqual(truth);
      expect(hockeyStick(below(cells), epsilon).lower).toBeLessThanOrEqual(truth);
    }
  });
});

describe('losses that are far', () => {
  // Under q the second has no double, the last neither.
  const p = Float64Array.of(0, 0.25, 0.5, 0.25, 0);
  const q = Float64Array.of(0, 1, Math.exp(-690), 0, 0);
  const mesh = Float64Array.of(-2, -1, 800, 900);
  const cells: Cells = { mesh, p, q, beyond: 0, error: 1e-12 };

  it('are infinite from above, and large from below', () => {
    expect(hockeyStick(above(cells), 100).upper).toBeGreaterThanOrEqual(0.75);
    expect(hockeyStick(above(cells), 100).upper).toBeLessThan(0.75 + 1e-9);
    expect(hockeyStick(below(cells), 100).lower).toBeGreaterThan(0.75 - 1e-9);
  });

  it.each([650, 709, 710, 1e4, 1e300, Infinity])('have a curve at %f, too', (epsilon) => {
    expect(hockeyStick(above(cells), epsilon).upper).toBeGreaterThanOrEqual(0.75);
    expect(hockeyStick(below(cells), epsilon).lower).toBe(0);
  });

  it('leave nothing known where the error is as large as the masses', () => {
    expect(hockeyStick(above({ ...cells, error: 0.1 }), 1)).toEqual({ lower: 0, upper: 1 });
  });
});
