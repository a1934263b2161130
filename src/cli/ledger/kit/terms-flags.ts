import { Option, type Command } from 'commander';
import { BOUND_IDS, type BoundId } from '../../../bounds/core/bound.ts';
import { impliedRule } from '../../../ledger/core/rule-amounts.ts';
import {
  RULE_IDS,
  type Concurrency,
  type FixedParameterTerms,
  type Mode,
  type OnExcess,
  type RuleId,
  type Terms,
} from '../../../ledger/core/terms.ts';
import { Decimal } from '../../../numeric/decimal.ts';
import type { Entry } from '../../../privacy/mechanism.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { relationIn } from '../../../document/structure/relation.ts';
import { didYouMean } from '../../../document/core/suggest.ts';
import type { ApprovalTerms } from '../../../ledger/core/approval.ts';
import { readNumberOption, wholeNumber, aboveZero } from '../../kit/number-option.ts';
import { repeatable } from '../../kit/repeatable.ts';
import type { ApproverFlags } from './approvers.ts';
import { readMoment } from './moment.ts';
import { AMOUNT_NAMES, readAmounts, readRule, type AmountFlags } from './amount-flags.ts';
import { readWord } from './words.ts';

/** The terms of a ledger, as typed. */
export interface TermsFlags extends AmountFlags, ApproverFlags {
  readonly mode?: string;
  readonly rule?: string;
  readonly onExcess?: string;
  readonly concurrency?: string;
  readonly maxMechanisms?: string;
  readonly distance?: string;
  readonly neighbours?: string;
  readonly requireEvidence?: boolean;
  readonly fixedBudget?: boolean;
  readonly opens?: string;
  readonly closes?: string;
  readonly recordRefusals?: boolean;
  /** Who has to approve, once the files of their keys were read. */
  readonly approvals?: ApprovalTerms;
}

/** The options that say what a ledger is to be. */
export function withTermsOptions(command: Command): Command {
  return command
    .optionsGroup('Its budget:')
    .option('--epsilon <E>', 'epsilon')
    .option('--delta <D>', 'delta')
    .option('--rho <R>', 'rho, of zero-concentrated DP')
    .option('--mu <M>', 'mu, of Gaussian DP')
    .option('--alpha <A>', 'the Renyi order at which epsilon is meant')
    .option('--orders <A:E;...>', 'several Renyi orders, each with its epsilon')
    .optionsGroup('Its rule:')
    .option('--rule <RULE>', `how losses add up: ${RULE_IDS.join(', ')}; in a compositor, a bound of compose`)
    .option('--delta-prime <D>', 'the part of delta that pays for converting (all of it); the rest is for mechanisms')
    .option('--deltas <HOW>', "how the mechanisms' own deltas add up: sum (default), product")
    .optionsGroup('What it is:')
    .option('--mode <MODE>', 'filter (default), odometer, compositor')
    .option('--on-excess <WHAT>', 'refuse (default) what does not fit and go on, or halt for good')
    .option('--concurrency <HOW>', 'concurrent (default): interactive mechanisms in turns; or sequential')
    .option('--max-mechanisms <N>', 'the most mechanisms that may ever be launched')
    .option('--distance <D>', 'how far apart the data are between which its loss is meant (1)')
    .option('--neighbours <TEXT>', 'what a distance of 1 is, in your words')
    .option('--require-evidence', 'launch only what has the hash of evidence')
    .option('--no-require-evidence', 'also launch what has none (default; nested: as what pays)')
    .option('--fixed-budget', 'never let it become an odometer, from which its budget could be raised')
    .option('--opens <TIME>', "launch nothing before this time of the store's clock")
    .option('--closes <TIME>', "launch nothing from this time of the store's clock on")
    .option('--require-approval <N>', 'launch only what so many of the approvers have signed')
    .addOption(
      repeatable(new Option('--approver <NAME=FILE>', 'who may approve: an Ed25519 public key in PEM (repeatable)')),
    )
    .option('--record-refusals', 'also record what is refused');
}

const isRule = (id: string): id is RuleId => (RULE_IDS as readonly string[]).includes(id);
const isBound = (id: string): id is BoundId => (BOUND_IDS as readonly string[]).includes(id);

const NO_RULE: InputError = {
  code: 'missing-option',
  path: '--rule',
  message: 'nothing says how losses add up, and that cannot be changed later',
  hint: 'With --epsilon and --delta: --rule zcdp-optimal for many small mechanisms, mostly with delta 0; approximate-dp for the same with larger deltas of their own; basic for few large ones.',
};

const NO_BUDGET: InputError = {
  code: 'missing-option',
  path: '--epsilon',
  message: 'nothing says what the budget is',
  hint: 'Give --epsilon 1, --epsilon 1 --delta 1e-6 --rule zcdp-optimal, --rho 0.05, or --mu 0.5; or --mode odometer --rule pure to only count.',
};

const isAmountGiven = (flags: TermsFlags): boolean => AMOUNT_NAMES.some((name) => flags[name] !== undefined);

function unknownRule(text: string, mode: Mode): InputError {
  const words: readonly string[] = mode === 'compositor' ? BOUND_IDS : RULE_IDS;
  const hint = `${didYouMean(text, words)}The rules are ${RULE_IDS.join(', ')}; in a compositor, a bound such as dp-optimal.`;
  return { code: 'unknown-rule', path: '--rule', message: `${quote(text)} is not a rule`, hint };
}

const CONCURRENCIES: readonly [Concurrency, ...Concurrency[]] = ['concurrent', 'sequential'];
const MAX_MECHANISMS = wholeNumber('--max-mechanisms', '100');
const DISTANCE = aboveZero('--distance', '1');

/** Reads the terms that ledgers of every mode have. */
function readCommon(flags: TermsFlags, errors: InputError[]) {
  const maxMechanisms = readNumberOption(flags.maxMechanisms, MAX_MECHANISMS, errors)?.toNumber() ?? null;
  const distance = readNumberOption(flags.distance, DISTANCE, errors) ?? new Decimal(1);
  const [opens, closes] = [readMoment('--opens', flags.opens, errors), readMoment('--closes', flags.closes, errors)];
  if (opens !== null && closes !== null && opens >= closes) {
    const hint = 'Give a later time, or leave one of them out.';
    errors.push({ code: 'out-of-range', path: '--closes', message: 'must be later than --opens', hint });
  }
  return {
    concurrency: readWord('--concurrency', flags.concurrency, CONCURRENCIES, errors),
    maxMechanisms,
    distance,
    neighbours: flags.neighbours === undefined ? null : relationIn(flags.neighbours),
    ...(flags.requireEvidence === true && { evidence: 'required' as const }),
    ...((opens ?? closes) !== null && { window: { opens, closes } }),
    ...(flags.approvals && { approvals: flags.approvals }),
    ...(flags.recordRefusals === true && { refusals: 'recorded' as const }),
  };
}

const MODES: readonly [Mode, ...Mode[]] = ['filter', 'odometer', 'compositor'];
const ON_EXCESS: readonly [OnExcess, ...OnExcess[]] = ['refuse', 'halt'];

/**
 * Reads what a ledger is to be; `declared`: the mechanisms of a compositor. What is wrong goes to `errors`, and the result
 * means something only where nothing is.
 */
export function readTerms(
  flags: TermsFlags,
  declared: readonly Entry[],
  errors: InputError[],
): Terms | FixedParameterTerms {
  const mode = readWord('--mode', flags.mode, MODES, errors);
  const common = readCommon(flags, errors);
  const onExcess = readWord('--on-excess', flags.onExcess, ON_EXCESS, errors);
  if (mode === 'odometer' && flags.onExcess !== undefined) {
    const hint = 'Leave it out: without a budget there is no excess.';
    errors.push({ code: 'conflicting-options', path: '--on-excess', message: 'is not for an odometer', hint });
  }
  if (mode !== 'filter' && flags.fixedBudget === true) {
    const hint = `Leave it out: ${mode === 'odometer' ? 'an odometer has no budget' : 'a compositor is never converted'}.`;
    errors.push({ code: 'conflicting-options', path: '--fixed-budget', message: `is not for ${mode}s`, hint });
  }
  if (mode === 'compositor') return readCompositor(flags, declared, { ...common, onExcess }, errors);
  if (declared.length > 0) {
    const hint = 'Leave it out, and launch mechanisms with "ledger spend"; or add --mode compositor.';
    errors.push({ code: 'conflicting-options', path: '-m', message: `is not declared in a ${mode}`, hint });
  }
  const id = flags.rule ?? impliedRule(flags);
  if (id !== null && isBound(id) && !isRule(id)) return { mode, bound: id };
  if (id === null || !isRule(id)) {
    errors.push(id !== null ? unknownRule(id, mode) : isAmountGiven(flags) ? NO_RULE : NO_BUDGET);
    return { mode, bound: 'dp-optimal' };
  }
  const { rule, budget } = readRule(id, flags, mode, errors);
  const fixed = flags.fixedBudget === true && { conversions: 'forbidden' as const };
  return (
    mode === 'odometer' ? { mode, rule, ...common } : { mode, rule, budget, onExcess, ...common, ...fixed }
  ) as Terms;
}

function readCompositor(
  flags: TermsFlags,
  declared: readonly Entry[],
  common: ReturnType<typeof readCommon> & { readonly onExcess: OnExcess },
  errors: InputError[],
): Terms {
  const values = readAmounts(flags, { needs: ['epsilon', 'delta'], optional: [], by: 'a compositor' }, errors);
  const bound = flags.rule;
  if (bound === undefined) {
    const hint = 'Name a bound: the one that "dpcompose compose" marks for what you declare, such as dp-optimal.';
    errors.push({ code: 'missing-option', path: '--rule', message: 'nothing says how losses add up', hint });
  } else if (!isBound(bound)) {
    errors.push(unknownRule(bound, 'compositor'));
  } else if (bound === 'br-nonadaptive') {
    const hint = 'Use br-adaptive or another bound for mechanisms that are chosen along the way.';
    const message = 'br-nonadaptive holds only where every mechanism is fixed at the start';
    errors.push({ code: 'unknown-rule', path: '--rule', message, hint });
  }
  if (declared.length === 0) {
    const hint = 'Declare what may be launched: -m dp:epsilon=0.1,count=100, or a specification file.';
    errors.push({ code: 'missing-option', path: '-m', message: 'a compositor declares its mechanisms', hint });
  }
  return { mode: 'compositor', bound, declared, budget: values, ...common } as Terms;
}
