import type { Present } from '../../ledger/file/present.ts';
import type { OpenMechanism, Remaining } from '../../ledger/remaining.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { entryForm } from '../../spec/normal-form.ts';
import { jsonDocument, type Json } from '../json-value.ts';
import { givenText } from '../number.ts';
import { grouped, printable, wrapped } from '../prose.ts';
import { amountText, guaranteeText } from './amounts.ts';
import { entryText } from './entry-text.ts';
import { guaranteeJson, ledgerJson } from './facts-json.ts';

/** One thing that was asked, and what remains of it; null: not even the least of it. */
export type RemainingRow =
  | { readonly asked: OpenMechanism; readonly found: Extract<Remaining, { form: 'next' }> | null }
  | { readonly asked: Entry; readonly found: Extract<Remaining, { form: 'how-many' }> }
  | { readonly asked: null; readonly found: Extract<Remaining, { form: 'left' }> };

const openForm = (mechanism: OpenMechanism): Json =>
  Object.fromEntries(
    Object.entries(mechanism).map(([name, value]: [string, string | Decimal]) => [name, value.toString()]),
  );

function rowJson(row: RemainingRow): Json {
  if (row.asked === null) return { form: 'left', left: guaranteeJson(row.found.left) };
  if ('mechanism' in row.asked) {
    const { found, asked } = row as Extract<RemainingRow, { asked: Entry }>;
    return { form: 'how-many', mechanism: entryForm({ ...asked, count: 1 }), count: String(found.count) };
  }
  const { found, asked } = row as Extract<RemainingRow, { asked: OpenMechanism }>;
  return {
    form: 'next',
    mechanism: openForm(asked),
    parameter: found?.parameter ?? null,
    value: found === null ? null : String(found.value),
  };
}

/** What remains as `dpcompose.ledger-remaining/1`. */
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
  const noise = parameter === 'scale' || parameter === 'sigma';
  if (value === 'any') return `Next ${openText(asked)}: any ${parameter}.`;
  const bound = noise ? `at least ${amountText(value, 'up')}` : `at most ${amountText(value, 'down')}`;
  return `Next ${openText(asked)}: ${parameter} ${bound}.`;
}

/** What remains for a person, one line for everything that was asked. */
export const remainingText = (rows: readonly RemainingRow[], width: number): string =>
  rows.map((row) => `${wrapped(printable(rowText(row)), width)}\n`).join('');
