import { convertGuarantee, convertSpent } from '../../ledger/convert-loss.ts';
import type { Caveat } from '../../ledger/core/caveat.ts';
import type { Present } from '../../ledger/file/present.ts';
import type { Loss } from '../../ledger/loss.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/query.ts';
import { jsonBracket, jsonDecimal, jsonDocument, type Json } from '../kit/json-value.ts';
import { givenText, upperText } from '../kit/number.ts';
import { linesText } from '../kit/prose.ts';
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

/** The conversions that were asked for: of the loss so far, null where it is several numbers; of the guarantee, as it was fixed. */
interface Converted {
  readonly spent: Bracket | null;
  readonly guarantee: Bracket | null;
  readonly caveats: readonly Caveat[];
}

function convertedOf({ present, loss, query }: LossReport): Converted {
  if (query === null) return { spent: null, guarantee: null, caveats: [] };
  const spent = convertSpent(present.header.terms, loss, query);
  const guarantee = convertGuarantee(loss, query);
  const several = 'refusal' in spent;
  const isInfinite = [spent, guarantee].some((each) => each !== null && 'upper' in each && each.upper === Infinity);
  return {
    spent: several ? null : spent,
    guarantee,
    caveats: [
      ...(several ? ['spent-not-converted' as const] : []),
      ...(isInfinite ? ['no-finite-epsilon' as const] : []),
    ],
  };
}

function convertedJson(bracket: Bracket | null, query: Query | null): Json {
  if (bracket === null || query === null) return null;
  const given =
    query.solveFor === 'epsilon' ? { delta: jsonDecimal(query.delta) } : { epsilon: jsonDecimal(query.epsilon) };
  return { ...given, [query.solveFor]: jsonBracket(bracket) };
}

/** A loss as `dpcompose.ledger-loss/1`. */
export function lossJson(report: LossReport, version: string): string {
  const { file, present, loss, distance, query } = report;
  const converted = convertedOf(report);
  return jsonDocument({
    schema: 'dpcompose.ledger-loss/1',
    version,
    ledger: ledgerJson(present, file),
    distance: jsonDecimal(distance),
    launched: present.state.launched,
    spent: guaranteeJson(loss.spent, 'up'),
    guarantee: guaranteeJson(loss.guarantee, 'up'),
    converted: { spent: convertedJson(converted.spent, query), guarantee: convertedJson(converted.guarantee, query) },
    caveats: caveatsJson([...loss.caveats, ...converted.caveats]),
  });
}

/** `, which is (2.14, 1e-6)-DP`. */
function convertedText(bracket: Bracket | null, query: Query | null): string {
  if (bracket === null || query === null) return '';
  const upper = upperText(bracket);
  const pair =
    query.solveFor === 'epsilon' ? `${upper}, ${givenText(query.delta)}` : `${givenText(query.epsilon)}, ${upper}`;
  return `, which is (${pair})-DP`;
}

/** A loss for a person. */
export function lossText(report: LossReport, width: number): string {
  const { loss, distance, query } = report;
  const { spent, guarantee } = loss;
  const converted = convertedOf(report);
  const at = distance.eq(1) ? '' : ` at distance ${givenText(distance)}`;
  const lines = [
    `Loss so far${at}: ${guaranteeText(spent, 'up')}${convertedText(converted.spent, query)}.`,
    ...(guarantee === null ? [] : [`Guarantee: ${claimText(guarantee)}${convertedText(converted.guarantee, query)}.`]),
    ...[...loss.caveats, ...converted.caveats].map(caveatMessage),
  ];
  return linesText(lines, width);
}
