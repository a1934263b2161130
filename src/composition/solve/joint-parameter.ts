import { Decimal } from '../../numeric/decimal.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import type { Parameter, ParameterName } from '../../privacy/mechanisms/record.ts';
import { parameterOf } from '../../privacy/mechanisms/records.ts';

/** A parameter of several mechanisms that may vary; see {@link Parameter}. */
export interface JointParameter extends Omit<Parameter, 'replaced'> {
  /** The mechanisms with another value of it. */
  readonly replaced: (value: Decimal) => readonly Mechanism[];
}

/** Significant digits to which noise that is divided by a factor is rounded up. */
const DIGITS = 15;

const ONE = new Decimal(1);

const rounded = (value: Decimal, direction: 'down' | 'up'): Decimal =>
  value.toSignificantDigits(DIGITS, direction === 'down' ? Decimal.ROUND_DOWN : Decimal.ROUND_UP);

/** A value of a parameter once the privacy loss is made `factor` times as large, or about: noise is divided by it. */
const scaledBy = ({ value, isNoise }: Parameter, factor: Decimal): Decimal =>
  isNoise ? rounded(value.div(factor), 'up') : value.times(factor);

/** The factors that keep a parameter within its limits. */
function limits({ value, isNoise, smallest, largest }: Parameter): readonly [Decimal, Decimal] {
  const [least, most] = isNoise ? [value.div(largest), value.div(smallest)] : [smallest.div(value), largest.div(value)];
  return [rounded(least, 'up'), rounded(most, 'down')];
}

/** The parameters that mechanisms have, or null where one of them has none. */
function parametersOf(mechanisms: readonly Mechanism[]): readonly Parameter[] | null {
  const found = mechanisms.map(parameterOf).filter((parameter) => parameter !== null);
  return found.length === mechanisms.length ? found : null;
}

/** The names of the parameters that mechanisms have; null where one of them has none. */
export const parameterNames = (mechanisms: readonly Mechanism[]): readonly ParameterName[] | null => {
  const parameters = parametersOf(mechanisms);
  return parameters && [...new Set(parameters.map(({ name }) => name))];
};

/**
 * The parameter by which mechanisms are made more or less private together: that of a single one, or a common factor of
 * the parameters of several (by which noise is divided, rounded up to 15 digits); null where one of them has none.
 */
export function jointParameter(mechanisms: readonly Mechanism[]): JointParameter | null {
  const parameters = parametersOf(mechanisms);
  const [only, ...others] = parameters ?? [];
  if (parameters === null || only === undefined) return null;
  if (others.length === 0) return { ...only, replaced: (value) => [only.replaced(value)] };
  const ends = parameters.filter(({ value }) => !value.isZero()).map(limits);
  return {
    name: 'factor',
    value: ONE,
    isNoise: false,
    isSteady: parameters.every(({ isSteady }) => isSteady),
    smallest: Decimal.max('1e-300', ...ends.map(([least]) => least)),
    largest: Decimal.min('1e300', ...ends.map(([, most]) => most)),
    replaced: (factor) => parameters.map((parameter) => parameter.replaced(scaledBy(parameter, factor))),
  };
}
