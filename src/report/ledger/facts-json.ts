import type { Present } from '../../ledger/file/present.ts';
import { termsForm } from '../../ledger/file/terms-form.ts';
import type { Caveat } from '../../ledger/decision.ts';
import type { LedgerGuarantee } from '../../ledger/guarantee.ts';
import { loss } from '../../ledger/loss.ts';
import { remaining } from '../../ledger/remaining.ts';
import type { LedgerState } from '../../ledger/state.ts';
import { theoremOf } from '../../ledger/theorem.ts';
import { totalsOf } from '../../ledger/totals.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Json } from '../json-value.ts';
import { caveatMessage } from './caveat-message.ts';
import { shareOf } from './shares.ts';

/** A guarantee in exact decimals, rounded to the side on which it stays true. */
export function guaranteeJson(guarantee: LedgerGuarantee | null): Json {
  if (guarantee === null) return null;
  if (guarantee.type === 'rdp') {
    const orders = guarantee.orders.map(({ alpha, epsilon }) => ({
      alpha: alpha.toString(),
      epsilon: epsilon.toString(),
    }));
    return { type: 'rdp', orders };
  }
  return Object.fromEntries(
    Object.entries(guarantee).map(([name, value]: [string, unknown]) => [
      name,
      Decimal.isDecimal(value) ? value.toString() : (value as string),
    ]),
  );
}

/** What a ledger is, and where it stands. */
export function ledgerJson({ header, records, hash, at, successor, rest, state }: Present, file: string): Json {
  return {
    file,
    id: header.id,
    madeAt: header.at,
    terms: termsForm(header.terms) as Json,
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

/** What was spent of a ledger, and what is left. */
export function standingJson(state: LedgerState): Readonly<Record<string, Json>> {
  const { spent, guarantee } = loss(state);
  const left = remaining(state, { form: 'left' });
  return {
    launched: state.launched,
    totals: totalsOf(state).spent,
    spent: guaranteeJson(spent),
    guarantee: guaranteeJson(guarantee),
    left: 'left' in left ? guaranteeJson(left.left) : null,
    shares: Object.fromEntries(shareOf(state).map(({ name, share }) => [name, share])),
  };
}

/** Caveats as all documents have them. */
export const caveatsJson = (caveats: readonly Caveat[]): Json =>
  caveats.map((caveat) => ({ code: caveat, message: caveatMessage(caveat) }));
