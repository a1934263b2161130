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

export const fix = (text: string, ...changes: readonly KeyChange[]): Fix => ({ text, changes });

/** A refusal without separate fixes. */
export const plainRefusal = (message: string): RefusalText => ({ message, mends: [] });

/** The heading of a list of fixes. */
export const fixesHeading = ({ length }: readonly Fix[]): string =>
  length === 1 ? 'What fixes it:' : 'Any one of these fixes it:';

/** Everything in one paragraph. */
export function inOneParagraph({ message, mends }: RefusalText): string {
  if (mends.length === 0) return message;
  return `${message} ${fixesHeading(mends)} ${mends.map(({ text }) => text).join('; ')}.`;
}
