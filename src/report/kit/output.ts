import type { Block } from './page.ts';

/** A result as it is printed, in the forms that it has. */
export interface Output {
  /** For a terminal, and in Markdown unless that has a page of its own. */
  readonly page: (version: string) => readonly Block[];
  readonly markdown?: (version: string) => readonly Block[];
  /** The width at which text is broken where no terminal is narrower. */
  readonly widest?: number;
  readonly json: (version: string) => string;
  /** Comma-separated values (RFC 4180). */
  readonly csv?: () => string;
}
