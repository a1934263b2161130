import type { Gap, GapAnswer, GapRow } from '../../../src/composition/gap/gap.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { enclosure } from '../../../src/numeric/enclosure.ts';

/** Hand-made gaps, so that reports are tested without any composition. */

const each = new Decimal('0.1');
const millionth = new Decimal('1e-6');

const gap: Gap = {
  adaptive: enclosure(0.63414769677926, 0.63418629358054),
  ratio: enclosure(0.0087663618, 0.0088277595),
  difference: enclosure(0.0055108580059, 0.0055494548074),
};

export const ten: GapRow = {
  each,
  count: 10,
  given: millionth,
  nonadaptive: enclosure(0.62863683877321, 0.62863683877326),
  gap,
};

export const hundred: GapRow = {
  each,
  count: 100,
  given: millionth,
  nonadaptive: enclosure(2.2460262124561, 2.2460262124564),
  gap: {
    adaptive: enclosure(2.2508390239467, 2.2509473462989),
    ratio: enclosure(0.0021428118, 0.0021910402),
    difference: enclosure(0.0048128114904, 0.0049211338429),
  },
};

export const tooMany: GapRow = {
  ...hundred,
  count: 10_000,
  gap: { reason: { code: 'too-large', limit: '5000 mechanisms' } },
};

/** Epsilons over the count. */
export const overCount: GapAnswer = {
  question: { each: [each], count: [10, 100], solveFor: 'epsilon', given: [millionth] },
  rows: [ten, hundred],
  largest: { ratio: enclosure(0.0087663618, 0.0088277595), row: ten },
  warnings: [],
};

/** Not all of them are computed, nor as closely as asked. */
export const incomplete: GapAnswer = {
  question: { ...overCount.question, count: [10, 100, 10_000] },
  rows: [...overCount.rows, tooMany],
  largest: overCount.largest,
  warnings: [{ code: 'tolerance-not-met', asked: 1e-4, reached: 0.0123, cut: false, rows: 1 }],
};

const atOne: GapRow = {
  each,
  count: 30,
  given: new Decimal(1),
  nonadaptive: enclosure(1.3234974453657e-5, 1.3234974453662e-5),
  gap: {
    adaptive: enclosure(1.416076403333e-5, 1.4161981169165e-5),
    ratio: enclosure(0.069950235, 0.0700422),
    difference: enclosure(9.257895796e-7, 9.270067156e-7),
  },
};

/** Deltas over epsilon, of which the last is 0. */
export const overEpsilon: GapAnswer = {
  question: { each: [each], count: [30], solveFor: 'delta', given: [new Decimal(1), new Decimal(3)] },
  rows: [
    atOne,
    {
      each,
      count: 30,
      given: new Decimal(3),
      nonadaptive: enclosure(0, 0),
      gap: { adaptive: enclosure(0, 0), ratio: null, difference: enclosure(0, 0) },
    },
  ],
  largest: { ratio: enclosure(0.069950235, 0.0700422), row: atOne },
  warnings: [],
};

/** One composition, with these ends of its ratio. */
export function single(lower: number, upper: number): GapAnswer {
  const ratio = enclosure(lower, upper);
  const row = { ...ten, gap: { ...gap, ratio } };
  return {
    ...overCount,
    question: { ...overCount.question, count: [10] },
    rows: [row],
    largest: { ratio, row },
  };
}
