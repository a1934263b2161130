/** A violation in words: where it is and what is wrong, and what would mend it. */
export interface ViolationText {
  readonly message: string;
  readonly remedy: string;
}
