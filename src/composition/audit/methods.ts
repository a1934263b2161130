/** How an audit concludes; to be named before its result is seen. */
export const AUDIT_METHODS = ['thresholds', 'one-run', 'one-run-f-dp'] as const;

export type AuditMethod = (typeof AUDIT_METHODS)[number];
