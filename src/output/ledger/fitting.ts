import type { LaunchRequest } from '../../ledger/record.ts';
import type { Refusal } from '../../ledger/rules/refusal.ts';
import { isExceeded, type LedgerState } from '../../ledger/state.ts';
import type { Present } from '../../ledger/present.ts';
import { NOT_MADE } from '../../ledger/record.ts';
import type { OpenMechanism } from '../../ledger/loss.ts';
import { givenText } from '../kit/number.ts';
import { shellWord } from '../kit/prose.ts';
import { leftText, ownMechanism } from './ledger-text.ts';
import { refusalText } from './refusals.ts';

/** Whether not even the least mechanism of the kind that the rule adds up fits. */
const isUsedUp = (state: LedgerState): boolean => ownMechanism(state) !== null && leftText(state, null) === null;

/** What remains of a ledger that refuses for its budget, in a sentence after a blank; nothing where that is not known. */
export function leftOver(state: LedgerState, refusal: Refusal): string {
  if (refusal.code !== 'insufficient-budget') return '';
  const left = leftText(state, null);
  if (left !== null) return ` ${left}`;
  return isUsedUp(state) ? ' Nothing remains for a mechanism of this kind.' : '';
}

/** Types whose parameter "ledger status --next" finds. */
const OPEN: readonly string[] = [
  'dp',
  'bounded-range',
  'zcdp',
  'gdp',
  'laplace',
  'discrete-laplace',
  'gaussian',
  'discrete-gaussian',
];

/** A mechanism with an open parameter, as --next takes it. */
function nextText({ type, ...fixed }: OpenMechanism): string {
  const parameters = Object.entries(fixed).flatMap(([name, value]) =>
    value.eq(name === 'sensitivity' ? 1 : 0) ? [] : [`${name}=${givenText(value)}`],
  );
  return parameters.length === 0 ? type : `${type}:${parameters.join(',')}`;
}

/** The question of --next about the kind of mechanism that was requested, or else about that which the rule adds up. */
function questionOf(request: LaunchRequest, state: LedgerState): string | null {
  const [entry] = 'entries' in request ? request.entries : [];
  const isOpen = entry !== undefined && state.terms.mode !== 'compositor' && OPEN.includes(entry.mechanism.type);
  if (isOpen) {
    const { mechanism } = entry;
    const sensitivity = 'sensitivity' in mechanism ? { sensitivity: mechanism.sensitivity } : {};
    return nextText({ type: mechanism.type, ...sensitivity } as OpenMechanism);
  }
  const own = ownMechanism(state);
  return own && nextText(own);
}

/** A refused request to a ledger, and where the ledger is. */
interface RefusedRequest {
  readonly file: string;
  readonly request: LaunchRequest;
  readonly before: Present;
  readonly store?: string | null | undefined;
}

/** What to do after a refusal, with a command that can be pasted where it is about the budget; nothing for a ledger that is not made. */
export function fitHint({ file, request, before, store }: RefusedRequest, refusal: Refusal): string {
  if (refusal.code !== 'insufficient-budget') return refusalText(refusal).hint;
  if (before.hash === NOT_MADE || isExceeded(before.state)) return '';
  const place = store == null ? '' : ` --store ${shellWord(store)}`;
  const status = `ledger status ${shellWord(file)}${place}`;
  if (refusal.holds !== undefined) return `To see the reservations and when they expire, run "${status}".`;
  if (isUsedUp(before.state)) return '';
  const question = questionOf(request, before.state);
  return `For what fits, run "${status}${question === null ? '' : ` --next ${shellWord(question)}`}".`;
}
