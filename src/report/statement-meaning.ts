import { isEntry, type PlanNode, withDescendants } from '../composition/core/plan-node.ts';
import type { Stated } from '../composition/statement/state.ts';
import type { Specification } from '../document/core/specification.ts';
import type { Query } from '../privacy/query.ts';
import type { Answer } from '../composition/core/outcome.ts';
import { Decimal, exactUpper } from '../numeric/decimal.ts';
import { exactGivenText, GUESS_DIGITS, inHundred, shortUp } from './kit/number.ts';

/** A guarantee that is stated, and the specification it is of. */
export interface PrivacyStatement {
  readonly stated: Stated;
  readonly specification: Specification & { readonly target: Query };
}

/** Whether users send what is seen, each from a mechanism of their own. */
export const isLocal = (nodes: readonly PlanNode[]): boolean =>
  nodes.flatMap(withDescendants).some((node) => !isEntry(node) && node.node === 'local');

/** Decimals for a reader, rounded up. */
const Up = Decimal.clone({ precision: 40, rounding: Decimal.ROUND_UP });

/** Beyond this a factor is not worth its digits. */
const LARGEST_SHOWN = 30;

/** The definition of (epsilon, delta) in words; null where epsilon is below 0. */
function eventText({ epsilon, delta }: Answer): string | null {
  const event = 'The probability of anything that comes out is at most';
  const [e, d] = [exactUpper(epsilon), exactUpper(delta)];
  if (e.isNegative() && !e.isZero()) return null;
  const factor = e.gt(LARGEST_SHOWN) ? `e^${shortUp(e)}` : shortUp(new Up(e).exp());
  const plus = d.isZero() ? '' : `, plus ${shortUp(d)}`;
  return `${event} ${factor} times what it is with a neighbouring data set${plus}.`;
}

const isVoid = ({ epsilon, delta }: Answer): boolean => epsilon.upper === Infinity || delta.upper >= 1;

/** Two neighbouring data sets in the words of somebody who wants to know which of them it is. */
interface Relation {
  /** Completes "somebody knows". */
  readonly known: string;
  /** Completes "They". */
  readonly guessed: string;
  /** A test that errs so often in 100, and completes "then". */
  readonly errs: (times: string) => string;
  readonly recognised: string;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  'add-remove': {
    known: 'everything about the data except whether one record is in them, thinks that as likely as not',
    guessed: 'are right about it',
    errs: (times) =>
      `Where the record is not in the data, let them wrongly say that it is at most ${times} times in 100`,
    recognised: 'where it is in the data, they recognise it',
  },
  'replace-one': {
    known: 'everything about the data except which of two values one record has, thinks the one as likely as the other',
    guessed: 'are right about it',
    errs: (times) =>
      `Where the record has the one value, let them wrongly say that it has the other at most ${times} times in 100`,
    recognised: 'where it has the other, they recognise that',
  },
};

const ANY: Relation = {
  known: 'that the data are one of two neighbouring sets, thinks the one as likely as the other',
  guessed: 'name the right one',
  errs: (times) => `Let them wrongly take the one for the other at most ${times} times in 100`,
  recognised: 'they recognise the other',
};

/** The rates of a test in words, the later ones in parentheses; null where all of them promise nothing. */
function testsText(tests: PrivacyStatement['stated']['risk']['tests'], { errs, recognised }: Relation): string | null {
  const rates = tests.flatMap(({ falsePositiveRate, truePositiveRate }) => {
    const right = inHundred(truePositiveRate);
    return right === null ? [] : [{ wrong: exactGivenText(falsePositiveRate.times(100)), right }];
  });
  const [first, ...others] = rates;
  if (first === undefined) return null;
  const more = others.map(({ wrong, right }) => ` (if at most ${wrong}, at most ${right})`).join('');
  const blind = others.map(({ wrong }) => ` (${wrong})`).join('');
  return `${errs(first.wrong)}: then ${recognised} at most ${first.right} times in 100${more}. By blind choice that would be ${first.wrong}${blind}. It is so on average, however likely they thought it before.`;
}

/**
 * How often somebody tells neighbouring data apart, in words: by guessing, with even odds; and by a test, whatever the
 * odds. Numbers are upper ends, rounded up.
 */
function adversaryText({ stated: { risk }, specification }: PrivacyStatement, guess: string): string[] {
  const { neighbours, entries } = specification;
  const relation = RELATIONS[neighbours?.trim() ?? ''] ?? ANY;
  const sees = `${isLocal(entries) ? 'everything that the users send and all' : 'everything'} that comes out`;
  const tests = testsText(risk.tests, relation);
  return [
    `Suppose somebody knows ${relation.known}, sees ${sees}, and computes as long as they like. They ${relation.guessed} at most ${guess} times in 100 on average; a coin is right 50 times.`,
    ...(tests === null ? [] : [tests]),
    `${tests === null ? 'That holds' : 'Both hold'} for any two neighbouring data sets, for ever, and whatever is done with the results. Of data that are several neighbouring steps apart, and with other releases from the same data, more can be told.`,
  ];
}

/** Of a claim without a finite epsilon, or with a delta of 1. */
const NO_FACTOR =
  'That claim by itself does not bound how much more probable what comes out can be than with a neighbouring data set.';

/** The meaning of a guarantee for whoever is in the data. */
export function meaningText(statement: PrivacyStatement): string[] {
  const { answer, risk } = statement.stated;
  const guess = inHundred(risk.guess.success, GUESS_DIGITS);
  const event = isVoid(answer) ? NO_FACTOR : eventText(answer);
  const events = event === null ? [] : [event];
  if (guess !== null) return [...events, ...adversaryText(statement, guess)];
  return isVoid(answer)
    ? ['That promises nothing: what comes out may reveal everything about any one person.']
    : [...events, 'That promises next to nothing: what comes out may reveal nearly everything about any one person.'];
}
