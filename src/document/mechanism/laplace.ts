import * as z from 'zod/mini';
import { Decimal } from '../../numeric/decimal.ts';
import type { DiscreteLaplace, Laplace } from '../../privacy/mechanism.ts';
import { epsilon, published, scale, sensitivity, wholeSensitivity } from '../core/fields.ts';
import { inOneForm } from '../core/forms.ts';
import { common, ofSensitivity, required, writtenType } from './written-type.ts';

const ONE = new Decimal(1);

export const laplace = writtenType({
  schema: inOneForm(
    z.strictObject({
      type: z.literal('laplace'),
      scale: z.optional(scale),
      sensitivity: z.optional(sensitivity),
      epsilon: z.optional(epsilon),
      ...common,
    }),
    [{ needs: ['scale'], allows: ['sensitivity'] }, { needs: ['epsilon'] }],
    {
      what: 'a laplace mechanism',
      conflict: 'conflicting-keys',
      description: 'Laplace noise, by its scale and sensitivity (default 1) or by epsilon = sensitivity / scale.',
    },
  ),
  mechanismOf: ({ scale, sensitivity, epsilon }) =>
    scale === undefined
      ? { type: 'laplace', scale: ONE, sensitivity: required(epsilon), byEpsilon: true }
      : { type: 'laplace', scale, sensitivity: sensitivity ?? ONE },
  words: (mechanism: Laplace, figures) =>
    mechanism.byEpsilon === true
      ? `Laplace noise of epsilon ${figures.number(mechanism.sensitivity)}`
      : `Laplace noise of scale ${figures.number(mechanism.scale)}${ofSensitivity(mechanism, figures)}`,
  normal: ({ byEpsilon, sensitivity }: Laplace) => (byEpsilon === true ? { epsilon: sensitivity } : null),
});

export const discreteLaplace = writtenType({
  schema: z
    .strictObject({
      type: z.literal('discrete-laplace'),
      scale,
      sensitivity: z._default(wholeSensitivity, ONE),
      ...common,
    })
    .register(published, { description: 'Discrete Laplace (geometric) noise on a whole-numbered statistic.' }),
  mechanismOf: ({ scale, sensitivity }) => ({ type: 'discrete-laplace', scale, sensitivity }),
  words: (mechanism: DiscreteLaplace, figures) =>
    `discrete Laplace noise of scale ${figures.number(mechanism.scale)}${ofSensitivity(mechanism, figures)}`,
});
