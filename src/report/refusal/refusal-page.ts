import type { Layout } from '../kit/columns.ts';
import { fixesHeading, type RefusalText } from '../kit/fix.ts';
import { label, list, onTerminal, pageText, paragraph, stack, type Block } from '../kit/page.ts';
import { ledBy } from '../kit/prose.ts';

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
