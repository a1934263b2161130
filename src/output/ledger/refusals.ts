import type {
  InvalidQuery,
  NoTheorem,
  Refusal,
  RefusalCode,
  Unverified,
  HaltReason,
} from '../../ledger/rules/refusal.ts';
import type { Counterexample } from '../../ledger/rules/adaptive-counterexample.ts';
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
import type { UncheckedTerm } from '../../ledger/rules/terms.ts';
import type { Successor } from '../../ledger/record.ts';
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
  approvals: 'its terms require approvals, which this version does not check',
  window: 'its terms limit it to a time window, which this version does not check',
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
    `${count === 1 ? 'one' : grouped(count)} with epsilon ${givenText(epsilon)}`;
  const deltaText = ({ seen: { lower, upper } }: typeof plus): string => shortRangeText({ lower, upper });
  const [epsilon, delta] = [givenText(budget.epsilon), givenText(budget.delta)];
  return `A budget of (${epsilon}, ${delta}) shows why. Run randomized response with epsilon ${givenText(first)}. After "+", run ${launches(plus)}; after "-", run ${launches(minus)}. The bound sees delta ${deltaText(plus)} on the one path and ${deltaText(minus)} on the other, both within ${delta}. But the delta of the whole at epsilon ${epsilon} is ${shortRangeText(truth)}`;
}

/** The refusals of this code, or of this reason. */
type Of<Code extends FinerCode> = Named<Refusal, 'code', Code> | Named<Refusal, 'reason', Code>;

/** The texts of every refusal: one that is left out does not compile. */
type RefusalTexts = { readonly [Code in FinerCode]: Text<Of<Code>> };

/** Guarantees without a map to another distance, and those of mechanisms, which have one message. */
function noMap({ found, distance }: Of<'no-map'>): Message {
  if (found === 'nested-ledger') {
    return {
      message: `no guarantee is known at distance ${distance} for a ledger nested in this one: its budget holds at its own distance`,
      hint: 'Omit --distance, or use a ledger without nested ones. For another distance, create ledgers with that --terms distance.',
    };
  }
  if (found === 'compositor') {
    return {
      message: `no guarantee is known at distance ${distance} for a compositor: its bound holds for the declared mechanisms at its own distance`,
      hint: 'Omit --distance, or create a compositor with that --terms distance.',
    };
  }
  return {
    message: `no guarantee is known at distance ${distance} for a mechanism of type ${found}`,
    hint: 'Write a guarantee that scales with the distance, such as zcdp or the noise itself; or use a ledger at distance 1.',
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

/** What became of a reservation that is not open, as far as the ledger knows. */
function holdText({ hold, past }: Of<'no-such-hold'>): string {
  switch (past?.kind) {
    case 'expired':
      return `reservation ${hold} expired at ${past.until}`;
    case 'committed':
    case 'released':
      return `reservation ${hold} was ${past.kind} in record ${grouped(past.record)}`;
    case undefined:
      return `no reservation has the name ${quote(hold)}`;
  }
}

/** Denials by a ledger (exit code 1): the reason, and what to do instead. */
const DENIED = {
  'insufficient-budget': {
    message: insufficientText,
    meaning:
      'The request would bring a running total of the ledger above its limit; or the budget of a compositor is smaller than its bound certifies.',
    hint: ({ holds }) =>
      holds === undefined
        ? 'For what fits, run "ledger status LEDGER --next gaussian".'
        : 'To see the reservations and when they expire, run "ledger status".',
    remedy: 'For what fits, run "ledger status LEDGER --next gaussian" (or --next dp), or ask for less.',
  },
  halted: {
    message: ({ because }) => HALTED[because],
    meaning: 'The ledger was created with --terms on-excess=halt, and ended when a request exceeded it.',
    hint: 'Create another ledger. This one denies all requests.',
  },
  'count-limit': {
    message: ({ limit, launched, asked, holds }) =>
      `the limit is ${grouped(limit)} mechanisms: ${grouped(launched)} launched${holds === undefined ? '' : `, ${grouped(holds)} reserved`}, ${grouped(asked)} more requested`,
    meaning: 'The request exceeds the term max-mechanisms of the ledger.',
    hint: 'You cannot change the limit: it was fixed when the ledger was created.',
    remedy: 'Ask for fewer. You cannot change the limit.',
  },
  'no-such-hold': {
    message: holdText,
    meaning: 'No open reservation has this name: it was committed or released, has expired, or never was.',
    hint: ({ past }) =>
      past?.kind === 'expired'
        ? 'Its budget was returned. Reserve again.'
        : past === undefined
          ? 'See the open reservations with "ledger status".'
          : 'For another launch, reserve again.',
    remedy: 'See the open reservations with "ledger status". Reserve again what has expired or was released.',
  },
} satisfies Partial<RefusalTexts>;

/** Requests that make no sense for a ledger (exit code 2). */
const SENSELESS = {
  'invalid-terms': {
    message: ({ path, allowed }) => (path.startsWith('--') ? `must be ${allowed}` : `${path} must be ${allowed}`),
    meaning: 'The terms of the new ledger contradict each other, or a number is out of range.',
    hint: ({ path }) => `Correct ${path.startsWith('--') ? path : quote(path)}.`,
    remedy: 'Correct the value.',
  },
  'wrong-measure': {
    message: ({ found, rule }) =>
      found === 'sampled'
        ? `the rule ${rule} does not cover this subsampled mechanism`
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
    hint: 'Write its Renyi epsilon at that order or above.',
  },
  'other-neighbours': {
    message: 'the nested ledger has another neighboring relation than this one',
    meaning: 'The mechanism or nested ledger has another neighboring relation than the ledger.',
    hint: 'Give both the same --neighbours.',
  },
  'other-relation': {
    message: ({ relation, ledger }) =>
      `the mechanism is for ${relation} neighbors, and the ledger ${ledger === null ? 'names no neighboring relation' : `is for ${quote(ledger)}`}`,
    meaning:
      'The guarantee of the mechanism is for a neighboring relation that the ledger does not name. Guarantees of different relations do not add up.',
    hint: ({ relation }) => `Use a ledger created with --neighbours ${relation}.`,
    remedy: 'Use a ledger created with the same --neighbours.',
  },
  'other-distance': {
    message: 'the nested ledger has another distance than this one',
    hint: 'Give both the same distance.',
  },
  'too-many-at-once': {
    message: ({ limit, asked }) =>
      `a launch has at most ${grouped(limit)} mechanisms, and ${grouped(asked)} were requested`,
    meaning: 'A launch has at most 1,000,000,000,000 mechanisms, because every mechanism of a ledger has a number.',
    hint: 'Use several launches.',
  },
  'no-evidence': {
    message: 'this ledger requires evidence for every guarantee',
    hint: 'Add --evidence FILE (its hash is recorded) or --evidence sha256:HEX.',
  },
  'no-evidence-in-child': {
    message: 'this ledger requires evidence for every guarantee, and the nested one would not',
    hint: 'Omit --terms evidence=optional.',
  },
  'unchecked-terms': {
    message: ({ term }) => `this ledger denies all requests: ${UNCHECKED[term]}`,
    meaning:
      'An earlier version created the ledger, with terms that require approvals or a time window. This version checks neither, so it denies all requests.',
    hint: 'Create another ledger. Record what ran anyway with "ledger record --incurred".',
  },
  'fixed-budget': {
    message: 'the budget of this filter is fixed for good, so it cannot become an odometer',
    meaning: 'The terms of the filter forbid it. It cannot become an odometer, from which its budget could be raised.',
    hint: 'Continue within its budget, or create another ledger for other data.',
  },
  'not-declared': {
    message: 'no unused declared mechanism has this type and is at least as large',
    hint: 'Launch what was declared; "ledger status" prints what remains.',
  },
  'no-such-mechanism': {
    message: 'there is no mechanism of this number',
    hint: 'Mechanisms are numbered in launch order, from 1; see "ledger status".',
  },
  'no-budget': {
    message: 'the ledger has no remaining budget to print: it is an odometer, or a compositor',
    hint: '"ledger status" prints the loss of an odometer, and what remains of a compositor.',
  },
  'wrong-mode': {
    message: 'not possible for a ledger of this mode',
    hint: 'Only odometers and filters can be converted, into each other.',
  },
  nested: {
    message: 'this ledger is nested: its parent paid for its budget, which cannot change',
    hint: 'Continue within its budget, or nest another ledger with "ledger nest".',
  },
} satisfies Partial<RefusalTexts>;

/** What no theorem covers (exit code 3). */
const UNCOVERED = {
  'adaptive-parameters': {
    message: ({ bound, counterexample }) =>
      `${bound} is a bound for parameters fixed at the start, not a rule for adaptively chosen parameters. ${counterexampleText(counterexample)}`,
    meaning:
      'The rule of a filter or an odometer must cover adaptively chosen parameters. This bound covers only parameters fixed at the start.',
    hint: 'Choose a rule for a filter (pure, basic, approximate-dp, zcdp-optimal, zcdp, rdp, gdp), or declare all mechanisms at the start with --mode compositor.',
  },
  'open-question': {
    message: ({ measure }) => `whether ${measure} composes concurrently is an open question`,
    meaning: 'Whether approximate zCDP or approximate Renyi DP composes concurrently is an open question.',
    hint: 'Use --terms concurrency=sequential, or a rule without a delta of the mechanisms.',
  },
  'communication-not-finite': {
    message: ({ rule, found }) =>
      `the rule ${rule} covers an interactive or continual mechanism of type ${found} only if its communication is finite. The document denies that ("finiteCommunication": false, or "discrete": false)`,
    meaning:
      'The document denies finite communication. Without it, no theorem covers adaptively chosen parameters of interactive mechanisms with trade-off functions.',
    hint: 'If messages and answers are finitely many and every run ends, remove that key. If not, use the rule zcdp or rdp, or --terms concurrency=sequential.',
  },
  'nested-in-sequential': {
    message:
      'this ledger is sequential, and spending from a nested one after the next launch is concurrent composition',
    hint: 'Nest in a ledger with --terms concurrency=concurrent, whose rule must be proved for it. Or spend from this one.',
  },
  'several-coordinates': {
    message: ({ rule }) =>
      `the loss by the rule ${rule} is several numbers, and no theorem covers choosing the best order, or share of delta, after the fact`,
    meaning:
      'The loss so far is several numbers. No theorem covers a conversion that chooses the best order, or share of delta, after the fact.',
    hint: 'Omit --at-delta and --at-epsilon, or use a rule whose loss is one number (zcdp, gdp, rdp, zcdp-optimal, approximate-dp). A budget fixed at the start can be converted.',
  },
  'unbounded-child': {
    message: 'a nested odometer has no budget for its parent to pay',
    hint: 'Nest a filter or a compositor.',
  },
  'no-map': {
    message: (refusal) => noMap(refusal).message,
    meaning: 'No guarantee is known at another distance for a mechanism, a nested ledger or a compositor.',
    hint: (refusal) => noMap(refusal).hint,
    remedy: 'Write a guarantee that scales with the distance, such as zcdp or the noise itself; or omit --distance.',
  },
  'bound-does-not-apply': {
    message: ({ inapplicability }) =>
      `the bound does not cover the declared mechanisms: it ${inapplicabilityMessage(inapplicability)}`,
    meaning: 'The bound of a compositor does not cover the declared mechanisms.',
    hint: 'Choose another bound with --rule; "dpcompose compose" prints those that apply.',
  },
} satisfies Partial<RefusalTexts>;

const REFUSALS: RefusalTexts = { ...DENIED, ...SENSELESS, ...UNCOVERED };

/** The reason for a refusal, and what to do instead. */
export const refusalText = (refusal: Refusal): Message =>
  filledIn<never>(REFUSALS[refusalCode(refusal)], refusal as never);

/** The ledger in which another one goes on: its id and, where that is another one, its name. */
export const successorText = ({ id, name }: Pick<Successor, 'id' | 'name'>): string =>
  id === name ? quote(id) : `${quote(id)}, in ${quote(name)}`;

/** A ledger that has ended, to go on as another. */
export const ENDED: Text<{ readonly successor: Pick<Successor, 'id' | 'name'> }> = {
  message: ({ successor }) => `the ledger has ended: it continues as ${successorText(successor)}`,
  meaning: 'The ledger has ended: "ledger convert" created the one that continues it.',
  hint: ({ successor: { name } }) => `Use the ledger in ${quote(name)}.`,
  remedy: 'Use the ledger that continues it.',
};

/** A question that what stands in the file cannot answer. */
const EARLIER_LEDGER: Explanation = {
  meaning:
    'The ledger continues another one, whose mechanisms are not in its file. The loss at another distance needs all of them.',
  remedy: 'Omit --distance for the loss at the distance of the ledger.',
};

/** What every denial by a ledger is. */
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
