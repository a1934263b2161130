import type { ImpossibilityBound, BoundRow, Refusal } from '../../composition/core/outcome.ts';
import type { Verdict } from '../../composition/design/check-design.ts';
import type { Link } from '../../composition/design/data-flow.ts';
import { PROPERTIES, type Property } from '../../composition/design/violation.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import {
  choice,
  described,
  document,
  documentText,
  from,
  list,
  object,
  optional,
  orNull,
  plain,
  type Codec,
  type ValueOf,
} from '../kit/codec.ts';
import { BUDGET, COUNT, ENCLOSURE, GIVEN, NUMBER, TEXT, TEXT_OR_NULL, type ReadNumber } from '../kit/codecs.ts';
import { jsonForm } from '../kit/json-value.ts';
import { inOneParagraph, type KeyChange, type Fix } from '../kit/fix.ts';
import { BOUND_ROW, boundRow, WARNING } from './bound-row-json.ts';
import { refusalReference, refusalText } from './messages.ts';
import { placeText } from './design-reasons.ts';
import { inTheWay, nearestOf } from './no-bound.ts';
import { impossibilityBoundJson } from './plan-refusal.ts';
import { UNKNOWN_DOCUMENT, type RefusedDocument } from './refused-document.ts';

const ANY_EPSILON = { anyOf: [NUMBER.schema, { const: 'any' }] };

/** An impossibility lower bound as a program reads it. */
export interface ReadLowerBound {
  readonly instances: number;
  readonly epsilon: ReadNumber | 'any';
  readonly delta?: ReadNumber;
  readonly alpha?: ReadNumber;
  readonly supremum: ReadNumber;
}

const LOWER_BOUND: Codec<ImpossibilityBound | null, ReadLowerBound | null> = {
  schema: {
    type: ['object', 'null'],
    description:
      'What any claim would have to exceed, where a counterexample says: with so many instances, at epsilon (any: at every one) or at order alpha; supremum is its limit as instances are added.',
    properties: {
      instances: { type: 'integer', minimum: 1 },
      epsilon: ANY_EPSILON,
      delta: NUMBER.schema,
      alpha: NUMBER.schema,
      supremum: NUMBER.schema,
    },
    required: ['instances', 'epsilon', 'supremum'],
  },
  encode: impossibilityBoundJson,
};

/** A key to write or to remove, in the object at a path; the document itself where that is empty. */
const KEY_CHANGE = object({
  path: TEXT,
  key: TEXT,
  value: plain<KeyChange['value']>({ type: ['string', 'number', 'boolean', 'null'] }),
});

const FIX = from(object({ message: TEXT, changes: list(KEY_CHANGE) }), ({ text, changes }: Fix) => ({
  message: text,
  changes,
}));

const STATE = choice('holds', 'fails', 'open');

/** The state of each property; open: it can only be decided once the destination property holds. */
export const DESIGN_PROPERTIES: Codec<readonly Verdict[], Readonly<Record<Property, Verdict['state']>>> = {
  schema: object(Object.fromEntries(PROPERTIES.map((property) => [property, STATE]))).schema,
  encode: (verdicts) => Object.fromEntries(verdicts.map(({ property, state }) => [property, state])),
};

/** A step of the way of the input to a variable: where from, and how; decided: that decides whether the variable is set. */
export const LINK = { from: TEXT, how: choice('computed', 'added', 'decided'), path: TEXT };

const CHAIN_LINK = from(object({ variable: TEXT, ...LINK }), (link: Link) => ({ ...link, path: placeText(link.at) }));

/** A number of times, or how far values differ; any: without limit. */
const LIMIT: Codec<Decimal | number | 'unbounded' | 'any', ReadNumber | 'unbounded' | 'any'> = {
  schema: { anyOf: [NUMBER.schema, { enum: ['unbounded', 'any'] }] },
  encode: jsonForm,
};

/** One way in which a design fails a property. */
export const DESIGN_VIOLATION = object({
  code: TEXT,
  property: choice(...PROPERTIES),
  path: TEXT,
  mechanism: optional(TEXT),
  variable: optional(TEXT),
  variables: optional(list(object({ name: TEXT, chain: list(CHAIN_LINK) }))),
  limits: optional(
    described(
      'Of what is a matter of numbers: what was found, and what is covered.',
      object({ found: LIMIT, covered: LIMIT }),
    ),
  ),
  message: TEXT,
  remedy: TEXT,
});

const COUNTEREXAMPLE = {
  ...object({
    budget: BUDGET,
    first: GIVEN,
    branches: list(object({ outcome: TEXT, epsilon: GIVEN, count: COUNT, seen: ENCLOSURE })),
    truth: ENCLOSURE,
  }),
  schema: { type: 'object' },
};

/** The members of a refusal in every document. */
export const REFUSAL_MEMBERS = {
  code: TEXT,
  message: TEXT,
  reference: TEXT_OR_NULL,
  lowerBound: LOWER_BOUND,
  mends: optional(
    described(
      'What would fix it, any one of them; changes: keys to write, or to remove (null), where it is a matter of keys.',
      list(FIX),
    ),
  ),
  elements: optional(
    described(
      'Of no-bound: the mechanisms that keep the nearest bounds from applying.',
      list(object({ path: TEXT, label: optional(TEXT), type: TEXT })),
    ),
  ),
  samples: optional(
    described(
      'Of shuffled-batches: what they cost at least, and what accounting them as Poisson samples would say; null where it is not known.',
      object({ solveFor: choice('epsilon', 'delta'), atLeast: orNull(NUMBER), asPoisson: orNull(NUMBER) }),
    ),
  ),
  path: optional(TEXT),
  label: optional(TEXT),
  type: optional(TEXT),
  bounds: optional(list(BOUND_ROW)),
  warnings: optional(list(WARNING)),
  counterexample: optional(
    described('A run in which a bound for fixed parameters lets a budget be exceeded.', COUNTEREXAMPLE),
  ),
  properties: optional(DESIGN_PROPERTIES),
  violations: optional(list(DESIGN_VIOLATION)),
  more: optional(described('How many further violations are left out.', COUNT)),
};

/** The answer where no theorem covers the setting. */
export const REFUSAL = document('refusal', 'Why no theorem covers a setting (exit code 3).', REFUSAL_MEMBERS);

/** The elements that keep the nearest bounds from applying. */
function elementsOf(
  rows: readonly BoundRow[],
  document: RefusedDocument,
): NonNullable<ValueOf<typeof REFUSAL>['elements']> {
  const nearest = nearestOf(rows.filter((row) => !row.applies));
  const found = new Map(nearest.flatMap((row) => inTheWay(row, document)).map((held) => [held.path, held.node]));
  return [...found].map(([path, { label, mechanism }]) => ({ path, label, type: mechanism.type }));
}

type Details = Pick<
  ValueOf<typeof REFUSAL>,
  'elements' | 'samples' | 'path' | 'label' | 'type' | 'bounds' | 'warnings'
>;

/** The members of refusals of one kind. */
function refusalDetails(refusal: Refusal, document: RefusedDocument): Details {
  switch (refusal.code) {
    case 'no-bound':
      return {
        elements: elementsOf(refusal.bounds, document),
        bounds: refusal.bounds.map((row) => boundRow(row, 'epsilon')),
        warnings: refusal.warnings,
      };
    case 'adaptive-parameters':
    case 'adaptive-parameters-in-parallel':
      return { path: 'adaptivity' };
    case 'mixed-neighbours':
      return { path: 'neighbours' };
    case 'sampled-in-structure':
      return { path: refusal.path };
    case 'shuffled-batches':
      return { samples: { solveFor: refusal.solveFor, atLeast: refusal.least, asPoisson: refusal.asPoisson } };
    case 'not-offered':
    case 'not-expressible':
    case 'unbounded-approximate':
    case 'unbounded-renyi':
    case 'unbounded-f-dp':
    case 'oblivious-guarantee':
    case 'answers-not-discrete':
    case 'too-many-mechanisms':
    case 'chosen-along-the-way':
      return {
        path: refusal.path,
        label: 'label' in refusal ? refusal.label : null,
        type: 'type' in refusal ? refusal.type : null,
      };
  }
}

/** The members of a refusal. */
export function refusalMembers(
  refusal: Refusal,
  document: RefusedDocument = UNKNOWN_DOCUMENT,
): Omit<ValueOf<typeof REFUSAL>, 'version'> {
  const text = refusalText(refusal, document);
  return {
    code: refusal.code,
    message: inOneParagraph(text),
    reference: refusalReference(refusal),
    lowerBound: 'impossibilityBound' in refusal ? refusal.impossibilityBound : null,
    mends: text.mends,
    ...refusalDetails(refusal, document),
  };
}

/** A refusal as `dpcompose.refusal/1`. */
export const refusalJson = (refusal: Refusal, version: string, document?: RefusedDocument): string =>
  documentText(REFUSAL, { version, ...refusalMembers(refusal, document) });
