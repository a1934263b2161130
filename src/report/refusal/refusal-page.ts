import type { Layout } from '../kit/columns.ts';
import { mendsHeading, type RefusalText } from '../kit/mend.ts';
import { itemList, printable, wrapped } from '../kit/prose.ts';

/** The first lines of a refusal: the mark, and what is refused. */
export function refusedText(message: string, { width, style }: Layout): string {
  const [first = '', ...lines] = wrapped(`refused: ${printable(message)}`, width).split('\n');
  return [`${style.error('refused:')}${first.slice('refused:'.length)}`, ...lines].join('\n');
}

/** A refusal for a person: what is refused and why, what would mend it, and where to read about it. */
export function refusalParagraphs({ message, mends }: RefusalText, reference: string | null, layout: Layout): string {
  const { width, style } = layout;
  const list = itemList(
    mends.map(({ text }) => text),
    width,
  );
  return [
    refusedText(message, layout),
    ...(mends.length === 0 ? [] : [style.heading(mendsHeading(mends)), list]),
    ...(reference === null ? [] : [wrapped(`See ${reference}.`, width)]),
    '',
  ].join('\n');
}
