import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import { sigmaForm, writtenVariance } from '../../privacy/sigma-form.ts';
import { givenText } from './number.ts';
import { grouped, printable } from './prose.ts';

/** ` of sensitivity 2`; nothing where it is 1. */
const ofSensitivity = ({ sensitivity }: Extract<Mechanism, { sensitivity: unknown }>): string =>
  sensitivity.eq(1) ? '' : ` and sensitivity ${givenText(sensitivity)}`;

/** `10000/11`, `90.5`; beyond forty characters to ten digits, rounded up. */
function quotientText(value: Rational): string {
  const text = value.toString();
  const decimal = roundedDecimal(value, 20, 'up');
  return Rational.ofDecimal(decimal).equals(value) || text.length > 40 ? givenText(decimal) : text;
}

/** ` of sigma 8.4 and sensitivity 2 (noise multiplier 4.2)`, ` of sigma 4.22467888933 (alone (1, 1e-6)-DP)`. */
function ofSigma(mechanism: Extract<Mechanism, { sigma: unknown }>): string {
  const variance = mechanism.type === 'discrete-gaussian' ? writtenVariance(mechanism) : null;
  if (variance !== null) return ` of variance ${quotientText(variance)}${ofSensitivity(mechanism)}`;
  const sigma = ` of sigma ${givenText(mechanism.sigma)}${ofSensitivity(mechanism)}`;
  const form = sigmaForm(mechanism);
  if (form === null) return sigma;
  const { noiseMultiplier, guarantee } = form;
  return guarantee === null
    ? `${sigma} (noise multiplier ${givenText(noiseMultiplier)})`
    : `${sigma} (alone (${givenText(guarantee.epsilon)}, ${givenText(guarantee.delta)})-DP)`;
}

/** What a mechanism guarantees, or the noise it adds: `(0.1, 0)-DP`, `Laplace noise of scale 3`. */
export function guaranteeText(mechanism: Mechanism): string {
  switch (mechanism.type) {
    case 'dp':
      return `(${givenText(mechanism.epsilon)}, ${givenText(mechanism.delta)})-DP`;
    case 'bounded-range':
      return `${givenText(mechanism.epsilon)}-bounded range`;
    case 'laplace':
      if (mechanism.byEpsilon === true) return `Laplace noise of epsilon ${givenText(mechanism.sensitivity)}`;
      return `Laplace noise of scale ${givenText(mechanism.scale)}${ofSensitivity(mechanism)}`;
    case 'gaussian':
      return `Gaussian noise${ofSigma(mechanism)}`;
    case 'discrete-laplace':
      return `discrete Laplace noise of scale ${givenText(mechanism.scale)}${ofSensitivity(mechanism)}`;
    case 'discrete-gaussian':
      return `discrete Gaussian noise${ofSigma(mechanism)}`;
    case 'finite-pair':
      return `finite pair of ${grouped(mechanism.p.length)} outcomes`;
    case 'zcdp':
      return `${givenText(mechanism.rho)}-zCDP`;
    case 'gdp':
      return `${givenText(mechanism.mu)}-GDP`;
    case 'rdp': {
      const [only, ...more] = mechanism.orders;
      return only !== undefined && more.length === 0
        ? `(${givenText(only.alpha)}, ${givenText(only.epsilon)})-RDP`
        : `RDP at ${grouped(mechanism.orders.length)} orders`;
    }
  }
}

/** A label in quotes after a space; nothing where there is none. */
export const labelText = (label: string | null): string => (label === null ? '' : ` "${printable(label)}"`);

/** `4 x continual (0.1, 1e-7)-DP "counter"`. */
export function entryText({ mechanism, count, kind, label }: Entry): string {
  const times = count === 1 ? '' : `${grouped(count)} x `;
  const manner = kind === 'noninteractive' ? '' : `${kind} `;
  return `${times}${manner}${guaranteeText(mechanism)}${labelText(label)}`;
}
