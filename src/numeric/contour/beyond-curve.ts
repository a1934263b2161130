import { toDouble, type DoubleDouble } from '../double-double.ts';
import { type Approximate, enclosure, type Enclosure } from '../enclosure.ts';
import { approximateLogSum } from '../log-sum.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { ComposedLine } from './composed-loss.ts';
import type { Split } from './split.ts';

/** Of the whole, what is so small is not looked into. */
const NEGLIGIBLE = Math.log(1e-13);

/** At least a logarithm; what has an infinite error is that itself. */
const atLeast = ({ value, error }: Approximate): number => (error === Infinity ? value + 1e-9 : value + error);

/**
 * Encloses ln of the curve of the losses beyond. Groups of which next to nothing is beyond count with the most that it may be, on
 * which no loss is below 0.
 */
export function beyondCurve(
  { beyond, place, logDelta }: Split,
  bulk: ComposedLine,
  jumps: ComposedLine | null,
): (epsilon: DoubleDouble) => Enclosure {
  const most = beyond.map((group) => ({ ...group, logMost: Math.log(group.count) + group.beyond.logMost() }));
  const logSum = (groups: typeof most): number =>
    groups.reduce((sum, each) => approximateLogSum(sum, each.logMost), -Infinity);
  const logMost = Math.min(0, logSum(most));
  const isSmall = ({ logMost: own }: (typeof most)[number]): boolean =>
    own < logDelta + NEGLIGIBLE - Math.log(beyond.length);
  const [small, large] = [most.filter(isSmall), most.filter((group) => !isSmall(group))];
  if (large.length === 0) return () => enclosure(-Infinity, logMost);
  const bulks = new Map(bulk.lines.map((line) => [line.transform, line]));
  let [own, ownError, other, otherError, share] = [0, 0, 0, 0, 0];
  for (const group of large) {
    const known = group.beyond.moments(place);
    if (known === null) return () => enclosure(-Infinity, logMost);
    const { count } = group;
    const [p, q, at] = known;
    const [logP, logQ] = [p, q].map(({ value }) => count * Math.log1p(-Math.min(1, Math.exp(value))));
    own += logP!;
    other += logQ!;
    // The slope of ln(1 - e^x) is -e^x / (1 - e^x).
    ownError += ((count * p.error * Math.exp(p.value)) / -Math.expm1(p.value)) * 1.1 + 8 * U * Math.abs(logP!);
    otherError += ((count * q.error * Math.exp(q.value)) / -Math.expm1(q.value)) * 1.1 + 8 * U * Math.abs(logQ!);
    const whole = bulks.get(group.bulk)!.others.at(-1)!;
    share += count * Math.exp(atLeast(at) - whole.value + whole.error);
  }
  const jumping = (jumps?.lines ?? []).reduce((sum, { count, jump, others }) => {
    const [one, whole] = [jump?.others.at(-1), others.at(-1)!];
    return one ? sum + count * Math.exp(atLeast(one) - whole.value + whole.error) : sum;
  }, 0);
  const besides = small.reduce((sum, { bulk: own, logMost: log }) => {
    const whole = bulks.get(own)!.others.at(-1)!;
    return sum + Math.exp(log - whole.value + whole.error);
  }, 0);
  const all = bulk.others.at(-1)!;
  // M of all is that of the bulk times 1 and the shares of what are jumps, and beyond, at most.
  const logRest = all.value + all.error + share + jumping + besides + Math.log(share);
  const left = Math.exp(logSum(small)) * (1 + 1e-9);
  return (x) => {
    const epsilon = toDouble(x);
    const [p, q] = [-Math.expm1(own), -Math.exp(epsilon) * Math.expm1(other)];
    const off = ownError * 1.1 + Math.exp(epsilon) * otherError * 1.1 + 16 * U * (p + q * (1 + epsilon));
    const rest = Math.exp(logRest - place * epsilon + 1e-12 * (Math.abs(logRest) + Math.abs(place * epsilon)));
    const [lower, upper] = [p - q - off, Math.min(p, p - q + rest) + off + left];
    return enclosure(
      lower > 0 ? Math.log(lower) - 1e-15 : -Infinity,
      Math.min(logMost, upper > 0 ? Math.log(upper) + 1e-15 : -Infinity),
    );
  };
}
