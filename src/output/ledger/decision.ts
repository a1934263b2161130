import type { Decision, LedgerState } from '../../ledger/state.ts';
import type { Refusal } from '../../ledger/rules/refusal.ts';
import type { Ended } from '../../ledger/spend-in.ts';
import type { Settled } from '../../ledger/store.ts';
import type { Present } from '../../ledger/present.ts';
import type { LaunchRequest } from '../../ledger/record.ts';
import { exactTerms } from '../../ledger/terms-codec.ts';
import { loss, lossAfter } from '../../ledger/loss.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import { Decimal } from '../../numeric/decimal.ts';
import * as json from '../kit/codec.ts';
import { COUNT, FLAG, FORM, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { unbroken, type Output } from '../kit/page.ts';
import { grouped } from '../kit/prose.ts';
import { amountNames, excessText, spentText } from './amounts.ts';
import { fitHint, leftOver } from './fitting.ts';
import { caveatMessage, CAVEATS } from './caveats.ts';
import {
  briefAfter,
  DECIMAL_TEXT,
  LEDGER_BRIEF,
  percentText,
  RECORD_REFERENCE,
  rounded,
  standing,
  STANDING,
  shareOf,
} from './facts-json.ts';
import type { LedgerGuarantee } from '../../ledger/rules/rule.ts';
import { coordinateName, ENDED, refusalCode, refusalText } from './refusals.ts';
import { filledIn } from '../kit/message.ts';

/** A request to a ledger, and what came of it. */
export interface DecisionReport {
  readonly command: 'spend' | 'check' | 'nest' | 'commit';
  readonly file: string;
  readonly request: LaunchRequest;
  readonly before: Present;
  readonly decision: Decision | Ended;
  /** The record that was written, or that was written before where this is asked again; null where there is none. */
  readonly record: { readonly number: number; readonly hash: string } | null;
  /** Whether it was granted before, under the same key: nothing is charged again. */
  readonly again: boolean;
  /** The end that an earlier writer had left unfinished. */
  readonly settled: Settled;
  /** The store that other commands about the ledger have to name; left out for none. */
  readonly store?: string | undefined;
}

/** Why something was not granted: a stable code, and words. */
export function reasonOf(decision: Refused | Ended): { readonly code: string; readonly message: string } {
  return decision.kind === 'ended'
    ? { code: 'converted', message: filledIn(ENDED, decision).message }
    : { code: refusalCode(decision.refusal), message: refusalText(decision.refusal).message };
}

export type Refused = Extract<Decision, { kind: 'refused' }>;

export const ASKED = json.oneOf(json.list(FORM), json.object({ ids: json.list(TEXT), terms: FORM }));

const STATE = json.object(STANDING);

const REQUEST = {
  command: json.choice('spend', 'check', 'nest', 'commit'),
  ledger: LEDGER_BRIEF,
  asked: json.described('Mechanisms in normal form; or nested ledgers, by their ids and terms.', ASKED),
  evidence: json.described('The hash of the evidence for their guarantees.', TEXT_OR_NULL),
  granted: json.described('Authorizes only if record is not null.', FLAG),
  again: json.described('The earlier record with the same key, which granted this; nothing is charged again.', FLAG),
  code: json.choice<string | null>('insufficient-budget', 'halted', 'count-limit', 'no-such-hold', 'converted', null),
  message: TEXT_OR_NULL,
};

export const EFFECT = {
  record: json.orNull(RECORD_REFERENCE),
  mechanisms: json.orNull(json.object({ first: COUNT, last: COUNT })),
  before: STATE,
  after: STATE,
  settled: json.choice('none', 'finished', 'removed'),
  caveats: CAVEATS,
};

export const COMPARED = {
  coordinate: json.optional(json.described('insufficient-budget: the total that would exceed its limit.', TEXT)),
  total: json.optional(
    json.described('insufficient-budget: its value with the request, rounded up to 15 digits.', rounded('up')),
  ),
  limit: json.optional(
    json.described(
      'insufficient-budget: its limit, rounded down to 15 digits; count-limit: the largest number of mechanisms.',
      rounded('down'),
    ),
  ),
  exact: json.optional(
    json.described(
      'insufficient-budget: both as exact decimals.',
      json.object({ total: DECIMAL_TEXT, limit: DECIMAL_TEXT }),
    ),
  ),
  launched: json.optional(COUNT),
  wanted: json.optional(COUNT),
  because: json.optional(TEXT),
  holds: json.optional(json.described('How many reservations are open, whose amounts are in the total.', COUNT)),
  hold: json.optional(json.described('no-such-hold: the name.', TEXT)),
};

/** A decision. */
export const LEDGER_DECISION = json.document(
  'ledger-decision',
  'Whether mechanisms may run, and the ledger before and after (exit codes 0 and 1).',
  { ...REQUEST, ...COMPARED, ...EFFECT },
);

type Members = json.ValueOf<typeof LEDGER_DECISION>;

/** The numbers that a refusal compares. */
export function comparedOf(refusal: Refusal): Pick<Members, keyof typeof COMPARED> {
  switch (refusal.code) {
    case 'insufficient-budget': {
      const exact = { total: new Decimal(refusal.total), limit: new Decimal(refusal.limit) };
      const { coordinate, holds } = refusal;
      return { coordinate, ...exact, exact, ...(holds !== undefined && { holds }) };
    }
    case 'count-limit':
      return { limit: new Decimal(refusal.limit), launched: refusal.launched, wanted: refusal.asked };
    case 'halted':
      return { because: refusal.because };
    case 'no-such-hold':
      return { hold: refusal.hold };
    case 'unverified':
    case 'invalid-query':
    case 'no-theorem':
    case 'invalid-terms':
      return {};
  }
}

/** How many mechanisms a request launches; nested ledgers are one. */
const countOf = (request: LaunchRequest): number =>
  'entries' in request ? request.entries.reduce((sum, { count }) => sum + count, 0) : 1;

/** The numbers of the mechanisms that were, or would be, launched; null where nothing is. */
export function mechanismsOf({
  request,
  decision,
}: Pick<DecisionReport, 'request' | 'decision'>): Members['mechanisms'] {
  if (decision.kind !== 'accepted') return null;
  const last = decision.totals.launched;
  return { first: last - countOf(request) + 1, last };
}

/** The ledger in short, with the record that was written. */
export function briefOf({
  file,
  before,
  decision,
  record,
  again,
}: Omit<DecisionReport, 'request' | 'command' | 'settled'>) {
  const { state } = decision.kind === 'ended' ? before : decision;
  return briefAfter({ file, before, record: again ? null : record }, state);
}

/** The state after a decision, which is that before where the ledger has ended. */
export const stateAfter = ({ before, decision }: Pick<DecisionReport, 'before' | 'decision'>): LedgerState =>
  decision.kind === 'ended' ? before.state : decision.state;

export function askedOf(request: LaunchRequest): json.ValueOf<typeof ASKED> {
  if ('entries' in request) return request.entries.map(exactEntry);
  const { ids, terms } = request.nested;
  return { ids, terms: exactTerms(terms) };
}

/** `mechanism 5`, `mechanisms 5 to 8`. */
export function numbersText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `mechanism ${grouped(first)}` : `mechanisms ${grouped(first)} to ${grouped(last)}`;
}

/** The budget that a total is compared with; where it is not in the unit of the guarantee, that is said. */
function budgetName(coordinate: string | undefined, guarantee: LedgerGuarantee): string {
  const names = amountNames(guarantee);
  const [unit = ''] = names;
  if (coordinate === undefined || coordinate.includes('@')) return 'the budget';
  // An order's own epsilon is a sum.
  const own = names.find((name) => name === coordinate || name === `Renyi ${coordinate}`);
  if (own !== undefined) return names.length === 1 ? 'the budget' : `the ${own} budget`;
  return `the ${coordinateName(coordinate)} budget; ${unit} does not grow in proportion`;
}

export function standingText(state: LedgerState): string {
  const { spent, guarantee } = loss(state);
  const shares = shareOf(state);
  const used = Math.max(0, ...shares.map(({ share }) => share));
  const [first] = shares.filter(({ share }) => share === used);
  const share = guarantee === null ? '' : ` (${percentText(used)} of ${budgetName(first?.name, guarantee)})`;
  return state.terms.mode === 'compositor'
    ? `${percentText(used)} of the declared mechanisms`
    : `${spentText(spent, guarantee)}${share}`;
}

/** The totals that are printed in the unit of the guarantee. */
const PLAIN_TOTALS = ['epsilon', 'delta', 'rho'];

/** The loss with one mechanism that was refused; nothing where that is not known, or printed already. */
export function wouldBe(
  { request, before }: Pick<DecisionReport, 'request' | 'before'>,
  { coordinate }: { readonly coordinate: string },
): string {
  const { guarantee } = before.state.rule;
  if (guarantee === null || (PLAIN_TOTALS.includes(coordinate) && coordinate in guarantee)) return '';
  const [entry, more] = 'entries' in request ? request.entries : [];
  if (entry === undefined || more !== undefined || before.state.terms.mode === 'compositor') return '';
  const after = lossAfter(before.state, entry);
  return 'spent' in after ? ` ${excessText(after.spent, guarantee)}` : '';
}

function decisionLines(answered: DecisionReport): readonly string[] {
  const { command, before, decision, record, again } = answered;
  if (decision.kind === 'accepted') {
    const standing = standingText(decision.state);
    const numbers = numbersText(mechanismsOf(answered)!);
    if (again && record !== null) {
      return [
        `already granted under this key, in record ${grouped(record.number)} (${numbers}); not charged again. Used: ${standing}.`,
      ];
    }
    if (record === null) {
      const authorising = command === 'check' ? 'spend' : command;
      return [
        `fits: with ${numbers}, the ledger would have used ${standing}.`,
        `Nothing was recorded. Only "ledger ${authorising}" authorizes.`,
      ];
    }
    const caveats = command === 'nest' ? decision.caveats.map(caveatMessage) : [];
    return [`granted: ${numbers}, in record ${grouped(record.number)}. Used: ${standing}.`, ...caveats];
  }
  const refusal = decision.kind === 'refused' ? decision.refusal : null;
  const would = refusal?.code === 'insufficient-budget' ? wouldBe(answered, refusal) : '';
  const hint = refusal === null ? '' : `${leftOver(before.state, refusal)} ${fitHint(answered, refusal)}`.trimEnd();
  const halts = decision.kind === 'refused' && decision.halts;
  const denialText = record === null ? '' : ` The denial is in record ${grouped(record.number)}.`;
  const more = `${would}${halts && record !== null ? ' The ledger has halted.' : `${hint}${denialText}`}`;
  return [`denied: ${reasonOf(decision).message}.${more}`];
}

/** The decision in a sentence or two. */
export function decisionOutput(answered: DecisionReport): Output {
  const { request, before, decision } = answered;
  const accepted = decision.kind === 'accepted';
  return {
    page: () => [unbroken(decisionLines(answered))],
    json: (version) =>
      json.documentText(LEDGER_DECISION, {
        ...answered,
        version,
        ledger: briefOf(answered),
        asked: askedOf(request),
        evidence: 'entries' in request ? (request.evidence ?? null) : null,
        granted: accepted,
        ...(accepted ? { code: null, message: null } : reasonOf(decision)),
        ...(decision.kind === 'refused' ? comparedOf(decision.refusal) : {}),
        mechanisms: mechanismsOf(answered),
        before: standing(before.state),
        after: standing(stateAfter(answered)),
        caveats: accepted ? decision.caveats : [],
      }),
  };
}
