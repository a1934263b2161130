import { Rational } from '../../numeric/rational.ts';
import { quote } from '../../document/core/quote.ts';
import { readRational } from '../../document/core/rational-text.ts';
import type { VerifyOverrides } from '../../document/verification/read-verification.ts';
import type { InputError } from '../../document/core/specification.ts';
import { MOST_COPIES, MOST_FACTORS, MOST_ROUNDS } from '../../document/verification/limits.ts';
import { readNumberOption, type NumberRange, wholeNumber } from '../kit/number-option.ts';

/** The options of `attack verify` that override numbers of its document, as typed. */
export interface VerifyFlags {
  readonly copies?: string;
  readonly sparsity?: string;
  readonly factor?: string;
  readonly rounds?: string;
}

const COPIES = wholeNumber('--copies', '3', 1, MOST_COPIES);
const SPARSITY = wholeNumber('--sparsity', '1', 0, MOST_COPIES);
const ROUNDS = wholeNumber('--rounds', '4', 1, MOST_ROUNDS);

function readFactor(text: string, errors: InputError[]): Rational[] {
  const factor = readRational(text);
  const trouble =
    'code' in factor
      ? factor
      : factor.compare(Rational.ZERO) > 0
        ? null
        : { code: 'out-of-range' as const, hint: 'For example: --factor 3/2' };
  if (trouble === null && factor instanceof Rational) return [factor];
  errors.push({
    code: trouble?.code ?? 'not-a-number',
    path: '--factor',
    message: `must be a number above 0, such as 2 or 3/2, got ${quote(text)}`,
    hint: trouble?.hint ?? '',
  });
  return [];
}

function readFactors(text: string, errors: InputError[]): Rational[] {
  const parts = text.split(',');
  if (parts.length <= MOST_FACTORS) return parts.flatMap((part) => readFactor(part, errors));
  const message = `must have at most ${MOST_FACTORS} values, got ${parts.length}`;
  errors.push({ code: 'too-many-values', path: '--factor', message, hint: 'Ask in several parts.' });
  return [];
}

/** Reads --copies, --sparsity, --factor and --rounds; what is wrong goes to `errors`. */
export function readVerifyOptions(flags: VerifyFlags, errors: InputError[]): VerifyOverrides {
  const whole = (text: string | undefined, range: NumberRange): number | undefined =>
    readNumberOption(text, range, errors)?.toNumber();
  const [copies, sparsity, rounds] = [
    whole(flags.copies, COPIES),
    whole(flags.sparsity, SPARSITY),
    whole(flags.rounds, ROUNDS),
  ];
  const factors = flags.factor === undefined ? undefined : readFactors(flags.factor, errors);
  return {
    ...(copies === undefined ? {} : { copies }),
    ...(sparsity === undefined ? {} : { sparsity }),
    ...(rounds === undefined ? {} : { rounds }),
    ...(factors === undefined ? {} : { factors }),
  };
}
