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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** Text as it stands in elements and attributes of XML; what XML does not have must be gone from it. */
export const escapeXml = (text: string): string => text.replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? '');
