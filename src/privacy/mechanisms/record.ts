import { Decimal } from '../../numeric/decimal.ts';
import type { Enclosure } from '../../numeric/enclosure.ts';
import type { LogMoment } from '../log-moment.ts';
import type { Mechanism, MechanismKind } from '../mechanism.ts';
import type { NumberField } from './parameters.ts';

/** The (e, d) of an (e, d)-DP guarantee. */
export interface EpsilonDelta {
  readonly epsilon: Decimal;
  readonly delta: Decimal;
}

/** The values that a parameter may have: a number, one of several words, or what is read in a way of its own. */
export type Domain =
  NumberField | readonly string[] | 'orders' | 'distribution' | 'mechanism' | 'rate' | 'run' | 'runs';

/**
 * The number by which a mechanism is made more or less private. factor: of the epsilons at several Renyi orders; reports: how many are
 * shuffled.
 */
export const PARAMETER_NAMES = [
  'epsilon',
  'local-epsilon',
  'rho',
  'mu',
  'scale',
  'sigma',
  'factor',
  'reports',
] as const;
export type ParameterName = (typeof PARAMETER_NAMES)[number];

/** A parameter of a mechanism that may vary. */
export interface Parameter {
  readonly name: ParameterName;
  readonly value: Decimal;
  /** Whether more of it is more private, as of noise. */
  readonly isNoise: boolean;
  /** Whether it is a whole number. */
  readonly isWhole?: boolean;
  /**
   * Whether a less private value is known to cost at least as much at every epsilon. Guarantees grow into larger classes;
   * Laplace, Gaussian and discrete Laplace noise is less noise of its kind with more added to it (the quotients of their
   * characteristic functions are mixtures of 1 and such noise, in the discrete case with weights a'^n - a a'^(n-1) >= 0).
   * Of discrete Gaussian noise it is not so: at epsilon 3.8815 sigma 0.4787 has a delta of 0.08575, and 0.48 one of 0.08635.
   */
  readonly isSteady: boolean;
  readonly smallest: Decimal;
  readonly largest: Decimal;
  /** The mechanism with another value of it. */
  readonly replaced: (value: Decimal) => Mechanism;
}

/** How numbers stand in words. */
export interface Figures {
  readonly number: (value: Decimal) => string;
  readonly whole: (value: number) => string;
}

/** How parameters grow along a path of k neighbouring steps, in the arithmetic of the caller. */
export interface Path {
  /** k x. */
  readonly times: (x: Decimal) => Decimal;
  /** k^2 x. */
  readonly timesSquare: (x: Decimal) => Decimal;
  /** A whole number of at least k x; null where that is more than is handled. */
  readonly whole: (x: Decimal) => Decimal | null;
  /** At least d (1 + e^epsilon + ... + e^((k-1) epsilon)), or 1. */
  readonly delta: (epsilon: Decimal, delta: Decimal) => Decimal;
}

/**
 * The mathematics of one type of mechanism. A member that may be absent is so where the type has nothing of the kind: no
 * theorem that needs it covers the type then.
 */
export interface MechanismRecord<M extends Mechanism> {
  /** Its parameters, in the order of the normal form. */
  readonly parameters: Readonly<
    Record<Exclude<keyof M, 'type' | 'written' | 'byEpsilon' | 'opposite' | 'rates'>, Domain>
  >;
  /**
   * How documents say it, where they do so by its parameters, all of them numbers, under their names: what it is, and the words
   * for one of them, such as `(0.1, 0)-DP`. Absent: it is written in several forms, or holds lists.
   */
  readonly plain?: {
    readonly description: string;
    readonly words: (mechanism: M, figures: Figures) => string;
  };
  /** Whether it says nothing about the data: its answers have the same distribution on neighbours. */
  readonly isZeroLoss: (mechanism: M) => boolean;
  /** The (e, d)-DP guarantee of finite e behind it. */
  readonly epsilonDelta?: (mechanism: M) => EpsilonDelta;
  /**
   * Whether the distribution of its loss is known, so that it has a dominating pair and a trade-off function of its own.
   * A type without one that has an (e, d) is dominated by randomized response with these.
   */
  readonly hasOwnPair?: true;
  /** The mu^2 of the Gaussian noise whose Renyi divergences it has at most: enclosed, and a decimal above. */
  readonly muSquared?: {
    readonly enclosed: (mechanism: M) => Enclosure;
    readonly above: (mechanism: M) => Decimal;
  };
  /**
   * An upper bound on its zCDP parameter rho = sup over a > 1 of D_a / a, exact for the class up to rounding; of what is
   * (e, d)-DP, and of a finite pair, that of what is left once nothing is revealed. Not asked where it is zero-loss.
   */
  readonly rho?: (mechanism: M, kind: MechanismKind) => Enclosure;
  /**
   * Its log-moment, without what (e, d)-DP loses to d, or a finite pair to infinite losses. It holds for interactive and
   * continual mechanisms too, as their Renyi divergences add up (Henzinger, Safavi, Vadhan 2025, Corollary 13.4) where what
   * is declared of them holds against adaptive adversaries; where they may reveal everything by (e, d).
   */
  readonly moment: (mechanism: M, kind: MechanismKind) => LogMoment;
  /** Its guarantee along a path of neighbouring steps, in its own class; absent: its class implies none. */
  readonly along?: (mechanism: M, path: Path) => M | null;
  /** Where of two mechanisms of the type the one of the larger quotient dominates: that quotient. */
  readonly strength?: (mechanism: M) => Quotient;
  /** Its parameter that varies, its other numbers held; absent: there is none. */
  readonly parameter?: (mechanism: M) => Parameter | null;
  /** Another one, which only varies where it is asked for by its name. */
  readonly named?: (mechanism: M) => Parameter;
  /** The noise it adds, and the norm of its sensitivity; absent: it is not defined by noise. */
  readonly noise?: { readonly values: 'continuous' | 'discrete'; readonly norm: 'l1' | 'l2' };
  /**
   * The e of the randomized response that is left to who only sees on which side of the middle between the two true values
   * the answer lies, rounded down; see `midpointResponse`.
   */
  readonly midpoint?: (mechanism: M) => number;
}

/** Quotients are made of squares and products of user input: products of two such are exact. */
const Wide = Decimal.clone({ precision: 12_000 });

/** a b, not rounded. */
export const exactProduct = (a: Decimal, b: Decimal): Decimal => new Wide(a).times(b);

/** A quotient of two decimals. */
export interface Quotient {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** Below 0 where the first is smaller, above 0 where it is larger, 0 where they are equal. */
export const compareQuotients = (a: Quotient, b: Quotient): number =>
  exactProduct(a.numerator, b.denominator).cmp(exactProduct(b.numerator, a.denominator));

/** Properties of most parameters. */
export const STEADY = { isSteady: true, smallest: new Decimal('1e-300'), largest: new Decimal('1e300') };

/** The parameter of a mechanism that stands under a key, by default its name. */
export const varying = <M extends Mechanism>(
  mechanism: M,
  name: ParameterName,
  key = name as string & keyof M,
): Parameter => ({
  ...STEADY,
  name,
  value: mechanism[key] as Decimal,
  isNoise: name === 'scale' || name === 'sigma',
  replaced: (value) => ({ ...mechanism, [key]: value }),
});

/** Noise on a statistic. */
export interface OnStatistic {
  readonly sensitivity: Decimal;
}

/** ` and sensitivity 2`; nothing where it is 1. */
export const ofSensitivity = ({ sensitivity }: OnStatistic, { number }: Figures): string =>
  sensitivity.eq(1) ? '' : ` and sensitivity ${number(sensitivity)}`;

/** Members of all noise on a statistic: at distance k it moves at most k times as far (triangle inequality). */
export const noise = {
  isZeroLoss: ({ sensitivity }: OnStatistic) => sensitivity.isZero(),
  hasOwnPair: true,
  along: <M extends OnStatistic>(mechanism: M, { times }: Path): M => ({
    ...mechanism,
    sensitivity: times(mechanism.sensitivity),
  }),
} as const;

/** The same where the statistic is in whole numbers. */
export const discreteNoise = {
  ...noise,
  along<M extends OnStatistic>(mechanism: M, { whole }: Path): M | null {
    const sensitivity = whole(mechanism.sensitivity);
    return sensitivity && { ...mechanism, sensitivity };
  },
} as const;
