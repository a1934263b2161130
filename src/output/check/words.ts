import type { Budget } from '../../composition/compose/compose.ts';
import type { RiskLimit, RiskVerdict } from '../../composition/risk/limits.ts';
import type { Checked, CheckRefusal, SpecifiedChange, Spent } from '../../composition/check/check.ts';
import type { Place } from '../../document/syntax/places.ts';
import type { InputError } from '../../document/core/specification.ts';
import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import { givenText, exactGivenText, lowerText, upperText } from '../kit/number.ts';
import { failureSummary } from '../design/failure.ts';
import { guaranteeText, labelText } from '../kit/statement.ts';
import { refusalMessage, refusalReference } from '../refusal/messages.ts';
import { warningMessage } from '../refusal/warnings.ts';
import type { Explanations } from '../kit/message.ts';
import { grouped, listed } from '../kit/prose.ts';
import { quote } from '../../document/core/quote.ts';

/** The path that stands for the mechanisms of the command line alone. */
export const COMMAND_LINE = '-m';

/** Whether a specification was read from a file, and not from standard input or the command line. */
export const isFile = (path: string): boolean => path !== '-' && path !== COMMAND_LINE;

/** A specification that was to be checked. */
export interface CheckFile {
  /** As a person writes it, from the working directory; `-` for standard input, `-m` for the command line. */
  readonly path: string;
  /** The name in the specification; null where it has none. */
  readonly name: string | null;
}

/** The mistakes in one of the files. */
export interface Unreadable {
  readonly file: string;
  readonly errors: readonly InputError<string>[];
  /** How many further mistakes there are. */
  readonly more: number;
}

/** The outcome for one specification, or for several together. */
export interface CheckItem {
  /** At least one. */
  readonly files: readonly CheckFile[];
  /** null where there is none, or a specification that should declare it cannot be read. */
  readonly budget: Budget | null;
  readonly risks: readonly RiskLimit[];
  readonly outcome: Checked | { readonly kind: 'unreadable'; readonly unreadable: readonly Unreadable[] };
  /** Where to look, in one of the files. */
  readonly place: ({ readonly file: string } & Place) | null;
}

/** A budget, or the part of it that is the same for all specifications. */
export type PartialBudget = { readonly [Part in keyof Budget]?: Decimal };

/** The outcomes of a scope, whose specifications are checked each or all together. */
export interface CheckScope {
  /** null for those of the command line. */
  readonly name: string | null;
  readonly together: boolean;
  /** The budget as it was given; what it lacks comes from the target of each specification. Null where there is none. */
  readonly given: PartialBudget | null;
  readonly items: readonly CheckItem[];
}

/** The outcome of a check. */
export interface CheckReport {
  /** The file of the policy; null for the command line. */
  readonly policy: string | null;
  readonly name: string | null;
  readonly scopes: readonly CheckScope[];
}

/** The possible outcomes for a specification. */
export type CheckStatus = CheckItem['outcome']['kind'];

/** From bad to good: what a check as a whole is. */
export const STATUSES: readonly CheckStatus[] = ['unreadable', 'exceeds', 'undecided', 'refused', 'within'];

/** Every item of a check. */
export const itemsOf = ({ scopes }: CheckReport): CheckItem[] => scopes.flatMap(({ items }) => items);

/** The worst that came of any specification: a check that is incomplete, then a budget that is not kept, then a refusal. */
export function statusOf(report: CheckReport): CheckStatus {
  const kinds = new Set(itemsOf(report).map(({ outcome }) => outcome.kind));
  return STATUSES.find((status) => kinds.has(status)) ?? 'unreadable';
}

/** Significant digits of the amount above a limit. */
const DIGITS = 4;

/** How far a certified end is above a limit, rounded away from it or toward it. */
function excessText(
  end: Bracket['upper'] | NonNullable<Bracket['lower']>,
  limit: Decimal,
  rounded: 'up' | 'down',
): string {
  const excess = decimalFromDouble(end).minus(limit);
  return givenText(excess.toSignificantDigits(DIGITS, rounded === 'up' ? Decimal.ROUND_UP : Decimal.ROUND_DOWN));
}

/** `advantage`, `true-positive rate at false-positive rate 0.01`. */
export const limitName = (limit: RiskLimit): string =>
  limit.measure === 'advantage' ? 'advantage' : `true-positive rate at false-positive rate ${exactGivenText(limit.at)}`;

/** `advantage 0.2`, `true-positive rate 0.05 at false-positive rate 0.01`. */
const limitText = (limit: RiskLimit): string => {
  const limitValue = exactGivenText(limit.most);
  return limit.measure === 'advantage'
    ? `advantage ${limitValue}`
    : `true-positive rate ${limitValue} at false-positive rate ${exactGivenText(limit.at)}`;
};

/** What is compared with a limit: its name, where it is asked, if its name does not say, and the limit in digits. */
interface Quantity {
  readonly name: string;
  readonly at: string;
  readonly value: Bracket;
  readonly limit: Decimal;
  readonly bound: string;
}

const withinText = ({ name, at, value, bound }: Quantity): string => `${name} is ${upperText(value)} of ${bound}${at}`;

/** That a certified lower end is above its limit. */
const exceedsText = ({ name, at, limit, bound }: Quantity, lower: NonNullable<Bracket['lower']>): string =>
  `${name} is at least ${lowerText(lower)}${at}, ${excessText(lower, limit, 'down')} more than ${bound}`;

/** That a claim is above its limit, and what is known of the truth. */
function undecidedText({ name, at, value, limit, bound }: Quantity): string {
  const end = value.lower === null ? 'no lower bound is known' : `it could be as small as ${lowerText(value.lower)}`;
  return `the upper bound is ${name} ${upperText(value)}${at}, ${excessText(value.upper, limit, 'up')} more than ${bound}; ${end}, so it is not shown to be within budget`;
}

/** A risk beside its limit, in a clause. */
function riskText({ limit, kind, value }: RiskVerdict): string {
  const quantity = { name: limitName(limit), at: '', value, limit: limit.most, bound: exactGivenText(limit.most) };
  switch (kind) {
    case 'within':
      return withinText(quantity);
    case 'exceeds':
      // Above its limit by its lower end.
      return exceedsText(quantity, value.lower!);
    case 'undecided':
      return undecidedText(quantity);
  }
}

/** `(4.5, 1e-6)`. */
const budgetText = ({ epsilon, delta }: Budget): string => `(${givenText(epsilon)}, ${givenText(delta)})`;

/** The limits of an item: `(4.5, 1e-6)`, `(4.5, 1e-6) and advantage 0.2`, `true-positive rate 0.05 at 0.01`. */
const limitsText = ({ budget, risks }: Pick<CheckItem, 'budget' | 'risks'>): string =>
  listed([...(budget === null ? [] : [budgetText(budget)]), ...risks.map(limitText)]);

/** A status in a word or two. */
export const STATUS_TEXTS: Readonly<Record<CheckStatus, string>> = {
  within: 'within',
  exceeds: 'exceeds',
  undecided: 'not shown',
  refused: 'refused',
  unreadable: 'unreadable',
};

/** A file in words. */
const fileText = (path: string): string =>
  isFile(path) ? path : path === COMMAND_LINE ? 'the command line' : 'standard input';

/** The files of an item: `a.json`, `a.json and b.json`. */
export const filesText = ({ files }: CheckItem): string => {
  const paths = files.map(({ path }) => fileText(path));
  return paths.length > 3 ? `${paths.slice(0, 2).join(', ')} and ${grouped(paths.length - 2)} more` : listed(paths);
};

type Compared = Extract<CheckItem['outcome'], { risks: unknown }>;

/** What was spent beside its budget, in a clause. */
function spentText({ kind, answer: { epsilon }, delta }: Spent, budget: Budget): string {
  const [epsilonText, deltaText] = [givenText(budget.epsilon), givenText(budget.delta)];
  const at = ` at delta ${deltaText}`;
  const quantity = { name: 'epsilon', at, value: epsilon, limit: budget.epsilon, bound: epsilonText };
  switch (kind) {
    case 'within':
      return delta === null
        ? withinText(quantity)
        : withinText({
            name: 'delta',
            at: ` at epsilon ${epsilonText}`,
            value: delta,
            limit: budget.delta,
            bound: deltaText,
          });
    case 'exceeds': {
      const { lower } = epsilon;
      if (lower === Infinity) return `no epsilon is large enough${at}`;
      if (lower !== null && decimalFromDouble(lower).gt(budget.epsilon)) return exceedsText(quantity, lower);
      const lowerDelta = delta?.lower ?? null;
      const above = lowerDelta === null ? '' : ` is at least ${lowerText(lowerDelta)}, which`;
      return `delta at epsilon ${epsilonText}${above} is more than ${deltaText}`;
    }
    case 'undecided':
      return epsilon.upper === Infinity
        ? `no bound that was computed gives a finite epsilon${at}`
        : undecidedText(quantity);
  }
}

/** Why no guarantee is known for specifications. */
export function checkRefusalText(refusal: CheckRefusal): string {
  if (refusal.code === 'design-fails') {
    return `${failureSummary(refusal.check)} To see which variables break it, run dpcompose design.`;
  }
  if (refusal.code === 'different-neighbours') {
    const [one, other] = refusal.neighbours.map(quote);
    return `They have different neighboring relations (${one ?? ''} and ${other ?? ''}), and guarantees for different relations do not add up. Write all of them for one relation, or check them separately.`;
  }
  return refusalMessage(refusal);
}

/** Specifications that are composed together and are not for the same data. */
export const DIFFERENT_NEIGHBOURS: Explanations<'different-neighbours'> = {
  'different-neighbours': {
    meaning: 'Specifications that are composed together have different neighboring relations.',
    remedy: 'Write the same "neighbours" in all of them, or check them one by one.',
  },
};

/** Where to read about a refusal. */
export const checkRefusalReference = (refusal: CheckRefusal): string | null =>
  refusal.code === 'design-fails' || refusal.code === 'different-neighbours' ? null : refusalReference(refusal);

/** `privacy.json:4:7: mechanisms[3].epsilon: ...` for each mistake. */
function mistakesText({ file, errors, more }: Unreadable): string[] {
  const lines = errors.map(({ path, message, hint, line, column }) => {
    const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
    const where = path === 'document' || path === file ? place : `${place}: ${path}`;
    return `${where}: ${message}. ${hint}`;
  });
  return more === 0 ? lines : [...lines, `${file}: and ${grouped(more)} more`];
}

/** The outcome of an item, in a sentence or in one for each limit, those first that are not kept. */
export function outcomeText({ outcome, budget }: CheckItem): string {
  switch (outcome.kind) {
    case 'refused':
      return checkRefusalText(outcome.refusal);
    case 'unreadable':
      return outcome.unreadable.flatMap(mistakesText).join('\n');
    case 'within':
    case 'exceeds':
    case 'undecided': {
      const { spent, risks } = outcome;
      const cost = spent === null || budget === null ? [] : [{ kind: spent.kind, text: spentText(spent, budget) }];
      const parts = [...cost, ...risks.map((risk) => ({ kind: risk.kind, text: riskText(risk) }))];
      return STATUSES.flatMap((status) => parts.filter(({ kind }) => kind === status))
        .map(({ text }) => text)
        .join('\n');
    }
  }
}

function parameterChange(change: Extract<SpecifiedChange, { kind: 'parameter' }>): string {
  const { name, from, to } = change;
  if (name === 'factor') return `every epsilon times ${givenText(to)}`;
  return `${name} ${givenText(to)} in place of ${givenText(from)}`;
}

/** `mechanisms[2] "counts" ((0.1, 0)-DP): 31 calls in place of 40`. */
function changeText(change: SpecifiedChange, { files }: CheckItem): string {
  const { path, entry, specification } = change;
  const file = files.length > 1 ? `${files[specification]?.path ?? ''}: ` : '';
  const what =
    change.kind === 'count'
      ? `${grouped(change.to)} ${change.to === 1 ? 'call' : 'calls'} in place of ${grouped(change.from)}`
      : parameterChange(change);
  return `${file}${path}${labelText(entry.label)} (${guaranteeText(entry.mechanism)}): ${what}`;
}

/** The most changes that are printed. */
const MOST_CHANGES = 6;

/** Whether the search for a change of one mechanism found none, and whether it ended early. */
function searchText({ changes, searched, isCut }: Compared): string[] {
  const cut = isCut ? ['The search for fixes ran out of time; there may be more.'] : [];
  if (changes.length > 0 || searched === 0) return cut;
  const which = searched === 1 ? 'the mechanism' : 'one mechanism';
  const among = searched === 1 ? '' : ` (the ${grouped(searched)} with the largest privacy loss were tried)`;
  return [`The search found no fix that changes only the count or parameter of ${which}${among}.`, ...cut];
}

/** The notes on an item that is not within its budget, and the changes that would be enough. */
export function remedies(item: CheckItem): { readonly notes: readonly string[]; readonly changes: readonly string[] } {
  const { outcome } = item;
  if (outcome.kind === 'refused') {
    const reference = checkRefusalReference(outcome.refusal);
    return { notes: reference === null ? [] : [`See ${reference}.`], changes: [] };
  }
  if (outcome.kind === 'within' || outcome.kind === 'unreadable') return { notes: [], changes: [] };
  return {
    notes: [...searchText(outcome), ...(outcome.spent?.answer.warnings ?? []).map(warningMessage)],
    changes: outcome.changes.slice(0, MOST_CHANGES).map((change) => changeText(change, item)),
  };
}

/** The heading of those changes. */
export const CHANGES = 'Any one of these changes fixes it:';

/** The outcome of an item, its changes and its notes, line by line. */
export function itemLines(item: CheckItem): string[] {
  const { notes, changes } = remedies(item);
  const list = changes.length === 0 ? [] : [CHANGES, ...changes.map((change) => `- ${change}`)];
  return [...outcomeText(item).split('\n'), ...list, ...notes];
}

/** The limits of a scope where they differ between its items: what was given, and that the target has the rest. */
function ownLimitsText({ given, items: [first] }: CheckScope): string {
  const parts = (['epsilon', 'delta'] as const).map((part) => {
    const value = given?.[part];
    return value === undefined ? `${part} from its target` : `${part} ${givenText(value)}`;
  });
  return listed([...(given === null ? [] : [parts.join(', ')]), ...(first?.risks ?? []).map(limitText)]);
}

/** `Budget of each file: (4.5, 1e-6)`: the limits of a scope, and whether they are for each item or for all together. */
export function scopeText(scope: CheckScope): string {
  const { name, together, given, items } = scope;
  const isWhole = given === null || (given.epsilon !== undefined && given.delta !== undefined);
  const limits = new Set(items.map(limitsText).filter((text) => text !== ''));
  const isSame = limits.size === 1 && (isWhole || items.every(({ budget }) => budget !== null));
  const what = given === null ? 'limit' : 'budget';
  const isOfFiles = items.some(({ files }) => files.some(({ path }) => isFile(path)));
  const whose = together ? ' of all files together' : isOfFiles ? ' of each file' : '';
  const about = `${what}${whose}: ${isSame ? [...limits].join('') : ownLimitsText(scope)}`;
  return name === null ? `${about.charAt(0).toUpperCase()}${about.slice(1)}` : `${name}, ${about}`;
}

/** The same behind the number of those that have it. */
const COUNTED = { ...STATUS_TEXTS, exceeds: 'over', undecided: 'not shown to be within' };

/** `3 checked: 1 over, 2 within.` */
export function totalText(report: CheckReport): string {
  const items = itemsOf(report);
  const counts = STATUSES.flatMap((status) => {
    const count = items.filter(({ outcome }) => outcome.kind === status).length;
    return count === 0 ? [] : [`${grouped(count)} ${COUNTED[status]}`];
  });
  return `${grouped(items.length)} checked: ${listed(counts)}.`;
}
