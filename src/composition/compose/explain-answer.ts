/** A claim; `exact`: the decimal that it was rounded from, if it is known. */
export interface Claimed {
  readonly upper: number;
  readonly exact?: string | undefined;
}

/** One line of an answer that is to be explained. */
export type GivenRow =
  | ({ readonly id: string; readonly name: string; readonly applies: true } & Claimed)
  | {
      readonly id: string;
      readonly name: string;
      readonly applies: false;
      readonly code: string;
      readonly reason: string;
    };

/** An answer that was printed. */
export interface GivenAnswer extends Claimed {
  readonly solveFor: 'epsilon' | 'delta';
  /** The delta or the epsilon at which it was asked. */
  readonly given: number;
  /** The impossibility lower bound; null where nothing is known. */
  readonly lower: number | null;
  readonly tight: boolean;
  readonly bound: string;
  readonly rows: readonly GivenRow[];
}

/** How a bound fared that did not give the answer. */
export type Fate =
  /** The same number: ties go to the one that is listed first. */
  | ({ readonly kind: 'ties' } & Claimed)
  /** `excess`: how much larger, relatively; Infinity where the answer is 0. */
  | ({ readonly kind: 'larger'; readonly excess: number } & Claimed)
  /** It claims nothing finite. */
  | { readonly kind: 'claims-nothing' }
  | { readonly kind: 'does-not-apply'; readonly code: string; readonly reason: string };

/** Why an answer is what it is. */
export interface AnswerExplanation extends GivenAnswer {
  readonly others: readonly { readonly id: string; readonly name: string; readonly fate: Fate }[];
  /** How far the claim may be above the smallest possible one, relatively; null where nothing is known. */
  readonly room: number | null;
}

const excess = (value: number, claim: number): number => (claim === 0 ? Infinity : (value - claim) / claim);

function fateOf(row: GivenRow, { upper }: GivenAnswer): Fate {
  if (!row.applies) return { kind: 'does-not-apply', code: row.code, reason: row.reason };
  if (row.upper === Infinity && upper < Infinity) return { kind: 'claims-nothing' };
  const claimed = { upper: row.upper, exact: row.exact };
  if (row.upper <= upper) return { kind: 'ties', ...claimed };
  return { kind: 'larger', ...claimed, excess: excess(row.upper, upper) };
}

/** How every bound of an answer fared beside the one that gives it. */
export function explainAnswer(answer: GivenAnswer): AnswerExplanation {
  const { bound, lower, rows, upper } = answer;
  const others = rows
    .filter(({ id }) => id !== bound)
    .map((row) => ({ id: row.id, name: row.name, fate: fateOf(row, answer) }));
  return { ...answer, others, room: lower === null || lower <= 0 ? null : excess(upper, lower) };
}
