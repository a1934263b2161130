import { expect, it } from 'vitest';
import { meshOver } from '../../../src/numeric/mesh/mesh.ts';

it.each([
  [-3, 5, 1e-3, 24],
  [-1e-12, 40, 1e-15, 160],
  [0, 700, 0.2, 3],
  [-1e-200, 1e-200, 1e-150, 24],
])('a mesh from %f to %f covers them, rises, and has 0 as a point', (low, high, scale, density) => {
  const mesh = meshOver(low, high, scale, density);
  expect(mesh[0]).toBeLessThanOrEqual(low);
  expect(mesh.at(-1)).toBeGreaterThanOrEqual(high);
  expect(mesh.includes(0)).toBe(true);
  expect(mesh.every((x, i) => i === 0 || x > mesh[i - 1]!)).toBe(true);
});

it('has cells that are a share of the loss far from 0', () => {
  const mesh = meshOver(0, 1000, 1e-3, 50);
  const [before, last] = [mesh.at(-2)!, mesh.at(-1)!];
  expect((last - before) / last).toBeCloseTo(1 / 50, 3);
});
