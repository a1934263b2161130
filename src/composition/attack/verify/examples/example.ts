import type { VerifyQuestion } from '../question.ts';

/** A named question, and what it shows. */
export interface VerifyExample {
  readonly question: VerifyQuestion;
  /** A clause. */
  readonly shows: string;
}
