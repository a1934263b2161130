import type golden from '../../../fixtures/golden/reference.json';
import type { BoundId } from '../../bounds/core/bound.ts';
import { Decimal, decimalFromDouble } from '../../numeric/decimal.ts';
import type { Bracket } from '../../numeric/enclosure.ts';
import type { Entry, Mechanism } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import { compose } from '../compose/compose.ts';
import { checkElementary, type Check, type CheckGroup } from './elementary.ts';

/** Values computed by independent code with 50 digits, of which 25 are kept; see fixtures/golden. `result` is null where no epsilon is large enough. */
export type Golden = typeof golden;

/** Golden values have 25 digits: so much of them is uncertain. */
const GOLDEN_DIGITS = new Decimal('1e-22');
/** How wide an enclosure, and how far above the truth an upper bound may be, relatively. */
const WIDTH = new Decimal('1e-9');

const ENCLOSED = 'the golden value lies in the enclosure, which is at most 1e-9 wide, relatively';
const ABOVE = 'at or above the golden value, by at most 1e-9, relatively';

const entry = (mechanism: Mechanism, count: number): Entry => ({
  mechanism,
  count,
  kind: 'noninteractive',
  label: null,
});
const dp = (epsilon: string, delta: string, count: number): Entry =>
  entry({ type: 'dp', epsilon: new Decimal(epsilon), delta: new Decimal(delta) }, count);
const ranged = (epsilon: string, count: number): Entry =>
  entry({ type: 'bounded-range', epsilon: new Decimal(epsilon) }, count);
const atDelta = (delta: string): Query => ({ solveFor: 'epsilon', delta: new Decimal(delta) });
const atEpsilon = (epsilon: string): Query => ({ solveFor: 'delta', epsilon: new Decimal(epsilon) });

/** A value to compute. */
interface Case {
  readonly entries: readonly Entry[];
  readonly query: Query;
  readonly bound: BoundId;
  readonly adaptivity?: 'adaptive' | 'nonadaptive';
}

function valueOf({ entries, query, bound, adaptivity = 'adaptive' }: Case): Bracket | null {
  const outcome = compose({ entries, adaptivity }, query, { bounds: [bound] });
  return outcome.kind === 'answer' ? outcome.answer[query.solveFor] : null;
}

function encloses({ lower, upper }: Bracket, truth: Decimal): boolean {
  if (lower === null || upper === Infinity) return false;
  const slack = truth.times(GOLDEN_DIGITS);
  const [low, high] = [decimalFromDouble(lower), decimalFromDouble(upper)];
  return low.minus(slack).lte(truth) && high.plus(slack).gte(truth) && high.minus(low).lte(truth.times(WIDTH));
}

function isJustAbove({ upper }: Bracket, truth: Decimal): boolean {
  if (upper === Infinity) return false;
  const excess = decimalFromDouble(upper).minus(truth);
  return excess.plus(truth.times(GOLDEN_DIGITS)).gte(0) && excess.lte(truth.times(WIDTH));
}

const isInfinite = ({ lower, upper }: Bracket): boolean => lower === Infinity && upper === Infinity;

function what({ entries, query, bound }: Case): string {
  const list = entries
    .slice(0, 3)
    .map(({ mechanism, count }) => {
      const { epsilon, delta } = mechanism as { readonly epsilon: Decimal; readonly delta?: Decimal };
      const pair = delta === undefined ? epsilon.toString() : `(${epsilon.toString()}, ${delta.toString()})`;
      return `${String(count)} x ${pair}`;
    })
    .join(' + ');
  const at = query.solveFor === 'epsilon' ? `delta ${query.delta.toString()}` : `epsilon ${query.epsilon.toString()}`;
  return `${bound}: ${list}${entries.length > 3 ? ' + ...' : ''} at ${at}`;
}

function check(question: Case, result: string | null, passes: (value: Bracket, truth: Decimal) => boolean): Check {
  const value = valueOf(question);
  const passed = value !== null && (result === null ? isInfinite(value) : passes(value, new Decimal(result)));
  const got = value?.lower === null ? value.upper : value;
  return { what: what(question), expected: new Decimal(result ?? Infinity), got, passed };
}

const grouped = (
  groups: Golden['brMgfHeterogeneousEpsilon'][number]['groups'],
  make: (epsilon: string, count: number) => Entry,
): Entry[] => groups.map(({ epsilon, count }) => make(epsilon, count));

const equalDp = (golden: Golden): Check[] => [
  ...golden.dpHomogeneousEpsilon.map((g) =>
    check(
      { entries: [dp(g.epsilon, g.deltaEach, g.k)], query: atDelta(g.delta), bound: 'dp-optimal' },
      g.result,
      encloses,
    ),
  ),
  ...golden.dpHomogeneousDelta.map((g) =>
    check(
      { entries: [dp(g.epsilon, g.deltaEach, g.k)], query: atEpsilon(g.epsilonTotal), bound: 'dp-optimal' },
      g.result,
      encloses,
    ),
  ),
];

const differentDp = (golden: Golden): Check[] =>
  golden.dpHeterogeneous.flatMap((g) => {
    const entries = [...grouped(g.groups, (e, count) => dp(e, '0', count)), ...g.deltas.map((d) => dp('0', d, 1))];
    const bound = 'dp-optimal';
    return [
      check({ entries, query: atEpsilon(g.epsilonTotal), bound }, g.result, encloses),
      ...(g.epsilonAt1e6 === null ? [] : [check({ entries, query: atDelta('1e-6'), bound }, g.epsilonAt1e6, encloses)]),
    ];
  });

const fixedRanged = (golden: Golden): Check[] => {
  const common = { bound: 'br-nonadaptive', adaptivity: 'nonadaptive' } as const;
  return [
    ...golden.brNonadaptiveDelta.map((g) =>
      check({ entries: [ranged(g.epsilon, g.k)], query: atEpsilon(g.epsilonTotal), ...common }, g.result, encloses),
    ),
    ...golden.brNonadaptiveEpsilon.map((g) =>
      check({ entries: [ranged(g.epsilon, g.k)], query: atDelta(g.delta), ...common }, g.result, encloses),
    ),
  ];
};

const closedForms = (golden: Golden): Check[] =>
  golden.brClosedForms.flatMap((g) => {
    const question = { entries: [ranged(g.epsilon, g.k)], query: atDelta(g.delta) };
    return [
      check({ ...question, bound: 'br-optkl' }, g.optkl, isJustAbove),
      check({ ...question, bound: 'br-dr19' }, g.dr19, isJustAbove),
      check({ ...question, bound: 'advanced-drv' }, g.drv, isJustAbove),
      check({ ...question, bound: 'advanced-kov' }, g.kov, isJustAbove),
    ];
  });

const moments = (golden: Golden): Check[] => [
  ...golden.brMgfDelta.map((g) =>
    check(
      { entries: [ranged(g.epsilon, g.k)], query: atEpsilon(g.epsilonTotal), bound: 'br-mgf' },
      g.result,
      isJustAbove,
    ),
  ),
  ...golden.brMgfEpsilon.map((g) =>
    check({ entries: [ranged(g.epsilon, g.k)], query: atDelta(g.delta), bound: 'br-mgf' }, g.result, isJustAbove),
  ),
  ...golden.brMgfHeterogeneousEpsilon.map((g) =>
    check({ entries: grouped(g.groups, ranged), query: atDelta(g.delta), bound: 'br-mgf' }, g.result, isJustAbove),
  ),
];

/** Computes golden values again, and checks the arithmetic they rest on. */
export const runSelfTest = (golden: Golden): readonly CheckGroup[] => [
  checkElementary(),
  { id: 'dp-equal', name: 'optimal composition of equal mechanisms', rule: ENCLOSED, checks: equalDp(golden) },
  {
    id: 'dp-different',
    name: 'optimal composition of different mechanisms',
    rule: ENCLOSED,
    checks: differentDp(golden),
  },
  { id: 'br-nonadaptive', name: 'bounded range, fixed in advance', rule: ENCLOSED, checks: fixedRanged(golden) },
  { id: 'closed-forms', name: 'closed forms', rule: ABOVE, checks: closedForms(golden) },
  { id: 'moments', name: 'bounded range, moments', rule: ABOVE, checks: moments(golden) },
];
