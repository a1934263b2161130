/** Why a ledger takes no further launches. */
export type HaltReason = 'insufficient-budget' | 'count-limit';
