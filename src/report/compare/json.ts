import type { Both, ComparedAt, DesignComparison } from '../../composition/compare/compare.ts';
import type { ExactForm } from '../../document/structure/normal-form.ts';
import type { Stretch } from '../../numeric/convex/certain-order.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { choice, described, document, documentText, from, list, object } from '../kit/codec.ts';
import { BRACKET, FINITE, FLAG, GIVEN, TEXT } from '../kit/codecs.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { NAMED_INPUT } from '../risk-curve/json.ts';
import { compareStatement, smallerOf } from './words.ts';

const SMALLER = described(
  'Whose number is certainly smaller; null where that is not known.',
  choice('first', 'second', null),
);

const BOTH = { first: BRACKET, second: BRACKET, smaller: SMALLER };

const bothOf = (values: Both<Bracket>) => ({ first: values[0], second: values[1], smaller: smallerOf(values) });

const AT_DELTA = from(object({ delta: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  delta: at,
  ...bothOf(values),
}));
const AT_EPSILON = from(object({ epsilon: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  epsilon: at,
  ...bothOf(values),
}));
const AT_RATE = from(object({ falsePositiveRate: GIVEN, ...BOTH }), ({ at, values }: ComparedAt) => ({
  falsePositiveRate: at,
  ...bothOf(values),
}));

const STRETCH = from(
  object({
    from: FINITE,
    to: FINITE,
    smaller: described(
      'Whose value is smaller at every point from one end to the other, except perhaps where both are 0; null where that is not known.',
      choice('first', 'second', 'both-0', null),
    ),
  }),
  (stretch: Stretch) => stretch,
);

/** Two designs, and where each is better. */
export const COMPARE = document('compare', 'Two designs beside each other, as compare --json prints them.', {
  first: NAMED_INPUT,
  second: NAMED_INPUT,
  message: TEXT,
  epsilons: list(AT_DELTA),
  deltas: list(AT_EPSILON),
  advantage: from(object(BOTH), bothOf),
  truePositiveRates: list(AT_RATE),
  byEpsilon: described('Over epsilons: whose smallest delta is smaller, and better.', list(STRETCH)),
  byRate: described(
    'Over false-positive rates: whose smallest false-negative rate is smaller, so that the other design is better.',
    list(STRETCH),
  ),
  neverLarger: described(
    'Whose smallest delta is proved to be larger than that of the other at no epsilon.',
    from(object({ first: FLAG, second: FLAG }), ([first, second]: Both<boolean>) => ({ first, second })),
  ),
  warnings: list(WARNING),
});

/** Two designs as `dpcompose.compare/1`; `inputs` are the specifications in normal form. */
export const compareJson = (comparison: DesignComparison, inputs: Both<ExactForm>, version: string): string =>
  documentText(COMPARE, {
    ...comparison,
    version,
    message: compareStatement(comparison),
    first: { name: comparison.names[0], input: inputs[0] },
    second: { name: comparison.names[1], input: inputs[1] },
  });
