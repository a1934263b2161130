import type { BoundExposition } from '../core/exposition.ts';

/** See `../br-rdp.ts`. */
export const brRdp: BoundExposition = {
  statement:
    'Moments of bounded-range mechanisms with the conversion that loses least; close to the adaptive optimum at the cost of a closed form.',
  formula: [
    'd(e) = inf over a > 0 of a^a / (1 + a)^(1 + a) exp(sum h_i(a) - a e)',
    'h_i(a) = sup over t in [0, e_i] of a (e_i - t) + ln(1 + p_t (exp(-a e_i) - 1)),  p_t = (exp(-t) - exp(-e_i)) / (1 - exp(-e_i))',
  ],
  departures: ['The printed Theorem 5 (br-mgf) lacks the factor a^a / (1 + a)^(1 + a), which is below 1.'],
  works: ['dong-durfee-rogers-2020', 'canonne-kamath-steinke-2020'],
  slack: 'one moment of the loss stands for its whole distribution',
  coverage: { types: ['bounded-range'], noninteractive: ['bounded-range'], adaptivity: 'any', conditions: [] },
};
