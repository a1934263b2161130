import * as z from 'zod/mini';
import { Decimal } from '../numeric/decimal.ts';
import {
  alpha,
  count,
  delta,
  discreteSigma,
  epsilon,
  issueOf,
  mu,
  probabilityOfOutcome,
  published,
  rho,
  scale,
  sensitivity,
  sigma,
  wholeSensitivity,
} from './fields.ts';
import { inOneForm } from './forms.ts';

const common = {
  count: z._default(count, new Decimal(1)).register(published, { default: 1 }),
  label: z.optional(z.string()),
  kind: z._default(z.enum(['noninteractive', 'interactive', 'continual']), 'noninteractive'),
};

const dp = z
  .strictObject({ type: z.literal('dp'), epsilon, delta: z._default(delta, new Decimal(0)), ...common })
  .register(published, { description: '(epsilon, delta)-differential privacy.' });

const boundedRange = z
  .strictObject({ type: z.literal(['bounded-range', 'exponential']), epsilon, ...common })
  .register(published, { description: 'epsilon-bounded range: the exponential mechanism.' });

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

const gaussian = z
  .strictObject({
    type: z.literal('gaussian'),
    sigma,
    sensitivity: z._default(sensitivity, new Decimal(1)),
    ...common,
  })
  .register(published, { description: 'Gaussian noise on a statistic of the given Euclidean sensitivity.' });

const discreteLaplace = z
  .strictObject({
    type: z.literal('discrete-laplace'),
    scale,
    sensitivity: z._default(wholeSensitivity, new Decimal(1)),
    ...common,
  })
  .register(published, { description: 'Discrete Laplace (geometric) noise on a whole-numbered statistic.' });

const discreteGaussian = z
  .strictObject({
    type: z.literal('discrete-gaussian'),
    sigma: discreteSigma,
    sensitivity: z._default(wholeSensitivity, new Decimal(1)),
    ...common,
  })
  .register(published, { description: 'Discrete Gaussian noise on a whole-numbered statistic.' });

/** More outcomes than this are too many for exact curves. */
const MAX_OUTCOMES = 200;

const distribution = (name: 'p' | 'q') =>
  z
    .array(probabilityOfOutcome)
    .check(z.minLength(1))
    .check(
      z.check(
        ({ value, issues }) => {
          if (value.length > MAX_OUTCOMES) {
            const message = `${name} must hold at most ${MAX_OUTCOMES} probabilities, got ${value.length}`;
            issues.push(issueOf({ code: 'out-of-range', message, hint: 'Merge outcomes of equal ratio.' }, value));
            return;
          }
          if (!value.every((item) => Decimal.isDecimal(item))) return;
          const sum = value.reduce((total, item) => total.plus(item), new Decimal(0));
          if (sum.eq(1)) return;
          const message = `${name} must sum to exactly 1, got ${sum.toSignificantDigits(20).toString()}`;
          issues.push(
            issueOf({ code: 'out-of-range', message, hint: 'Write the probabilities as exact decimals.' }, value),
          );
        },
        { when: ({ value }) => Array.isArray(value) && value.length > 0 },
      ),
    )
    .register(published, {
      description: 'Probabilities of the outcomes, summing to exactly 1.',
      maxItems: MAX_OUTCOMES,
    });

const finitePair = z
  .strictObject({
    type: z.literal('finite-pair'),
    p: distribution('p'),
    q: distribution('q'),
    direction: z._default(z.enum(['either', 'fixed']), 'either'),
    ...common,
  })
  .check(
    z.check(
      ({ value, issues }) => {
        if (value.p.length === value.q.length) return;
        const message = `p and q must list the same outcomes, got ${value.p.length} and ${value.q.length}`;
        issues.push(
          issueOf({ code: 'out-of-range', message, hint: 'Write 0 for an outcome that cannot happen.' }, value),
        );
      },
      { when: ({ value, issues }) => issues.length === 0 && typeof value === 'object' },
    ),
  )
  .register(published, { description: 'A mechanism dominated by the pair of distributions p and q.' });

const zcdp = z
  .strictObject({ type: z.literal('zcdp'), rho, ...common })
  .register(published, { description: 'rho-zero-concentrated differential privacy.' });

/** More orders than any accountant uses; longer lists are not looked into. */
const MAX_ORDERS = 1000;

const notTooMany = z.transform((value, context): unknown => {
  if (!Array.isArray(value) || value.length <= MAX_ORDERS) return value;
  const message = `orders must hold at most ${MAX_ORDERS} pairs, got ${value.length}`;
  context.issues.push(issueOf({ code: 'out-of-range', message, hint: 'Keep the orders that matter.' }, value));
  return z.NEVER;
});

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
  .pipe(notTooMany, distinctOrders)
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

const SCHEMAS = [
  dp,
  boundedRange,
  laplace,
  gaussian,
  discreteLaplace,
  discreteGaussian,
  finitePair,
  zcdp,
  rdp,
  gdp,
] as const;

/** One element of `mechanisms`. */
export const entrySchema = z.discriminatedUnion('type', SCHEMAS);

/** A validated entry as it was written, defaults filled in. */
export type ParsedEntry = z.infer<typeof entrySchema>;

/** The keys that an entry of each type may have. */
export const ENTRY_KEYS: ReadonlyMap<string, readonly string[]> = new Map(
  SCHEMAS.flatMap((schema) => {
    const keys = Object.keys(schema.shape);
    return [...schema.shape.type.def.values].map((type): [string, string[]] => [type, keys]);
  }),
);

/** The types a document may name. */
export const MECHANISM_TYPES: readonly string[] = [...ENTRY_KEYS.keys()];
