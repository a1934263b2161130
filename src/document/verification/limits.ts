/** Longer lists in a document of `attack verify` are not looked into: what they describe is too much to verify. */
export const MOST_ROWS = 1000;

/** More copies or rounds than this are too many for exact arithmetic. */
export const MOST_COPIES = 100;
export const MOST_ROUNDS = 1000;

/** Values of e^epsilon in one question. */
export const MOST_FACTORS = 100;
