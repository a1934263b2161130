import { code } from '../kit/inline.ts';
import { heading, paragraph, stack, type Block } from '../kit/page.ts';
import { CODE_KINDS, type CodeFacts } from './code.ts';

/** `a mistake ... (exit code 2)`, with the exit code of the one code where its kind has several. */
const kindText = ({ kind, exit }: CodeFacts): string =>
  kind === 'ledger-file' && exit !== null ? `${CODE_KINDS[kind]} (exit code ${exit})` : CODE_KINDS[kind];

/** The meaning and the remedy of a code in one of the places where it is printed. */
export const codeBlock = (facts: CodeFacts): Block =>
  stack([heading([code(facts.code), `: ${kindText(facts)}`]), paragraph(facts.meaning), paragraph(facts.remedy)]);
