import type { Mistake } from '../core/input-error.ts';
import { locate } from './json-locate.ts';
import { readJson, type JsonReading } from './json-read.ts';

/** The value of a text, and where in it things stand. */
export interface TextReading extends JsonReading {
  /** The offsets of mistakes in the text, those that do not know theirs included. */
  readonly locate: (mistakes: readonly Mistake[]) => number[];
}

/** How documents are written: reads a text, reporting at most `limit` duplicate keys in full. */
export type DocumentSyntax = (text: string, limit: number) => TextReading;

/** JSON (RFC 8259). */
export const JSON_SYNTAX: DocumentSyntax = (text, limit) => ({
  ...readJson(text, limit),
  locate: (mistakes) => locate(text, mistakes),
});

/** The names of the syntaxes in which documents may be written. */
export const SYNTAX_NAMES = ['json', 'yaml', 'csv'] as const;

/** The name of a syntax in which documents may be written. */
export type SyntaxName = (typeof SYNTAX_NAMES)[number];
