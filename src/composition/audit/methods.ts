import { numbersFrom } from '../../privacy/mechanisms/parameters.ts';

/** How an audit concludes; to be named before its result is seen. */
export const AUDIT_METHODS = ['thresholds', 'one-run', 'one-run-f-dp'] as const;

export type AuditMethod = (typeof AUDIT_METHODS)[number];

/** The confidences that an audit may have. */
export const CONFIDENCES = numbersFrom('0.5', '0.999999999');
/** The most canaries and guesses of one run. */
export const [MOST_CANARIES, MOST_GUESSES] = [2 ** 40, 1_000_000];
