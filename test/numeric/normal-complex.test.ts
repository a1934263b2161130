import { expect, it } from 'vitest';
import { writeLogNormal } from '../../src/numeric/normal.ts';
import { precise } from '../reference/precise.ts';
import { LOG_NORMAL } from './normal-complex-golden.ts';

it.each(LOG_NORMAL)(
  'the normal distribution function at %s + %s i is where 40 digits say it is',
  (x, y, modulus, angle) => {
    const log = { modulus: NaN, angle: NaN };
    writeLogNormal(x, y, log);
    const most = 2e-14 + 4 * 2 ** -53 * x * x;
    expect(precise(log.modulus).minus(modulus).abs().toNumber()).toBeLessThan(most);
    const turn = precise(log.angle).minus(angle).toNumber() / 2;
    expect(Math.abs(Math.sin(turn))).toBeLessThan(most);
  },
);
