import type { OpenMechanism } from '../../../ledger/remaining.ts';
import type { Entry, MechanismKind } from '../../../privacy/mechanism.ts';
import { parseMechanismFlags } from '../../../document/flags/command-line.ts';
import { either, quote } from '../../../document/core/quote.ts';
import type { ErrorCode } from '../../../document/core/error-codes.ts';
import type { InputError } from '../../../document/core/specification.ts';
import { didYouMean } from '../../../document/core/suggest.ts';

/** The parameter that is open in each type, and a value with which the rest of a flag can be read. */
const OPEN = {
  dp: ['epsilon', '0'],
  'bounded-range': ['epsilon', '0'],
  exponential: ['epsilon', '0'],
  rdp: ['epsilon', '0'],
  zcdp: ['rho', '0'],
  gdp: ['mu', '0'],
  laplace: ['scale', '1'],
  'discrete-laplace': ['scale', '1'],
  gaussian: ['sigma', '1'],
  'discrete-gaussian': ['sigma', '1'],
} as const;

const TYPES = Object.keys(OPEN);
const isOpen = (type: string): type is keyof typeof OPEN => Object.hasOwn(OPEN, type);

/** The question of --next: a mechanism with one parameter left open, and its kind. */
export interface NextQuestion {
  readonly mechanism: OpenMechanism;
  readonly kind: MechanismKind;
}

function openOf({ mechanism, kind }: Entry): NextQuestion | null {
  const { type } = mechanism;
  if (type === 'dp') return { mechanism: { type, delta: mechanism.delta }, kind };
  if (type === 'zcdp') return { mechanism: { type, ...('delta' in mechanism && { delta: mechanism.delta }) }, kind };
  if (type === 'bounded-range' || type === 'gdp') return { mechanism: { type }, kind };
  if ('sensitivity' in mechanism)
    return { mechanism: { type: mechanism.type, sensitivity: mechanism.sensitivity }, kind };
  const [order] = type === 'rdp' ? mechanism.orders : [];
  return order === undefined ? null : { mechanism: { type: 'rdp', alpha: order.alpha }, kind };
}

/**
 * Reads `TYPE:key=value,...`, a mechanism one parameter of which is left open: the epsilon of dp, the scale of laplace and
 * so on. What is wrong goes to `errors`.
 */
export function readOpenMechanism(text: string, errors: InputError[]): NextQuestion | null {
  const colon = text.indexOf(':');
  const type = (colon < 0 ? text : text.slice(0, colon)).trim();
  const fail = (code: ErrorCode, message: string, hint: string): null => {
    errors.push({ code, path: '--next', message, hint });
    return null;
  };
  if (!isOpen(type)) {
    const hint = `${didYouMean(type, TYPES)}For example: --next dp, --next laplace:sensitivity=2.`;
    return fail('unknown-type', `must begin with ${either(TYPES)}, got ${quote(type)}`, hint);
  }
  const [parameter, placeholder] = OPEN[type];
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim();
  if (rest.split(',').some((part) => part.split('=')[0]?.trim() === parameter)) {
    return fail('conflicting-keys', `${parameter} is what is asked for, got ${quote(text)}`, `Leave ${parameter} out.`);
  }
  const filled = `${type}:${parameter}=${placeholder}${rest === '' ? '' : `,${rest}`}`;
  const { value, errors: found } = parseMechanismFlags([filled]);
  errors.push(...found.map((error) => ({ ...error, path: error.path.replace(/^-m #1/, '--next') })));
  const [entry] = value;
  if (found.length > 0 || entry === undefined) return null;
  return openOf(entry) ?? fail('unknown-type', `${type} has no parameter that could be asked for`, 'Use another type.');
}
