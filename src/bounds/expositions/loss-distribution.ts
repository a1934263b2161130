import type { BoundExposition } from '../core/exposition.ts';

/** See `../loss-distribution.ts`. */
export const lossDistribution: BoundExposition = {
  statement:
    'Each mechanism is replaced by its dominating pair of distributions; the losses of dominating pairs add up, adaptively too. Exact for noise of a known distribution.',
  formula: [
    'd(e) = E[max(0, 1 - exp(e - L))] + P(L = infinity)',
    'L = sum of the independent losses ln(P_i / Q_i) of the dominating pairs, under P_i',
  ],
  departures: [
    'The curve is a contour integral of the product of the moments E[exp(z L_i)], enclosed from both sides: what the nodes, their end and rounding leave is part of the enclosure. Losses of very many values are added on a lattice instead, twice, from above and from below. The methods in print round one way, or to the nearest.',
    'A finite pair that is not its own swap is taken both ways, mechanism by mechanism, unless its direction is fixed: neither direction alone is sound, nor the larger of the two curves.',
  ],
  works: ['zhu-dong-wang-2022', 'doroshenko-2022', 'sommer-meiser-mohammadi-2019', 'koskela-jalko-honkela-2020'],
  slack: 'the width of its enclosure, and of bounded-range mechanisms all but their (e, 0)-DP guarantee',
  coverage: {
    types: ['laplace', 'gaussian', 'discrete-laplace', 'discrete-gaussian', 'finite-pair', 'gdp'],
    beside: ['dp', 'bounded-range'],
    noninteractive: ['laplace', 'gaussian', 'discrete-laplace', 'discrete-gaussian', 'finite-pair', 'gdp'],
    adaptivity: 'any',
    conditions: ['at most 10^8 mechanisms whose noise is neither below 1/500 of the sensitivity nor far above it'],
  },
};
