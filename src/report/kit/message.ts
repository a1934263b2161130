/** What is wrong, and how to mend it. */
export interface Message {
  /** A clause without a final stop. */
  readonly message: string;
  /** A sentence. */
  readonly hint: string;
}
