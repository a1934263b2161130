import type { InvalidQuery, NoTheorem, Refusal, RefusalCode, Unverified } from '../../ledger/core/refusal.ts';
import type { Counterexample } from '../../ledger/core/adaptive-counterexample.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { quote } from '../../document/core/quote.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { givenText, shortRangeText } from '../kit/number.ts';
import { grouped } from '../kit/prose.ts';
import type { Message } from '../kit/message.ts';
import { amountText } from './amounts.ts';

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
    case 'invalid-terms':
      return refusal.code;
  }
}

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

function unverified(refusal: Extract<Refusal, { code: 'unverified' }>): Message {
  switch (refusal.reason) {
    case 'wrong-measure':
      return {
        message: `a mechanism of type ${refusal.found} has no guarantee in what the rule ${refusal.rule} adds up`,
        hint: 'Write a guarantee that it has and the rule counts, such as dp; or keep it in a ledger of another rule.',
      };
    case 'positive-delta':
      return {
        message: `the rule ${refusal.rule} counts mechanisms with delta 0 only, and this one (${refusal.found}) has another`,
        hint: 'Use a mechanism with delta 0, or a ledger whose rule has room for a delta.',
      };
    case 'order-too-high':
      return {
        message: `the orders of this mechanism are all below the ledger's order ${refusal.alpha}`,
        hint: 'State its Renyi epsilon at an order of at least that.',
      };
    case 'other-neighbours':
      return {
        message: 'the nested ledger is for other neighbours than this one',
        hint: 'Give both the same --neighbours.',
      };
    case 'other-distance':
      return { message: 'the nested ledger is for another distance', hint: 'Give both the same --distance.' };
    case 'no-evidence':
      return {
        message: 'this ledger takes no guarantee without evidence of how it was verified',
        hint: 'Add --evidence FILE (its hash is recorded) or --evidence sha256:HEX.',
      };
    case 'no-evidence-in-child':
      return {
        message: 'this ledger takes no guarantee without evidence, and the nested one would',
        hint: 'Leave --no-require-evidence out.',
      };
    case 'not-declared':
      return {
        message: 'nothing that was declared at the start is of this type and at least as large',
        hint: 'Launch what was declared; what is left is shown by "ledger status".',
      };
  }
}

const INVALID: Readonly<Record<Extract<Refusal, { code: 'invalid-query' }>['reason'], Message>> = {
  'no-such-mechanism': {
    message: 'there is no mechanism of this number',
    hint: 'Mechanisms are numbered in the order of launches, from 1; see "ledger status".',
  },
  'not-interactive': {
    message: 'this mechanism answers once, and is not asked again',
    hint: 'Launch what is to be asked again with kind=interactive.',
  },
  closed: { message: 'this mechanism was closed', hint: 'Launch another one.' },
  superseded: {
    message: 'the ledger is sequential, and another mechanism was launched since',
    hint: 'Launch another one, or use a ledger with --concurrency concurrent.',
  },
  'no-budget': {
    message: 'there is no budget of which something could be left',
    hint: 'Ask for the loss with "ledger loss".',
  },
  'wrong-mode': {
    message: 'this is not for a ledger of this mode',
    hint: 'to-filter is for odometers, and to-odometer for filters.',
  },
  nested: {
    message: 'this ledger is nested: its budget is what another one paid for it, and nothing more may be spent in it',
    hint: 'Go on in it within its budget, or nest another ledger with "ledger nest".',
  },
};

function counterexampleText({ budget, first, branches, truth }: Counterexample): string {
  const [plus, minus] = branches;
  const launches = ({ epsilon, count }: typeof plus): string =>
    count === 1 ? `one with ${givenText(epsilon)}` : `${grouped(count)} with ${givenText(epsilon)}`;
  const seen = ({ seen: { lower, upper } }: typeof plus): string => shortRangeText({ lower, upper });
  const [epsilon, delta] = [givenText(budget.epsilon), givenText(budget.delta)];
  return `A budget of (${epsilon}, ${delta}) shows why: run randomized response with epsilon ${givenText(first)}, then after "+" ${launches(plus)}, after "-" ${launches(minus)}. The bound sees delta ${seen(plus)} on the one path and ${seen(minus)} on the other, both within ${delta}, but the delta of the whole at epsilon ${epsilon} is ${shortRangeText(truth)}`;
}

type Mapless = Extract<Refusal, { code: 'no-theorem'; reason: 'no-map' }>['found'];

function noMap(found: Mapless, distance: string): Message {
  if (found === 'nested-ledger') {
    return {
      message: `a ledger is nested in this one, and what it guarantees at distance ${distance} is not known: its budget holds at its own distance`,
      hint: 'Leave --distance out, or ask a ledger without nested ones; for another distance, make ledgers with that --distance.',
    };
  }
  if (found === 'compositor') {
    return {
      message: `this ledger is a compositor: its bound was certified for what was declared, at its own distance, and says nothing at distance ${distance}`,
      hint: 'Leave --distance out, or make a compositor with that --distance.',
    };
  }
  return {
    message: `what a mechanism of type ${found} guarantees at distance ${distance} is not known`,
    hint: 'State a guarantee that has a map, such as zcdp or the noise itself; or use a ledger of distance 1 for what is guaranteed at that distance.',
  };
}

function noTheorem(refusal: Extract<Refusal, { code: 'no-theorem' }>): Message {
  switch (refusal.reason) {
    case 'adaptive-parameters':
      return {
        message: `${refusal.bound} is a bound for parameters that are fixed at the start, and no rule for parameters that are chosen along the way. ${counterexampleText(refusal.counterexample)}`,
        hint: 'Choose a rule for a filter (pure, basic, approximate-dp, zcdp-optimal, zcdp, rdp, gdp), or declare all mechanisms at the start with --mode compositor.',
      };
    case 'open-question':
      return {
        message: `whether ${refusal.measure} composes concurrently, with interactive mechanisms asked in turns, is an open question`,
        hint: 'Use --concurrency sequential, or a rule without a delta of the mechanisms.',
      };
    case 'nested-in-sequential':
      return {
        message:
          'this ledger is sequential, and a nested one would be spent from also after the next launch, which is concurrent composition',
        hint: 'Nest in a ledger of --concurrency concurrent, whose rule must be one that is proved for it; or spend in this one.',
      };
    case 'several-coordinates':
      return {
        message: `by the rule ${refusal.rule} what was spent is several numbers at once, and no theorem covers a conversion that takes the order, or the share of delta, that is best on the path that was taken`,
        hint: 'Leave --delta and --epsilon out, or keep a ledger whose loss is one number (zcdp, gdp, rdp, zcdp-optimal, approximate-dp); a budget that was fixed at the start can be converted.',
      };
    case 'unbounded-child':
      return {
        message: 'a nested odometer has no budget that could be paid',
        hint: 'Nest a filter or a compositor.',
      };
    case 'no-map':
      return noMap(refusal.found, refusal.distance);
    case 'bound-does-not-apply':
      return {
        message: `the bound does not cover what is declared: it ${inapplicabilityMessage(refusal.inapplicability)}`,
        hint: 'Choose another bound with --rule; "dpcompose compose" shows those that apply.',
      };
  }
}

/** What is refused and why, and what to do instead. */
export function refusalText(refusal: Refusal): Message {
  switch (refusal.code) {
    case 'insufficient-budget': {
      const { coordinate, total, limit } = refusal;
      const [up, down] = [amountText(new Decimal(total), 'up'), amountText(new Decimal(limit), 'down')];
      const hint = 'See what still fits with "ledger remaining".';
      const name = coordinateName(coordinate);
      return coordinate.startsWith('slot')
        ? { message: `too few were declared: of ${name} there would be ${up}, and there may be ${down}`, hint }
        : { message: `the budget does not suffice: ${name} would be ${up}, and at most ${down} is allowed`, hint };
    }
    case 'halted':
      return {
        message: `the ledger has ended: ${refusal.because === 'count-limit' ? 'more mechanisms were asked for than it allows' : 'more was asked for than its budget'}, and it halts on excess`,
        hint: 'Nothing can be launched in it any more.',
      };
    case 'count-limit': {
      const { limit, launched, asked } = refusal;
      return {
        message: `at most ${grouped(limit)} mechanisms may be launched: ${grouped(launched)} were, and ${grouped(asked)} more ${asked === 1 ? 'is' : 'are'} asked for`,
        hint: 'The limit was fixed when the ledger was made.',
      };
    }
    case 'unverified':
      return unverified(refusal);
    case 'invalid-query':
      return INVALID[refusal.reason];
    case 'no-theorem':
      return noTheorem(refusal);
    case 'invalid-terms':
      return { message: `${refusal.path} must be ${refusal.allowed}`, hint: `Correct ${quote(refusal.path)}.` };
  }
}
