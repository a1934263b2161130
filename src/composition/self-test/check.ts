/** One value that was checked. */
export interface Check {
  /** What was computed, in a few words. */
  readonly what: string;
  readonly expected: string;
  readonly got: string;
  readonly passed: boolean;
}

/** Values that are checked by one rule. */
export interface CheckGroup {
  readonly id: string;
  readonly name: string;
  /** What a value must satisfy to pass. */
  readonly rule: string;
  readonly checks: readonly Check[];
}
