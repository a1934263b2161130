import type { Present } from '../../ledger/file/present.ts';
import type { Found } from '../../ledger/largest-fitting.ts';
import type { OpenMechanism, OpenParameter, Remaining } from '../../ledger/remaining.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import { jsonDocument, jsonMembers, jsonRounded, type Json, type JsonMembers, type Side } from '../kit/json-value.ts';
import { givenText } from '../kit/number.ts';
import { grouped, linesText } from '../kit/prose.ts';
import { amountText, guaranteeText } from './amounts.ts';
import { entryText } from './entry-text.ts';
import { guaranteeJson, ledgerJson } from './facts-json.ts';

/** One thing that was asked, and what remains of it; null: not even the least of it. */
export type RemainingRow =
  | { readonly asked: OpenMechanism; readonly found: Extract<Remaining, { form: 'next' }> | null }
  | { readonly asked: Entry; readonly found: Extract<Remaining, { form: 'how-many' }> }
  | { readonly asked: null; readonly found: Extract<Remaining, { form: 'left' }> };

const isNoise = (parameter: OpenParameter): boolean => parameter === 'scale' || parameter === 'sigma';

/** The number that was found, rounded to the side on which it fits, with its exact decimal beside it. */
const foundJson = (name: string, value: Found | null, side: Side): JsonMembers =>
  value === null || value === 'any'
    ? { [name]: value, exact: null }
    : { [name]: jsonRounded(value, side), exact: value.toString() };

function rowJson(row: RemainingRow): Json {
  if (row.asked === null) return { form: 'left', left: guaranteeJson(row.found.left, 'down') };
  if ('mechanism' in row.asked) {
    const { found, asked } = row as Extract<RemainingRow, { asked: Entry }>;
    const mechanism = jsonMembers(exactEntry({ ...asked, count: 1 }));
    return { form: 'how-many', mechanism, ...foundJson('count', found.count, 'down') };
  }
  const { found, asked } = row as Extract<RemainingRow, { asked: OpenMechanism }>;
  return {
    form: 'next',
    mechanism: jsonMembers({ ...asked }),
    parameter: found?.parameter ?? null,
    ...foundJson('value', found?.value ?? null, found !== null && isNoise(found.parameter) ? 'up' : 'down'),
  };
}

/** The remaining capacity as `dpcompose.ledger-remaining/1`. */
export const remainingJson = (present: Present, rows: readonly RemainingRow[], file: string, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-remaining/1',
    version,
    ledger: ledgerJson(present, file),
    rows: rows.map(rowJson),
  });

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

/** The remaining capacity for a person, one line for everything that was asked. */
export const remainingText = (rows: readonly RemainingRow[], width: number): string =>
  linesText(rows.map(rowText), width);
