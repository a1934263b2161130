import * as z from 'zod/mini';
import { ONE, type Decimal, ZERO } from '../../numeric/decimal.ts';
import type { RunLaw, Selection } from '../../privacy/mechanism.ts';
import {
  GAMMA,
  GEOMETRIC_MEAN,
  MEAN_RUNS,
  NUMBER_OF_RUNS,
  RUN_RATE,
  SHAPE,
  TRIALS,
} from '../../privacy/mechanisms/parameters.ts';
import type { ExactValue } from '../core/exact-value.ts';
import { numberField, published } from '../core/fields.ts';
import { inOneForm, noNumber } from '../core/forms.ts';

const mean = z.optional(numberField(GEOMETRIC_MEAN));
const gamma = z.optional(numberField(GAMMA));

const BY_MEAN_OR_GAMMA = [{ needs: ['mean'] }, { needs: ['gamma'] }] as const;
const SHAPED = [{ needs: ['shape', 'mean'] }, { needs: ['shape', 'gamma'] }] as const;

const FORMS = { what: 'this law', conflict: 'conflicting-keys' } as const;

/** The laws of the number of runs, as documents name them. */
const law = z.discriminatedUnion('law', [
  z.strictObject({ law: z.literal('poisson'), mean: numberField(MEAN_RUNS) }),
  inOneForm(z.strictObject({ law: z.literal('geometric'), mean, gamma }), BY_MEAN_OR_GAMMA, {
    ...FORMS,
    description: 'P(k) = gamma (1 - gamma)^(k - 1) for k from 1; the mean is 1 / gamma.',
  }),
  inOneForm(z.strictObject({ law: z.literal('logarithmic'), mean, gamma }), BY_MEAN_OR_GAMMA, {
    ...FORMS,
    description: 'P(k) = (1 - gamma)^k / (k ln(1 / gamma)) for k from 1.',
  }),
  inOneForm(
    z.strictObject({
      law: z.literal('negative-binomial'),
      shape: z.optional(numberField(SHAPE)),
      mean,
      gamma,
    }),
    SHAPED,
    { ...FORMS, description: 'The truncated negative binomial law: shape 1 is geometric, shape 0 logarithmic.' },
  ),
  z.strictObject({ law: z.literal('binomial'), trials: numberField(TRIALS), rate: numberField(RUN_RATE) }),
  z.strictObject({ law: z.literal('fixed'), count: numberField(NUMBER_OF_RUNS) }),
]);

/** A validated law as it was written. */
export type WrittenLaw = z.infer<typeof law>;

/** The law that validated keys mean: geometric and logarithmic ones are negative binomial, of shape 1 and 0. */
export function runLawOf(written: WrittenLaw): RunLaw {
  const shaped = (shape: Decimal, keys: { mean?: Decimal | undefined; gamma?: Decimal | undefined }): RunLaw =>
    keys.mean === undefined
      ? { law: 'negative-binomial', shape, gamma: keys.gamma! }
      : { law: 'negative-binomial', shape, mean: keys.mean };
  switch (written.law) {
    case 'geometric':
      return shaped(ONE, written);
    case 'logarithmic':
      return shaped(ZERO, written);
    case 'negative-binomial':
      return shaped(written.shape!, written);
    case 'poisson':
    case 'binomial':
    case 'fixed':
      return written;
  }
}

/** How many runs a selection has. */
export const runs = z
  .pipe(noNumber('the law of runs'), law)
  .register(published, {
    description:
      'How many runs there are, drawn independently of the data. Only the best output is released, without the number of runs.',
  })
  // Every type refers to one definition of it.
  .register(z.globalRegistry, { id: 'runs' });

/** The law of runs in normal form. */
export const runsForm = ({ runs: own }: Selection): ExactValue => ({ ...own });

/** `a Poisson number of runs of mean 20`. */
export function runsText(own: RunLaw, number: (value: Decimal) => string): string {
  switch (own.law) {
    case 'poisson':
      return `a Poisson number of runs of mean ${number(own.mean)}`;
    case 'negative-binomial': {
      const name = own.shape.eq(1) ? 'geometric' : own.shape.isZero() ? 'logarithmic' : 'negative binomial';
      const shape = own.shape.eq(1) || own.shape.isZero() ? '' : ` of shape ${number(own.shape)}`;
      const size = 'mean' in own ? `mean ${number(own.mean)}` : `gamma ${number(own.gamma)}`;
      return `a ${name} number of runs${shape} with ${size}`;
    }
    case 'binomial':
      return `a binomial number of runs, each of ${number(own.trials)} with probability ${number(own.rate)}`;
    case 'fixed':
      return own.count.eq(1) ? '1 run' : `${number(own.count)} runs`;
  }
}
