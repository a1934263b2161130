import { grouped } from '../../document/core/quote.ts';

export { grouped };

/** `a, b and c`. */
export function listed(items: readonly string[], word: 'and' | 'or' = 'and'): string {
  if (items.length < 2) return items.join('');
  return `${items.slice(0, -1).join(', ')} ${word} ${items.at(-1) ?? ''}`;
}

/** `a, b, c and 7 more`: lists that may have any length. */
export function abridged(items: readonly string[], limit = 5): string {
  if (items.length <= limit) return listed(items);
  return `${items.slice(0, limit).join(', ')} and ${grouped(items.length - limit)} more`;
}

/** `1 round`, `2,000 rounds`. */
export const counted = (count: number, noun: string): string => `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;

/** The text with control characters written out, so that a label cannot drive the terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) => {
    return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

/** How what is named is called in messages: a file as it was typed, `-` standard input. */
export function sourceName(spec: string): string {
  if (spec === '-') return 'standard input';
  return /^\w+:\/\/[^#]*#(?:.*&)?document=/s.test(spec) ? 'the link' : spec;
}

/** A word as it is typed in a shell: in single quotes if it has other signs than names usually have. */
export const shellWord = (word: string): string =>
  /^[\w./@%+:,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** Breaks a paragraph into lines of at most `width` columns; a longer word keeps a line of its own. */
export function wrapped(text: string, width: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.join('\n');
}

/** Narrower than this indented text is not broken into lines. */
export const NARROWEST = 16;

/** Text whose lines all begin with `indent` blanks and end at `width`. */
export const indented = (text: string, indent: number, width: number): string =>
  wrapped(text, Math.max(NARROWEST, width - indent)).replace(/^/gm, ' '.repeat(indent));

/** A paragraph that begins with a word in a style of its own. */
export const ledBy = (word: string, text: string, style: (word: string) => string, width: number): string =>
  `${style(word)}${wrapped(`${word} ${printable(text)}`, width).slice(word.length)}`;

/** Items of a list, each on lines of its own, after so many blanks and a hyphen. */
export const itemList = (texts: readonly string[], width: number, indent = 0): string =>
  texts.map((text) => `${' '.repeat(indent)}- ${indented(text, indent + 2, width).trimStart()}`).join('\n');
