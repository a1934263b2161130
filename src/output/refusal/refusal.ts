import { BOUND_IDS, type RowId } from '../../bounds/core/bound.ts';
import type { BoundRow, DecimalValue, Warning, ImpossibilityBound, Refusal } from '../../composition/core/outcome.ts';
import type { Query } from '../../privacy/curve.ts';
import * as json from '../kit/codec.ts';
import { choice, described, from, is, object, oneOf, optional, plain, type ValueOf } from '../kit/codec.ts';
import {
  BRACKET,
  NOTICE,
  TEXT,
  BUDGET,
  COUNT,
  ENCLOSURE,
  GIVEN,
  LOWER,
  NUMBER,
  TEXT_OR_NULL,
  whole,
  type ReadNumber,
} from '../kit/codecs.ts';
import { inapplicabilityMessage } from '../kit/message.ts';
import { SAMPLER_VERDICT } from './batch-facts.ts';
import { unavailableMessage, warningMessage } from './warnings.ts';
import type { Verdict } from '../../composition/design/check-design.ts';
import type { Link } from '../../composition/design/data-flow.ts';
import { PROPERTIES, type Property } from '../../composition/design/violation.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { jsonForm } from '../kit/json-value.ts';
import { inOneParagraph, type KeyChange, type Fix } from '../kit/page.ts';
import { refusalReference, refusalText } from './messages.ts';
import { placeText } from './design-reasons.ts';
import { inTheWay, nearestOf, UNKNOWN_DOCUMENT, type RefusedDocument } from './refused-document.ts';

/** Every bound, and the total of a plan whose parts are priced one by one. */
export const ROW_ID = choice<RowId>(...BOUND_IDS, 'grouped');

const DIGITS = plain<string>({ type: 'string', pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]\\d+)?)$' });

/** A second opinion in decimal arithmetic; only with --precision. */
export const DECIMAL = described(
  'The result to --precision digits, rounded up, or why it is not available.',
  oneOf(object({ epsilon: DIGITS }), object({ delta: DIGITS }), object({ code: TEXT, reason: TEXT })),
);

/** What was asked, as a decimal from which its upper end was rounded up. */
export const EXACT = described('The decimal that the printed result is rounded up from; null if unknown.', TEXT);

/** A second opinion, where there is one, on what was asked. */
export function decimalOf(
  value: DecimalValue | undefined,
  solveFor: Query['solveFor'],
): ValueOf<typeof DECIMAL> | undefined {
  if (value === undefined) return undefined;
  if ('unavailable' in value) return { code: value.unavailable, reason: unavailableMessage(value.unavailable) };
  return solveFor === 'epsilon' ? { epsilon: value.digits } : { delta: value.digits };
}

const theorem = { id: ROW_ID, name: TEXT, reference: TEXT };

/** One theorem: what it gives, or why it does not apply. */
export const BOUND_ROW = oneOf(
  object({
    ...theorem,
    applies: is(true),
    epsilon: BRACKET,
    delta: BRACKET,
    exact: optional(EXACT),
    decimal: optional(DECIMAL),
  }),
  object({ ...theorem, applies: is(false), code: TEXT, reason: TEXT }),
);

/** The row of a bound in the answer to a query. */
export const boundRow = (row: BoundRow, solveFor: Query['solveFor']): ValueOf<typeof BOUND_ROW> =>
  row.applies
    ? { ...row, exact: row[solveFor].exact, decimal: decimalOf(row.decimal, solveFor) }
    : { ...row, code: row.reason.code, reason: inapplicabilityMessage(row.reason) };

/** A warning. */
export const WARNING = from(NOTICE, (warning: Warning) => ({ code: warning.code, message: warningMessage(warning) }));

const LOWER_BOUND = json.described(
  'The lower bound that a counterexample proves, for this many instances, at epsilon ("any": at every epsilon) or at Renyi order alpha. supremum: its limit as instances are added.',
  json.orNull(
    json.from(
      json.object({
        instances: whole(1),
        alpha: json.optional(NUMBER),
        epsilon: json.orWord(NUMBER, 'any'),
        delta: json.optional(NUMBER),
        supremum: NUMBER,
      }),
      (bound: ImpossibilityBound) => ({
        instances: bound.instances,
        alpha: bound.solveFor === 'renyi' ? bound.alpha.toNumber() : null,
        epsilon: Decimal.isDecimal(bound.epsilon) ? bound.epsilon.toNumber() : bound.epsilon,
        delta: 'delta' in bound ? new Decimal(bound.delta).toNumber() : null,
        supremum: bound.solveFor === 'delta' ? 1 : Infinity,
      }),
    ),
  ),
);

/** A key to write or to remove, in the object at a path; the document itself where that is empty. */
const KEY_CHANGE = json.object({
  path: TEXT,
  key: TEXT,
  value: json.plain<KeyChange['value']>({ type: ['string', 'number', 'boolean', 'null'] }),
});

const FIX = json.from(json.object({ message: TEXT, changes: json.list(KEY_CHANGE) }), ({ text, changes }: Fix) => ({
  message: text,
  changes,
}));

const STATE = json.choice('holds', 'fails', 'open');

/** The state of each property; open: it can only be decided once the destination property holds. */
export const DESIGN_PROPERTIES: json.Codec<readonly Verdict[], Readonly<Record<Property, Verdict['state']>>> = {
  schema: json.object(Object.fromEntries(PROPERTIES.map((property) => [property, STATE]))).schema,
  encode: (verdicts) => Object.fromEntries(verdicts.map(({ property, state }) => [property, state])),
};

/** A step of the way of the input to a variable: where from, and how; decided: that decides whether the variable is set. */
export const LINK = { from: TEXT, how: json.choice('computed', 'added', 'decided'), path: TEXT };

const CHAIN_LINK = json.from(json.object({ variable: TEXT, ...LINK }), (link: Link) => ({
  ...link,
  path: placeText(link.at),
}));

/** A number of times, or how far values differ, with all digits. */
const AMOUNT: json.Codec<Decimal | number, ReadNumber> = { schema: NUMBER.schema, encode: jsonForm };

/** The same; any: without limit. */
const LIMIT = json.orWord(AMOUNT, 'unbounded', 'any');

/** One way in which a design fails a property. */
export const DESIGN_VIOLATION = json.object({
  code: TEXT,
  property: json.choice(...PROPERTIES),
  path: TEXT,
  mechanism: json.optional(TEXT),
  variable: json.optional(TEXT),
  variables: json.optional(json.list(json.object({ name: TEXT, chain: json.list(CHAIN_LINK) }))),
  limits: json.optional(
    json.described(
      'For a value out of range: the value found, and the range covered.',
      json.object({ found: LIMIT, covered: LIMIT }),
    ),
  ),
  message: TEXT,
  remedy: TEXT,
});

const COUNTEREXAMPLE = {
  ...json.object({
    budget: BUDGET,
    first: GIVEN,
    branches: json.list(json.object({ outcome: TEXT, epsilon: GIVEN, count: COUNT, seen: ENCLOSURE })),
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
  mends: json.optional(
    json.described(
      'Ways to fix it; one is enough. changes: keys to write, or to remove (null), if keys fix it.',
      json.list(FIX),
    ),
  ),
  elements: json.optional(
    json.described(
      'For no-bound: the mechanisms that keep the nearest bounds from applying.',
      json.list(json.object({ path: TEXT, label: json.optional(TEXT), type: TEXT })),
    ),
  ),
  samples: json.optional(
    json.described(
      'For shuffled-batches: a lower bound of the privacy loss, and the result of accounting them as Poisson subsampling; null if unknown.',
      json.object({
        solveFor: json.choice('epsilon', 'delta'),
        atLeast: json.orNull(LOWER),
        asPoisson: json.orNull(NUMBER),
      }),
    ),
  ),
  batches: json.optional(
    json.described('For contradicted-batches: the scheme that is claimed, and what contradicts it.', SAMPLER_VERDICT),
  ),
  path: json.optional(TEXT),
  label: json.optional(TEXT),
  type: json.optional(TEXT),
  bounds: json.optional(json.list(BOUND_ROW)),
  warnings: json.optional(json.list(WARNING)),
  counterexample: json.optional(
    json.described('A run in which a bound for fixed parameters would let the budget be exceeded.', COUNTEREXAMPLE),
  ),
  properties: json.optional(DESIGN_PROPERTIES),
  violations: json.optional(json.list(DESIGN_VIOLATION)),
  more: json.optional(json.described('The number of further violations, not listed.', COUNT)),
};

/** The answer where no theorem covers the setting. */
export const REFUSAL = json.document('refusal', 'Why no theorem covers a setting (exit code 3).', REFUSAL_MEMBERS);

/** The elements that keep the nearest bounds from applying. */
function elementsOf(
  rows: readonly BoundRow[],
  document: RefusedDocument,
): NonNullable<json.ValueOf<typeof REFUSAL>['elements']> {
  const nearest = nearestOf(rows.filter((row) => !row.applies));
  const elements = new Map(
    nearest.flatMap((row) => inTheWay(row, document)).map((element) => [element.path, element.node]),
  );
  return [...elements].map(([path, { label, mechanism }]) => ({ path, label, type: mechanism.type }));
}

type Details = Pick<
  json.ValueOf<typeof REFUSAL>,
  'elements' | 'samples' | 'batches' | 'path' | 'label' | 'type' | 'bounds' | 'warnings'
>;

type DetailsOf<R> = (refusal: R, document: RefusedDocument) => Details;

/** What refusals of some codes say besides, unless they stand at a place. */
const DETAILS: { readonly [Code in Refusal['code']]?: DetailsOf<Extract<Refusal, { code: Code }>> } = {
  'no-bound': ({ bounds, warnings }, document) => ({
    elements: elementsOf(bounds, document),
    bounds: bounds.map((row) => boundRow(row, 'epsilon')),
    warnings,
  }),
  'adaptive-parameters': () => ({ path: 'adaptivity' }),
  'adaptive-parameters-in-parallel': () => ({ path: 'adaptivity' }),
  'mixed-neighbours': () => ({ path: 'neighbours' }),
  'contradicted-batches': ({ contradicted, batch }) => ({ batches: { ...contradicted, batch } }),
  'shuffled-batches': ({ solveFor, least, asPoisson }) => ({ samples: { solveFor, atLeast: least, asPoisson } }),
};

/** The members of refusals of one kind. */
function refusalDetails(refusal: Refusal, document: RefusedDocument): Details {
  if ('path' in refusal) {
    const { path } = refusal;
    return { path, label: 'label' in refusal ? refusal.label : null, type: 'type' in refusal ? refusal.type : null };
  }
  return (DETAILS[refusal.code] as DetailsOf<Refusal> | undefined)?.(refusal, document) ?? {};
}

/** The members of a refusal. */
export function refusalMembers(
  refusal: Refusal,
  document: RefusedDocument = UNKNOWN_DOCUMENT,
): Omit<json.ValueOf<typeof REFUSAL>, 'version'> {
  const text = refusalText(refusal, document);
  return {
    code: refusal.code,
    message: inOneParagraph(text),
    reference: refusalReference(refusal),
    lowerBound: 'impossibilityBound' in refusal ? refusal.impossibilityBound : null,
    mends: text.fixes,
    ...refusalDetails(refusal, document),
  };
}

/** A refusal as `dpcompose.refusal/1`. */
export const refusalJson = (refusal: Refusal, version: string, document?: RefusedDocument): string =>
  json.documentText(REFUSAL, { version, ...refusalMembers(refusal, document) });
