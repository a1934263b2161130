import type { Present } from '../../ledger/journal/present.ts';
import type { Found } from '../../ledger/largest-fitting.ts';
import type { OpenMechanism, OpenParameter, Remaining } from '../../ledger/remaining.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import {
  choice,
  described,
  document,
  documentText,
  is,
  list,
  object,
  oneOf,
  orNull,
  type Codec,
  type ValueOf,
} from '../kit/codec.ts';
import { FORM, NUMBER, TEXT_OR_NULL, type ReadNumber } from '../kit/codecs.ts';
import { jsonRounded, type Side } from '../kit/json-value.ts';
import { givenText } from '../kit/number.ts';
import { grouped, linesText } from '../kit/prose.ts';
import { amountText, guaranteeText } from './amounts.ts';
import { entryText } from './entry-text.ts';
import { DECIMAL_TEXT, LEDGER, REMAINDER } from './facts-json.ts';

/** One thing that was asked, and what remains of it; null: not even the least of it. */
export type RemainingRow =
  | { readonly asked: OpenMechanism; readonly found: Extract<Remaining, { form: 'next' }> | null }
  | { readonly asked: Entry; readonly found: Extract<Remaining, { form: 'how-many' }> }
  | { readonly asked: null; readonly found: Extract<Remaining, { form: 'left' }> };

const isNoise = (parameter: OpenParameter): boolean => parameter === 'scale' || parameter === 'sigma';

/** The largest value that fits, or the smallest, with the side to which it is rounded. */
export interface Fitting {
  readonly found: Found;
  readonly side: Side;
}

const FITTING: Codec<Fitting, ReadNumber | 'any'> = described(
  'The largest that fits, beyond 15 digits rounded down; of noise the smallest, rounded up; or any.',
  {
    schema: { anyOf: [NUMBER.schema, { const: 'any' }] },
    encode: ({ found, side }) => (found === 'any' ? found : jsonRounded(found, side)),
  },
);
const EXACT = described('The same as an exact decimal; null for any and none.', orNull(DECIMAL_TEXT));

const ROW = oneOf(
  object({ form: is('left'), left: REMAINDER }),
  object({
    form: is('next'),
    mechanism: FORM,
    parameter: choice('epsilon', 'rho', 'mu', 'scale', 'sigma', null),
    value: described('Null where none fits.', orNull(FITTING)),
    exact: EXACT,
  }),
  object({ form: is('how-many'), mechanism: FORM, count: FITTING, exact: EXACT }),
);

/** The remaining capacity of a ledger: the mechanisms that may still be launched, row by row. */
export const LEDGER_REMAINING = document('ledger-remaining', 'What may still be launched.', {
  ledger: LEDGER,
  standstill: described('Why nothing is granted now, whatever is left; null where it is.', TEXT_OR_NULL),
  rows: list(ROW),
});

const exactOf = (found: Found | null): Decimal | null => (found === 'any' ? null : found);

function rowOf(row: RemainingRow): ValueOf<typeof ROW> {
  if (row.asked === null) return row.found;
  if ('mechanism' in row.asked) {
    const { found, asked } = row as Extract<RemainingRow, { asked: Entry }>;
    const mechanism = exactEntry({ ...asked, count: 1 });
    return { form: 'how-many', mechanism, count: { found: found.count, side: 'down' }, exact: exactOf(found.count) };
  }
  const { found, asked } = row as Extract<RemainingRow, { asked: OpenMechanism }>;
  return {
    form: 'next',
    mechanism: { ...asked },
    parameter: found?.parameter ?? null,
    value: found && { found: found.value, side: isNoise(found.parameter) ? 'up' : 'down' },
    exact: exactOf(found?.value ?? null),
  };
}

/** The remaining capacity as `dpcompose.ledger-remaining/1`. */
export const remainingJson = (
  present: Present,
  rows: readonly RemainingRow[],
  { file, standstill }: { readonly file: string; readonly standstill: string | null },
  version: string,
): string => documentText(LEDGER_REMAINING, { version, standstill, ledger: { present, file }, rows: rows.map(rowOf) });

/** `dp with delta 1e-8`, `laplace with sensitivity 2`. */
function openText({ type, ...fixed }: OpenMechanism): string {
  const facts = Object.entries(fixed).flatMap(([name, value]: [string, Decimal]) =>
    value.eq(name === 'sensitivity' ? 1 : 0) ? [] : [`${name} ${givenText(value)}`],
  );
  return facts.length === 0 ? type : `${type} with ${facts.join(' and ')}`;
}

function rowText(row: RemainingRow): string {
  if (row.asked === null) return `Left: ${guaranteeText(row.found.left, 'down')}.`;
  if ('mechanism' in row.asked) {
    const { found, asked } = row as Extract<RemainingRow, { asked: Entry }>;
    const what = entryText({ ...asked, count: 1 });
    if (found.count === 'any') return `Any number more of ${what}.`;
    return `${grouped(BigInt(found.count.toFixed()))} more of ${what}.`;
  }
  const { found, asked } = row as Extract<RemainingRow, { asked: OpenMechanism }>;
  if (found === null) return `No next ${openText(asked)} fits.`;
  const { parameter, value } = found;
  if (value === 'any') return `Next ${openText(asked)}: any ${parameter}.`;
  const bound = isNoise(parameter) ? `at least ${amountText(value, 'up')}` : `at most ${amountText(value, 'down')}`;
  return `Next ${openText(asked)}: ${parameter} ${bound}.`;
}

/** The remaining capacity for a person, one line for everything that was asked; or why nothing is granted at all. */
export const remainingText = (rows: readonly RemainingRow[], width: number, standstill: string | null = null): string =>
  linesText(standstill === null ? rows.map(rowText) : [standstill], width);
