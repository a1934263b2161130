import { codeBlock } from '../codes/blocks.ts';
import type { Layout } from '../kit/columns.ts';
import { pageMarkdown, pageText, type Block } from '../kit/page.ts';
import type { Named } from './named.ts';
import { theoremBlocks } from './theorem-blocks.ts';

const MOST_COLUMNS = 100;

const blocksOf = ({ theorem, rule, codes }: Named): Block[] => [
  ...[theorem, rule].flatMap((facts) => (facts === null ? [] : theoremBlocks(facts))),
  ...codes.map(codeBlock),
];

/** All that goes by a name, for a person. */
export const namedText = (named: Named, layout: Layout): string =>
  pageText(blocksOf(named), { ...layout, width: Math.min(layout.width, MOST_COLUMNS) });

/** The same as Markdown. */
export const namedMarkdown = (named: Named): string => pageMarkdown(blocksOf(named));
