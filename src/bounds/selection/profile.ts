import { encloseDecimal, toLower } from '../../numeric/decimal.ts';
import { asUpper, exactly, type Bracket, type UpperBound } from '../../numeric/enclosure.ts';
import { add, exponential, expm1, multiply, negate } from '../../numeric/enclosure-arithmetic.ts';
import type { PrivacyCurve } from '../../privacy/curve.ts';
import type { Selection } from '../../privacy/mechanism.ts';
import { isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { runCount } from '../../privacy/selection/run-law.ts';
import type { Bound, Composition, Effort, Inapplicability } from '../core/bound.ts';
import { largerCurve } from '../core/curve-maximum.ts';
import { deltaOfSelection, orderCells, shiftedParts } from './order-cells.ts';
import { oneRun } from './run-profile.ts';

/** The condition in words. */
const ALONE = 'one mechanism alone';

type Only = { readonly selection: Selection } | { readonly reason: Inapplicability };

/** The one selection of a list of which all else is lossless; else why there is none. */
function onlySelection({ entries }: Composition): Only {
  const losing = entries.filter(({ mechanism }) => !isZeroLoss(mechanism));
  const [only, ...more] = losing;
  if (only?.mechanism.type !== 'selection' || only.count > 1 || more.length > 0) {
    const found = [...new Set(losing.map(({ mechanism }) => mechanism.type))];
    const isBesides = found.includes('selection');
    return { reason: isBesides ? { code: 'needs-alone' } : { code: 'needs-types', needs: ['selection'], found } };
  }
  return { selection: only.mechanism };
}

const MOST_EPSILON = 1000;
const HALVINGS = 44;

type DeltaAt = (epsilon: number) => UpperBound;

/** The curve of deltas from above at epsilons of at least 0, where they fall, and of those of the exchanged neighbors. */
function curveFromAbove(own: DeltaAt, exchanged: DeltaAt): PrivacyCurve {
  const upper = (value: number): Bracket => ({ lower: null, upper: asUpper(value <= 1 ? value : 1) });
  return {
    delta(epsilon) {
      if (!epsilon.isNegative()) return upper(own(toLower(epsilon)));
      const exponent = encloseDecimal(epsilon);
      const other = multiply(exponential(exponent), exactly(exchanged(toLower(epsilon.negated()))));
      return upper(add(negate(expm1(exponent)), other).upper);
    },
    epsilon(delta) {
      const target = toLower(delta);
      if (own(0) <= target) return { lower: null, upper: asUpper(0) };
      let [low, high] = [0, 1];
      while (high < MOST_EPSILON && !(own(high) <= target)) [low, high] = [high, 2 * high];
      if (!(own(high) <= target)) return { lower: null, upper: asUpper(Infinity) };
      for (let i = 0; i < HALVINGS; i++) {
        const middle = (low + high) / 2;
        if (own(middle) <= target) high = middle;
        else low = middle;
      }
      return { lower: null, upper: asUpper(high) };
    },
  };
}

function selectionCurve(selection: Selection, composition: Composition, effort: Effort): PrivacyCurve | null {
  const run = oneRun(selection, composition, effort);
  if (run === null) return null;
  const { profiles } = run;
  const count = runCount(selection.runs);
  const deltaIn = (direction: 'remove' | 'add', exchanged: 'remove' | 'add'): DeltaAt => {
    let known: ReturnType<typeof shiftedParts> | null = null;
    return (epsilon) => {
      known ??= shiftedParts(orderCells(count, profiles[exchanged]));
      return deltaOfSelection(epsilon, known, count, profiles[direction]);
    };
  };
  const [remove, addition] = [deltaIn('remove', 'add'), deltaIn('add', 'remove')];
  if (!run.isDirected && run.isOwnExchange) return curveFromAbove(remove, remove);
  const directions = { remove: curveFromAbove(remove, addition), add: curveFromAbove(addition, remove) };
  return { ...largerCurve(directions.remove, directions.add), ...(run.isDirected && { directions }) };
}

/**
 * The profile of a selection alone, by those of one run. Let F be the probability that a run is at most as good as an output, and f
 * the generating function of the number of runs. The best output is y with probability f(F(y)) - f(F(y) - Q(y)), which is Q(y) times a
 * mean of f'(a) over masses a of tests that are the same for both neighbors. So it is at most e^epsilon times that of the neighbor, but for
 *
 * E over Q of max(0, sup over a of f'(a) - e^epsilon f'(tau(a)) Q'(y) / Q(y)),
 *
 * tau(a) being the least probability that a test of probability a has under Q'. The supremum is convex in Q / Q' and piecewise linear
 * where a is taken cell by cell, from above: with the slopes e^-s_k of the lower convex hull of the points (f'(a), f'(tau(a))), and w_k
 * what f'(a) gains along them, it is sum of w_k delta(epsilon - s_k), delta the profile of one run. A run without output, and the
 * fixed symbol that is then released, adds nothing for epsilon >= 0.
 *
 * Source: derived; the form m delta(epsilon - max s_k), which is never less, is that of Koskela, Redberg, Wang (2024).
 */
export const selectionProfile: Bound = {
  id: 'selection-profile',
  name: 'private selection by the profile of one run',
  reference: 'derived; a weaker form: Koskela, Redberg, Wang 2024',
  exposition: {
    statement:
      'The best of a random number of runs: its privacy profile is a sum of shifted profiles of one run. No run but the best may be released.',
    formula: [
      'd(e) <= sum of w_k d_1(e - s_k), d_1 the profile of one run, sum of w_k = E[K]',
      "exp(-s_k): slopes of the lower convex hull of the points (f'(a), f'(tau(a))), f(x) = E[x^K]",
      'tau(a): the least probability that a test of probability a has under the neighbor',
    ],
    departures: [
      'Printed is d(e) <= E[K] d_1(e - max s_k); weighing each slope by itself is derived, and never more.',
      "The program bounds tau by lines, f' by cells, and d_1 by chords, all from above.",
      'The direction in which a record is removed, and that in which one is added, are bounded apart.',
    ],
    works: ['papernot-steinke-2022', 'koskela-redberg-wang-2024', 'liu-talwar-2019'],
    slack: 'each output has the order among all that is worst for it, and no order is worst for all at once',
    coverage: { types: ['selection'], noninteractive: ['selection'], adaptivity: 'any', conditions: [ALONE] },
  },
  isSlow: ({ entries }) => entries.some(({ mechanism }) => mechanism.type === 'selection'),
  apply(composition, effort) {
    const only = onlySelection(composition);
    if ('reason' in only) return only;
    const curve = selectionCurve(only.selection, composition, effort);
    return curve === null ? { reason: { code: 'no-sampling-theorem' } } : { curve };
  },
};
