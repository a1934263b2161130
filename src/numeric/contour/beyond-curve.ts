import { toDouble, type DoubleDouble } from '../double-double.ts';
import { type Approximate, enclosure, type Enclosure } from '../enclosure.ts';
import { approximateLogSum } from '../enclosure-arithmetic.ts';
import { UNIT_ROUNDOFF as U } from '../rounding.ts';
import type { ComposedLine } from './composed-loss.ts';
import type { Split } from './split.ts';
import { logOtherOf, type LossTransform } from './transform.ts';

/** Of the whole, what is so small is not looked into. */
const NEGLIGIBLE = Math.log(1e-13);

/** At least a logarithm; what has an infinite error is that itself. */
const atLeast = ({ value, error }: Approximate): number => (error === Infinity ? value + 1e-9 : value + error);

/** Roundings of a probability, relatively. */
const ROUNDED = 1e-14;
/** ln of what is too small to have all its digits. */
const FAINT = -640;

/** Encloses ln of the probability that at least one of many has a property, by ln of the probability of each. */
function logAny(many: readonly { readonly count: number; readonly logP: Approximate }[]): Enclosure {
  /** ln of the probability that none has it, by ln of that of each. */
  const none = (log: (logP: Approximate) => number): number =>
    many.reduce((sum, { count, logP }) => sum + count * Math.log1p(-Math.min(1, Math.exp(log(logP)))), 0);
  const [atLower, atUpper] = [none(({ value, error }) => value - error), none(atLeast)];
  const sum = many.reduce((log, { count, logP }) => approximateLogSum(log, Math.log(count) + atLeast(logP)), -Infinity);
  const log = (x: number): number => Math.log(-Math.expm1(x));
  return enclosure(
    log(atLower) > FAINT ? log(atLower) - ROUNDED : -Infinity,
    log(atUpper) > FAINT ? Math.min(0, log(atUpper) + ROUNDED) : sum + ROUNDED * (1 + Math.abs(sum)),
  );
}

/** How much more likely e^x is given what has the probability e^y. */
const addApproximate = ({ lower, upper }: Enclosure, { value, error }: Approximate): Enclosure => {
  const off = error + 4 * U * (Math.abs(value) + 1);
  return enclosure(lower + value - off, upper + value + off);
};

const over = (x: Approximate, y: Approximate): Approximate => ({
  value: x.value - y.value,
  error: x.error + y.error + 4 * U * (Math.abs(x.value) + Math.abs(y.value)),
});

/**
 * Encloses ln of the curve of the losses beyond. Groups of which next to nothing is beyond count with the most that it may be.
 * What is not known is no number: then all that is known is how likely they are at most.
 *
 * @param logOther - ln of E[e^-S], the probability of the finite losses under the other distribution over that under this one
 */
export function beyondCurve(
  { beyond, place, logDelta }: Split,
  bulk: ComposedLine,
  jumps: ComposedLine | null,
  logOther: Approximate,
): (epsilon: DoubleDouble) => Enclosure {
  const boundedGroups = beyond.map((group) => ({ ...group, logMost: Math.log(group.count) + group.beyond.logMost() }));
  const logSum = (groups: typeof boundedGroups): number =>
    groups.reduce((sum, group) => approximateLogSum(sum, group.logMost), -Infinity);
  const logMost = Math.min(0, logSum(boundedGroups));
  const isSmall = ({ logMost: own }: (typeof boundedGroups)[number]): boolean =>
    own < logDelta + NEGLIGIBLE - Math.log(beyond.length);
  const [small, large] = [boundedGroups.filter(isSmall), boundedGroups.filter((group) => !isSmall(group))];
  if (large.length === 0) return () => enclosure(-Infinity, logMost);
  const bulks = new Map(bulk.lines.map((line) => [line.transform, line]));
  const logWhole = (of: LossTransform): number => {
    const { value, error } = bulks.get(of)!.others.at(-1)!;
    return value - error;
  };
  const momentGroups = large.map((group) => ({ ...group, moments: group.beyond.moments(place) }));
  const all = momentGroups.flatMap(({ moments, ...group }) => {
    const total = moments && logOtherOf(group.whole);
    return total === null || total.error === Infinity ? [] : [{ ...group, moments: moments!, total }];
  });
  if (all.length < momentGroups.length || logOther.error === Infinity) return () => enclosure(-Infinity, logMost);
  const own = logAny(all.map(({ count, moments: [logP] }) => ({ count, logP })));
  const shareOfOther = logAny(all.map(({ count, moments: [, logP], total }) => ({ count, logP: over(logP, total) })));
  const other = addApproximate(shareOfOther, logOther);
  const logShare = all.reduce(
    (sum, { bulk: of, count, moments }) => approximateLogSum(sum, Math.log(count) + atLeast(moments[2]) - logWhole(of)),
    -Infinity,
  );
  const jumping = (jumps?.lines ?? []).reduce((sum, { transform, count, jump }) => {
    const moment = jump?.others.at(-1);
    return moment ? sum + count * Math.exp(atLeast(moment) - logWhole(transform)) : sum;
  }, 0);
  // Of losses below 0, of which E[e^(cL)] may be more than their probability, less than 1e-9 has the label.
  const besides = small.reduce(
    (sum, { bulk: of, count, logMost: log }) => sum + Math.exp(log - logWhole(of)) + 2e-9 * count,
    0,
  );
  // M of all is that of the bulk times 1 and the shares of what are jumps, and beyond, at most.
  const logRest = atLeast(bulk.others.at(-1)!) + Math.exp(logShare) + jumping + besides + logShare;
  const smallMass = Math.exp(logSum(small)) * (1 + 1e-9);
  return (x) => {
    const epsilon = toDouble(x);
    /** e^x times the other probability. */
    const raised = (log: number, sign: number): number =>
      Math.exp(epsilon + log + sign * (ROUNDED + 4 * U * (Math.abs(epsilon) + Math.abs(log))));
    const [p, q] = [Math.exp(own.upper), other.lower === -Infinity ? 0 : raised(other.lower, -1)];
    const remainder = Math.exp(logRest - place * epsilon + 1e-12 * (Math.abs(logRest) + Math.abs(place * epsilon)));
    const lower = Math.exp(own.lower) - raised(other.upper, 1) - 4 * U * p;
    const upper = Math.min(p, p - q + remainder) + 4 * U * p + smallMass;
    return enclosure(
      lower > 0 ? Math.log(lower) - 1e-15 : -Infinity,
      upper >= 0 && upper < Infinity ? Math.min(logMost, Math.log(upper) + 1e-15) : logMost,
    );
  };
}
