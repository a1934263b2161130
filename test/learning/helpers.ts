import { expect } from 'vitest';
import type { NoSetting, WithY } from '../../src/learning/core/setting.ts';
import type { Theorem32Input } from '../../src/learning/theorems/theorem-3-2.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { fc } from '../reference/properties.ts';

export const d = (x: string | number): Decimal => new Decimal(x);

/** `value` is `expected` up to a relative tolerance. */
export function near(value: number, expected: number, relative = 1e-9): void {
  expect(Math.abs(value - expected), `${value} is not ${expected}`).toBeLessThanOrEqual(relative * Math.abs(expected));
}

export const setting = (rounds: number, batch: number, eta: string, fakeSwitch: string): WithY => ({
  rounds,
  batch,
  eta: d(eta),
  fakeSwitch: d(fakeSwitch),
});

export const input = (
  rounds: number,
  batch: string | number,
  eta: string,
  fakeSwitch: string,
  delta1: string,
  delta0 = '0',
): Theorem32Input => ({
  rounds,
  batch: d(batch),
  eta: d(eta),
  fakeSwitch: d(fakeSwitch),
  delta1: d(delta1),
  delta0: d(delta0),
});

/** Parameters that a formula must give. */
export function given<S extends object>(found: S | NoSetting): S {
  if ('reason' in found) throw new Error('no parameters');
  return found;
}

export const MULTIPLICATIVE = { type: 'multiplicative-weights' } as const;

/** A positive decimal of four digits, even on the scale of logarithms. */
export const scaled = (from: number, to: number) =>
  fc
    .double({ min: Math.log10(from), max: Math.log10(to), noNaN: true })
    .map((log) => new Decimal((10 ** log).toPrecision(4)));
