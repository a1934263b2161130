import type { Decimal } from '../../numeric/decimal.ts';
import { roundedDecimal, type Rational } from '../../numeric/rational.ts';
import type { TradeOffPoint } from '../../privacy/mechanism.ts';
import type { Corner, TradeOffFault, TradeOffFaults } from '../../privacy/trade-off.ts';
import type { InputErrorCode } from '../core/error-codes.ts';
import type { Problem } from '../core/input-error.ts';
import { shorten } from '../core/quote.ts';

// What is wrong with points of a trade-off function, in words.

/** What to do about points that are too many. */
export const FEWER_POINTS = 'Write the crossings of fewer lines below the function.';

/** Digits to which quotients are told. */
const DIGITS = 20;

const decimalText = (value: Decimal | undefined): string => shorten(String(value));
const rationalText = (value: Rational): string => decimalText(roundedDecimal(value, DIGITS, 'down'));
const cornerText = ({ alpha, beta }: Corner): string => `(${rationalText(alpha)}, ${rationalText(beta)})`;

/** A mistake in points, and the point and its coordinate at which it is; without an index that of all of them. */
interface Trouble {
  readonly problem: Problem;
  readonly index?: number;
  readonly key: 'alpha' | 'beta';
}

/** What is wrong with points. */
export function tradeOffTrouble(fault: TradeOffFaults[number], points: readonly TradeOffPoint[]): Trouble {
  const ofAll = (code: InputErrorCode, message: string, hint: string): Trouble => ({
    problem: { code, message, hint },
    key: 'alpha',
  });
  switch (fault.rule) {
    case 'too-many-outcomes': {
      const message = `points must give a pair of at most ${fault.limit} outcomes, got ${fault.outcomes}`;
      return ofAll('out-of-range', message, FEWER_POINTS);
    }
    case 'too-many-digits': {
      const message = `points must cross their mirror image in numbers of at most ${fault.limit} decimal places`;
      return ofAll('too-many-digits', message, 'Write points of fewer digits, below these.');
    }
    case 'above-diagonal':
    case 'not-ascending':
    case 'rising':
    case 'not-convex':
      return troubleOfPoint(fault, points[fault.index]!, points[fault.index - 1]);
  }
}

function troubleOfPoint(
  fault: TradeOffFault,
  { alpha, beta }: TradeOffPoint,
  before: TradeOffPoint | undefined,
): Trouble {
  const at = (key: 'alpha' | 'beta', message: string, hint: string): Trouble => ({
    problem: { code: 'no-trade-off', message, hint },
    index: fault.index,
    key,
  });
  const [x, y] = [decimalText(alpha), decimalText(beta)];
  switch (fault.rule) {
    case 'above-diagonal':
      return at(
        'beta',
        `beta must be at most 1 - alpha, got ${y} at alpha ${x}`,
        'Lower one of them: a guess that looks at nothing has beta = 1 - alpha.',
      );
    case 'not-ascending':
      return before?.alpha.eq(alpha) === true
        ? at('alpha', `every alpha must stand once, got ${x} again`, 'Keep the point with the smaller beta.')
        : at(
            'alpha',
            `points must stand by ascending alpha, got ${x} after ${decimalText(before?.alpha)}`,
            'Sort them.',
          );
    case 'rising':
      return at(
        'beta',
        `beta must be at most that of the point before, got ${y} after ${decimalText(before?.beta)}`,
        'Lower it: tests that may err more often one way need not err more often the other way.',
      );
    case 'not-convex': {
      const line = fault.between.map(cornerText).join(' to ');
      return at(
        'beta',
        `points must be convex: beta at alpha ${x} must be at most ${rationalText(fault.limit)}, as on the line from ${line}, got ${y}`,
        'Lower it, or leave this point out.',
      );
    }
  }
}
