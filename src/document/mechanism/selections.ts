import * as z from 'zod/mini';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import {
  exponentialMechanismEpsilon,
  noisyMax,
  noisyMaxEpsilon,
  type UtilityChange,
} from '../../privacy/bounded-range.ts';
import type { BoundedRange } from '../../privacy/mechanism.ts';
import { MECHANISM_KINDS } from '../../privacy/mechanism.ts';
import * as parameters from '../../privacy/mechanisms/parameters.ts';
import { COEFFICIENT, UTILITY_RANGE, UTILITY_SCALE, UTILITY_SENSITIVITY } from '../../privacy/mechanisms/parameters.ts';
import { sparseVectorEpsilon } from '../../privacy/sparse-vector.ts';
import { readDecimal } from '../core/decimal-text.ts';
import { epsilon, issueOf, numberField } from '../core/fields.ts';
import { inOneForm, type Form } from '../core/forms.ts';
import { shorten } from '../core/quote.ts';
import { common, alias, required, writtenType } from './written-type.ts';

const utility = {
  range: z.optional(numberField(UTILITY_RANGE)),
  sensitivity: z.optional(numberField(UTILITY_SENSITIVITY)),
  monotonic: z.optional(z.boolean()),
};

/** The keys of a selection: its parameter, or what it is computed from. */
const selection = () => ({
  epsilon: z.optional(epsilon),
  coefficient: z.optional(numberField(COEFFICIENT)),
  scale: z.optional(numberField(UTILITY_SCALE)),
  ...utility,
});
type SelectionKeys = z.infer<z.ZodMiniObject<ReturnType<typeof selection>>>;

function changeOf({ range, sensitivity, monotonic = false }: SelectionKeys): UtilityChange | null {
  if (range !== undefined) return { range };
  return sensitivity === undefined ? null : { sensitivity, monotonic };
}

/** The parameter of a selection; null where its keys do not have one of their forms. */
function selectionEpsilon(keys: SelectionKeys): Decimal | null {
  if (keys.epsilon !== undefined) return keys.epsilon;
  const change = changeOf(keys);
  if (change === null) return null;
  if (keys.coefficient !== undefined) return exponentialMechanismEpsilon(keys.coefficient, change);
  return keys.scale === undefined ? null : noisyMaxEpsilon(keys.scale, change);
}

const NUMBERS = ['coefficient', 'scale', 'range', 'sensitivity'] as const satisfies (keyof SelectionKeys)[];

/** Refuses keys that give an epsilon which is not a number that could be written. */
const writable = <K extends { readonly epsilon?: Decimal | undefined }>(
  numbers: readonly (keyof K)[],
  epsilonOf: (keys: K) => Decimal | null,
) =>
  z.check<K>(({ value, issues }) => {
    if (value.epsilon !== undefined) return;
    if (numbers.some((key) => value[key] !== undefined && !Decimal.isDecimal(value[key]))) return;
    const computed = epsilonOf(value);
    if (computed === null) return;
    const decimal = readDecimal(computed.toString());
    if (Decimal.isDecimal(decimal)) return;
    const got = shorten(computed.toString());
    const message = `the epsilon of these keys must be ${decimal.allowed ?? 'a decimal'}, got ${got}`;
    issues.push(issueOf({ code: decimal.code, message, hint: 'Write epsilon in their place, rounded up.' }, value));
  });
const writableEpsilon = writable(NUMBERS, selectionEpsilon);

const formsWith = (key: 'coefficient' | 'scale'): Form[] => [
  { needs: [key, 'range'] },
  { needs: [key, 'sensitivity'], allows: ['monotonic'] },
];
const BY_COEFFICIENT: readonly Form[] = [{ needs: ['epsilon'] }, ...formsWith('coefficient')];
const BY_COEFFICIENT_OR_SCALE: readonly Form[] = [...BY_COEFFICIENT, ...formsWith('scale')];

/** The exponential mechanism, by its bounded-range parameter or by how it samples. */
export const boundedRange = writtenType({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal(['bounded-range', 'exponential']),
        epsilon: z.optional(epsilon),
        coefficient: z.optional(numberField(COEFFICIENT)),
        ...utility,
        ...common,
      })
      .check(writableEpsilon),
    BY_COEFFICIENT,
    {
      what: 'an exponential mechanism',
      choices: 'epsilon, or coefficient with range or sensitivity',
      conflict: 'conflicting-keys',
      description:
        'epsilon-bounded range: the exponential mechanism. With weight exp(coefficient u(x, y)), epsilon is coefficient times the range of u. The range is at most twice the sensitivity, and equal to it if u is monotonic.',
    },
  ),
  mechanismOf: (parsed) => ({ type: 'bounded-range', epsilon: required(selectionEpsilon(parsed)) }),
  words: ({ epsilon }: BoundedRange, { number }) => `${number(epsilon)}-bounded range`,
});

const NOISY = {
  choices: 'epsilon, or coefficient or scale with range or sensitivity',
  conflict: 'conflicting-keys',
} as const;

/** Report noisy max, by its epsilon or by its noise. */
export const reportNoisyMax = alias({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('report-noisy-max'),
        noise: z.enum(['gumbel', 'laplace', 'exponential']),
        ...selection(),
        ...common,
      })
      .check(writableEpsilon),
    BY_COEFFICIENT_OR_SCALE,
    {
      ...NOISY,
      what: 'a report-noisy-max mechanism',
      description:
        'The outcome whose utility is largest after noise is added to each; coefficient is 1 / scale. With Gumbel noise it is the exponential mechanism; with Laplace or exponential noise it is taken as (epsilon, 0)-DP.',
    },
  ),
  mechanismOf: (parsed) => noisyMax(parsed.noise, required(selectionEpsilon(parsed))),
});

/** Permute and flip, by its epsilon or by its coins. */
export const permuteAndFlip = alias({
  schema: inOneForm(
    z.strictObject({ type: z.literal('permute-and-flip'), ...selection(), ...common }).check(writableEpsilon),
    BY_COEFFICIENT_OR_SCALE,
    {
      ...NOISY,
      what: 'a permute-and-flip mechanism',
      description:
        'Outcomes in random order, each taken with probability exp(coefficient (u(x, y) - the largest u)) until one is: report-noisy-max with exponential noise of scale 1 / coefficient, taken as (epsilon, 0)-DP.',
    },
  ),
  mechanismOf: (parsed) => noisyMax('exponential', required(selectionEpsilon(parsed))),
});

const sparse = {
  epsilon: z.optional(epsilon),
  'threshold-epsilon': z.optional(numberField(parameters.THRESHOLD_EPSILON)),
  'query-epsilon': z.optional(numberField(parameters.QUERY_EPSILON)),
  'threshold-scale': z.optional(numberField(parameters.THRESHOLD_SCALE)),
  'query-scale': z.optional(numberField(parameters.QUERY_SCALE)),
  positives: z.optional(numberField(parameters.POSITIVES)),
  sensitivity: z.optional(numberField(parameters.QUERY_SENSITIVITY)),
  monotonic: z.optional(z.boolean()),
};
type SparseKeys = z.infer<z.ZodMiniObject<typeof sparse>>;

/** The epsilon of a sparse vector mechanism; null where its keys do not have one of their forms. */
function sparseEpsilon(keys: SparseKeys): Decimal | null {
  const { epsilon, positives, sensitivity, monotonic = false } = keys;
  const [first, second] = [keys['threshold-epsilon'], keys['query-epsilon']];
  if (epsilon !== undefined) return epsilon;
  if (first !== undefined && second !== undefined) return first.plus(second);
  const [thresholdScale, queryScale] = [keys['threshold-scale'], keys['query-scale']];
  if (!thresholdScale || !queryScale || !positives || !sensitivity) return null;
  return sparseVectorEpsilon({ thresholdScale, queryScale, positives, sensitivity, monotonic });
}

const SPARSE_SCALES = ['threshold-scale', 'query-scale', 'positives', 'sensitivity'] as const;
const SPARSE_EPSILONS = ['threshold-epsilon', 'query-epsilon'] as const;

/** The sparse vector technique, interactive where nothing else is said. */
export const sparseVector = alias({
  schema: inOneForm(
    z
      .strictObject({
        type: z.literal('sparse-vector'),
        ...sparse,
        ...common,
        kind: z._default(z.enum(MECHANISM_KINDS), 'interactive'),
      })
      .check(writable([...SPARSE_EPSILONS, ...SPARSE_SCALES], sparseEpsilon)),
    [{ needs: ['epsilon'] }, { needs: SPARSE_EPSILONS }, { needs: SPARSE_SCALES, allows: ['monotonic'] }],
    {
      what: 'a sparse vector mechanism',
      choices:
        'epsilon, threshold-epsilon with query-epsilon, or threshold-scale with query-scale, positives and sensitivity',
      conflict: 'conflicting-keys',
      description:
        'Sparse vector technique (Lyu, Su, Li 2017, Algorithm 1): the threshold gets noise once, each query gets fresh noise, and the answer is only whether the query is above; it stops after so many positives. Laplace, exponential or Gumbel noise. It is (epsilon, 0)-DP with epsilon = sensitivity / threshold-scale + 2 positives sensitivity / query-scale, without the 2 for monotonic queries (between neighbors none rises while another falls). Not covered: Gaussian noise, numeric answers. The default kind is interactive.',
    },
  ),
  mechanismOf: (parsed) => ({ type: 'dp', epsilon: required(sparseEpsilon(parsed)), delta: ZERO }),
});
