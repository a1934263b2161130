import type { Caveat } from '../../ledger/rules/rule.ts';
import { NOT_MADE, type LaunchRequest } from '../../ledger/record.ts';
import type { Settled } from '../../ledger/store.ts';
import { choice, described, document, documentText, list, object, orNull } from '../kit/codec.ts';
import { COUNT, FLAG, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { unbroken, type Output } from '../kit/page.ts';
import { counted, grouped, listed } from '../kit/prose.ts';
import { caveatMessage, CAVEATS } from './caveats.ts';
import { BRIEF, HASH, standing } from './facts-json.ts';
import {
  ASKED,
  askedOf,
  briefOf,
  COMPARED,
  comparedOf,
  EFFECT,
  mechanismsOf,
  numbersText,
  reasonOf,
  standingText,
  stateAfter,
  wouldBe,
  type DecisionReport,
} from './decision.ts';
import { fitHint, leftOver } from './fitting.ts';
import { quote } from '../../document/core/quote.ts';
import { filledIn } from '../kit/message.ts';
import { ENDED } from './refusals.ts';

/** The answer of one of several ledgers. */
export type LedgerDecision = Pick<DecisionReport, 'file' | 'before' | 'decision' | 'record' | 'again'>;

/** A request to several ledgers, which is granted in all of them or in none, and what came of it. */
export interface JointDecisionReport {
  readonly command: 'spend' | 'check';
  readonly request: LaunchRequest;
  readonly parts: readonly LedgerDecision[];
  readonly settled: Settled;
  /** The ledgers that were made for it, by their names; that would be made, where it is checked. */
  readonly made: readonly string[];
  /** What is not guaranteed of the ledgers together. */
  readonly caveats: readonly Caveat[];
  /** The store that other commands about these ledgers have to name; null for none. */
  readonly store: string | null;
}

const isGranted = ({ decision }: LedgerDecision): boolean => decision.kind === 'accepted';

/** Whether all of them grant it. */
export const isGrantedTogether = ({ parts }: JointDecisionReport): boolean => parts.every(isGranted);

const { settled: SETTLED, ...OF_EACH } = EFFECT;

const REQUEST = {
  command: choice('spend', 'check'),
  asked: described('Mechanisms in normal form.', ASKED),
  evidence: described('The hash of the evidence for their guarantees.', TEXT_OR_NULL),
  granted: described('Whether all ledgers grant it; authorizes only if no record is null.', FLAG),
  again: described('The earlier records with the same key, which granted this; nothing is charged again.', FLAG),
};

const ANSWER = {
  ledger: object({ ...BRIEF, hash: described('Null for a ledger that is not created yet.', orNull(HASH)) }),
  fits: described('Whether this ledger grants it, or would by itself.', FLAG),
  code: choice<string | null>('insufficient-budget', 'halted', 'count-limit', 'converted', null),
  message: TEXT_OR_NULL,
};

/** The decision of several ledgers together. */
export const LEDGER_DECISIONS = document(
  'ledger-decisions',
  'Whether mechanisms that are charged to several ledgers may run: to all of them, or to none (exit codes 0 and 1).',
  {
    ...REQUEST,
    ledgers: list(
      object({ ...ANSWER, ...COMPARED, ...OF_EACH, mechanisms: orNull(object({ first: COUNT, last: COUNT })) }),
    ),
    made: described('The names of the ledgers created for it, or that would be.', list(TEXT)),
    settled: SETTLED,
    caveats: CAVEATS,
  },
);

/** The line of a ledger in an answer that is yes. */
function grantedLine({ request, command }: JointDecisionReport, part: LedgerDecision): string {
  const { file, decision, record, again } = part;
  const numbers = numbersText(mechanismsOf({ request, decision })!);
  const usage = standingText(stateAfter(part));
  if (command === 'check') return `${file}: with ${numbers}, it would have used ${usage}.`;
  const place = record === null ? '' : `, in record ${grouped(record.number)}`;
  return `${file}: ${numbers}${place}. ${again ? 'Used now' : 'Used'}: ${usage}.`;
}

/** The line of a ledger in an answer that is no. */
function refusedLine({ request, command }: JointDecisionReport, part: LedgerDecision): string {
  const { file, before, decision, record } = part;
  if (decision.kind === 'accepted') return `${file}: would grant it.`;
  const reason = reasonOf(decision).message;
  if (decision.kind === 'ended') return `${file}: denied: ${reason}.`;
  const { refusal } = decision;
  const would = refusal.code === 'insufficient-budget' ? wouldBe({ request, before }, refusal) : '';
  const end = decision.halts && command === 'spend' ? ' The ledger has halted.' : leftOver(before.state, refusal);
  const denialText = record === null ? '' : ` The denial is in record ${grouped(record.number)}.`;
  return `${file}: denied: ${reason}.${would}${end}${denialText}`;
}

/** The remedies for the reasons why it was refused, each once. */
function remedies({ request, parts, store }: JointDecisionReport): readonly string[] {
  const refusing = parts.filter((part) => !isGranted(part));
  const hints = refusing.flatMap(({ file, before, decision }): string[] => {
    if (decision.kind === 'ended') return [filledIn(ENDED, decision).hint];
    if (decision.kind !== 'refused') return [];
    return [fitHint({ file, request, before, store }, decision.refusal)];
  });
  // Of several that lack budget, a command for the first shows how to ask.
  const isCommand = (hint: string): boolean => hint.includes('run "ledger status');
  const first = hints.find(isCommand);
  const shown = hints.filter((hint) => hint !== '' && (!isCommand(hint) || hint === first));
  const which = `the ledger${refusing.length === 1 ? '' : 's'} ${listed(refusing.map(({ file }) => quote(file)))}`;
  const others = refusing.length < parts.length ? [`Or request mechanisms that are not charged to ${which}.`] : [];
  return [...new Set(shown), ...others];
}

function decisionsLines(answered: JointDecisionReport): readonly string[] {
  const { command, parts, made, caveats } = answered;
  const all = counted(parts.length, 'ledger');
  const notes = made.length === 0 ? [] : caveats.map(caveatMessage);
  if (!isGrantedTogether(answered)) {
    const refusing = parts.filter((part) => !isGranted(part)).length;
    const head =
      parts.length === 1
        ? 'denied: nothing was granted.'
        : `denied: ${grouped(refusing)} of ${all} ${refusing === 1 ? 'denies' : 'deny'} it, and nothing was granted.`;
    const unspent = made.length === 0 || command === 'check' ? [] : [`Created, and unused: ${listed(made)}.`];
    return [head, ...parts.map((part) => refusedLine(answered, part)), ...unspent, ...remedies(answered)];
  }
  const lines = parts.map((part) => grantedLine(answered, part));
  const where = parts.length === 1 ? '' : ` in all ${all}`;
  if (command === 'check') {
    const making = made.length === 0 ? [] : [`Spending would create ${listed(made)}.`];
    return [`fits${where}:`, ...lines, ...making, 'Nothing was recorded. Only "ledger spend" authorizes.'];
  }
  if (parts.every(({ again }) => again)) {
    return [`already granted under this key${where}; not charged again.`, ...lines];
  }
  return [`granted${where}:`, ...lines, ...(made.length === 0 ? [] : [`Created: ${listed(made)}.`]), ...notes];
}

/** The decision of several ledgers in a line for each. */
export function decisionsOutput(answered: JointDecisionReport): Output {
  const { request, parts } = answered;
  const isGranting = isGrantedTogether(answered);
  const ledgerOf = (part: LedgerDecision) => {
    const { before, decision } = part;
    const brief = briefOf(part);
    const fits = decision.kind === 'accepted';
    return {
      ...part,
      ledger: { ...brief, hash: brief.hash === NOT_MADE ? null : brief.hash },
      fits,
      ...(fits ? { code: null, message: null } : reasonOf(decision)),
      ...(decision.kind === 'refused' ? comparedOf(decision.refusal) : {}),
      mechanisms: mechanismsOf({ request, decision }),
      before: standing(before.state),
      after: standing(isGranting || !fits ? stateAfter(part) : before.state),
      caveats: fits ? decision.caveats : [],
    };
  };
  return {
    page: () => [unbroken(decisionsLines(answered))],
    json: (version) =>
      documentText(LEDGER_DECISIONS, {
        ...answered,
        version,
        asked: askedOf(request),
        evidence: 'entries' in request ? (request.evidence ?? null) : null,
        granted: isGranting,
        again: parts.every(({ again }) => again),
        ledgers: parts.map(ledgerOf),
      }),
  };
}
