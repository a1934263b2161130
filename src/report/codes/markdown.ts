import { escaped } from '../plan/markdown.ts';
import type { CodeFacts } from './code.ts';
import { kindText } from './text.ts';

/** What a code stands for wherever it is printed, as Markdown. */
export const codeMarkdown = (code: string, facts: readonly CodeFacts[]): string =>
  facts
    .map((one) =>
      [`# \`${code}\`: ${escaped(kindText(one))}`, '', escaped(one.meaning), '', escaped(one.remedy), ''].join('\n'),
    )
    .join('\n');
