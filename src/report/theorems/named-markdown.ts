import { codeMarkdown } from '../codes/markdown.ts';
import type { Named } from './named.ts';
import { theoremMarkdown } from './theorem-markdown.ts';

/** All that goes by a name, as Markdown. */
export function namedMarkdown({ name, theorem, rule, codes }: Named): string {
  const theorems = [theorem, rule].flatMap((facts) => (facts === null ? [] : [theoremMarkdown(facts)]));
  return [...theorems, ...(codes.length === 0 ? [] : [codeMarkdown(name, codes)])].join('\n');
}
