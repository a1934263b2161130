import type { Decision, LedgerState } from '../../ledger/core/state.ts';
import type { Refusal } from '../../ledger/core/refusal.ts';
import type { Ended } from '../../ledger/journal/launch.ts';
import type { Settled } from '../../ledger/journal/store.ts';
import type { Present } from '../../ledger/journal/present.ts';
import type { Asked } from '../../ledger/records/record.ts';
import { exactTerms } from '../../ledger/records/terms-codec.ts';
import { loss, lossAfter } from '../../ledger/loss.ts';
import { exactEntry } from '../../document/structure/normal-form.ts';
import { Decimal } from '../../numeric/decimal.ts';
import {
  choice,
  described,
  document,
  documentText,
  list,
  object,
  oneOf,
  optional,
  orNull,
  type ValueOf,
} from '../kit/codec.ts';
import { COUNT, FLAG, FORM, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { grouped, printable } from '../kit/prose.ts';
import { spentText } from './amounts.ts';
import { caveatMessage, CAVEATS } from './caveat-texts.ts';
import {
  briefAfter,
  DECIMAL_TEXT,
  LEDGER_BRIEF,
  RECORD_REFERENCE,
  rounded,
  standing,
  STANDING,
  shareOf,
} from './facts-json.ts';
import { ENDED, refusalCode, refusalText } from './refusals.ts';
import { filledIn } from '../kit/message.ts';

/** A request to a ledger, and what came of it. */
export interface Answered {
  readonly command: 'spend' | 'check' | 'nest' | 'commit';
  readonly file: string;
  readonly asked: Asked;
  readonly before: Present;
  readonly decision: Decision | Ended;
  /** The record that was written, or that was written before where this is asked again; null where there is none. */
  readonly record: { readonly number: number; readonly hash: string } | null;
  /** Whether it was granted before, under the same key: nothing is charged again. */
  readonly again: boolean;
  /** The end that an earlier writer had left unfinished. */
  readonly settled: Settled;
}

/** Why something was not granted: a stable code, and words. */
export function reasonOf(decision: Refused | Ended): { readonly code: string; readonly message: string } {
  return decision.kind === 'ended'
    ? { code: 'converted', message: filledIn(ENDED, decision).message }
    : { code: refusalCode(decision.refusal), message: refusalText(decision.refusal).message };
}

export type Refused = Extract<Decision, { kind: 'refused' }>;

export const ASKED = oneOf(list(FORM), object({ ids: list(TEXT), terms: FORM }));

const STATE = object(STANDING);

const REQUEST = {
  command: choice('spend', 'check', 'nest', 'commit'),
  ledger: LEDGER_BRIEF,
  asked: described('Mechanisms in normal form; or nested ledgers, by their ids and terms.', ASKED),
  evidence: described('The hash of what their guarantees were verified by.', TEXT_OR_NULL),
  granted: described('Authorises only where record is not null.', FLAG),
  again: described('Granted before, in this record, under the same key: nothing is charged again.', FLAG),
  code: choice<string | null>('insufficient-budget', 'halted', 'count-limit', 'no-such-hold', 'converted', null),
  message: TEXT_OR_NULL,
};

export const EFFECT = {
  record: orNull(RECORD_REFERENCE),
  mechanisms: orNull(object({ first: COUNT, last: COUNT })),
  before: STATE,
  after: STATE,
  settled: choice('none', 'finished', 'removed'),
  caveats: CAVEATS,
};

export const COMPARED = {
  coordinate: optional(described('insufficient-budget: the total that would exceed its limit.', TEXT)),
  total: optional(described('insufficient-budget: what it would be, beyond 15 digits rounded up.', rounded('up'))),
  limit: optional(
    described(
      'insufficient-budget: the most that it may be, beyond 15 digits rounded down; count-limit: the most mechanisms.',
      rounded('down'),
    ),
  ),
  exact: optional(
    described('insufficient-budget: both as exact decimals.', object({ total: DECIMAL_TEXT, limit: DECIMAL_TEXT })),
  ),
  launched: optional(COUNT),
  wanted: optional(COUNT),
  because: optional(TEXT),
  holds: optional(described('How many reservations are open, whose amounts are in the total.', COUNT)),
  hold: optional(described('no-such-hold: the name.', TEXT)),
};

/** A decision: what was compared is printed beside the reason, and described last. */
export const LEDGER_DECISION = {
  ...document('ledger-decision', '', { ...REQUEST, ...COMPARED, ...EFFECT }),
  schema: document(
    'ledger-decision',
    'Whether mechanisms may be run, and what that makes of the ledger (exit codes 0 and 1).',
    { ...REQUEST, ...EFFECT, ...COMPARED },
  ).schema,
};

type Members = ValueOf<typeof LEDGER_DECISION>;

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
const countOf = (asked: Asked): number =>
  'entries' in asked ? asked.entries.reduce((sum, { count }) => sum + count, 0) : 1;

/** The numbers of the mechanisms that were, or would be, launched; null where nothing is. */
export function mechanismsOf({ asked, decision }: Pick<Answered, 'asked' | 'decision'>): Members['mechanisms'] {
  if (decision.kind !== 'accepted') return null;
  const last = decision.totals.launched;
  return { first: last - countOf(asked) + 1, last };
}

/** The ledger in short, with the record that was written. */
export function briefOf({ file, before, decision, record, again }: Omit<Answered, 'asked' | 'command' | 'settled'>) {
  const { state } = decision.kind === 'ended' ? before : decision;
  return briefAfter({ file, before, record: again ? null : record }, state);
}

export function askedOf(asked: Asked): ValueOf<typeof ASKED> {
  if ('entries' in asked) return asked.entries.map(exactEntry);
  const { ids, terms } = asked.nested;
  return { ids, terms: exactTerms(terms) };
}

/** The decision as `dpcompose.ledger-decision/1`. */
export function decisionJson(answered: Answered, version: string): string {
  const { asked, before, decision } = answered;
  const accepted = decision.kind === 'accepted';
  const after = decision.kind === 'ended' ? before.state : decision.state;
  return documentText(LEDGER_DECISION, {
    ...answered,
    version,
    ledger: briefOf(answered),
    asked: askedOf(asked),
    evidence: 'entries' in asked ? (asked.evidence ?? null) : null,
    granted: accepted,
    ...(accepted ? { code: null, message: null } : reasonOf(decision)),
    ...(decision.kind === 'refused' ? comparedOf(decision.refusal) : {}),
    mechanisms: mechanismsOf(answered),
    before: standing(before.state),
    after: standing(after),
    caveats: accepted ? decision.caveats : [],
  });
}

/** `mechanism 5`, `mechanisms 5 to 8`. */
export function numbersText({ first, last }: { readonly first: number; readonly last: number }): string {
  return first === last ? `mechanism ${grouped(first)}` : `mechanisms ${grouped(first)} to ${grouped(last)}`;
}

export function standingText(state: LedgerState): string {
  const { spent, guarantee } = loss(state);
  const used = Math.max(0, ...shareOf(state).map(({ share }) => share));
  const share = guarantee === null ? '' : ` (${(100 * used).toFixed(1)}% of the budget is used)`;
  return state.terms.mode === 'compositor'
    ? `${(100 * used).toFixed(1)}% of what was declared`
    : `${spentText(spent, guarantee)}${share}`;
}

/** The totals that are printed in the unit of the guarantee. */
const PLAIN_TOTALS = ['epsilon', 'delta', 'rho'];

/** The loss with one mechanism that was refused; nothing where that is not known, or printed already. */
export function wouldBe(
  { asked, before }: Pick<Answered, 'asked' | 'before'>,
  { coordinate }: { readonly coordinate: string },
): string {
  const { guarantee } = before.state.rule;
  if (PLAIN_TOTALS.includes(coordinate) && guarantee !== null && coordinate in guarantee) return '';
  const [entry, more] = 'entries' in asked ? asked.entries : [];
  if (entry === undefined || more !== undefined || before.state.terms.mode === 'compositor') return '';
  const after = lossAfter(before.state, entry);
  return 'spent' in after ? ` It would make it ${spentText(after.spent, after.guarantee)}.` : '';
}

/** The decision in a sentence or two. */
export function decisionText(answered: Answered): string {
  const { command, decision, record, again } = answered;
  if (decision.kind === 'accepted') {
    const standing = standingText(decision.state);
    const numbers = numbersText(mechanismsOf(answered)!);
    if (again && record !== null) {
      return `granted before, in record ${grouped(record.number)} (${numbers}), under this key: nothing is charged again. Spent: ${standing}.\n`;
    }
    if (record === null) {
      return `fits: ${numbers} would make it ${standing}.\nNothing was recorded; only "ledger ${command === 'check' ? 'spend' : command}" authorises.\n`;
    }
    const caveats = command === 'nest' ? decision.caveats.map((caveat) => `${caveatMessage(caveat)}\n`) : [];
    return `granted: ${numbers}, in record ${grouped(record.number)}. Spent: ${standing}.\n${caveats.join('')}`;
  }
  const refusal = decision.kind === 'refused' ? decision.refusal : null;
  const would = refusal?.code === 'insufficient-budget' ? wouldBe(answered, refusal) : '';
  const hint = refusal === null ? '' : ` ${refusalText(refusal).hint}`;
  const halts = decision.kind === 'refused' && decision.halts;
  const kept = record === null ? '' : ` The refusal is in record ${grouped(record.number)}.`;
  const more = `${would}${halts && record !== null ? ' The ledger has halted.' : `${hint}${kept}`}`;
  return `${printable(`no: ${reasonOf(decision).message}.${more}`)}\n`;
}
