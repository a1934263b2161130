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
import {
  inapplicabilityMessage,
  explanationsOf,
  filledIn,
  type Explanation,
  type Explanations,
  type Message,
  type Named,
  type Text,
} from '../kit/message.ts';
import { documentText } from '../kit/codec.ts';
import { decimalText, givenText, shortRangeText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import type { UncheckedTerm } from '../../ledger/core/terms.ts';
import type { Heir } from '../../ledger/records/record.ts';
import { REFUSAL } from '../refusal/refusal.ts';
import { ADAPTIVE_REFERENCE } from '../refusal/messages.ts';

/** The codes of refusals, in place of those that have finer reasons these. */
type FinerCode =
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
  return 'reason' in refusal ? refusal.reason : refusal.code;
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

/** The texts of every refusal: one that is left out does not compile. */
type RefusalTexts = { readonly [Code in FinerCode]: Text<Of<Code>> };

/** Guarantees without a map to another distance, and those of mechanisms, which have one message. */
function noMap({ found, distance }: Of<'no-map'>): Message {
  if (found === 'nested-ledger') {
    return {
      message: `a ledger is nested in this one, and what it guarantees at distance ${distance} is not known: its budget holds at its own distance`,
      hint: 'Leave --distance out, or ask a ledger without nested ones; for another distance, make ledgers with that --terms distance.',
    };
  }
  if (found === 'compositor') {
    return {
      message: `this ledger is a compositor: its bound was certified for what was declared, at its own distance, and says nothing at distance ${distance}`,
      hint: 'Leave --distance out, or make a compositor with that --terms distance.',
    };
  }
  return {
    message: `what a mechanism of type ${found} guarantees at distance ${distance} is not known`,
    hint: 'State a guarantee that has a map, such as zcdp or the noise itself; or use a ledger of distance 1 for what is guaranteed at that distance.',
  };
}

const HALTED: Readonly<Record<HaltReason, string>> = {
  'count-limit': 'the ledger has ended: a request exceeded its number of mechanisms, and it halts on excess',
  'insufficient-budget': 'the ledger has ended: a request exceeded its budget, and it halts on excess',
};

function insufficientText({ coordinate, total, limit, holds }: Of<'insufficient-budget'>): string {
  const [up, down] = [decimalText(new Decimal(total), 'up'), decimalText(new Decimal(limit), 'down')];
  const name = coordinateName(coordinate);
  return coordinate.startsWith('slot')
    ? `too few were declared: this would bring ${name} to ${up}; the limit is ${down}`
    : `not enough budget: this would bring ${name} to ${up}${holds === undefined ? '' : ' (reservations included)'}; the limit is ${down}`;
}

/** The no of a ledger (exit code 1): the reason, and what to do instead. */
const DENIED = {
  'insufficient-budget': {
    message: insufficientText,
    meaning:
      'The request would bring a running total of the ledger above its limit; or the budget of a compositor is smaller than its bound certifies.',
    hint: ({ holds }) =>
      holds === undefined
        ? 'To see what fits, run "ledger status" with --next or -m.'
        : 'To see the reservations and when they expire, run "ledger status".',
    remedy: 'To see what fits, run "ledger status --next" or -m, or ask for less.',
  },
  halted: {
    message: ({ because }) => HALTED[because],
    meaning: 'The ledger was made with --terms on-excess=halt, and ended when more was asked for than it allows.',
    hint: 'It grants nothing any more.',
  },
  'count-limit': {
    message: ({ limit, launched, asked, holds }) =>
      `the limit is ${grouped(limit)} mechanisms: ${grouped(launched)} launched${holds === undefined ? '' : `, ${grouped(holds)} reserved`}, ${grouped(asked)} more requested`,
    meaning: 'More mechanisms are asked for than the term max-mechanisms allowed when the ledger was made.',
    hint: 'The limit was fixed when the ledger was made.',
    remedy: 'Ask for fewer. You cannot change the limit.',
  },
  'no-such-hold': {
    message: ({ hold }) =>
      `there is no open reservation ${quote(hold)}: it was committed or released, has expired, or never was`,
    meaning: 'No open reservation has this name: it was committed or released, has expired, or never was.',
    hint: 'See the open reservations with "ledger status"; what has expired has to be reserved again.',
  },
} satisfies Partial<RefusalTexts>;

/** Requests that make no sense for a ledger (exit code 2). */
const SENSELESS = {
  'invalid-terms': {
    message: ({ path, allowed }) => (path.startsWith('--') ? `must be ${allowed}` : `${path} must be ${allowed}`),
    meaning: 'The terms of the ledger to be made contradict themselves, or have a number outside its range.',
    hint: ({ path }) => `Correct ${path.startsWith('--') ? path : quote(path)}.`,
    remedy: 'Correct the value.',
  },
  'wrong-measure': {
    message: ({ found, rule }) =>
      found === 'sampled'
        ? `the rule ${rule} counts no such mechanism on samples`
        : `the rule ${rule} does not cover a mechanism of type ${found}`,
    meaning: 'The rule of the ledger does not cover a mechanism of this type.',
    hint: 'Write a guarantee of the mechanism that the rule covers, such as dp; or use a ledger with another rule.',
  },
  'positive-delta': {
    message: ({ rule, found }) =>
      `the rule ${rule} covers mechanisms with delta 0 only; the delta of this one (${found}) is not 0`,
    meaning: 'The rule covers mechanisms with delta 0 only; the delta of this one is not 0.',
    hint: 'Use a mechanism with delta 0, or a ledger whose rule has room for a delta.',
  },
  'order-too-high': {
    message: ({ alpha }) => `the orders of this mechanism are all below the ledger's order ${alpha}`,
    meaning: 'The Renyi orders of the mechanism are all below that of the ledger.',
    hint: 'State its Renyi epsilon at an order of at least that.',
  },
  'other-neighbours': {
    message: 'the nested ledger is for other neighbours than this one',
    meaning: 'What is to be launched or nested is meant for other neighbours than the ledger.',
    hint: 'Give both the same --neighbours.',
  },
  'other-relation': {
    message: ({ relation, ledger }) =>
      `the mechanism is for neighbours ${relation}, and the ledger ${ledger === null ? 'does not say for which it is' : `is for ${quote(ledger)}`}`,
    meaning:
      'The guarantee of a mechanism is for a relation of neighbours that the ledger does not name; guarantees of different relations do not add up.',
    hint: ({ relation }) => `Keep it in a ledger that was made with --neighbours ${relation}.`,
    remedy: 'Keep it in a ledger that was made with the same --neighbours.',
  },
  'other-distance': { message: 'the nested ledger is for another distance', hint: 'Give both the same distance.' },
  'too-many-at-once': {
    message: ({ limit, asked }) =>
      `at most ${grouped(limit)} mechanisms are launched at once, and ${grouped(asked)} are asked for`,
    meaning:
      'One launch has at most 1,000,000,000,000 mechanisms: every mechanism of a ledger has a number, and none is to use them up at once.',
    hint: 'Ask for them in several launches.',
  },
  'no-evidence': {
    message: 'this ledger requires evidence for every guarantee',
    hint: 'Add --evidence FILE (its hash is recorded) or --evidence sha256:HEX.',
  },
  'no-evidence-in-child': {
    message: 'this ledger takes no guarantee without evidence, and the nested one would',
    hint: 'Leave --terms evidence=optional out.',
  },
  'unchecked-terms': {
    message: ({ term }) => `nothing is launched in this ledger: ${UNCHECKED[term]}`,
    meaning:
      'The ledger was made by an earlier version, and its terms ask for approvals, or open it for a time only. This version checks neither, so nothing is launched.',
    hint: 'Count what runs all the same with "ledger record --incurred", and begin another ledger for what is to come.',
  },
  'fixed-budget': {
    message: 'this filter was made with a budget that is fixed for good, and becomes no odometer',
    meaning:
      'The filter was made without --terms conversions=allowed: it becomes no odometer, from which its budget could be raised.',
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
} satisfies Partial<RefusalTexts>;

/** What no theorem covers (exit code 3). */
const UNCOVERED = {
  'adaptive-parameters': {
    message: ({ bound, counterexample }) =>
      `${bound} is a bound for parameters fixed at the start, not a rule for adaptively chosen parameters. ${counterexampleText(counterexample)}`,
    meaning:
      'A bound for parameters that are fixed at the start was named as the rule of a filter or an odometer, where they are adaptively chosen; a run in which it lets the budget be exceeded is told.',
    hint: 'Choose a rule for a filter (pure, basic, approximate-dp, zcdp-optimal, zcdp, rdp, gdp), or declare all mechanisms at the start with --mode compositor.',
  },
  'open-question': {
    message: ({ measure }) =>
      `whether ${measure} composes concurrently, with interactive mechanisms asked in turns, is an open question`,
    meaning:
      'Whether approximate zCDP or approximate Renyi DP composes concurrently, with interactive mechanisms asked in turns, is an open question.',
    hint: 'Use --terms concurrency=sequential, or a rule without a delta of the mechanisms.',
  },
  'communication-not-finite': {
    message: ({ rule, found }) =>
      `the rule ${rule} covers an interactive or continual mechanism of type ${found} only if its communication is finite, and the document says that it is not ("finiteCommunication": false, or "discrete": false)`,
    meaning:
      'The document denies finite communication. Without it, no theorem covers adaptively chosen parameters of interactive mechanisms with trade-off functions.',
    hint: 'Remove what the document says if there are finitely many possible messages and answers, and every run ends. If not, use a ledger with the rule zcdp or rdp, or with --terms concurrency=sequential.',
  },
  'nested-in-sequential': {
    message:
      'this ledger is sequential, and a nested one would be spent from also after the next launch, which is concurrent composition',
    hint: 'Nest in a ledger of --terms concurrency=concurrent, whose rule must be one that is proved for it; or spend in this one.',
  },
  'several-coordinates': {
    message: ({ rule }) =>
      `by the rule ${rule} what was spent is several numbers at once, and no theorem covers a conversion that takes the order, or the share of delta, that is best on the path that was taken`,
    meaning:
      'What was spent is several numbers at once, and no theorem covers a conversion that takes the order, or the share of delta, that is best on the path that was taken.',
    hint: 'Leave --at-delta and --at-epsilon out, or keep a ledger whose loss is one number (zcdp, gdp, rdp, zcdp-optimal, approximate-dp); a budget that was fixed at the start can be converted.',
  },
  'unbounded-child': {
    message: 'a nested odometer has no budget that could be paid',
    hint: 'Nest a filter or a compositor.',
  },
  'no-map': {
    message: (refusal) => noMap(refusal).message,
    meaning: 'What a mechanism, a nested ledger or a compositor guarantees at another distance is not known.',
    hint: (refusal) => noMap(refusal).hint,
    remedy: 'State a guarantee that has a map, such as zcdp or the noise itself; or leave --distance out.',
  },
  'bound-does-not-apply': {
    message: ({ inapplicability }) =>
      `the bound does not cover what is declared: it ${inapplicabilityMessage(inapplicability)}`,
    meaning: 'The bound of a compositor does not cover what is declared.',
    hint: 'Choose another bound with --rule; "dpcompose compose" shows those that apply.',
  },
} satisfies Partial<RefusalTexts>;

const REFUSALS: RefusalTexts = { ...DENIED, ...SENSELESS, ...UNCOVERED };

/** The reason for a refusal, and what to do instead. */
export const refusalText = (refusal: Refusal): Message =>
  filledIn<never>(REFUSALS[refusalCode(refusal)], refusal as never);

/** The ledger in which another one goes on: its id and, where that is another one, its name. */
export const heirText = ({ id, name }: Pick<Heir, 'id' | 'name'>): string =>
  id === name ? quote(id) : `${quote(id)}, in ${quote(name)}`;

/** A ledger that has ended, to go on as another. */
export const ENDED: Text<{ readonly successor: Pick<Heir, 'id' | 'name'> }> = {
  message: ({ successor }) => `the ledger has ended: it continues as ${heirText(successor)}`,
  meaning: 'The ledger has ended: "ledger convert" made the one in which it goes on.',
  hint: 'Use that ledger.',
};

/** A question that what stands in the file cannot answer. */
const EARLIER_LEDGER: Explanation = {
  meaning:
    'The ledger goes on from another one, whose mechanisms are not in its file, and the loss at another distance needs all of them.',
  remedy: 'Leave --distance out for the loss at the distance of the ledger.',
};

/** What every no of a ledger is. */
export const denialExplanations = (): Explanations<keyof typeof DENIED | 'converted'> =>
  explanationsOf({ ...DENIED, converted: ENDED });

/** What every request is that makes no sense for a ledger. */
export const requestExplanations = (): Explanations<keyof typeof SENSELESS | 'earlier-ledger'> => ({
  ...explanationsOf(SENSELESS),
  'earlier-ledger': EARLIER_LEDGER,
});

/** What everything is that no theorem covers. */
export const uncoveredExplanations = (): Explanations<NoTheorem['reason']> => explanationsOf(UNCOVERED);

type WithoutTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const CONCURRENT_REFERENCE =
  'Haney, Shoemate, Tian, Vadhan, Vyrros, Xu and Zhang, "Concurrent Composition for Interactive Differential Privacy with Adaptive Privacy-Loss Parameters", CCS 2023, arXiv:2309.05901';

/** The paper to read about what no theorem covers; null where there is none. */
export function noTheoremReference({ reason }: WithoutTheorem): string | null {
  if (reason === 'adaptive-parameters') return ADAPTIVE_REFERENCE;
  return reason === 'no-map' || reason === 'bound-does-not-apply' ? null : CONCURRENT_REFERENCE;
}

/** A refusal for want of a theorem as `dpcompose.refusal/1`. */
export function noTheoremJson(code: string, refusal: WithoutTheorem, version: string): string {
  const { message, hint } = refusalText(refusal);
  return documentText(REFUSAL, {
    version,
    code,
    message: `${message}. ${hint}`,
    reference: noTheoremReference(refusal),
    lowerBound: null,
    counterexample: refusal.reason === 'adaptive-parameters' ? refusal.counterexample : null,
  });
}
