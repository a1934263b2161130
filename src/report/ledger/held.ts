import { amountsOf } from '../../ledger/core/held.ts';
import type { Hold } from '../../ledger/core/hold.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { described, list, object, type ValueOf } from '../kit/codec.ts';
import { COUNT, FORM, TEXT } from '../kit/codecs.ts';
import type { Block } from '../kit/page.ts';
import { grouped, printable } from '../kit/prose.ts';
import { table } from '../kit/table.ts';
import { shorten } from '../../document/core/quote.ts';
import { amountText } from './amounts.ts';
import { TOTALS } from './facts-json.ts';
import { coordinateName } from './refusal-message.ts';

/** Open holds in a document. */
export const HOLDS = described(
  'What is held: it is not spent, and not left; nothing may run on it before "ledger commit".',
  list(object({ hold: TEXT, until: TEXT, launched: COUNT, mechanisms: list(FORM), adds: TOTALS })),
);

export const holdRows = ({ held }: LedgerState): ValueOf<typeof HOLDS> =>
  held.map(({ id, until, launched, mechanisms, spent }) => ({
    hold: id,
    until,
    launched,
    mechanisms: mechanisms as ValueOf<typeof HOLDS>[number]['mechanisms'],
    adds: Object.fromEntries(Object.entries(spent).map(([name, amount]) => [name, new Decimal(amount)])),
  }));

const labelOf = ({ mechanisms }: Hold): string => {
  const labels = mechanisms.flatMap((each) => {
    const label = (each as { readonly label?: unknown }).label;
    return typeof label === 'string' ? [label] : [];
  });
  return [...new Set(labels)].join(', ');
};

const addsText = (state: LedgerState, hold: Hold): string =>
  amountsOf(state, hold)
    .flatMap((amount, i) =>
      amount.isZero() ? [] : [`${coordinateName(state.rule.names[i] ?? '')} ${amountText(amount, 'up')}`],
    )
    .join(', ');

/** Open holds for a person. */
export const holdsTable = (state: LedgerState): Block =>
  table(state.held, [
    ['held', ({ id }) => id],
    ['until', ({ until }) => until],
    ['mechanisms', ({ launched }) => grouped(launched)],
    ['adds', (hold) => addsText(state, hold)],
    ['for', (hold) => shorten(printable(labelOf(hold)))],
  ]);
