import { type Layout, label, list, onTerminal, pageText, paragraph, stack, type Block } from './page.ts';
import { ledBy } from './prose.ts';

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
  readonly mends: readonly Fix[];
}

/** A key to write, or to remove (null), in the object at a path. */
export const keyChange = (path: string, key: string, value: KeyChange['value']): KeyChange => ({ path, key, value });

export const fix = (text: string, ...changes: readonly KeyChange[]): Fix => ({ text, changes });

/** A refusal without separate fixes. */
export const plainRefusal = (message: string): RefusalText => ({ message, mends: [] });

/** The heading of a list of fixes. */
const fixesHeading = ({ length }: readonly Fix[]): string =>
  length === 1 ? 'What fixes it:' : 'Any one of these fixes it:';

/** Everything in one paragraph. */
export function inOneParagraph({ message, mends }: RefusalText): string {
  if (mends.length === 0) return message;
  return `${message} ${fixesHeading(mends)} ${mends.map(({ text }) => text).join('; ')}.`;
}

/** The first lines of a refusal: the mark, and what is refused. */
export const refused = (message: string): Block =>
  onTerminal(({ style, width }) => ledBy('refused:', message, style.error, width));

/** A refusal for a person: what is refused and why, what would fix it, and where to read about it. */
export const refusalParagraphs = ({ message, mends }: RefusalText, reference: string | null, layout: Layout): string =>
  pageText(
    [
      stack([
        refused(message),
        ...(mends.length === 0 ? [] : [label(fixesHeading(mends))]),
        list(mends.map(({ text }) => text)),
        paragraph(reference && `See ${reference}.`),
      ]),
    ],
    layout,
  );
