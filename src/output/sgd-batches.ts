import type { SchemeVerdict, Verdict } from '../composition/core/sampler-verdict.ts';
import type { LogVerdicts } from '../composition/sgd/sampler-tests.ts';
import { COUNT, FINITE, FLAG, whole } from './kit/codecs.ts';
import * as json from './kit/codec.ts';
import { heading, list, label, stack, type Output } from './kit/page.ts';
import { counted, grouped } from './kit/prose.ts';
import { csvText, table } from './kit/table.ts';
import { chanceText, factText, SAMPLER_VERDICT } from './refusal/batch-facts.ts';

/** What recorded batches say of every scheme. */
export const SGD_BATCHES = json.document(
  'sgd-batches',
  'Whether recorded batches contradict each sampling scheme, as sgd --batches --json prints it.',
  {
    examples: whole(1),
    batch: whole(1),
    batches: COUNT,
    hasIndices: json.described('Whether the examples of each batch are known, or sizes only.', FLAG),
    threshold: json.described('A scheme is contradicted at this p-value or less.', FINITE),
    schemes: json.list(SAMPLER_VERDICT),
  },
);

const WORDS: Readonly<Record<Verdict, string>> = {
  impossible: 'impossible',
  contradicted: 'contradicted',
  'not-contradicted': 'not contradicted',
};

const batchesText = (count: number): string => `${grouped(count)} ${count === 1 ? 'batch' : 'batches'}`;

/** What a verdict rests on. */
function whyText({ verdict, tests, fact }: SchemeVerdict, batch: number): string {
  if (fact === null) return tests === 0 ? 'nothing else can be tested' : 'too few batches to test';
  if (verdict !== 'not-contradicted') return factText(fact, batch);
  return `least likely of ${counted(tests, 'test')}: ${factText(fact, batch)}`;
}

/** How far the tests reach. */
const notesOf = ({ threshold }: LogVerdicts, hasIndices: boolean): string[] => [
  `"Contradicted" means a p-value of at most ${chanceText(threshold)}. p-values are upper bounds, corrected for the number of tests (Bonferroni).`,
  '"Not contradicted" does not verify a sampler: the tests see a few facts of many, and not how random numbers are made.',
  'The file begins with an epoch, and has every batch in the order of the steps.',
  ...(hasIndices
    ? []
    : ['Only sizes are known. With the indices of each batch, shuffled and fixed-size batches can be told apart.']),
];

/** What recorded batches say of every scheme, as a table. */
export function sgdBatchesOutput(result: LogVerdicts): Output {
  const { log, threshold, verdicts } = result;
  const { examples, batch, sizes, members } = log;
  const pText = ({ pValue }: SchemeVerdict): string => (pValue === null ? '-' : chanceText(pValue));
  return {
    page: () => [
      heading(
        `${batchesText(sizes.length)} of ${counted(examples, 'example')} against batches of ${grouped(batch)}, by ${members === null ? 'sizes' : 'indices'}`,
      ),
      table(verdicts, [
        'scheme',
        ['verdict', ({ verdict }) => WORDS[verdict]],
        ['p-value', pText, { inBlock: 'p-value at most' }],
        ['what is seen', (verdict) => whyText(verdict, batch)],
      ]),
      stack([label('How to read this'), list(notesOf(result, members !== null), 2)]),
    ],
    json: (version) =>
      json.documentText(SGD_BATCHES, {
        version,
        examples,
        batch,
        batches: sizes.length,
        hasIndices: members !== null,
        threshold,
        schemes: verdicts.map((verdict) => ({ ...verdict, batch })),
      }),
    csv: () =>
      csvText(verdicts, [
        'scheme',
        'verdict',
        'pValue',
        'tests',
        ['fact.id', ({ fact }) => fact?.id ?? null],
        ['fact.message', ({ fact }) => fact && factText(fact, batch)],
      ]),
  };
}
