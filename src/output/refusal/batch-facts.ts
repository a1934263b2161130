import type { Fact, FactId, SchemeVerdict } from '../../composition/core/sampler-verdict.ts';
import { decimalFromDouble } from '../../numeric/decimal.ts';
import type { TrainingScheme } from '../../privacy/mechanism.ts';
import { shortUp } from '../kit/number.ts';
import { COUNT, FINITE, TEXT, UPPER } from '../kit/codecs.ts';
import * as json from '../kit/codec.ts';
import { counted, grouped } from '../kit/prose.ts';

/** The schemes in words. */
export const SCHEME_NAMES: Readonly<Record<TrainingScheme, string>> = {
  poisson: 'Poisson subsampling',
  'random-allocation': 'random allocation',
  'without-replacement': 'fixed-size subsampling without replacement',
  shuffled: 'shuffled batches',
};

/** A smaller chance is told as below this. */
const LEAST = 1e-300;

/** A chance that is an upper bound. */
export const chanceText = (chance: number): string =>
  chance === 0 ? '0' : chance < LEAST ? 'below 1e-300' : shortUp(decimalFromDouble(chance), 2);

/** A mean, about. */
function meanText(mean: number | null): string {
  if (mean === null) return '';
  if (mean >= 100) return `about ${grouped(Math.round(mean))}`;
  return mean < 1e-6 ? 'almost none' : `about ${String(Number(mean.toPrecision(2)))}`;
}

const expects = ({ expected }: Fact): string => `${meanText(expected)} expected`;

/** A fact as a clause; `batch`: the size that is claimed. */
const CLAUSES: Readonly<Record<FactId, (fact: Fact, batch: number) => string>> = {
  'exact-sizes': (fact, batch) =>
    `${grouped(fact.observed)} of ${grouped(fact.of!)} batches have exactly ${counted(batch, 'example')} (${expects(fact)})`,
  total: (fact) => `all batches together have ${counted(fact.observed, 'example')} (${expects(fact)})`,
  largest: (fact) => `batch ${grouped(fact.at!)} is the largest, with ${counted(fact.observed, 'example')}`,
  smallest: (fact) => `batch ${grouped(fact.at!)} is the smallest, with ${counted(fact.observed, 'example')}`,
  'whole-epochs': (fact) =>
    `the sizes of ${grouped(fact.observed)} of ${counted(fact.of!, 'epoch')} add up to exactly the number of examples (${expects(fact)})`,
  once: (fact) =>
    `${grouped(fact.observed)} of ${grouped(fact.of!)} times, an example is in exactly one batch of an epoch (${expects(fact)})`,
  shared: (fact) => `batches that follow each other share ${counted(fact.observed, 'example')} (${expects(fact)})`,
  'first-sizes': (fact, batch) =>
    `the first batches of ${grouped(fact.observed)} of ${counted(fact.of!, 'epoch')} have exactly ${counted(batch, 'example')} (${expects(fact)})`,
  'equal-epochs': (fact) =>
    `in ${grouped(fact.observed)} of ${counted(fact.of!, 'epoch')}, all batches have the same size (${expects(fact)})`,
  'same-place': (fact) =>
    `${grouped(fact.observed)} of ${grouped(fact.of!)} times, an example is in the same batch as in the epoch before (${expects(fact)})`,
  'disjoint-pairs': (fact) =>
    `${grouped(fact.observed)} of ${grouped(fact.of!)} pairs of batches that follow each other share no example (${expects(fact)})`,
  'most-shared': (fact) => `two batches share ${counted(fact.observed, 'example')} (${expects(fact)})`,
  'least-shared': (fact) => `two batches share only ${counted(fact.observed, 'example')} (${expects(fact)})`,
  'disjoint-epochs': (fact) =>
    `in ${grouped(fact.observed)} of ${counted(fact.of!, 'epoch')}, no example is in two batches (${expects(fact)})`,
  size: (fact) =>
    `batch ${grouped(fact.at!)} has ${counted(fact.observed, 'example')}, and must have ${grouped(fact.expected!)}`,
  twice: (fact) => `batch ${grouped(fact.at!)} has an example twice`,
  'not-once': (fact) =>
    `an example is in ${grouped(fact.observed)} batches of epoch ${grouped(fact.at!)}, and must be in exactly one`,
  'epoch-total': (fact) =>
    `the batches of epoch ${grouped(fact.at!)} have ${counted(fact.observed, 'example')} together, and must have ${grouped(fact.expected!)}`,
  'no-whole-batches': (fact) =>
    `${grouped(fact.of!)} examples are no whole number of batches of ${grouped(fact.observed)}`,
};

/** A fact in words. */
export const factText = (fact: Fact, batch: number): string => CLAUSES[fact.id](fact, batch);

/** Why a scheme is refused for batches that were recorded. */
export function contradictedText({ scheme, pValue, fact }: SchemeVerdict, batch: number, threshold: number): string {
  const name = SCHEME_NAMES[scheme];
  const how =
    pValue === 0 || pValue === null
      ? `are impossible under ${name}`
      : `contradict ${name} (p-value at most ${chanceText(pValue)}, threshold ${chanceText(threshold)})`;
  return `The recorded batches ${how}: ${fact === null ? '' : factText(fact, batch)}.`.replace(
    'at most below',
    'below',
  );
}

/** What recorded batches say of a scheme. */
export const SAMPLER_VERDICT = json.from(
  json.object({
    scheme: json.choice('poisson', 'random-allocation', 'without-replacement', 'shuffled'),
    verdict: json.choice('impossible', 'contradicted', 'not-contradicted'),
    pValue: json.described(
      'An upper bound, corrected for the number of tests (Bonferroni); 0 if impossible, null if nothing is tested.',
      json.orNull(UPPER),
    ),
    tests: COUNT,
    fact: json.orNull(
      json.object({
        id: TEXT,
        message: TEXT,
        observed: COUNT,
        of: json.orNull(COUNT),
        expected: json.described('The mean under the scheme, approximately.', json.orNull(FINITE)),
        at: json.described('The batch or epoch, from 1.', json.orNull(COUNT)),
      }),
    ),
  }),
  ({ batch, fact, ...rest }: SchemeVerdict & { readonly batch: number }) => ({
    ...rest,
    fact: fact && { ...fact, message: factText(fact, batch) },
  }),
);
