import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-mgf.ts`. */
export const brMgf: BoundExposition = {
  statement: 'The moment generating function of bounded-range mechanisms, as printed.',
  formula: [
    'd(e) = inf over a > 0 of exp(sum h_i(a) - a e)',
    'h_i(a) = sup over t in [0, e_i] of a (e_i - t) + ln(1 + p_t (exp(-a e_i) - 1)),  p_t = (exp(-t) - exp(-e_i)) / (1 - exp(-e_i))',
  ],
  departures: ['The supremum over t is taken in closed form, which is derived.'],
  works: ['dong-durfee-rogers-2020'],
  slack: 'a Chernoff bound counts a loss above epsilon as if all of it were failure',
  coverage: { types: ['bounded-range'], noninteractive: ['bounded-range'], adaptivity: 'any', conditions: [] },
};
