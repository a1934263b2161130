import type { Caveat, LedgerGuarantee } from '../../ledger/core/rule.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { type LedgerState, totalsOf, type Totals } from '../../ledger/core/state.ts';
import type { Present } from '../../ledger/journal/present.ts';
import { exactTerms } from '../../ledger/records/terms-codec.ts';
import { loss, remaining } from '../../ledger/loss.ts';
import { theoremOf } from '../../ledger/open.ts';
import {
  choice,
  described,
  from,
  is,
  list,
  object,
  oneOf,
  orNull,
  plain,
  type Codec,
  type Members,
  type ValueOf,
} from '../kit/codec.ts';
import { COUNT, FORM, GIVEN, NOTICE, NUMBER, TEXT, TEXT_OR_NULL, type ReadNumber } from '../kit/codecs.ts';
import { jsonRounded, type Json, type JsonMembers, type Side } from '../kit/json-value.ts';

const CAVEAT_TEXTS: Readonly<Record<Caveat, string>> = {
  'threshold-fixed-before':
    'A reading means something only against a threshold that was fixed before the first launch.',
  'budget-is-the-guarantee': 'What the ledger guarantees is its budget, however little was spent.',
  'adaptive-adversaries': 'Assumed of interactive and continual mechanisms: adaptive adversaries.',
  'discrete-answers': 'Assumed of interactive and continual mechanisms: adaptive adversaries, discrete answers.',
  'finite-communication':
    'Assumed of interactive and continual mechanisms: adaptive adversaries, finite communication.',
  'spent-not-converted':
    'What was spent is several numbers at once, and no theorem converts these along the path that was taken; what the ledger guarantees was fixed at the start, and is converted.',
  'no-finite-epsilon':
    'By this rule no finite epsilon follows at this delta: it is not above what the mechanisms may lose, or have lost, with a delta of their own.',
  'budget-no-longer-enforced': 'From here on nothing enforces the budget.',
  'not-granted-beforehand':
    'Something was counted that had not been granted beforehand: the budget is a guarantee only if what ran would have kept within it whatever had been answered.',
  'budget-exceeded':
    'The budget was exceeded by what ran without having been granted, and guarantees nothing any more. What holds is only the sum, as the reading of an odometer: it means something against a threshold that was fixed before the first launch.',
  'more-than-was-paid':
    'The ledger in which this one is nested has paid for its budget only: count there too what is beyond it.',
  'disjoint-parts':
    'Parallel ledgers cost as much as the largest of them only where each sees a part of the data of its own and neighbours differ in one part.',
  'one-record-one-part':
    'The budget of a part holds for neighbours of which one has a record of that part more: where each record is in one part, and a mechanism is charged to every part that it reads. Not guaranteed at that budget where a record moves to another part, or where somebody has records in several.',
  'own-results-only':
    "The budget of a person bounds what that person's own results tell. Not guaranteed where results of others reach the person, or change the person's requests or data, or refusals that others caused are seen; then only the budget over everything holds.",
  'no-budget-over-all':
    'No line is charged with everything: what the results of all people together tell is bounded by nothing here.',
};

/** A caveat in one sentence, which stands with an answer. */
export const caveatMessage = (caveat: Caveat): string => CAVEAT_TEXTS[caveat];

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
  Decimal.min(1, new Short(used).div(room).toDecimalPlaces(4, Decimal.ROUND_UP)).toNumber();

/**
 * The share of every limited total that is used up, in the unit in which mechanisms add to it: half of it used means
 * that as much again fits. Totals without capacity from the start are left out. Of a compositor it is the share of what
 * was declared that was launched.
 */
export function shareOf({ terms, rule, spent, launched }: LedgerState): readonly Share[] {
  if (terms.mode === 'compositor') {
    const declared = terms.declared.reduce((sum, { count }) => sum.plus(count), new Decimal(0));
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

export const HASH = plain<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });

/** The exact decimal behind a number beside it. */
export const DECIMAL_TEXT: Codec<Decimal, string> = {
  schema: { type: 'string', pattern: '^(Infinity|\\d+(\\.\\d+)?(e[+-]?\\d+)?)$' },
  encode: (value) => value.toString(),
};

/** A decimal, rounded to the side on which it stays true where it has more than 15 digits. */
export const rounded = (side: Side): Codec<Decimal, ReadNumber> => ({
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
    exact: object(fieldsOf(names, DECIMAL_TEXT)),
  });
  const forms = oneOf(
    object({ type: is('dp'), ...amounts('epsilon', 'delta') }),
    object({ type: is('zcdp'), ...amounts('rho') }),
    object({ type: is('approximate-zcdp'), ...amounts('rho', 'delta') }),
    object({ type: is('rdp'), orders: list(object({ alpha: GIVEN, ...amounts('epsilon') })) }),
    object({ type: is('approximate-rdp'), alpha: GIVEN, ...amounts('epsilon', 'delta') }),
    object({ type: is('gdp'), ...amounts('mu') }),
  );
  return described(
    'Beyond 15 digits what was spent and what is guaranteed is rounded up, and what is left down; exact: all digits, as text.',
    from(forms, (guarantee: LedgerGuarantee): ValueOf<typeof forms> =>
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
export const TOTALS: Codec<Readonly<Record<string, Decimal>>, ReadTotals> = {
  schema: {
    type: 'object',
    description: 'By their names, rounded up beyond 15 digits; exact: by the same names, all digits, as text.',
    properties: { exact: { type: 'object', additionalProperties: DECIMAL_TEXT.schema } },
    required: ['exact'],
    additionalProperties: NUMBER.schema,
  },
  encode: (totals) => {
    const each = (encode: (total: Decimal) => Json): JsonMembers =>
      Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, encode(total)]));
    return { ...each((total) => jsonRounded(total, 'up')), exact: each((total) => total.toString()) };
  },
};

/** The running totals of a ledger. */
export const SPENT = from(TOTALS, ({ spent }: Totals) =>
  Object.fromEntries(Object.entries(spent).map(([name, total]) => [name, new Decimal(total)])),
);

const HALTED = choice('insufficient-budget', 'count-limit', null);

const ORIGIN = object({ kind: choice('nested', 'converted'), id: TEXT, hash: HASH });

/** The bytes of a record at the end of a file that is not finished. */
export const unfinished = ({ rest }: Pick<Present, 'rest'>): number => (rest.kind === 'torn' ? rest.bytes : 0);

/** A ledger, and where its file stands. */
export const LEDGER = from(
  object({
    file: TEXT,
    id: TEXT,
    madeAt: TEXT_OR_NULL,
    terms: described('What was fixed when the ledger was made, its numbers with all their digits.', FORM),
    theorem: object({ name: TEXT, reference: TEXT }),
    origin: orNull(ORIGIN),
    records: COUNT,
    hash: HASH,
    lastAt: TEXT_OR_NULL,
    successor: described('The id of the ledger in which it goes on, once it has ended.', TEXT_OR_NULL),
    halted: HALTED,
    unfinished: described('Bytes of a record at the end that is not finished, and does not count.', COUNT),
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
export const LEDGER_BRIEF = object(BRIEF);

/** A ledger in short after a record; as it was where nothing was recorded. */
export const briefAfter = (
  {
    file,
    before,
    record,
  }: Readonly<{ file: string; before: Present; record: ValueOf<typeof RECORD_REFERENCE> | null }>,
  { halted }: LedgerState,
): ValueOf<typeof LEDGER_BRIEF> => ({
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
  guarantee: orNull(GUARANTEE),
  left: described('The largest guarantee that one more mechanism may have.', orNull(REMAINDER)),
  shares: {
    schema: {
      type: 'object',
      description: 'The share of each total that is used, from 0 to 1.',
      additionalProperties: { type: 'number', minimum: 0, maximum: 1 },
    },
    encode: (shares) => Object.fromEntries(shares.map(({ name, share }) => [name, share])),
  } as Codec<readonly Share[], Readonly<Record<string, number>>>,
};

/** The loss so far of a ledger, and its remaining capacity. */
export function standing(state: LedgerState): Members<typeof STANDING> {
  const { spent, guarantee } = loss(state);
  const left = remaining(state, { form: 'left' });
  return {
    spent,
    guarantee,
    launched: state.launched,
    totals: totalsOf(state),
    left: 'left' in left ? left.left : null,
    shares: shareOf(state),
  };
}

/** A record of the file. */
export const RECORD_REFERENCE = object({ number: COUNT, hash: HASH });

/** Caveats. */
export const CAVEATS = list(from(NOTICE, (caveat: Caveat) => ({ code: caveat, message: caveatMessage(caveat) })));

/** The kinds of records of a ledger. */
export const EVENT = choice(
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
