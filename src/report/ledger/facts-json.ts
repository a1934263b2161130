import type { Present } from '../../ledger/file/present.ts';
import { exactTerms } from '../../ledger/file/terms-codec.ts';
import type { Caveat } from '../../ledger/core/caveat.ts';
import type { LedgerGuarantee } from '../../ledger/core/guarantee.ts';
import { loss } from '../../ledger/loss.ts';
import { remaining } from '../../ledger/remaining.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import { theoremOf } from '../../ledger/theorem.ts';
import { totalsOf } from '../../ledger/core/state.ts';
import type { Totals } from '../../ledger/core/totals.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { jsonAmounts, jsonDecimal, jsonMembers, type Json, type JsonMembers, type Side } from '../kit/json-value.ts';
import { caveatMessage } from './caveat-message.ts';
import { shareOf } from './shares.ts';

/** An order is a name rather than an amount: it is not rounded to a side. */
const withAlpha = (alpha: Decimal, amounts: Readonly<Record<string, Decimal>>, side: Side): JsonMembers => ({
  alpha: jsonDecimal(alpha),
  ...jsonAmounts(amounts, side),
});

/** A guarantee in doubles, rounded to the side on which it stays true, with its exact decimals beside them. */
export function guaranteeJson(guarantee: LedgerGuarantee | null, side: Side): Json {
  if (guarantee === null) return null;
  switch (guarantee.type) {
    case 'rdp': {
      const orders = guarantee.orders.map(({ alpha, epsilon }) => withAlpha(alpha, { epsilon }, side));
      return { type: 'rdp', orders };
    }
    case 'approximate-rdp': {
      const { type, alpha, ...amounts } = guarantee;
      return { type, ...withAlpha(alpha, amounts, side) };
    }
    case 'dp':
    case 'zcdp':
    case 'approximate-zcdp':
    case 'gdp': {
      const { type, ...amounts } = guarantee;
      return { type, ...jsonAmounts({ ...amounts }, side) };
    }
  }
}

/** The running totals of a ledger, rounded up. */
export const totalsJson = ({ spent }: Totals): JsonMembers =>
  jsonAmounts(Object.fromEntries(Object.entries(spent).map(([name, total]) => [name, new Decimal(total)])), 'up');

/** A ledger, and where it stands. */
export function ledgerJson({ header, records, hash, at, successor, rest, state }: Present, file: string): Json {
  return {
    file,
    id: header.id,
    madeAt: header.at,
    terms: jsonMembers(exactTerms(header.terms)),
    theorem: theoremOf(header.terms),
    origin:
      header.origin === null ? null : { kind: header.origin.kind, id: header.origin.id, hash: header.origin.hash },
    records,
    hash,
    lastAt: at,
    successor,
    halted: state.halted,
    unfinished: rest.kind === 'torn' ? rest.bytes : 0,
  };
}

/** The loss so far of a ledger, and its remaining capacity. */
export function standingJson(state: LedgerState): Readonly<Record<string, Json>> {
  const { spent, guarantee } = loss(state);
  const left = remaining(state, { form: 'left' });
  return {
    launched: state.launched,
    totals: totalsJson(totalsOf(state)),
    spent: guaranteeJson(spent, 'up'),
    guarantee: guaranteeJson(guarantee, 'up'),
    left: 'left' in left ? guaranteeJson(left.left, 'down') : null,
    shares: Object.fromEntries(shareOf(state).map(({ name, share }) => [name, share])),
  };
}

/** Caveats as all documents have them. */
export const caveatsJson = (caveats: readonly Caveat[]): Json =>
  caveats.map((caveat) => ({ code: caveat, message: caveatMessage(caveat) }));
