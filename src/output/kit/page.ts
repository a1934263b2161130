import { printable, itemList, wrapped, ledBy } from './prose.ts';

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

/** How a report sets off parts of its text; each function may only add marks of no width. */
export interface Style {
  readonly best: (text: string) => string;
  readonly heading: (text: string) => string;
  readonly quiet: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly error: (text: string) => string;
}

const same = (text: string): string => text;

/** No marks at all. */
export const PLAIN: Style = { best: same, heading: same, quiet: same, warning: same, error: same };

/** Which characters may be printed. */
export type Characters = 'unicode' | 'ascii';

/** The width that a table has to fit in, and the style and characters it is drawn with. */
export interface Layout {
  /** Columns of the terminal; Infinity where there is none. */
  readonly width: number;
  readonly style: Style;
  /** With which characters lines are drawn and symbols written; ASCII where it is left out. */
  readonly characters?: Characters;
}

/** A piece of a page, on a terminal and in Markdown; null where nothing stands there. */
export interface Block {
  readonly text: (layout: Layout) => string | null;
  readonly markdown: () => string | null;
}

/** A piece that is left out. */
export const NOTHING: Block = { text: () => null, markdown: () => null };

/** The texts that there are, with something in between; null where there are none. */
function joined(between: string, texts: readonly (string | null)[]): string | null {
  const present = texts.filter((text) => text !== null);
  return present.length === 0 ? null : present.join(between);
}

/** Blocks one below the other on a terminal, without the empty lines that Markdown has between them. */
export const stack = (blocks: readonly Block[], between = '\n'): Block => ({
  text: (layout) =>
    joined(
      between,
      blocks.map(({ text }) => text(layout)),
    ),
  markdown: () =>
    joined(
      '\n\n',
      blocks.map(({ markdown }) => markdown()),
    ),
});

/** Blocks for a terminal, with empty lines between them; nothing where there are none. */
export function pageText(blocks: readonly Block[], layout: Layout): string {
  const text = stack(blocks, '\n\n').text(layout);
  return text === null ? '' : `${text}\n`;
}

/** Blocks as a Markdown document. */
export const pageMarkdown = (blocks: readonly Block[]): string => `${stack(blocks).markdown() ?? ''}\n`;

function styled(inline: Inline | null, style: keyof Style | null, before = ''): Block {
  if (inline === null) return NOTHING;
  return {
    text: ({ style: styles, width }) => {
      const text = wrapped(plainText(inline), width);
      return style === null ? text : styles[style](text);
    },
    markdown: () => `${before}${markdownText(inline)}`,
  };
}

/** A heading of a page, or of a level below; null: none. */
export const heading = (text: Inline | null, level = 1, style: keyof Style = 'heading'): Block =>
  styled(text, style, `${'#'.repeat(level)} `);

/** A paragraph; null: none. */
export const paragraph = (text: Inline | null): Block => styled(text, null);

/** A paragraph that is set back. */
export const quiet = (text: Inline | null): Block => styled(text, 'quiet');

/** A heading of one line, which is never broken; in Markdown of a level, or in bold. */
export const label = (text: string, level?: number): Block => ({
  text: ({ style }) => style.heading(text),
  markdown: () => (level === undefined ? bold(text).markdown : `${'#'.repeat(level)} ${escaped(text)}`),
});

/** Lines one below the other, none of which is ever broken. */
export const unbroken = (lines: readonly string[]): Block =>
  stack(lines.map((line) => ({ text: () => printable(line), markdown: () => escaped(line) })));

/** A block that Markdown does without. */
export const onTerminal = (text: Block['text']): Block => ({ text, markdown: () => null });

/** Items after hyphens, on a terminal after so many blanks. */
export const list = (items: readonly Inline[], indent = 0): Block => ({
  text: ({ width }) => itemList(items.map(plainText), width, indent) || null,
  markdown: () =>
    joined(
      '\n',
      items.map((item) => `- ${markdownText(item)}`),
    ),
});

/** Lines that are kept as they are. */
export const verbatim = (lines: readonly string[]): Block => ({
  text: () => lines.map((line) => `  ${line}`).join('\n'),
  markdown: () => ['```text', ...lines, '```'].join('\n'),
});

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

/** A key to write or to remove (null) in a document. */
export interface KeyChange {
  /** Of the object that has the key; empty: the document itself. */
  readonly path: string;
  readonly key: string;
  /** Such a value. */
  readonly value: string | number | boolean | null;
}

/** One way to fix what is refused. */
export interface Fix {
  /** A clause. */
  readonly text: string;
  /** The fix as changes to the document, where it is a matter of keys. */
  readonly changes: readonly KeyChange[];
}

/** A refusal: what is refused and why, and its fixes, any one of which is enough. */
export interface RefusalText {
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** A key to write, or to remove (null), in the object at a path. */
export const keyChange = (path: string, key: string, value: KeyChange['value']): KeyChange => ({ path, key, value });

export const fix = (text: string, ...changes: readonly KeyChange[]): Fix => ({ text, changes });

/** A refusal without separate fixes. */
export const plainRefusal = (message: string): RefusalText => ({ message, fixes: [] });

/** The heading of a list of fixes. */
const fixesHeading = ({ length }: readonly Fix[]): string =>
  length === 1 ? 'What fixes it:' : 'Any one of these fixes it:';

/** Everything in one paragraph. */
export function inOneParagraph({ message, fixes }: RefusalText): string {
  if (fixes.length === 0) return message;
  return `${message} ${fixesHeading(fixes)} ${fixes.map(({ text }) => text).join('; ')}.`;
}

/** The first lines of a refusal: the mark, and what is refused. */
export const refused = (message: string): Block =>
  onTerminal(({ style, width }) => ledBy('refused:', message, style.error, width));

/** A refusal for a person: what is refused and why, what would fix it, and where to read about it. */
export const refusalParagraphs = ({ message, fixes }: RefusalText, reference: string | null, layout: Layout): string =>
  pageText(
    [
      stack([
        refused(message),
        ...(fixes.length === 0 ? [] : [label(fixesHeading(fixes))]),
        list(fixes.map(({ text }) => text)),
        paragraph(reference && `See ${reference}.`),
      ]),
    ],
    layout,
  );
