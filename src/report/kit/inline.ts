import { printable } from './prose.ts';

/** A part of a text that Markdown sets apart. */
export interface Span {
  readonly text: string;
  readonly markdown: string;
}

/** A text, perhaps with parts that Markdown sets apart. */
export type Inline = string | readonly (string | Span)[];

/** Text that Markdown takes as it is. */
export const escaped = (text: string): string => printable(text).replace(/[\\`*_[\]<>|#~]/g, '\\$&');

/** A name as it is typed. */
export const code = (text: string): Span => ({ text, markdown: `\`${text}\`` });

/** Text that stands out. */
export const bold = (text: string): Span => ({ text, markdown: `**${escaped(text)}**` });

const rendered = (inline: Inline, text: (part: string) => string, span: (part: Span) => string): string =>
  typeof inline === 'string'
    ? text(inline)
    : inline.map((part) => (typeof part === 'string' ? text(part) : span(part))).join('');

/** A text for a terminal, with control characters written out. */
export const plainText = (inline: Inline): string => rendered(inline, printable, ({ text }) => printable(text));

/** A text in Markdown. */
export const markdownText = (inline: Inline): string => rendered(inline, escaped, ({ markdown }) => markdown);
