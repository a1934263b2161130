import { isEntry, type PlanNode, withDescendants } from '../composition/core/plan-node.ts';
import type { Stated } from '../composition/statement/state.ts';
import type { Specification } from '../document/core/specification.ts';
import type { Query } from '../privacy/curve.ts';
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
  const event = 'The probability of any set of results is at most';
  const [e, d] = [exactUpper(epsilon), exactUpper(delta)];
  if (e.isNegative() && !e.isZero()) return null;
  const factor = e.gt(LARGEST_SHOWN) ? `e^${shortUp(e)}` : shortUp(new Up(e).exp());
  const plus = d.isZero() ? '' : `, plus ${shortUp(d)}`;
  return `${event} ${factor} times its probability on a neighboring data set${plus}.`;
}

const isVoid = ({ epsilon, delta }: Answer): boolean => epsilon.upper === Infinity || delta.upper >= 1;

/** Two neighboring data sets in the words of somebody who wants to know which of them it is. */
interface Relation {
  /** Completes "an attacker". */
  readonly known: string;
  readonly falsePositive: string;
}

const RELATIONS: Readonly<Record<string, Relation>> = {
  'add-remove': {
    known: 'knows everything about the data except whether one record is included, considers both equally likely',
    falsePositive: 'A false positive reports the record although it is not in the data.',
  },
  'replace-one': {
    known: 'knows everything about the data except which of two values one record has, considers both equally likely',
    falsePositive: 'A false positive reports the second value although the record has the first.',
  },
};

const ANY: Relation = {
  known: 'knows that the data set is one of two neighbors, considers both equally likely',
  falsePositive: 'A false positive reports the second data set although it is the first.',
};

/** The rates of a test in words, the later ones in parentheses; null where all of them promise nothing. */
function testsText(tests: PrivacyStatement['stated']['risk']['tests'], { falsePositive }: Relation): string | null {
  const rates = tests.flatMap(({ falsePositiveRate, truePositiveRate }) => {
    const right = inHundred(truePositiveRate);
    return right === null ? [] : [{ wrong: exactGivenText(falsePositiveRate.times(100)), right }];
  });
  const [first, ...others] = rates;
  if (first === undefined) return null;
  const more = others.map(({ wrong, right }) => ` (at ${wrong}%: at most ${right}%)`).join('');
  const blind = others.map(({ wrong }) => ` (${wrong}%)`).join('');
  return `An attack with a false-positive rate of at most ${first.wrong}% has a true-positive rate of at most ${first.right}%${more}. Random guessing achieves ${first.wrong}%${blind}. ${falsePositive} These rates do not depend on what the attacker believed before.`;
}

/**
 * How often somebody tells neighbouring data apart, in words: by guessing, with even odds; and by a test, whatever the
 * odds. Numbers are upper ends, rounded up.
 */
function adversaryText({ stated: { risk }, specification }: PrivacyStatement, guess: string): string[] {
  const { neighbours, entries } = specification;
  const relation = RELATIONS[neighbours?.trim() ?? ''] ?? ANY;
  const sees = isLocal(entries) ? 'all messages of the users and every result' : 'every result';
  const tests = testsText(risk.tests, relation);
  return [
    `Suppose an attacker ${relation.known}, sees ${sees} and has unlimited computing power. The attacker guesses correctly at most ${guess}% of the time on average; a coin flip is right 50% of the time.`,
    ...(tests === null ? [] : [tests]),
    `${tests === null ? 'This bound holds' : 'Both bounds hold'} for any two neighboring data sets, forever, and whatever is done with the results. Attackers can learn more about data sets several neighboring steps apart (such as groups), and from other releases of the same data.`,
  ];
}

/** Of a claim without a finite epsilon, or with a delta of 1. */
const NO_FACTOR = 'This guarantee alone does not bound how much likelier a result is than on a neighboring data set.';

/** The meaning of a guarantee for whoever is in the data. */
export function meaningText(statement: PrivacyStatement): string[] {
  const { answer, risk } = statement.stated;
  const guess = inHundred(risk.guess.success, GUESS_DIGITS);
  const event = isVoid(answer) ? NO_FACTOR : eventText(answer);
  const events = event === null ? [] : [event];
  if (guess !== null) return [...events, ...adversaryText(statement, guess)];
  return isVoid(answer)
    ? ['This is no guarantee at all: the results may reveal everything about any one person.']
    : [...events, 'This is almost no guarantee: the results may reveal nearly everything about any one person.'];
}
