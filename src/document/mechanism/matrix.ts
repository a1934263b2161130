import * as z from 'zod/mini';
import { Decimal, ONE, quotientUp } from '../../numeric/decimal.ts';
import { Rational } from '../../numeric/rational.ts';
import {
  bandedSquaredSensitivity,
  largestSquaredColumnNorm,
  MOST_STEPS,
  mostParticipations,
  type Participation,
  MOST_PARTICIPATIONS,
  treeSquaredSensitivity,
} from '../../privacy/tree-and-band-sensitivity.ts';
import type { Mechanism } from '../../privacy/mechanism.ts';
import { ABOVE_ZERO, ANY_NUMBER, numberOf, VARIANCE, wholeNumbers } from '../../privacy/mechanisms/parameters.ts';
import { MAX_DIGITS } from '../core/decimal-text.ts';
import { issueOf, noiseMultiplier as multiplierField, numberField, published } from '../core/fields.ts';
import { atMost, inOneForm } from '../core/forms.ts';
import type { Problem } from '../core/input-error.ts';
import { noiseOfVariance } from './sigma-forms.ts';
import { alias, common } from './written-type.ts';

/** A whole number from 1 to 1e15. */
const wholeField = (name: string, about: string, example: string) =>
  numberField({ ...wholeNumbers(1, MOST_STEPS), allowed: 'a whole number from 1 to 1e15', name, about, example });

const steps = wholeField('steps', 'Steps of the run', '1000');
const participations = wholeField('participations', 'The most steps in which the data of one person are used', '10');
const separation = wholeField('separation', 'How many steps later at the earliest a person takes part again', '100');
const restartEvery = wholeField('restart-every', 'After how many steps a new tree begins', '100');
const bands = wholeField('bands', 'Nonzero diagonals of the matrix, the main one among them', '16');

const columnNorm = numberField(
  numberOf(ABOVE_ZERO, 'column-norm', 'The largest Euclidean norm of a column of the matrix', '1'),
);
const coefficient = numberField(
  numberOf(ANY_NUMBER, 'each coefficient', 'A number on a diagonal of the matrix', '0.5'),
);

/** Longer lists are not looked into. */
const MOST_COEFFICIENTS = 1000;

const coefficients = z
  .pipe(
    atMost(MOST_COEFFICIENTS, 'coefficients', 'numbers', 'Write bands and column-norm in their place.'),
    z.array(coefficient).check(z.minLength(1)),
  )
  .register(published, {
    description: 'The first column of a Toeplitz matrix, from the main diagonal down, as far as it is not 0.',
    maxItems: MOST_COEFFICIENTS,
  });

const treeKeys = z.strictObject({
  type: z.literal('tree-aggregation'),
  'noise-multiplier': multiplierField,
  steps,
  participations,
  separation: z._default(separation, ONE),
  nodes: z._default(z.enum(['all', 'completed']), 'all'),
  'restart-every': z.optional(restartEvery),
  ...common,
});
type TreeKeys = z.output<typeof treeKeys>;

const bandedKeys = z.strictObject({
  type: z.literal('banded-matrix'),
  'noise-multiplier': multiplierField,
  steps,
  coefficients: z.optional(coefficients),
  bands: z.optional(bands),
  'column-norm': z.optional(columnNorm),
  participations: z.optional(participations),
  separation: z.optional(separation),
  ...common,
});
type BandedKeys = z.output<typeof bandedKeys>;

type PatternKeys = Pick<BandedKeys, 'steps' | 'participations' | 'separation'>;

interface Trouble {
  readonly problem: Problem;
  readonly key: string;
}

const out = (key: string, message: string, hint: string): Trouble => ({
  key,
  problem: { code: 'out-of-range', message, hint },
});

/** The variance of noise of a multiple of one contribution in units of the sensitivity; what is wrong where it could not be written. */
function varianceOf(multiplier: Decimal, square: Rational): Rational | Trouble {
  const variance = Rational.ofDecimal(multiplier.times(multiplier)).over(square);
  const digits = Math.max(String(variance.numerator).length, String(variance.denominator).length);
  if (digits <= MAX_DIGITS && VARIANCE.contains(variance)) return variance;
  const message = `noise-multiplier^2 over the squared sensitivity must be ${VARIANCE.allowed}, of at most ${MAX_DIGITS} digits`;
  return out('noise-multiplier', message, 'Write fewer digits: noise-multiplier rounded down, all else rounded up.');
}

const gaussianOf = (variance: Rational): Mechanism => ({ type: 'gaussian', ...noiseOfVariance(variance, ONE) });

const mechanismOfVariance = (variance: Rational | Trouble): Mechanism | Trouble =>
  variance instanceof Rational ? gaussianOf(variance) : variance;

const Up = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_UP });
const rootUp = (square: number): Decimal => new Decimal(new Up(square).sqrt());

const patternOf = ({ steps, participations = ONE, separation = ONE }: PatternKeys): Participation => ({
  steps: steps.toNumber(),
  participations: participations.toNumber(),
  separation: separation.toNumber(),
});

const areNumbers = (...values: unknown[]): boolean =>
  values.every((value) => value === undefined || Decimal.isDecimal(value));

const treesFound = new WeakMap<TreeKeys, Mechanism | Trouble>();

/** The Gaussian mechanism that a tree is, found once for the same keys. */
function treeMechanism(keys: TreeKeys): Mechanism | Trouble {
  const mechanism = treesFound.get(keys) ?? mechanismOfTree(keys);
  treesFound.set(keys, mechanism);
  return mechanism;
}

/** The Gaussian mechanism that a tree is; by the mu that it has at most where the sensitivity is known from above only. */
function mechanismOfTree(keys: TreeKeys): Mechanism | Trouble {
  const pattern = patternOf(keys);
  const every = Math.min(pattern.steps, keys['restart-every']?.toNumber() ?? pattern.steps);
  const sensitivity = treeSquaredSensitivity(pattern, keys.nodes, every);
  if (sensitivity === null) {
    const times = mostParticipations(pattern);
    const message = `participations must be at most ${MOST_PARTICIPATIONS}, got ${times} that fit in`;
    return out('participations', message, 'Write fewer, or a larger separation, if that is so.');
  }
  const variance = varianceOf(keys['noise-multiplier'], Rational.of(sensitivity.square));
  if (!(variance instanceof Rational) || sensitivity.isExact) return mechanismOfVariance(variance);
  return { type: 'gdp', mu: quotientUp(rootUp(sensitivity.square), keys['noise-multiplier']) };
}

const bandsOf = ({ coefficients, bands }: BandedKeys): number => coefficients?.length ?? bands?.toNumber() ?? 1;

/** The squared norm of the largest column. */
function squaredColumn({ coefficients, 'column-norm': norm = ONE, steps }: BandedKeys): Rational {
  if (coefficients !== undefined) return largestSquaredColumnNorm(coefficients, steps.toNumber());
  return Rational.ofDecimal(norm.times(norm));
}

function bandedSquare(keys: BandedKeys): Rational | Trouble {
  if (keys.sampling !== undefined) return squaredColumn(keys);
  const [pattern, width] = [patternOf(keys), bandsOf(keys)];
  const times = mostParticipations(pattern);
  if (keys.coefficients !== undefined) {
    const square = bandedSquaredSensitivity(keys.coefficients, pattern);
    if (square !== null) return square;
  } else if (times === 1 || pattern.separation >= width) {
    return squaredColumn(keys).times(Rational.of(times));
  }
  const message = `separation must be at least the number of bands, ${width}${keys.coefficients === undefined ? '' : ', or coefficients at least 0 and none larger than the one before'}, got ${pattern.separation}`;
  const hint =
    keys.coefficients === undefined
      ? 'Write how far apart participations are; where they come nearer, write the coefficients of a Toeplitz matrix.'
      : 'Write how far apart participations are; for nearer ones no exact sensitivity is known here.';
  return out('separation', message, hint);
}

const bandedVariance = (keys: BandedKeys): Rational | Trouble => {
  const square = bandedSquare(keys);
  return square instanceof Rational ? varianceOf(keys['noise-multiplier'], square) : square;
};

/** Rounds of samples from the same part of the data: every so many steps as there are bands. */
const roundsOf = (keys: BandedKeys): number =>
  keys.sampling === undefined ? 1 : Math.ceil(keys.steps.toNumber() / bandsOf(keys));

/** Whether the keys of a pattern are numbers, so that it may be looked at. */
const isRead = (keys: PatternKeys & { readonly 'noise-multiplier': unknown }, ...others: unknown[]): boolean =>
  Decimal.isDecimal(keys.steps) &&
  Decimal.isDecimal(keys['noise-multiplier']) &&
  areNumbers(keys.participations, keys.separation, ...others);

const treeIsFound = z.check<TreeKeys>(({ value, issues }) => {
  if (!isRead(value, value['restart-every'])) return;
  const mechanism = treeMechanism(value);
  if ('problem' in mechanism) issues.push(issueOf(mechanism.problem, value, [mechanism.key]));
});

/** What is wrong with the keys of a banded matrix beside each other; null where nothing is. */
function bandedTrouble(value: BandedKeys): Trouble | null {
  const { coefficients, sampling, participations, separation } = value;
  if (coefficients?.[0]?.isZero() === true) {
    return out('coefficients', 'the first of coefficients must not be 0', 'Write the main diagonal first.');
  }
  const conflict = (key: string): Trouble => ({
    key,
    problem: {
      code: 'conflicting-keys',
      message: `a banded-matrix mechanism with sampling has no ${key}`,
      hint: `Remove ${key}: the sample decides who takes part, every so many steps as there are bands.`,
    },
  });
  if (sampling !== undefined && participations !== undefined) return conflict('participations');
  if (sampling !== undefined && separation !== undefined) return conflict('separation');
  if (sampling === undefined && participations === undefined) {
    const message = 'participations is missing; only with a sampling there is none';
    const hint = 'Add participations, such as 10: the most steps in which the data of one person are used.';
    return { key: 'participations', problem: { code: 'missing-key', message, hint } };
  }
  const rounds = roundsOf(value);
  if (value.count.times(rounds).gt(Number.MAX_SAFE_INTEGER)) {
    return out('count', `count times ${rounds} rounds must be at most 2^53 - 1`, 'Write fewer.');
  }
  const variance = bandedVariance(value);
  return variance instanceof Rational ? null : variance;
}

const bandedIsFound = z.check<BandedKeys>(({ value, issues }) => {
  const { coefficients, bands } = value;
  if (!isRead(value, bands, value['column-norm'], value.count, ...(coefficients ?? []))) return;
  if ((coefficients === undefined) === (bands === undefined)) return;
  const trouble = bandedTrouble(value);
  if (trouble !== null) issues.push(issueOf(trouble.problem, value, [trouble.key]));
});

/** What validated keys mean. */
function validated(mechanism: Mechanism | Trouble): Mechanism {
  if ('problem' in mechanism) throw new Error('A validated entry has a mistake.');
  return mechanism;
}

/** Tree aggregation, by what one contribution moves a node, and how often a person contributes. */
export const treeAggregation = alias({
  schema: treeKeys.check(treeIsFound).register(published, {
    description:
      'Tree aggregation (DP-FTRL): Gaussian noise on every node of a binary tree over the steps, noise-multiplier its sigma in units of one contribution. Composed as one Gaussian mechanism by the exact sensitivity of the declared participations.',
  }),
  mechanismOf: (parsed) => validated(treeMechanism(parsed)),
});

/** A banded matrix mechanism, by its coefficients or by the norm of its columns, on all data or on cyclic Poisson samples. */
export const bandedMatrix = alias({
  schema: inOneForm(
    bandedKeys.check(bandedIsFound),
    [{ needs: ['coefficients'] }, { needs: ['bands'], allows: ['column-norm'] }],
    {
      what: 'a banded-matrix mechanism',
      conflict: 'conflicting-keys',
      description:
        'A banded matrix mechanism (BandMF): C x + z with a lower triangular C of so many bands, noise-multiplier the sigma of z in units of one contribution; C by the coefficients of a Toeplitz matrix, or by its bands and its largest column-norm (default 1). Under Poisson subsampling, each record belongs to one part; there are as many parts as bands. The rate is that within its part, which is sampled once every cycle of bands.',
    },
  ),
  mechanismOf: (parsed) => validated(mechanismOfVariance(bandedVariance(parsed))),
  rounds: roundsOf,
});
