import { Decimal } from '../../numeric/decimal.ts';
import type { Entry, Mechanism, Rdp } from '../../privacy/mechanism.ts';
import { noisyMax } from '../../privacy/noisy-max.ts';
import type { Query } from '../../privacy/query.ts';
import type { ParsedEntry } from './entry-schema.ts';
import type { ParsedTarget } from '../core/question-schema.ts';
import { selectionEpsilon } from './selection-schema.ts';
import { discreteSigmaOf, sigmaOf } from './sigma-forms.ts';

const ONE = new Decimal(1);

function required(value: Decimal | null | undefined): Decimal {
  if (value === undefined || value === null) throw new Error('A validated entry lacks a parameter of its form.');
  return value;
}

function rdpOrders(parsed: Extract<ParsedEntry, { type: 'rdp' }>): Rdp['orders'] {
  const pairs = parsed.orders ?? [[required(parsed.alpha), required(parsed.epsilon)] as const];
  return pairs.map(([alpha, epsilon]) => ({ alpha, epsilon })).sort((a, b) => a.alpha.comparedTo(b.alpha));
}

/** Of order infinity alone it is (epsilon, 0)-DP. */
function toRdp(orders: Rdp['orders']): Mechanism {
  const [first] = orders;
  const isPure = first !== undefined && !first.alpha.isFinite();
  return isPure ? { type: 'dp', epsilon: first.epsilon, delta: new Decimal(0) } : { type: 'rdp', orders };
}

function toMechanism(parsed: ParsedEntry): Mechanism {
  switch (parsed.type) {
    case 'dp':
      return { type: 'dp', epsilon: parsed.epsilon, delta: parsed.delta };
    case 'bounded-range':
    case 'exponential':
      return { type: 'bounded-range', epsilon: required(selectionEpsilon(parsed)) };
    case 'report-noisy-max':
      return noisyMax(parsed.noise, required(selectionEpsilon(parsed)));
    case 'permute-and-flip':
      return noisyMax('exponential', required(selectionEpsilon(parsed)));
    case 'laplace':
      return parsed.scale === undefined
        ? { type: 'laplace', scale: ONE, sensitivity: required(parsed.epsilon), byEpsilon: true }
        : { type: 'laplace', scale: parsed.scale, sensitivity: parsed.sensitivity ?? ONE };
    case 'gaussian':
      return { type: 'gaussian', ...sigmaOf(parsed) };
    case 'discrete-laplace':
      return { type: 'discrete-laplace', scale: parsed.scale, sensitivity: parsed.sensitivity };
    case 'discrete-gaussian':
      return { type: 'discrete-gaussian', ...discreteSigmaOf(parsed) };
    case 'finite-pair':
      return { type: 'finite-pair', p: parsed.p, q: parsed.q, direction: parsed.direction };
    case 'zcdp':
      return { type: 'zcdp', rho: parsed.rho };
    case 'rdp':
      return toRdp(rdpOrders(parsed));
    case 'gdp':
      return { type: 'gdp', mu: parsed.mu };
  }
}

/** The normal form of a validated entry: aliases resolved, every default filled in. */
export function toEntry(parsed: ParsedEntry): Entry {
  return {
    mechanism: toMechanism(parsed),
    count: parsed.count.toNumber(),
    kind: parsed.kind,
    label: parsed.label ?? null,
  };
}

/** The query that a validated target asks. */
export function toQuery({ delta, epsilon }: ParsedTarget): Query {
  return delta === undefined ? { solveFor: 'delta', epsilon: required(epsilon) } : { solveFor: 'epsilon', delta };
}
