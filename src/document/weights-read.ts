import { Decimal, ZERO } from '../numeric/decimal.ts';
import { Rational } from '../numeric/rational.ts';
import { decodeText, type Problem } from './core/input-error.ts';
import { quote } from './core/quote.ts';
import type { TextProblem } from './core/unreadable.ts';

const FORM = 'Write one weight a line, such as 0.25, for each example.';
const NUMBER = /^\d{1,100}(\.\d{1,100})?(e[+-]?\d{1,2})?$/i;

/**
 * The rate of the heaviest example of a weighted Poisson sampler, which draws each example with probability B w / sum w: exactly, of
 * decimals of one weight a line.
 */
export function heaviestRate(
  input: Uint8Array,
  { examples, batch }: { readonly examples: number; readonly batch: number },
): Rational | TextProblem {
  const decoded = decodeText(input);
  if (typeof decoded !== 'string') return { problem: decoded, line: null };
  const problem = (line: number | null, code: Problem['code'], message: string, hint: string): TextProblem => ({
    problem: { code, message, hint },
    line,
  });
  let [sum, largest, count] = [ZERO, ZERO, 0];
  for (const [at, line] of decoded.split(/\r\n|\r|\n/).entries()) {
    const text = line.trim();
    if (text === '') continue;
    if (!NUMBER.test(text)) return problem(at + 1, 'wrong-type', `must be a weight from 0, got ${quote(text)}`, FORM);
    const weight = new Decimal(text);
    sum = sum.plus(weight);
    largest = Decimal.max(largest, weight);
    count++;
  }
  if (count !== examples) {
    return problem(null, 'out-of-range', `has ${count} weights, and --examples is ${examples}`, FORM);
  }
  if (sum.isZero()) return problem(null, 'out-of-range', 'has no weight above 0', FORM);
  const rate = Rational.of(batch).times(Rational.ofDecimal(largest)).over(Rational.ofDecimal(sum));
  if (rate.compare(Rational.ONE) <= 0) return rate;
  const message = `gives the heaviest example a probability of ${batch} w / sum w above 1`;
  return problem(null, 'out-of-range', message, 'Give the weights and --batch that the sampler really uses.');
}
