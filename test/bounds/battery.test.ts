import { describe, expect, it } from 'vitest';
import { ALL_BOUNDS } from '../../src/bounds/all.ts';
import type { BoundId, RowId } from '../../src/bounds/core/bound.ts';
import { Decimal, decimalFromDouble, toUpper } from '../../src/numeric/decimal.ts';
import type { Entry, MechanismKind } from '../../src/privacy/mechanism.ts';
import type { Query } from '../../src/privacy/curve.ts';
import {
  answer,
  atDelta,
  atEpsilon,
  boundedRange,
  decimal,
  discreteGaussian,
  discreteLaplace,
  dp,
  finitePair,
  gaussian,
  gdp,
  laplace,
  rdp,
  zcdp,
  type EntryOptions,
  SAMPLES,
} from '../mechanisms.ts';
import { precise } from '../reference/precise.ts';
import { fc } from '../reference/properties.ts';
import { shareOf } from '../reference/share.ts';

/*
 * What every bound must obey. Certified ends are compared so that only a certain violation fails: a lower end against
 * an upper end. Upper bounds without a lower end are found by searches in double precision; their upper ends are
 * compared to SEARCH, relatively.
 */
const SEARCH = 1e-6;
/** Where the curve is steep, one rounding of epsilon changes delta by far more than one rounding. */
const ROUND_TRIP = 1e-2;

type Adaptivity = 'adaptive' | 'nonadaptive';

/** One entry, rebuilt with larger parameters on demand. */
interface Drawn {
  readonly build: (factor: number, options: EntryOptions) => Entry;
  readonly count: number;
  readonly kind: MechanismKind;
}

const times = (x: number, factor: number): string => new Decimal(x).times(factor).toSignificantDigits(12).toString();
const kinds = fc.constantFrom<MechanismKind>('noninteractive', 'noninteractive', 'interactive', 'continual');
const counts = fc.integer({ min: 1, max: 12 });
const hundredths = fc.integer({ min: 0, max: 150 }).map((n) => n / 100);
const positive = fc.integer({ min: 1, max: 150 }).map((n) => n / 100);
const failures = fc.constantFrom(0, 0, 1e-9, 1e-4, 0.01);

const entryOf = (build: fc.Arbitrary<Drawn['build']>): fc.Arbitrary<Drawn> =>
  fc.record({ build, count: counts, kind: kinds });

const pure = entryOf(
  fc.tuple(hundredths, failures).map(
    ([e, d]) =>
      (factor, options) =>
        dp(times(e, factor), times(d, factor), options),
  ),
);
const ranged = entryOf(hundredths.map((e) => (factor, options) => boundedRange(times(e, factor), options)));
const normal = entryOf(
  fc.oneof(
    positive.map(
      (mu): Drawn['build'] =>
        (factor, options) =>
          gdp(times(mu, factor), options),
    ),
    positive.map(
      (mu): Drawn['build'] =>
        (factor, options) =>
          gaussian(times(1 / mu, 1 / factor), options),
    ),
  ),
);
const renyi = entryOf(
  fc.oneof(
    positive.map(
      (rho): Drawn['build'] =>
        (factor, options) =>
          zcdp(times(rho, factor), options),
    ),
    positive.map(
      (e): Drawn['build'] =>
        (factor, options) =>
          rdp(
            [2, 5, 20].map((alpha) => [alpha, times(e * alpha, factor)] as const),
            options,
          ),
    ),
  ),
);

const other = entryOf(
  fc.oneof(
    positive.map(
      (e): Drawn['build'] =>
        (factor, options) =>
          laplace(times(1 / e, 1 / factor), options),
    ),
    positive.map(
      (e): Drawn['build'] =>
        (factor, options) =>
          discreteLaplace(times(1 / e, 1 / factor), 1, options),
    ),
    positive.map(
      (mu): Drawn['build'] =>
        (factor, options) =>
          discreteGaussian(times(1 / mu, 1 / factor), 1, options),
    ),
    // Randomized response.
    positive.map((e): Drawn['build'] => (factor, options) => {
      const p = decimal(times(1 / (1 + Math.exp(-e * factor)), 1));
      const q = decimal(1).minus(p);
      return finitePair([p.toString(), q.toString()], [q.toString(), p.toString()], options);
    }),
  ),
);

interface Setting {
  readonly drawn: readonly Drawn[];
  readonly adaptivity: Adaptivity;
}
/** Data that come over time may be chosen by what was answered, so that they are not fixed in advance. */
const fixedInAdvance = (drawn: Drawn): Drawn =>
  drawn.kind === 'continual' ? { ...drawn, kind: 'interactive' } : drawn;
const listOf = (entry: fc.Arbitrary<Drawn>): fc.Arbitrary<Setting> =>
  fc
    .record({
      drawn: fc.array(entry, { minLength: 1, maxLength: 3 }),
      adaptivity: fc.constantFrom<Adaptivity>('adaptive', 'nonadaptive'),
    })
    .map(({ drawn, adaptivity }) => ({
      adaptivity,
      drawn: adaptivity === 'adaptive' ? drawn : drawn.map(fixedInAdvance),
    }));

const settings: Readonly<Record<string, fc.Arbitrary<Setting>>> = {
  '(e, d)-DP': listOf(pure),
  'bounded range': listOf(ranged),
  'equal bounded range': listOf(ranged).map(({ drawn, adaptivity }) => ({ drawn: drawn.slice(0, 1), adaptivity })),
  Gaussian: listOf(normal),
  'zCDP and Renyi': listOf(renyi),
  'other noise and pairs': listOf(other),
  'ranges and pairs': fc.tuple(listOf(ranged), listOf(fc.oneof(pure, normal, other))).map(([one, two]) => ({
    drawn: [...one.drawn, ...two.drawn].map((drawn) => ({
      ...drawn,
      count: Math.min(drawn.count, 3),
      kind: 'noninteractive',
    })),
    adaptivity: one.adaptivity,
  })),
  'a mixture': listOf(fc.oneof(pure, ranged, normal, renyi, other)),
};

const IDS: readonly BoundId[] = ALL_BOUNDS.map(({ id }) => id);

/** Those that have applied to something: what never does is not tested. */
const applied = new Set<RowId>();

const MIXTURES = ['ranges and pairs', 'a mixture'];

const entriesOf = ({ drawn }: Setting, factor = 1, more = 0): Entry[] =>
  drawn.map(({ build, count, kind }) => build(factor, { count: count + more, kind }));

interface Value {
  readonly lower: number | null;
  readonly upper: number;
}
interface Values {
  readonly answer: Value;
  readonly rows: ReadonlyMap<RowId, Value>;
}

function valuesOf(entries: readonly Entry[], query: Query, adaptivity: Adaptivity): Values {
  const result = answer(entries, query, { adaptivity, bounds: IDS, exhausted: () => true });
  const pick = (row: { epsilon: Value; delta: Value }): Value =>
    query.solveFor === 'epsilon' ? row.epsilon : row.delta;
  const rows = new Map<RowId, Value>();
  for (const row of result.bounds) if (row.applies) rows.set(row.id, pick(row));
  for (const id of rows.keys()) applied.add(id);
  return { answer: pick(result), rows };
}

/** Every bound of `a` with its counterpart in `b`, where both apply. */
function pairs(a: Values, b: Values): { id: string; one: Value; two: Value }[] {
  const shared = [...a.rows].flatMap(([id, one]) => {
    const two = b.rows.get(id);
    return two ? [{ id: id, one, two }] : [];
  });
  return [...shared, { id: 'answer', one: a.answer, two: b.answer }];
}

/** `larger` is not certainly below `smaller`. */
function expectNotBelow(id: string, larger: Value, smaller: Value): void {
  if (smaller.lower !== null) expect(larger.upper, id).toBeGreaterThanOrEqual(smaller.lower);
  else expect(larger.upper * (1 + SEARCH) + 1e-300, id).toBeGreaterThanOrEqual(smaller.upper);
}

const deltas = fc.double({ min: -14, max: -0.5, noNaN: true }).map((x) => new Decimal((10 ** x).toPrecision(6)));
const share = fc.double({ min: 0, max: 1.1, noNaN: true });
/** An epsilon from 0 to somewhat more than most of these compositions can lose. */
const epsilonOf = ({ drawn }: Setting, s: number): Decimal =>
  new Decimal(drawn.reduce((sum, { count }) => sum + count, 0) * s * s).toSignificantDigits(10);

const RUNS = { numRuns: 25 };
/** A mixture takes tables and a convolution each time. */
const FEW_RUNS = { numRuns: shareOf(8, 1) };

describe.each(Object.entries(settings))('every bound on %s', (name, setting) => {
  const runs = MIXTURES.includes(name) ? FEW_RUNS : RUNS;

  it('has a lower end at most its upper end, never NaN, and delta in [0, 1]', () => {
    fc.assert(
      fc.property(setting, share, deltas, fc.boolean(), (drawn, s, delta, negative) => {
        const epsilon = negative ? epsilonOf(drawn, s).negated() : epsilonOf(drawn, s);
        for (const query of [atEpsilon(epsilon.toString()), atDelta(delta.toString())]) {
          const { answer: best, rows } = valuesOf(entriesOf(drawn), query, drawn.adaptivity);
          for (const [id, { lower, upper }] of [...rows, ['answer', best] as const]) {
            expect(upper, id).not.toBeNaN();
            expect(upper, id).toBeGreaterThanOrEqual(0);
            if (lower !== null) {
              expect(lower, id).toBeGreaterThanOrEqual(0);
              expect(lower, id).toBeLessThanOrEqual(upper);
            }
            if (query.solveFor === 'delta') expect(upper, id).toBeLessThanOrEqual(1);
            // No correct claim is below what is certain for exactly these classes.
            if (best.lower !== null) expect(upper, id).toBeGreaterThanOrEqual(best.lower);
          }
        }
      }),
      runs,
    );
  });

  it('falls with epsilon, convexly in e^epsilon', () => {
    fc.assert(
      fc.property(setting, share, share, (drawn, s, r) => {
        const [x, y] = [epsilonOf(drawn, s), epsilonOf(drawn, s).plus(epsilonOf(drawn, r))];
        const z = y.plus(y.minus(x));
        const at = (epsilon: Decimal): Values =>
          valuesOf(entriesOf(drawn), atEpsilon(epsilon.toString()), drawn.adaptivity);
        const [left, middle, right] = [at(x), at(y), at(z)];
        for (const { id, one, two } of pairs(left, middle)) expectNotBelow(id, one, two);
        for (const { id, one, two } of pairs(middle, right)) expectNotBelow(id, one, two);
        const [a, b, c] = [x, y, z].map((epsilon) => precise(epsilon).exp());
        if (a!.eq(c!)) return;
        const weight = c!.minus(b!).div(c!.minus(a!)).toNumber();
        for (const [id, { lower }] of middle.rows) {
          const chord = weight * left.rows.get(id)!.upper + (1 - weight) * right.rows.get(id)!.upper;
          if (lower !== null) expect(lower, id).toBeLessThanOrEqual(chord * (1 + 1e-14));
        }
      }),
      runs,
    );
  });

  it('does not fall when a parameter or a count grows', () => {
    fc.assert(
      fc.property(setting, share, deltas, fc.double({ min: 1, max: 3, noNaN: true }), (drawn, s, delta, factor) => {
        for (const query of [atEpsilon(epsilonOf(drawn, s).toString()), atDelta(delta.toString())]) {
          const now = valuesOf(entriesOf(drawn), query, drawn.adaptivity);
          const stronger = valuesOf(entriesOf(drawn, factor), query, drawn.adaptivity);
          const longer = valuesOf(entriesOf(drawn, 1, 1), query, drawn.adaptivity);
          for (const { id, one, two } of pairs(stronger, now)) expectNotBelow(`${id}, parameters`, one, two);
          for (const { id, one, two } of pairs(longer, now)) expectNotBelow(`${id}, counts`, one, two);
        }
      }),
      runs,
    );
  });

  it('takes a count as copies and does not care for the order', () => {
    fc.assert(
      fc.property(setting, share, deltas, (drawn, s, delta) => {
        for (const query of [atEpsilon(epsilonOf(drawn, s).toString()), atDelta(delta.toString())]) {
          const entries = entriesOf(drawn);
          const copies = entries
            .flatMap((entry) => Array.from({ length: entry.count }, () => ({ ...entry, count: 1 })))
            .reverse();
          const [one, two] = [entries, copies].map((list) => valuesOf(list, query, drawn.adaptivity));
          for (const { id, one: a, two: b } of pairs(one!, two!)) {
            expectNotBelow(id, a, b);
            expectNotBelow(id, b, a);
            if (a.upper !== b.upper) expect(Math.abs(a.upper - b.upper), id).toBeLessThanOrEqual(1e-6 * a.upper);
          }
        }
      }),
      runs,
    );
  });

  it('is never above basic composition', () => {
    fc.assert(
      fc.property(setting, share, deltas, (drawn, s, delta) => {
        for (const query of [atEpsilon(epsilonOf(drawn, s).toString()), atDelta(delta.toString())]) {
          const { rows, answer: best } = valuesOf(entriesOf(drawn), query, drawn.adaptivity);
          const basic = rows.get('basic');
          if (!basic) return;
          for (const [id, { upper }] of rows) {
            if (basic.upper < Infinity) expect(upper, id).toBeLessThanOrEqual(basic.upper * (1 + 4 * Number.EPSILON));
          }
          expect(best.upper).toBeLessThanOrEqual(basic.upper);
        }
      }),
      runs,
    );
  });

  it('has inverses that agree on the safe side', () => {
    fc.assert(
      fc.property(setting, share, deltas, (drawn, s, delta) => {
        const entries = entriesOf(drawn);
        const costs = valuesOf(entries, atDelta(delta.toString()), drawn.adaptivity);
        for (const [id, { lower, upper }] of costs.rows) {
          if (upper === Infinity) continue;
          const there = valuesOf(entries, atEpsilon(decimalFromDouble(upper).toString()), drawn.adaptivity).rows.get(
            id,
          )!;
          if (there.lower !== null)
            expect(precise(there.lower).lte(precise(delta)), `${id}: delta(epsilon.upper)`).toBe(true);
          expect(there.upper, `${id}: delta(epsilon.upper)`).toBeLessThanOrEqual(delta.toNumber() * (1 + ROUND_TRIP));
          if (lower === null || lower === 0) continue;
          const below = valuesOf(entries, atEpsilon(decimalFromDouble(lower).toString()), drawn.adaptivity).rows.get(
            id,
          )!;
          expect(precise(below.upper).gte(precise(delta)), `${id}: delta(epsilon.lower)`).toBe(true);
        }
        const epsilon = epsilonOf(drawn, s);
        const leaks = valuesOf(entries, atEpsilon(epsilon.toString()), drawn.adaptivity);
        for (const [id, { upper }] of leaks.rows) {
          if (upper < 1e-250) continue;
          const back = valuesOf(entries, atDelta(decimalFromDouble(upper).toString()), drawn.adaptivity).rows.get(id)!;
          if (back.lower !== null)
            expect(back.lower, `${id}: epsilon(delta.upper)`).toBeLessThanOrEqual(toUpper(epsilon));
          else
            expect(back.upper, `${id}: epsilon(delta.upper)`).toBeLessThanOrEqual(
              epsilon.toNumber() * (1 + SEARCH) + 1e-7,
            );
        }
      }),
      runs,
    );
  });
});

it('includes every bound: each applies to something of these settings', () => {
  const lists = [
    [dp('0.1')],
    [boundedRange('0.1')],
    [gaussian(4)],
    [zcdp('0.1')],
    [boundedRange('0.1'), laplace(4)],
    [SAMPLES.selection],
  ];
  for (const list of lists) {
    for (const adaptivity of ['adaptive', 'nonadaptive'] as const) valuesOf(list, atDelta('1e-6'), adaptivity);
  }
  expect(IDS.filter((id) => !applied.has(id))).toEqual([]);
});

describe('one mechanism alone', () => {
  it('costs its own epsilon at its own delta, exactly', () => {
    fc.assert(
      fc.property(hundredths, failures, kinds, (e, d, kind) => {
        const { epsilon } = answer([dp(e, d, { kind })], atDelta(d));
        expect(epsilon).toMatchObject({ exact: new Decimal(e).toString(), lower: expect.any(Number) as number });
        expect(answer([dp(e, d, { kind })], atEpsilon(e)).delta).toMatchObject({ exact: new Decimal(d).toString() });
      }),
    );
  });
  it('of bounded range costs its own epsilon at delta 0, and less at any other', () => {
    fc.assert(
      fc.property(positive, deltas, (e, delta) => {
        expect(answer([boundedRange(e)], atDelta(0)).epsilon).toMatchObject({ exact: new Decimal(e).toString() });
        const { epsilon } = answer([boundedRange(e)], atDelta(delta.toString()));
        expect(epsilon.upper).toBeLessThan(e);
        expect(epsilon.upper - epsilon.lower!).toBeLessThanOrEqual(1e-9 * e);
      }),
      RUNS,
    );
  });
});

describe('exact bounds of single pairs', () => {
  it.each(['interactive', 'continual'] as const)('never hold for %s entries that compose', (kind) => {
    for (const entry of [gaussian(4, { kind }), gdp('0.25', { kind })]) {
      for (const entries of [[{ ...entry, count: 2 }], [gaussian(4), entry]]) {
        const result = answer(entries, atDelta('1e-6'));
        expect(result.bounds.find(({ id }) => id === 'gaussian')).toMatchObject({
          applies: false,
          reason: { code: 'needs-noninteractive', kinds: [kind] },
        });
        expect(result.warnings.map(({ code }) => code)).toContain('single-pair-interactive');
      }
    }
  });
});
