/** The hash of what a guarantee was verified by: of a proof, a report, or the code that was reviewed. */
export const EVIDENCE = /^sha256:[0-9a-f]{64}$/;
