import { convertGuarantee, convertSpent } from '../../ledger/conversions.ts';
import type { Caveat } from '../../ledger/rules/rule.ts';
import type { Terms } from '../../ledger/rules/terms.ts';
import type { Found, OpenMechanism, OpenParameter, Remaining, Loss } from '../../ledger/loss.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import * as json from '../kit/codec.ts';
import { BRACKET, FORM, GIVEN, NUMBER, type ReadNumber } from '../kit/codecs.ts';
import { jsonRounded, type Side } from '../kit/json-value.ts';
import { decimalText, givenText, pairText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import { claimText, guaranteeText, entryText } from './amounts.ts';
import { caveatMessage, CAVEATS } from './caveats.ts';
import { DECIMAL_TEXT, GUARANTEE } from './facts-json.ts';

/** One thing that was asked, and what remains of it; null: not even the least of it. */
export type RemainingRow =
  | { readonly question: OpenMechanism; readonly capacity: Extract<Remaining, { form: 'next' }> | null }
  | { readonly question: Entry; readonly capacity: Extract<Remaining, { form: 'how-many' }> };

const isNoise = (parameter: OpenParameter): boolean => parameter === 'scale' || parameter === 'sigma';

/** The largest value that fits, or the smallest, with the side to which it is rounded. */
export interface Fitting {
  readonly value: Found;
  readonly side: Side;
}

const FITTING: json.Codec<Fitting, ReadNumber | 'any'> = json.described(
  'The largest that fits, rounded down to 15 digits; for noise, the smallest, rounded up; or any.',
  {
    schema: { anyOf: [NUMBER.schema, { const: 'any' }] },
    encode: ({ value, side }) => (value === 'any' ? value : jsonRounded(value, side)),
  },
);
const EXACT = json.described('The same as an exact decimal; null for any and none.', json.orNull(DECIMAL_TEXT));

const ROW = json.oneOf(
  json.object({
    form: json.is('next'),
    mechanism: FORM,
    parameter: json.choice('epsilon', 'rho', 'mu', 'scale', 'sigma', null),
    value: json.described('Null where none fits.', json.orNull(FITTING)),
    exact: EXACT,
  }),
  json.object({ form: json.is('how-many'), mechanism: FORM, count: FITTING, exact: EXACT }),
);

const exactOf = (value: Found | null): Decimal | null => (value === 'any' ? null : value);

function rowOf(row: RemainingRow): json.ValueOf<typeof ROW> {
  if ('mechanism' in row.question) {
    const { capacity, question } = row as Extract<RemainingRow, { question: Entry }>;
    const mechanism = exactEntry({ ...question, count: 1 });
    return {
      form: 'how-many',
      mechanism,
      count: { value: capacity.count, side: 'down' },
      exact: exactOf(capacity.count),
    };
  }
  const { capacity, question } = row as Extract<RemainingRow, { question: OpenMechanism }>;
  return {
    form: 'next',
    mechanism: { ...question },
    parameter: capacity?.parameter ?? null,
    value: capacity && { value: capacity.value, side: isNoise(capacity.parameter) ? 'up' : 'down' },
    exact: exactOf(capacity?.value ?? null),
  };
}

/** What remains of the things that were asked, row by row. */
export const REMAINING = json.list(json.from(ROW, rowOf));

/** `dp with delta 1e-8`, `laplace with sensitivity 2`. */
function openText({ type, ...fixed }: OpenMechanism): string {
  const facts = Object.entries(fixed).flatMap(([name, value]: [string, Decimal]) =>
    value.eq(name === 'sensitivity' ? 1 : 0) ? [] : [`${name} ${givenText(value)}`],
  );
  return facts.length === 0 ? type : `${type} with ${facts.join(' and ')}`;
}

/** What remains, as a sentence. */
export function remainingText(row: RemainingRow): string {
  if ('mechanism' in row.question) {
    const { capacity, question } = row as Extract<RemainingRow, { question: Entry }>;
    const what = entryText({ ...question, count: 1 });
    if (capacity.count === 'any') return `Any number of further ${what}.`;
    return `${grouped(BigInt(capacity.count.toFixed()))} more of ${what}.`;
  }
  const { capacity, question } = row as Extract<RemainingRow, { question: OpenMechanism }>;
  if (capacity === null) return `No next ${openText(question)} fits the budget.`;
  const { parameter, value } = capacity;
  if (value === 'any') return `Next ${openText(question)}: any ${parameter}.`;
  const bound = isNoise(parameter) ? `at least ${decimalText(value, 'up')}` : `at most ${decimalText(value, 'down')}`;
  return `Next ${openText(question)}: ${parameter} ${bound}.`;
}

/** A loss, and what was asked. */
export interface LossReport {
  readonly terms: Terms;
  readonly loss: Loss;
  readonly distance: Decimal;
  /** The query for its conversion to (epsilon, delta)-DP; null for none. */
  readonly query: Query | null;
}

/** The conversions that were asked for: of the loss so far, null where it is several numbers; of the guarantee, as it was fixed. */
interface Converted {
  readonly spent: Bracket | null;
  readonly guarantee: Bracket | null;
  readonly caveats: readonly Caveat[];
}

function convertedOf({ terms, loss, query }: LossReport): Converted {
  if (query === null) return { spent: null, guarantee: null, caveats: [] };
  const spent = convertSpent(terms, loss, query);
  const guarantee = convertGuarantee(loss, query);
  const several = 'refusal' in spent;
  const isInfinite = [spent, guarantee].some(
    (bracket) => bracket !== null && 'upper' in bracket && bracket.upper === Infinity,
  );
  return {
    spent: several ? null : spent,
    guarantee,
    caveats: [
      ...(several ? ['spent-not-converted' as const] : []),
      ...(isInfinite ? ['no-finite-epsilon' as const] : []),
    ],
  };
}

const CONVERTED = json.orNull(
  json.anyOf(json.object({ delta: GIVEN, epsilon: BRACKET }), json.object({ epsilon: GIVEN, delta: BRACKET })),
);

function convertedTo(bracket: Bracket | null, query: Query | null): json.ValueOf<typeof CONVERTED> {
  if (bracket === null || query === null) return null;
  return query.solveFor === 'epsilon'
    ? { delta: query.delta, epsilon: bracket }
    : { epsilon: query.epsilon, delta: bracket };
}

/** A loss, and what it is converted to. */
export const LOSS = json.from(
  json.object({
    distance: GIVEN,
    spent: GUARANTEE,
    guarantee: json.orNull(GUARANTEE),
    converted: json.object({ spent: CONVERTED, guarantee: CONVERTED }),
    caveats: CAVEATS,
  }),
  (report: LossReport) => {
    const { loss, distance, query } = report;
    const { spent, guarantee, caveats } = convertedOf(report);
    return {
      ...loss,
      distance,
      converted: { spent: convertedTo(spent, query), guarantee: convertedTo(guarantee, query) },
      caveats: [...loss.caveats, ...caveats],
    };
  },
);

/** `, which is (2.14, 1e-6)-DP`. */
const convertedText = (bracket: Bracket | null, query: Query | null): string =>
  bracket === null || query === null ? '' : `, which is ${pairText(query, bracket)}-DP`;

/** A loss for a person, with the caveats that are its own. */
export function lossLines(report: LossReport): readonly string[] {
  const { loss, distance, query } = report;
  const { spent, guarantee } = loss;
  const converted = convertedOf(report);
  const at = distance.eq(1) ? '' : ` at distance ${givenText(distance)}`;
  const isExceeded = loss.caveats.includes('budget-exceeded');
  return [
    `Loss so far${at}: ${guaranteeText(spent, 'up')}${isExceeded ? '' : convertedText(converted.spent, query)}.`,
    ...(guarantee === null ? [] : [`Guarantee: ${claimText(guarantee)}${convertedText(converted.guarantee, query)}.`]),
    ...converted.caveats.map(caveatMessage),
  ];
}
