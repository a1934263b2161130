/** A key to write or to remove (null) in a document. */
export interface KeyChange {
  /** Of the object that has the key; empty: the document itself. */
  readonly path: string;
  readonly key: string;
  /** Such a value. */
  readonly value: string | number | boolean | null;
}

/** One way to mend what is refused. */
export interface Mend {
  /** A clause. */
  readonly text: string;
  /** What that comes to in the document, where it is a matter of keys. */
  readonly changes: readonly KeyChange[];
}

/** What is refused and why, and what would mend it: any one of the mends does. */
export interface RefusalText {
  readonly message: string;
  readonly mends: readonly Mend[];
}

export const mend = (text: string, ...changes: readonly KeyChange[]): Mend => ({ text, changes });

/** A text without mends of which it speaks apart. */
export const plainRefusal = (message: string): RefusalText => ({ message, mends: [] });

/** What stands above a list of mends. */
export const mendsHeading = ({ length }: readonly Mend[]): string =>
  length === 1 ? 'What mends it:' : 'Any one of these mends it:';

/** Everything in one paragraph. */
export function inOneParagraph({ message, mends }: RefusalText): string {
  if (mends.length === 0) return message;
  return `${message} ${mendsHeading(mends)} ${mends.map(({ text }) => text).join('; ')}.`;
}
