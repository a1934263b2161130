import type { LedgerGuarantee } from '../../ledger/rules/rule.ts';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { type LedgerState, totalsOf, type Totals } from '../../ledger/state.ts';
import type { Present } from '../../ledger/present.ts';
import { exactTerms } from '../../ledger/terms-codec.ts';
import { loss, remaining } from '../../ledger/loss.ts';
import { theoremOf } from '../../ledger/open.ts';
import * as json from '../kit/codec.ts';
import { COUNT, FORM, GIVEN, NUMBER, TEXT, TEXT_OR_NULL, type ReadNumber } from '../kit/codecs.ts';
import { jsonRounded, type Json, type JsonMembers, type Side } from '../kit/json-value.ts';

/** How much of one total is used up. */
export interface Share {
  /** The name of the total. */
  readonly name: string;
  readonly spent: Decimal;
  readonly limit: Decimal;
  /** From 0 to 1, to four places, rounded up: 1 only where nothing is left or less than that. */
  readonly share: number;
}

const Short = Decimal.clone({ precision: 20 });

const share = (used: Decimal, room: Decimal): number =>
  new Short(used).div(room).toDecimalPlaces(4, Decimal.ROUND_UP).toNumber();

/** `41.0%`. */
export const percentText = (share: number): string => `${(100 * share).toFixed(1)}%`;

/**
 * The share of every limited total that is used up, in the unit in which mechanisms add to it: half of it used means
 * that as much again fits. Totals without capacity from the start are left out. Of a compositor it is the share of what
 * was declared that was launched.
 */
export function shareOf({ terms, rule, spent, launched }: LedgerState): readonly Share[] {
  if (terms.mode === 'compositor') {
    const declared = terms.declared.reduce((sum, { count }) => sum.plus(count), ZERO);
    const total = new Decimal(launched);
    return [{ name: 'mechanisms', spent: total, limit: declared, share: share(total, declared) }];
  }
  return rule.names.flatMap((name, i): Share[] => {
    const [total, limit, initial] = [spent[i], rule.limits[i], rule.initial[i]];
    if (total === undefined || initial === undefined || limit === null || limit === undefined) return [];
    const room = limit.minus(initial);
    if (!room.gt(0)) return [];
    return [{ name, spent: total, limit, share: share(total.minus(initial), room) }];
  });
}

export const HASH = json.plain<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });

/** The exact decimal behind a number beside it. */
export const DECIMAL_TEXT: json.Codec<Decimal, string> = {
  schema: { type: 'string', pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]?\\d+)?)$' },
  encode: (value) => value.toString(),
};

/** A decimal, rounded to the side on which it stays true where it has more than 15 digits. */
export const rounded = (side: Side): json.Codec<Decimal, ReadNumber> => ({
  schema: NUMBER.schema,
  encode: (value) => jsonRounded(value, side),
});

const fieldsOf = <Name extends string, C>(names: readonly Name[], codec: C): Readonly<Record<Name, C>> =>
  Object.fromEntries(names.map((name) => [name, codec])) as Record<Name, C>;

type WithExact<T> = T extends unknown ? T & { readonly exact: T } : never;

/** An object that also has itself as `exact`. */
const withExact = <T extends object>(value: T): WithExact<T> => ({ ...value, exact: value }) as WithExact<T>;

/** A guarantee in doubles, rounded to the side on which it stays true, with its exact decimals beside them. */
function guaranteeOf(side: Side) {
  const amounts = <Name extends string>(...names: readonly Name[]) => ({
    ...fieldsOf(names, rounded(side)),
    exact: json.object(fieldsOf(names, DECIMAL_TEXT)),
  });
  const forms = json.oneOf(
    json.object({ type: json.is('dp'), ...amounts('epsilon', 'delta') }),
    json.object({ type: json.is('zcdp'), ...amounts('rho') }),
    json.object({ type: json.is('approximate-zcdp'), ...amounts('rho', 'delta') }),
    json.object({ type: json.is('rdp'), orders: json.list(json.object({ alpha: GIVEN, ...amounts('epsilon') })) }),
    json.object({ type: json.is('approximate-rdp'), alpha: GIVEN, ...amounts('epsilon', 'delta') }),
    json.object({ type: json.is('gdp'), ...amounts('mu') }),
  );
  return json.described(
    'Rounded to 15 digits: losses and guarantees up, what remains down. exact: all digits, as text.',
    json.from(forms, (guarantee: LedgerGuarantee): json.ValueOf<typeof forms> =>
      guarantee.type === 'rdp' ? { ...guarantee, orders: guarantee.orders.map(withExact) } : withExact(guarantee),
    ),
  );
}

/** A loss or a guarantee, rounded up. */
export const GUARANTEE = guaranteeOf('up');
/** A remaining budget, rounded down. */
export const REMAINDER = guaranteeOf('down');

type ReadTotals = Readonly<Record<string, ReadNumber | object>> & { readonly exact: Readonly<Record<string, string>> };

/** Running totals, by their names. */
export const TOTALS: json.Codec<Readonly<Record<string, Decimal>>, ReadTotals> = {
  schema: {
    type: 'object',
    description: 'By their names, rounded up to 15 digits. exact: by the same names, all digits, as text.',
    properties: { exact: { type: 'object', additionalProperties: DECIMAL_TEXT.schema } },
    required: ['exact'],
    additionalProperties: NUMBER.schema,
  },
  encode: (totals) => {
    const totalsIn = (encode: (total: Decimal) => Json): JsonMembers =>
      Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, encode(total)]));
    return { ...totalsIn((total) => jsonRounded(total, 'up')), exact: totalsIn((total) => total.toString()) };
  },
};

/** The running totals of a ledger. */
export const SPENT = json.from(TOTALS, ({ spent }: Totals) =>
  Object.fromEntries(Object.entries(spent).map(([name, total]) => [name, new Decimal(total)])),
);

const HALTED = json.choice('insufficient-budget', 'count-limit', null);

const ORIGIN = json.object({ kind: json.choice('nested', 'converted'), id: TEXT, hash: HASH });

/** The bytes of a record at the end of a file that is not finished. */
export const unfinished = ({ rest }: Pick<Present, 'rest'>): number => (rest.kind === 'torn' ? rest.bytes : 0);

/** A ledger, and where its file stands. */
export const LEDGER = json.from(
  json.object({
    file: TEXT,
    id: TEXT,
    madeAt: TEXT_OR_NULL,
    terms: json.described('The terms fixed when the ledger was created; numbers with all digits.', FORM),
    theorem: json.object({ name: TEXT, reference: TEXT }),
    origin: json.orNull(ORIGIN),
    records: COUNT,
    hash: HASH,
    lastAt: TEXT_OR_NULL,
    successor: json.described('The id of the ledger that continues it, once it has ended.', TEXT_OR_NULL),
    halted: HALTED,
    unfinished: json.described('Bytes of an incomplete record at the end, which does not count.', COUNT),
  }),
  ({ present, file }: { readonly present: Present; readonly file: string }) => ({
    ...present,
    file,
    id: present.header.id,
    madeAt: present.header.at,
    terms: exactTerms(present.header.terms),
    theorem: theoremOf(present.header.terms),
    origin: present.header.origin,
    lastAt: present.at,
    halted: present.state.halted,
    successor: present.successor?.id ?? null,
    unfinished: unfinished(present),
  }),
);

/** The same in short. */
export const BRIEF = { file: TEXT, id: TEXT, records: COUNT, hash: HASH, halted: HALTED };
export const LEDGER_BRIEF = json.object(BRIEF);

/** A ledger in short after a record; as it was where nothing was recorded. */
export const briefAfter = (
  {
    file,
    before,
    record,
  }: Readonly<{ file: string; before: Present; record: json.ValueOf<typeof RECORD_REFERENCE> | null }>,
  { halted }: LedgerState,
): json.ValueOf<typeof LEDGER_BRIEF> => ({
  file,
  id: before.header.id,
  records: record?.number ?? before.records,
  hash: record?.hash ?? before.hash,
  halted,
});

/** The members for what was spent of a ledger, and what is left. */
export const STANDING = {
  launched: COUNT,
  totals: SPENT,
  spent: GUARANTEE,
  guarantee: json.orNull(GUARANTEE),
  left: json.described('The largest guarantee that one more mechanism may have.', json.orNull(REMAINDER)),
  shares: {
    schema: {
      type: 'object',
      description: 'The share of each total that is used, from 0 to 1.',
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
    },
    encode: (shares) => Object.fromEntries(shares.map(({ name, share }) => [name, Math.min(1, share)])),
  } as json.Codec<readonly Share[], Readonly<Record<string, number>>>,
};

/** The loss so far of a ledger, and its remaining capacity. */
export function standing(state: LedgerState): json.Members<typeof STANDING> {
  const { spent, guarantee } = loss(state);
  const remainder = remaining(state, { form: 'left' });
  return {
    spent,
    guarantee,
    launched: state.launched,
    totals: totalsOf(state),
    left: 'left' in remainder ? remainder.left : null,
    shares: shareOf(state),
  };
}

/** A record of the file. */
export const RECORD_REFERENCE = json.object({ number: COUNT, hash: HASH });

/** The kinds of records of a ledger. */
export const EVENT = json.choice(
  'spend',
  'nest',
  'halt',
  'query',
  'close',
  'convert',
  'move',
  'recover',
  'adopt',
  'note',
  'hold',
  'commit',
  'release',
  'incurred',
  'void',
  'refuse',
);
