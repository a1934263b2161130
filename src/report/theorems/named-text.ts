import { codeText } from '../codes/text.ts';
import type { Layout } from '../kit/columns.ts';
import type { Named } from './named.ts';
import { theoremText } from './theorem-text.ts';

/** All that goes by a name, for a person. */
export function namedText({ name, theorem, rule, codes }: Named, layout: Layout): string {
  const theorems = [theorem, rule].flatMap((facts) => (facts === null ? [] : [theoremText(facts, layout)]));
  return [...theorems, ...(codes.length === 0 ? [] : [codeText(name, codes, layout)])].join('\n');
}
