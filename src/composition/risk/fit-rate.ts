/** The usual smallest error rate from which on a Gaussian is to fit, and those between which it may be. */
export const FIT_RATE = { usual: 1e-6, least: 1e-12, most: 0.01 };
