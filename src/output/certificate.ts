import type { CertifiedEnd, Certificate } from '../composition/certificate/certificate.ts';
import type { Answer } from '../composition/core/outcome.ts';
import { ZERO, type Decimal } from '../numeric/decimal.ts';
import { writtenVariance } from '../privacy/gaussian.ts';
import type { Entry, Mechanism } from '../privacy/mechanism.ts';
import { recordOf } from '../privacy/mechanisms/records.ts';
import { jsonDocument, type Json } from './kit/json-value.ts';

/** The parameters that define a mechanism: noise by its variance where it was written by it, as then its sigma is rounded. */
function definition(mechanism: Mechanism): Readonly<Record<string, Json>> {
  if (mechanism.type === 'rdp') {
    return { orders: mechanism.orders.map(({ alpha, epsilon }) => [alpha.toString(), epsilon.toString()]) };
  }
  const variance = mechanism.type === 'gaussian' ? writtenVariance(mechanism) : null;
  if (mechanism.type === 'gaussian' && variance !== null) {
    return { variance: variance.toString(), sensitivity: mechanism.sensitivity.toString() };
  }
  const own = mechanism as unknown as Readonly<Record<string, Decimal | undefined>>;
  return Object.fromEntries(
    Object.keys(recordOf(mechanism).parameters).map((key) => [key, (own[key] ?? ZERO).toString()]),
  );
}

const entryOf = ({ mechanism, count, kind }: Entry): Json => ({
  type: mechanism.type,
  ...definition(mechanism),
  count,
  kind,
});

const endOf = ({ theorem, epsilon, delta, witness: { order } }: CertifiedEnd): Json => ({
  theorem,
  epsilon: epsilon.toString(),
  delta: delta.toString(),
  witness: order === undefined ? {} : { order: order.toString() },
});

/** A certificate as the document that docs/checker.py reads: every number but a count is a text, and exact. */
export const certificateText = ({ adaptivity, entries, upper, lower }: Certificate): string =>
  jsonDocument({
    certificate: 'dpcompose.certificate/1',
    adaptivity,
    mechanisms: entries.map(entryOf),
    upper: endOf(upper),
    lower: lower && endOf(lower),
  });

/** That a certificate is of a weaker bound than the answer beside it; null where it claims the same. */
export function certificateNote({ upper }: Certificate, { bound, bounds, query }: Answer): string | null {
  const row = bounds.find(({ id }) => id === upper.theorem);
  const [own, best] = [row, bounds[0]].map((line) => (line?.applies === true ? line[query.solveFor].upper : NaN));
  return own === best ? null : `The certificate is of the bound ${upper.theorem}, which is weaker than ${bound}.`;
}
