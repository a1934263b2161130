import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import {
  exponentialMechanismEpsilon,
  noisyMax,
  noisyMaxEpsilon,
  type UtilityChange,
} from '../../privacy/bounded-range.ts';
import type { BoundedRange } from '../../privacy/mechanism.ts';
import { COEFFICIENT, UTILITY_RANGE, UTILITY_SCALE, UTILITY_SENSITIVITY } from '../../privacy/mechanisms/parameters.ts';
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

const NUMBERS = ['coefficient', 'scale', 'range', 'sensitivity'] as const;

/** Refuses keys that give an epsilon which is not a number that could be written. */
const writableEpsilon = z.check<SelectionKeys>(({ value, issues }) => {
  if (value.epsilon !== undefined || NUMBERS.some((key) => value[key] !== undefined && !Decimal.isDecimal(value[key])))
    return;
  const computed = selectionEpsilon(value);
  if (computed === null) return;
  const decimal = readDecimal(computed.toString());
  if (Decimal.isDecimal(decimal)) return;
  const got = shorten(computed.toString());
  const message = `the epsilon of these keys must be ${decimal.allowed ?? 'a decimal'}, got ${got}`;
  issues.push(issueOf({ code: decimal.code, message, hint: 'Write epsilon in their place, rounded up.' }, value));
});

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
