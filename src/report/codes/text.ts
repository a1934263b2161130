import { wrapped } from '../kit/prose.ts';
import type { Layout } from '../kit/columns.ts';
import { CODE_KINDS, type CodeFacts } from './code.ts';

const MOST_COLUMNS = 100;

/** `a mistake ... (exit code 2)`, with the exit code of the one code where its kind has several. */
export const kindText = ({ kind, exit }: CodeFacts): string =>
  kind === 'ledger-file' && exit !== null ? `${CODE_KINDS[kind]} (exit code ${exit})` : CODE_KINDS[kind];

/** What a code stands for wherever it is printed, for a person. */
export function codeText(code: string, facts: readonly CodeFacts[], { style, width }: Layout): string {
  const room = Math.min(width, MOST_COLUMNS);
  const each = facts.map((one) =>
    [
      style.heading(wrapped(`${code}: ${kindText(one)}`, room)),
      wrapped(one.meaning, room),
      wrapped(one.remedy, room),
    ].join('\n'),
  );
  return `${each.join('\n\n')}\n`;
}
