import type {
  InvalidQuery,
  NoTheorem,
  Refusal,
  RefusalCode,
  Unverified,
  HaltReason,
} from '../../ledger/core/refusal.ts';
import type { Counterexample } from '../../ledger/core/adaptive-counterexample.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { quote } from '../../document/core/quote.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { givenText, shortRangeText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import { filledIn, type Message, type Named, type Sentence } from '../kit/message.ts';
import { amountText } from './amounts.ts';
import type { UncheckedTerm } from '../../ledger/core/terms.ts';

/** The codes of refusals, in place of those that have finer reasons these. */
export type FinerCode =
  | Exclude<RefusalCode, 'unverified' | 'invalid-query' | 'no-theorem'>
  | Unverified['reason']
  | InvalidQuery
  | NoTheorem['reason'];

/** A refusal that no theorem is missing for. */
export type Denial = Exclude<Refusal, { code: 'no-theorem' }>;

/** The finer reason of a refusal: stable, for programs. */
export function refusalCode(refusal: Denial): Exclude<FinerCode, NoTheorem['reason']>;
export function refusalCode(refusal: Refusal): FinerCode;
export function refusalCode(refusal: Refusal): FinerCode {
  switch (refusal.code) {
    case 'unverified':
    case 'invalid-query':
    case 'no-theorem':
      return refusal.reason;
    case 'insufficient-budget':
    case 'halted':
    case 'count-limit':
    case 'no-such-hold':
    case 'invalid-terms':
      return refusal.code;
  }
}

/** What terms ask for that is not checked any more. */
export const UNCHECKED: Readonly<Record<UncheckedTerm, string>> = {
  approvals: 'its terms ask for approvals, which this version does not check',
  window: 'its terms open it for a time only, which this version does not check',
};

const COORDINATES: Readonly<Record<string, string>> = {
  epsilonSquared: 'sum of epsilon squared',
  muSquared: 'sum of mu squared',
};

/** A total by the name that a person would give it. */
export function coordinateName(name: string): string {
  const [epsilon, alpha] = name.split('@');
  if (alpha !== undefined) return `${epsilon ?? ''} at order ${alpha}`;
  const slot = /^slot(\d+)$/.exec(name)?.[1];
  return slot === undefined ? (COORDINATES[name] ?? name) : `declared mechanism ${Number(slot) + 1}`;
}

function counterexampleText({ budget, first, branches, truth }: Counterexample): string {
  const [plus, minus] = branches;
  const launches = ({ epsilon, count }: typeof plus): string =>
    count === 1 ? `one with ${givenText(epsilon)}` : `${grouped(count)} with ${givenText(epsilon)}`;
  const seen = ({ seen: { lower, upper } }: typeof plus): string => shortRangeText({ lower, upper });
  const [epsilon, delta] = [givenText(budget.epsilon), givenText(budget.delta)];
  return `A budget of (${epsilon}, ${delta}) shows why: run randomized response with epsilon ${givenText(first)}, then after "+" ${launches(plus)}, after "-" ${launches(minus)}. The bound sees delta ${seen(plus)} on the one path and ${seen(minus)} on the other, both within ${delta}, but the delta of the whole at epsilon ${epsilon} is ${shortRangeText(truth)}`;
}

/** The refusals of this code, or of this reason. */
type Of<Code extends FinerCode> = Named<Refusal, 'code', Code> | Named<Refusal, 'reason', Code>;

/** Guarantees without a map to another distance; those of mechanisms have one message. */
const NO_MAP: Readonly<Record<'nested-ledger' | 'compositor', (distance: string) => Message>> = {
  'nested-ledger': (distance) => ({
    message: `a ledger is nested in this one, and what it guarantees at distance ${distance} is not known: its budget holds at its own distance`,
    hint: 'Leave --distance out, or ask a ledger without nested ones; for another distance, make ledgers with that --terms distance.',
  }),
  compositor: (distance) => ({
    message: `this ledger is a compositor: its bound was certified for what was declared, at its own distance, and says nothing at distance ${distance}`,
    hint: 'Leave --distance out, or make a compositor with that --terms distance.',
  }),
};

const besideHolds = (holds: number | undefined): string => (holds === undefined ? '' : ` with what is reserved`);

const HALTED: Readonly<Record<HaltReason, string>> = {
  'count-limit': 'the ledger has ended: more mechanisms were asked for than it allows, and it halts on excess',
  'insufficient-budget': 'the ledger has ended: more was asked for than its budget, and it halts on excess',
};

/** For each code the reason, and what to do instead. */
const REFUSALS: { readonly [Code in FinerCode]: Sentence<Of<Code>, Message> } = {
  'insufficient-budget': ({ coordinate, total, limit, holds }) => {
    const [up, down] = [amountText(new Decimal(total), 'up'), amountText(new Decimal(limit), 'down')];
    const name = coordinateName(coordinate);
    return {
      message: coordinate.startsWith('slot')
        ? `too few were declared: of ${name} there would be ${up}, and there may be ${down}`
        : `the budget does not suffice: ${name} would be ${up}${besideHolds(holds)}, and at most ${down} is allowed`,
      hint:
        holds === undefined
          ? 'See what still fits with "ledger status", and --next or -m.'
          : 'See the reservations, and when they expire, with "ledger status".',
    };
  },
  halted: ({ because }) => ({ message: HALTED[because], hint: 'Nothing can be launched in it any more.' }),
  'no-such-hold': ({ hold }) => ({
    message: `there is no open reservation ${quote(hold)}: it was committed or released, has expired, or never was`,
    hint: 'See the open reservations with "ledger status"; what has expired has to be reserved again.',
  }),
  'count-limit': ({ limit, launched, asked, holds }) => ({
    message: `at most ${grouped(limit)} mechanisms may be launched: ${grouped(launched)} were${holds === undefined ? '' : `, ${grouped(holds)} are reserved`}, and ${grouped(asked)} more ${asked === 1 ? 'is' : 'are'} asked for`,
    hint: 'The limit was fixed when the ledger was made.',
  }),
  'invalid-terms': ({ path, allowed }) => ({
    message: path.startsWith('--') ? `must be ${allowed}` : `${path} must be ${allowed}`,
    hint: `Correct ${path.startsWith('--') ? path : quote(path)}.`,
  }),
  'wrong-measure': ({ found, rule }) => ({
    message:
      found === 'sampled'
        ? `the rule ${rule} counts no such mechanism on samples`
        : `a mechanism of type ${found} has no guarantee in what the rule ${rule} adds up`,
    hint: 'Write a guarantee that it has and the rule counts, such as dp; or keep it in a ledger of another rule.',
  }),
  'positive-delta': ({ rule, found }) => ({
    message: `the rule ${rule} counts mechanisms with delta 0 only, and this one (${found}) has another`,
    hint: 'Use a mechanism with delta 0, or a ledger whose rule has room for a delta.',
  }),
  'order-too-high': ({ alpha }) => ({
    message: `the orders of this mechanism are all below the ledger's order ${alpha}`,
    hint: 'State its Renyi epsilon at an order of at least that.',
  }),
  'other-neighbours': {
    message: 'the nested ledger is for other neighbours than this one',
    hint: 'Give both the same --neighbours.',
  },
  'other-relation': ({ relation, ledger }) => ({
    message: `the mechanism is for neighbours ${relation}, and the ledger ${ledger === null ? 'does not say for which it is' : `is for ${quote(ledger)}`}`,
    hint: `Keep it in a ledger that was made with --neighbours ${relation}.`,
  }),
  'other-distance': { message: 'the nested ledger is for another distance', hint: 'Give both the same distance.' },
  'too-many-at-once': ({ limit, asked }) => ({
    message: `at most ${grouped(limit)} mechanisms are launched at once, and ${grouped(asked)} are asked for`,
    hint: 'Ask for them in several launches.',
  }),
  'no-evidence': {
    message: 'this ledger takes no guarantee without evidence of how it was verified',
    hint: 'Add --evidence FILE (its hash is recorded) or --evidence sha256:HEX.',
  },
  'no-evidence-in-child': {
    message: 'this ledger takes no guarantee without evidence, and the nested one would',
    hint: 'Leave --terms evidence=optional out.',
  },
  'unchecked-terms': ({ term }) => ({
    message: `nothing is launched in this ledger: ${UNCHECKED[term]}`,
    hint: 'Count what runs all the same with "ledger record --incurred", and begin another ledger for what is to come.',
  }),
  'fixed-budget': {
    message: 'this filter was made with a budget that is fixed for good, and becomes no odometer',
    hint: 'Go on in it within its budget, or begin another ledger for other data.',
  },
  'not-declared': {
    message: 'nothing that was declared at the start is of this type and at least as large',
    hint: 'Launch what was declared; what is left is shown by "ledger status".',
  },
  'no-such-mechanism': {
    message: 'there is no mechanism of this number',
    hint: 'Mechanisms are numbered in the order of launches, from 1; see "ledger status".',
  },
  'no-budget': {
    message:
      'there is no budget of which the rest could be told: the ledger is an odometer, or a compositor of what was declared',
    hint: 'The loss of an odometer and the free places of a compositor are shown by "ledger status".',
  },
  'wrong-mode': {
    message: 'this is not for a ledger of this mode',
    hint: 'An odometer becomes a filter, and a filter an odometer; a compositor stays what it is.',
  },
  nested: {
    message: 'this ledger is nested: its budget is what another one paid for it, and nothing more may be spent in it',
    hint: 'Go on in it within its budget, or nest another ledger with "ledger nest".',
  },
  'adaptive-parameters': ({ bound, counterexample }) => ({
    message: `${bound} is a bound for parameters that are fixed at the start, and no rule for parameters that are chosen along the way. ${counterexampleText(counterexample)}`,
    hint: 'Choose a rule for a filter (pure, basic, approximate-dp, zcdp-optimal, zcdp, rdp, gdp), or declare all mechanisms at the start with --mode compositor.',
  }),
  'open-question': ({ measure }) => ({
    message: `whether ${measure} composes concurrently, with interactive mechanisms asked in turns, is an open question`,
    hint: 'Use --terms concurrency=sequential, or a rule without a delta of the mechanisms.',
  }),
  'communication-not-finite': ({ rule, found }) => ({
    message: `the rule ${rule} covers an interactive or continual mechanism of type ${found} only if its communication is finite, and the document says that it is not ("finiteCommunication": false, or "discrete": false)`,
    hint: 'Remove what the document says if there are finitely many possible messages and answers, and every run ends. If not, use a ledger with the rule zcdp or rdp, or with --terms concurrency=sequential.',
  }),
  'nested-in-sequential': {
    message:
      'this ledger is sequential, and a nested one would be spent from also after the next launch, which is concurrent composition',
    hint: 'Nest in a ledger of --terms concurrency=concurrent, whose rule must be one that is proved for it; or spend in this one.',
  },
  'several-coordinates': ({ rule }) => ({
    message: `by the rule ${rule} what was spent is several numbers at once, and no theorem covers a conversion that takes the order, or the share of delta, that is best on the path that was taken`,
    hint: 'Leave --delta and --epsilon out, or keep a ledger whose loss is one number (zcdp, gdp, rdp, zcdp-optimal, approximate-dp); a budget that was fixed at the start can be converted.',
  }),
  'unbounded-child': {
    message: 'a nested odometer has no budget that could be paid',
    hint: 'Nest a filter or a compositor.',
  },
  'no-map': ({ found, distance }) =>
    found === 'nested-ledger' || found === 'compositor'
      ? NO_MAP[found](distance)
      : {
          message: `what a mechanism of type ${found} guarantees at distance ${distance} is not known`,
          hint: 'State a guarantee that has a map, such as zcdp or the noise itself; or use a ledger of distance 1 for what is guaranteed at that distance.',
        },
  'bound-does-not-apply': ({ inapplicability }) => ({
    message: `the bound does not cover what is declared: it ${inapplicabilityMessage(inapplicability)}`,
    hint: 'Choose another bound with --rule; "dpcompose compose" shows those that apply.',
  }),
};

/** The reason for a refusal, and what to do instead. */
export const refusalText = (refusal: Refusal): Message =>
  filledIn(REFUSALS[refusalCode(refusal)] as Sentence<Refusal, Message>, refusal);
