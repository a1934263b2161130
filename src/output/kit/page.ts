import { bold, escaped, markdownText, plainText, type Inline } from './inline.ts';
import { itemList, printable, wrapped } from './prose.ts';

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
