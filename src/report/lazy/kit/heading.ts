import { onTerminal, type Block } from '../../kit/page.ts';
import { wrapped } from '../../kit/prose.ts';

/** The heading of a page of lazy; where it is broken into lines its marks count as columns. */
export const lazyHeading = (text: string): Block =>
  onTerminal(({ style, width }) => wrapped(style.heading(text), width));
