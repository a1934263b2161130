import * as z from 'zod/mini';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { isOpenQuestion, type Rdp, type Zcdp } from '../../privacy/mechanism.ts';
import { ORDER } from '../../privacy/mechanisms/parameters.ts';
import { delta, epsilon, issueOf, orValue, published, rho } from '../core/fields.ts';
import { atMost, inOneForm } from '../core/forms.ts';
import type { Problem } from '../core/input-error.ts';
import { common, required, writtenType } from './written-type.ts';

/** The problem of an entry that {@link isOpenQuestion}. */
export const OPEN_QUESTION: Problem = {
  code: 'conflicting-keys',
  message: 'approximate zCDP has a theorem only for a mechanism of kind noninteractive',
  hint: 'Leave delta out if the mechanism is zCDP, or write an (epsilon, delta) that it has as dp.',
};

const zcdpOf = ({ rho, delta }: { readonly rho: Decimal; readonly delta: Decimal }): Zcdp => ({
  type: 'zcdp',
  rho,
  ...(delta.isZero() ? {} : { delta }),
});

export const zcdp = writtenType({
  schema: z
    .strictObject({ type: z.literal('zcdp'), rho, delta: z._default(delta, ZERO), ...common })
    .check(
      z.check(({ value, issues }) => {
        const { kind } = value;
        const isRead = Decimal.isDecimal(value.delta);
        if (isRead && isOpenQuestion({ mechanism: zcdpOf(value), kind })) {
          issues.push(issueOf(OPEN_QUESTION, value, ['delta']));
        }
      }),
    )
    .register(published, {
      description:
        'rho-zero-concentrated differential privacy; with a delta above 0, for kind noninteractive only, delta-approximate.',
    }),
  mechanismOf: zcdpOf,
  words: ({ rho, delta }: Zcdp, { number }) =>
    `${delta?.gt(0) === true ? `${number(delta)}-approximate ` : ''}${number(rho)}-zCDP`,
  normal: ({ rho, delta }: Zcdp) => ({ rho, ...(delta && { delta }) }),
});

/** More orders than any accountant uses; longer lists are not looked into. */
const MAX_ORDERS = 1000;

/** A Renyi order; that of order infinity is the largest loss. */
const alpha = orValue(ORDER, 'Infinity', new Decimal(Infinity));

const distinctOrders = z
  .array(z.tuple([alpha, epsilon]))
  .check(z.minLength(1))
  .check(
    z.check(
      (payload) => {
        const orderTexts = new Set<string>();
        payload.value.forEach((pair, index) => {
          const order = Array.isArray(pair) ? pair[0] : undefined;
          if (!Decimal.isDecimal(order)) return;
          const text = order.toString();
          if (orderTexts.has(text)) {
            const message = `every order must stand once, got ${text} again`;
            const hint = 'Keep the pair with the smaller epsilon.';
            payload.issues.push(issueOf({ code: 'duplicate-order', message, hint }, payload.value, [index, 0]));
          }
          orderTexts.add(text);
        });
      },
      { when: ({ value }) => Array.isArray(value) },
    ),
  );

const orders = z
  .pipe(atMost(MAX_ORDERS, 'orders', 'pairs', 'Keep the orders that matter.'), distinctOrders)
  .register(published, { description: 'Pairs [alpha, epsilon], every alpha once.', maxItems: MAX_ORDERS });

export const rdp = writtenType({
  schema: inOneForm(
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
  ),
  mechanismOf(parsed) {
    const pairs = parsed.orders ?? [[required(parsed.alpha), required(parsed.epsilon)] as const];
    const orders = pairs.map(([alpha, epsilon]) => ({ alpha, epsilon })).sort((a, b) => a.alpha.comparedTo(b.alpha));
    const [first] = orders;
    // Of order infinity alone it is (epsilon, 0)-DP.
    const isPure = first !== undefined && !first.alpha.isFinite();
    return isPure ? { type: 'dp', epsilon: first.epsilon, delta: ZERO } : { type: 'rdp', orders };
  },
  words({ orders }: Rdp, { number, whole }) {
    const [only, ...more] = orders;
    return only !== undefined && more.length === 0
      ? `(${number(only.alpha)}, ${number(only.epsilon)})-RDP`
      : `RDP at ${whole(orders.length)} orders`;
  },
  normal: ({ orders }: Rdp) => ({ orders: orders.map(({ alpha, epsilon }) => [alpha, epsilon]) }),
});
