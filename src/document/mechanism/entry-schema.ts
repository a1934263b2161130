import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import {
  ALPHA,
  delta,
  discreteSigma,
  epsilon,
  issueOf,
  mu,
  noiseDelta,
  noiseEpsilon,
  noiseMultiplier,
  published,
  rho,
  scale,
  sensitivity,
  sigma,
  wholeSensitivity,
} from '../core/fields.ts';
import { common } from './common-keys.ts';
import { distribution, sameOutcomes } from './distribution.ts';
import { inOneForm, noNumber } from '../core/forms.ts';
import { atMost } from '../core/lists.ts';
import { discreteVariance } from './discrete-variance.ts';
import { positiveSensitivity, writableDiscreteSigma, writableSigma } from './sigma-forms.ts';
import { exponentialMechanism, permuteAndFlip, reportNoisyMax } from './selection-schema.ts';
import { orValue } from '../core/number-or-word.ts';

const dp = z
  .strictObject({ type: z.literal('dp'), epsilon, delta: z._default(delta, new Decimal(0)), ...common })
  .register(published, { description: '(epsilon, delta)-differential privacy.' });

const laplace = inOneForm(
  z.strictObject({
    type: z.literal('laplace'),
    scale: z.optional(scale),
    sensitivity: z.optional(sensitivity),
    epsilon: z.optional(epsilon),
    ...common,
  }),
  [{ needs: ['scale'], allows: ['sensitivity'] }, { needs: ['epsilon'] }],
  {
    what: 'a laplace mechanism',
    conflict: 'conflicting-keys',
    description: 'Laplace noise, by its scale and sensitivity (default 1) or by epsilon = sensitivity / scale.',
  },
);

const gaussian = inOneForm(
  z
    .strictObject({
      type: z.literal('gaussian'),
      sigma: z.optional(sigma),
      'noise-multiplier': z.optional(noiseMultiplier),
      epsilon: z.optional(noiseEpsilon),
      delta: z.optional(noiseDelta),
      sensitivity: z._default(sensitivity, new Decimal(1)),
      ...common,
    })
    .check(positiveSensitivity, writableSigma),
  [
    { needs: ['sigma'], allows: ['sensitivity'] },
    { needs: ['noise-multiplier'], allows: ['sensitivity'] },
    { needs: ['epsilon', 'delta'], allows: ['sensitivity'] },
  ],
  {
    what: 'a gaussian mechanism',
    conflict: 'conflicting-keys',
    description:
      'Gaussian noise on a statistic of the given Euclidean sensitivity: by its sigma, by noise-multiplier = sigma / sensitivity, or by the epsilon and delta of one release, for which sigma is the smallest of 12 digits that suffices (Balle, Wang 2018, Thm 8).',
  },
);

const discreteLaplace = z
  .strictObject({
    type: z.literal('discrete-laplace'),
    scale,
    sensitivity: z._default(wholeSensitivity, new Decimal(1)),
    ...common,
  })
  .register(published, { description: 'Discrete Laplace (geometric) noise on a whole-numbered statistic.' });

const discreteGaussian = inOneForm(
  z
    .strictObject({
      type: z.literal('discrete-gaussian'),
      sigma: z.optional(discreteSigma),
      variance: z.optional(discreteVariance),
      'noise-multiplier': z.optional(noiseMultiplier),
      sensitivity: z._default(wholeSensitivity, new Decimal(1)),
      ...common,
    })
    .check(positiveSensitivity, writableDiscreteSigma),
  [
    { needs: ['sigma'], allows: ['sensitivity'] },
    { needs: ['variance'], allows: ['sensitivity'] },
    { needs: ['noise-multiplier'], allows: ['sensitivity'] },
  ],
  {
    what: 'a discrete-gaussian mechanism',
    conflict: 'conflicting-keys',
    description:
      'Discrete Gaussian noise on a whole-numbered statistic, by its sigma, by its variance (of the continuous Gaussian: sigma^2), or by noise-multiplier = sigma / sensitivity.',
  },
);

/** More outcomes than this are too many for exact curves; longer lists are not looked into. */
const MAX_OUTCOMES = 200;

const p = distribution('p', MAX_OUTCOMES);
const q = distribution('q', MAX_OUTCOMES);

const finitePair = z
  .strictObject({
    type: z.literal('finite-pair'),
    p,
    q,
    direction: z._default(z.enum(['either', 'fixed']), 'either'),
    ...common,
  })
  .check(sameOutcomes('p', 'q'))
  .register(published, {
    description:
      'A mechanism whose outcome has distribution p on one data set and q on its neighbour, outcome by outcome; direction says whether neighbours may stand in either order, mechanism by mechanism, or in one order throughout.',
  });

const zcdp = z
  .strictObject({ type: z.literal('zcdp'), rho, ...common })
  .register(published, { description: 'rho-zero-concentrated differential privacy.' });

/** More orders than any accountant uses; longer lists are not looked into. */
const MAX_ORDERS = 1000;

/** A Renyi order; that of order infinity is the largest loss. */
const alpha = orValue(ALPHA, 'Infinity', new Decimal(Infinity));

const distinctOrders = z
  .array(z.tuple([alpha, epsilon]))
  .check(z.minLength(1))
  .check(
    z.check(
      (payload) => {
        const seen = new Set<string>();
        payload.value.forEach((pair, index) => {
          const order = Array.isArray(pair) ? pair[0] : undefined;
          if (!Decimal.isDecimal(order)) return;
          const text = order.toString();
          if (seen.has(text)) {
            const message = `every order must stand once, got ${text} again`;
            const hint = 'Keep the pair with the smaller epsilon.';
            payload.issues.push(issueOf({ code: 'duplicate-order', message, hint }, payload.value, [index, 0]));
          }
          seen.add(text);
        });
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
  );

const orders = z
  .pipe(atMost(MAX_ORDERS, 'orders', 'pairs', 'Keep the orders that matter.'), distinctOrders)
  .register(published, { description: 'Pairs [alpha, epsilon], every alpha once.', maxItems: MAX_ORDERS });

const rdp = inOneForm(
  z.strictObject({
    type: z.literal('rdp'),
    alpha: z.optional(alpha),
    epsilon: z.optional(epsilon),
    orders: z.optional(orders),
    ...common,
  }),
  [{ needs: ['alpha', 'epsilon'] }, { needs: ['orders'] }],
  {
    what: 'an rdp mechanism',
    conflict: 'conflicting-keys',
    description: 'Renyi differential privacy at one order (alpha, epsilon) or at several (orders).',
  },
);

const gdp = z
  .strictObject({ type: z.literal('gdp'), mu, ...common })
  .register(published, { description: 'mu-Gaussian differential privacy.' });

/** The schemas of mechanisms, type by type. */
export const ENTRY_SCHEMAS = [
  dp,
  exponentialMechanism,
  reportNoisyMax,
  permuteAndFlip,
  laplace,
  gaussian,
  discreteLaplace,
  discreteGaussian,
  finitePair,
  zcdp,
  rdp,
  gdp,
] as const;

/** A mechanism. */
export const entrySchema = z.discriminatedUnion('type', ENTRY_SCHEMAS);

/** A validated entry as it was written, defaults filled in. */
export type ParsedEntry = z.infer<typeof entrySchema>;

/** A list of mechanisms. */
export const entriesSchema = z.array(z.pipe(noNumber('each item'), entrySchema)).check(z.minLength(1));

/** The keys that an entry of each type may have. */
export const ENTRY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  ENTRY_SCHEMAS.flatMap((schema) => {
    const keys = Object.keys(schema.shape);
    return [...schema.shape.type.def.values].map((type): [string, string[]] => [type, keys]);
  }),
);

/** The types a document may name. */
export const MECHANISM_TYPES: readonly string[] = [...ENTRY_KEYS.keys()];
