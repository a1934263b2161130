import type { InputError } from '../document/core/specification.ts';
import type { Fix } from '../output/kit/page.ts';

// What the page and its worker say to each other: all of it is text, so that the page computes nothing.

/** Values by their names, as they are typed. */
export type Cells = Readonly<Record<string, string>>;

/** A document that is a list of mechanisms: each with its type and keys, lists written as in flags. */
export interface Rows {
  /** The target, how the mechanisms are composed, and their name. */
  readonly settings: Cells;
  readonly mechanisms: readonly Cells[];
}

/** What is asked. */
export type Question =
  | { readonly kind: 'rows'; readonly rows: Rows }
  | { readonly kind: 'text'; readonly text: string }
  /** A document, once a fix of its refusal is made. */
  | { readonly kind: 'fix'; readonly text: string; readonly fix: Fix }
  | { readonly kind: 'training'; readonly cells: Cells }
  /** Whether the arithmetic of this browser is what every certificate takes it to be. */
  | { readonly kind: 'self-test' };

/** A question, and how it is shown. */
export interface Request {
  readonly question: Question;
  /** Whether there is little room for charts. */
  readonly isNarrow: boolean;
}

/** The result in a few words. */
export interface Headline {
  readonly solveFor: 'epsilon' | 'delta';
  /** Ten digits, rounded up; that of the lower bound, rounded down; null: none is known. */
  readonly upper: string;
  readonly lower: string | null;
  /** `delta 1e-6`. */
  readonly given: string;
  /** The bound that gives it. */
  readonly bound: string;
}

/** What can be copied of a question, by what it is. */
export type Copies = Readonly<Partial<Record<'command' | 'JSON' | 'CI step', string>>>;

/** A part of an answer; Markdown is that of the program. */
export type Part =
  /** The document that is asked about; null: it is not a list of mechanisms. */
  | { readonly part: 'document'; readonly text: string; readonly rows: Rows | null }
  | { readonly part: 'mistakes'; readonly mistakes: readonly InputError[]; readonly more: number }
  | {
      readonly part: 'refusal';
      readonly message: string;
      readonly fixes: readonly Fix[];
      readonly reference: string | null;
    }
  | {
      readonly part: 'answer';
      readonly headline: Headline | null;
      readonly warnings: readonly string[];
      readonly markdown: string;
      /** What is worth a look only for some, under a title each. */
      readonly details: readonly { readonly title: string; readonly markdown: string }[];
      readonly copies: Copies;
    }
  | { readonly part: 'risk'; readonly sentence: string | null; readonly markdown: string }
  | { readonly part: 'chart'; readonly title: string; readonly svg: string; readonly markdown: string }
  | { readonly part: 'self-test'; readonly passed: boolean; readonly values: number; readonly sentence: string }
  /** The program is wrong. */
  | { readonly part: 'failure'; readonly message: string }
  | { readonly part: 'end' };
