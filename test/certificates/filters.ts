import { filterCertificate } from '../../src/cli/ledger/kit/filter-certificate.ts';
import { spend } from '../../src/ledger/decide.ts';
import { UsageError } from '../../src/cli/kit/usage-error.ts';
import type { Present } from '../../src/ledger/present.ts';
import type { FilterTerms } from '../../src/ledger/rules/terms.ts';
import { Rational, roundedDecimal, total } from '../../src/numeric/rational.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import { approximateDpRule, filterTerms, opened, zcdpOptimalRule } from '../ledger/helpers.ts';
import { Random } from '../soundness/random.ts';
import { dp, gaussian, laplace, range, zcdp, type Answered, type Written } from './questions.ts';
import { rational, scaled, withEntries, withUpper, type Spoil } from './spoiled.ts';

const text = (x: number): string => x.toPrecision(3);

/** A filter, and what it may be asked to run. */
const FILTERS: readonly ((random: Random) => readonly [FilterTerms, (random: Random) => Entry['mechanism']])[] = [
  (random) => [
    filterTerms({ id: 'pure' }, { epsilon: new Decimal(text(random.logBetween(0.1, 10))) }),
    (own) => own.pick([(r: Random) => dp(r, 0), laplace, range])(own),
  ],
  (random) => [
    filterTerms(
      { id: 'basic', deltas: 'sum' },
      {
        epsilon: new Decimal(text(random.logBetween(0.1, 10))),
        delta: new Decimal(text(random.logBetween(1e-9, 1e-4))),
      },
    ),
    (own) => own.pick([(r: Random) => dp(r, 0.7), laplace, range])(own),
  ],
  (random) => [
    filterTerms({ id: 'zcdp' }, { rho: new Decimal(text(random.logBetween(1e-3, 1))) }),
    (own) => own.pick([gaussian, laplace, range, pureZcdp, (r: Random) => dp(r, 0)])(own),
  ],
  (random) => [
    filterTerms(zcdpOptimalRule(text(random.logBetween(1e-9, 1e-4))), {
      epsilon: new Decimal(text(random.logBetween(0.1, 10))),
    }),
    (own) => own.pick([gaussian, laplace, range, zcdp, (r: Random) => dp(r, 0.3)])(own),
  ],
  (random) => [
    filterTerms(approximateDpRule(text(random.logBetween(1e-9, 1e-4))), {
      epsilon: new Decimal(text(random.logBetween(0.1, 10))),
    }),
    (own) => own.pick([laplace, range, (r: Random) => dp(r, 0.3)])(own),
  ],
];

function pureZcdp(random: Random): Entry['mechanism'] {
  return { type: 'zcdp', rho: new Decimal(text(random.logBetween(1e-4, 0.1))) };
}

const ATTEMPTS = 12;

/** The certificate of a filter that ran what it did not deny; null where it ran nothing, or the checker does not read it. */
export async function randomFilter(seed: number, stream: number): Promise<Answered | null> {
  const random = new Random(seed, stream);
  const [terms, mechanismOf] = random.pick(FILTERS)(random);
  let state = opened(terms);
  const ran: Entry[] = [];
  for (let i = random.whole(1, ATTEMPTS); i > 0; i--) {
    const entry: Entry = {
      mechanism: mechanismOf(random),
      count: random.logWhole(1, 30),
      kind: 'noninteractive',
      label: null,
    };
    const decision = spend(state, entry);
    if (decision.kind === 'refused') continue;
    ran.push(entry);
    ({ state } = decision);
  }
  const delta = new Decimal(text(random.logBetween(1e-9, 1e-4)));
  try {
    const certificate = await filterCertificate({ state, header: { terms } } as unknown as Present, ran, {
      solveFor: 'epsilon',
      delta,
    });
    return { text: certificate, solveFor: 'epsilon' };
  } catch (error) {
    if (error instanceof UsageError) return null;
    throw error;
  }
}

type Part = Written['mechanisms'][number];

const numberOf = (value: unknown): number => roundedDecimal(rational(value as string), 17, 'down').toNumber();

/** About the epsilon of (epsilon, delta)-DP. */
const epsilonOf = ({ type, scale, sensitivity = '1', epsilon }: Part): number =>
  type === 'laplace' ? numberOf(sensitivity) / numberOf(scale) : numberOf(epsilon);

/** About the rho of zCDP. */
function rhoOf(part: Part): number {
  const { type, rho, mu, sigma, variance, sensitivity = '1' } = part;
  if (type === 'zcdp') return numberOf(rho);
  if (type === 'gdp') return numberOf(mu) ** 2 / 2;
  if (type === 'gaussian') {
    return numberOf(sensitivity) ** 2 / 2 / (variance === undefined ? numberOf(sigma) ** 2 : numberOf(variance));
  }
  const e = epsilonOf(part);
  if (type === 'laplace') return e + Math.expm1(-e);
  const share = e / -Math.expm1(-e);
  return type === 'dp' ? e * Math.tanh(e / 2) : share - 1 - Math.log(share);
}

/** About the least epsilon for which what ran is certified; null where that is not above 0. */
function usedEpsilon({ mechanisms, upper }: Written): number | null {
  const sum = (of: (part: Part) => number): number => mechanisms.reduce((all, part) => all + part.count * of(part), 0);
  const order = upper.witness.order;
  if (order === undefined) return sum(epsilonOf);
  const a = numberOf(order);
  const log = sum(({ delta = '0' }) => Math.log1p(-numberOf(delta)));
  const left = -Math.expm1(Math.log1p(-numberOf(upper.delta)) - log);
  const used = sum(rhoOf) * a + (a * Math.log1p(-1 / a) - Math.log(a - 1) - Math.log(left)) / (a - 1);
  return used > 0 ? used : null;
}

/** False claims of filters. */
export const FALSE_BUDGETS: Readonly<Record<string, Spoil>> = {
  'a budget below what ran, by a millionth'(written) {
    const used = usedEpsilon(written);
    return used === null || used < 1e-3 ? null : withUpper(written, { epsilon: (used * (1 - 1e-6)).toExponential(15) });
  },
  'a delta below what ran, by a millionth'({ mechanisms, ...rest }) {
    const sum = total(mechanisms.map(({ count, delta = '0' }) => rational(delta as string).times(Rational.of(count))));
    return rest.upper.theorem !== 'basic' || sum.isZero()
      ? null
      : withUpper({ mechanisms, ...rest }, { delta: scaled(sum.toString(), 1 - 1e-6) });
  },
  'more of what ran than the budget holds'(written) {
    const used = usedEpsilon({ ...written, mechanisms: written.mechanisms });
    if (used === null || used < 1e-3 || written.upper.witness.order !== undefined) return null;
    const times = Math.ceil(numberOf(written.upper.epsilon) / used) + 1;
    return withEntries(written, ({ count }) => ({ count: count * times }));
  },
  'a theorem that no filter has': (written, _, random) =>
    withUpper(written, { theorem: random.pick(['dp-optimal', 'gaussian', 'br-nonadaptive', 'rdp']) }),
  'a lower end': (written) => ({
    ...written,
    lower: { ...written.upper, epsilon: '0', theorem: 'dp-optimal', witness: {} },
  }),
  'no order': (written) => (written.upper.witness.order === undefined ? null : withUpper(written, { witness: {} })),
  'adaptively chosen parameters': (written) => ({ ...written, adaptivity: 'parameters' }),
  subsampling: (written) => withEntries(written, () => ({ rate: '0.01' })),
  'no mechanism': (written) => ({ ...written, mechanisms: [] }),
};
