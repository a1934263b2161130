import { describe, expect, it } from 'vitest';
import { audit, auditNotes } from '../../src/learning/accounting/audit.ts';
import { logDecimal } from '../../src/numeric/decimal.ts';
import { repairedForConvex } from '../../src/learning/theorems/parameters.ts';
import { covers, lemma311, theorem32 } from '../../src/learning/theorems/theorem-3-2.ts';
import { asUpper } from '../../src/numeric/enclosure.ts';
import { d, given, near } from './helpers.ts';

describe('a logarithm of decimals', () => {
  it.each([
    ['1e-8', -18.420680743952367],
    ['1e-290', -667.749676968273],
    ['9.99e-291', -667.7506774686068],
    ['3e-365', -839.344946654159],
    ['2.5e-2000', -4604.253895256217],
  ])('does not underflow: %s', (x, expected) => {
    const { lower, upper } = logDecimal(d(x));
    expect(lower).toBeLessThanOrEqual(upper);
    near(lower, expected, 1e-14);
    near(upper, expected, 1e-14);
  });
});

describe('the repaired parameters of convex losses', () => {
  for (const rounds of [2, 1e6, Number.MAX_SAFE_INTEGER]) {
    it.each([
      ['1e-12', '1e-300'],
      ['1e-12', '1e-290'],
      ['0.1', '1e-300'],
      ['1000', '1e-300'],
      ['0.1', '1e-8'],
    ])(`satisfy Theorem 3.2 and Lemma 3.11 for (%s, %s), T ${rounds}`, (epsilon, delta) => {
      const [one, problem] = [d(1), { problem: 'oco', rounds, dimension: 10, epsilon: d(epsilon), delta: d(delta) }];
      const found = given(repairedForConvex({ ...problem, problem: 'oco', lipschitz: one, diameter: one }));
      const { setting, measure, delta1, delta0 } = found;
      expect(delta0.gt(0)).toBe(true);
      const theorem = theorem32({ ...setting, batch: d(setting.batch), delta1, delta0 });
      expect(covers(theorem)).toBe(true);
      expect(theorem.epsilon.upper).toBeLessThanOrEqual(Number(epsilon));
      // Where delta1 is below 1e-308 doubles hold it to a few digits only.
      expect(theorem.delta.upper).toBeLessThanOrEqual(Number(delta) * (1 + 1e-6));
      expect(lemma311(measure, delta0).upper).toBeLessThanOrEqual(setting.eta.toNumber());
      const audited = audit({ ...found, delta: d(delta) });
      expect(audited.moved).toBeNull();
      expect(audited.accounting[0]!.epsilon.upper).toBeLessThanOrEqual(Number(epsilon));
    });
  }
});

describe('the note on an epsilon that is not finite', () => {
  const own = audit({
    id: null,
    setting: { rounds: 10, batch: 1, eta: d('0.01'), fakeSwitch: d('0.5') },
    measure: { type: 'any' },
    delta1: d('1e-9'),
    delta0: d(0),
  });
  const infinite = own.accounting.map((row) => ({ ...row, epsilon: { lower: null, upper: asUpper(Infinity) } }));

  it.each([
    ['0', 'switch-reveals'],
    ['0.5', 'no-finite-epsilon'],
  ])('speaks of missing fake switches only without them: p = %s', (p, code) => {
    const setting = { rounds: 10, batch: 1, eta: d('0.01'), fakeSwitch: d(p) };
    expect(auditNotes({ ...own, setting, accounting: infinite }, null).map((note) => note.code)).toContain(code);
  });
});
