import { convertGuarantee, convertSpent } from '../../ledger/convert-loss.ts';
import type { Caveat } from '../../ledger/core/caveat.ts';
import type { Present } from '../../ledger/journal/present.ts';
import type { Loss } from '../../ledger/loss.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { Query } from '../../privacy/query.ts';
import { anyOf, document, documentText, object, orNull, type ValueOf } from '../kit/codec.ts';
import { BRACKET, COUNT, GIVEN } from '../kit/codecs.ts';
import { givenText, upperText } from '../kit/number.ts';
import { linesText } from '../kit/prose.ts';
import { claimText, guaranteeText } from './amounts.ts';
import { caveatMessage } from './caveat-message.ts';
import { CAVEATS, GUARANTEE, LEDGER } from './facts-json.ts';

/** A loss, and what was asked. */
export interface LossReport {
  readonly file: string;
  readonly present: Present;
  readonly loss: Loss;
  readonly distance: Decimal;
  /** The query for its conversion to (epsilon, delta)-DP; null for none. */
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

const CONVERTED = orNull(anyOf(object({ delta: GIVEN, epsilon: BRACKET }), object({ epsilon: GIVEN, delta: BRACKET })));

/** The privacy loss of a ledger. */
export const LEDGER_LOSS = document('ledger-loss', 'The privacy loss of a ledger so far.', {
  ledger: LEDGER,
  distance: GIVEN,
  launched: COUNT,
  spent: GUARANTEE,
  guarantee: orNull(GUARANTEE),
  converted: object({ spent: CONVERTED, guarantee: CONVERTED }),
  caveats: CAVEATS,
});

function convertedTo(bracket: Bracket | null, query: Query | null): ValueOf<typeof CONVERTED> {
  if (bracket === null || query === null) return null;
  return query.solveFor === 'epsilon'
    ? { delta: query.delta, epsilon: bracket }
    : { epsilon: query.epsilon, delta: bracket };
}

/** A loss as `dpcompose.ledger-loss/1`. */
export function lossJson(report: LossReport, version: string): string {
  const { present, loss, query } = report;
  const { spent, guarantee, caveats } = convertedOf(report);
  return documentText(LEDGER_LOSS, {
    ...report,
    ...loss,
    version,
    ledger: report,
    launched: present.state.launched,
    converted: { spent: convertedTo(spent, query), guarantee: convertedTo(guarantee, query) },
    caveats: [...loss.caveats, ...caveats],
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
