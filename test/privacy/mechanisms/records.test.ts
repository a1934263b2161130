import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry, Mechanism } from '../../../src/privacy/mechanism.ts';
import { compareQuotients, type Path } from '../../../src/privacy/mechanisms/record.ts';
import {
  epsilonDeltaOf,
  hasPurePart,
  isZeroLoss,
  MODELLED_TYPES,
  parameterOf,
  recordOf,
  rhoOf,
} from '../../../src/privacy/mechanisms/records.ts';
import {
  boundedRange,
  discreteGaussian,
  discreteLaplace,
  dp,
  gaussian,
  gdp,
  laplace,
  rdp,
  SAMPLES,
  sampled,
  zcdp,
} from '../../mechanisms.ts';

const OWN: Partial<Record<Mechanism['type'], Entry>> = {
  dp: dp('0.7'),
  'bounded-range': boundedRange('0.7'),
  laplace: laplace(2, {}, 3),
  gaussian: gaussian(4),
  'discrete-laplace': discreteLaplace(2, 3),
  'discrete-gaussian': discreteGaussian(4, 3),
  zcdp: zcdp('0.05'),
  rdp: rdp([[2, '0.1']]),
  gdp: gdp('0.3'),
  sampled: sampled(gaussian(4), '0.01'),
};
const ENTRIES: readonly Entry[] = Object.values({ ...SAMPLES, ...OWN });

/** A path of whole steps, without rounding. */
const path = (steps: number): Path => ({
  times: (x) => x.times(steps),
  timesSquare: (x) => x.times(steps * steps),
  whole: (x) => x.times(steps),
  delta: (_, delta) => Decimal.min(1, delta.times(steps)),
});

const each = ENTRIES.map((entry) => [entry.mechanism.type, entry] as const);
const withRecord = (has: (entry: Entry) => boolean) => each.filter(([, entry]) => has(entry));

const close = (a: number, b: number): void => {
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(b)));
};

/** Parameters that a mechanism may have besides those of its sample. */
const OPTIONAL: Readonly<Record<string, readonly string[]>> = {
  zcdp: ['delta'],
  'shuffled-reports': ['categories'],
  sampled: ['batches', 'records', 'draws'],
};

describe('the record of', () => {
  it('every type has a sample here', () => {
    expect(ENTRIES.map(({ mechanism }) => mechanism.type).sort()).toEqual([...MODELLED_TYPES].sort());
  });

  it.each(each)('%s names its parameters, all of them', (_, { mechanism }) => {
    const { type, ...members } = mechanism;
    const optional = OPTIONAL[type] ?? [];
    const all = new Set([...Object.keys(members), ...optional]);
    expect(Object.keys(recordOf(mechanism).parameters).sort(), type).toEqual([...all].sort());
  });

  it.each(withRecord(({ mechanism }) => hasPurePart(mechanism)))(
    '%s has a rho of at most e^2 / 2 where it is (e, 0)-DP (Bun, Steinke 2016, Prop 1.4)',
    (_, entry) => {
      const { mechanism } = entry;
      if (!hasPurePart(mechanism)) throw new Error('it has an epsilon');
      const e = epsilonDeltaOf(mechanism).epsilon.toNumber();
      expect(rhoOf(entry)!.upper).toBeLessThanOrEqual(((e * e) / 2) * (1 + 1e-12));
    },
  );

  const guaranteed = withRecord(({ mechanism }) => parameterOf(mechanism)?.isNoise === false);
  it.each(guaranteed)('%s says nothing where its parameter is 0', (_, { mechanism }) => {
    expect(isZeroLoss(mechanism)).toBe(false);
    expect(isZeroLoss(parameterOf(mechanism)!.replaced(new Decimal(0)))).toBe(true);
  });

  const varying = withRecord((entry) => parameterOf(entry.mechanism) !== null && rhoOf(entry) !== null);
  it.each(varying)('%s costs more with a less private parameter', (_, entry) => {
    const parameter = parameterOf(entry.mechanism)!;
    expect(parameter.replaced(parameter.value)).toMatchObject(entry.mechanism);
    const worse = parameter.replaced(parameter.isNoise ? parameter.value.div(2) : parameter.value.times(2));
    expect(rhoOf({ ...entry, mechanism: worse })!.upper).toBeGreaterThan(rhoOf(entry)!.upper);
    const { strength } = recordOf(entry.mechanism);
    if (strength) expect(compareQuotients(strength(worse), strength(entry.mechanism))).toBeGreaterThan(0);
  });

  it.each(each)(
    '%s is itself after one step between neighbours, and loses at most k times as much after k',
    (_, entry) => {
      const { mechanism } = entry;
      const { along } = recordOf(mechanism);
      if (!along) return;
      expect(along(mechanism, path(1))).toMatchObject(mechanism);
      const far = along(mechanism, path(3))!;
      if (hasPurePart(mechanism) && hasPurePart(far)) {
        close(epsilonDeltaOf(far).epsilon.toNumber(), 3 * epsilonDeltaOf(mechanism).epsilon.toNumber());
      } else {
        close(rhoOf({ ...entry, mechanism: far })!.upper, 9 * rhoOf(entry)!.upper);
      }
    },
  );
});
