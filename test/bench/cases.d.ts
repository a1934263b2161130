/** What is measured: a ledger or a line about lazy learners has fields of its own, all others are compositions. */
export interface Question {
  readonly ledger?: { readonly entries: number; readonly copies?: number };
  readonly lazy?: object;
}

export const CASES: readonly { readonly name: string; readonly question: Question }[];
