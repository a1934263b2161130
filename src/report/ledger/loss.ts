import { convert } from '../../ledger/convert.ts';
import type { Present } from '../../ledger/file/present.ts';
import type { LedgerGuarantee } from '../../ledger/guarantee.ts';
import type { Loss } from '../../ledger/loss.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/query.ts';
import { jsonBracket, jsonDocument, type Json } from '../json-value.ts';
import { givenText, upperText } from '../number.ts';
import { printable, wrapped } from '../prose.ts';
import { claimText, guaranteeText } from './amounts.ts';
import { caveatMessage } from './caveat-message.ts';
import { caveatsJson, guaranteeJson, ledgerJson } from './facts-json.ts';

/** A loss, and what was asked. */
export interface LossReport {
  readonly file: string;
  readonly present: Present;
  readonly loss: Loss;
  readonly distance: Decimal;
  /** As what kind of (epsilon, delta)-DP it is to be told too; null for none. */
  readonly query: Query | null;
}

function convertedJson(guarantee: LedgerGuarantee | null, query: Query | null): Json {
  if (guarantee === null || query === null) return null;
  const given =
    query.solveFor === 'epsilon' ? { delta: query.delta.toString() } : { epsilon: query.epsilon.toString() };
  return { ...given, [query.solveFor]: jsonBracket(convert(guarantee, query)) };
}

/** A loss as `dpcompose.ledger-loss/1`. */
export const lossJson = ({ file, present, loss, distance, query }: LossReport, version: string): string =>
  jsonDocument({
    schema: 'dpcompose.ledger-loss/1',
    version,
    ledger: ledgerJson(present, file),
    distance: distance.toString(),
    launched: present.state.launched,
    spent: guaranteeJson(loss.spent),
    guarantee: guaranteeJson(loss.guarantee),
    converted: { spent: convertedJson(loss.spent, query), guarantee: convertedJson(loss.guarantee, query) },
    caveats: caveatsJson(loss.caveats),
  });

/** `, which is (2.14, 1e-6)-DP`. */
function convertedText(guarantee: LedgerGuarantee, query: Query | null): string {
  if (query === null) return '';
  const upper = upperText(convert(guarantee, query));
  const pair =
    query.solveFor === 'epsilon' ? `${upper}, ${givenText(query.delta)}` : `${givenText(query.epsilon)}, ${upper}`;
  return `, which is (${pair})-DP`;
}

/** A loss for a person. */
export function lossText({ loss, distance, query }: LossReport, width: number): string {
  const { spent, guarantee } = loss;
  const at = distance.eq(1) ? '' : ` at distance ${givenText(distance)}`;
  const lines = [
    `Loss so far${at}: ${guaranteeText(spent, 'up')}${convertedText(spent, query)}.`,
    ...(guarantee === null ? [] : [`Guarantee: ${claimText(guarantee)}${convertedText(guarantee, query)}.`]),
    ...loss.caveats.map(caveatMessage),
  ];
  return lines.map((line) => `${wrapped(printable(line), width)}\n`).join('');
}
