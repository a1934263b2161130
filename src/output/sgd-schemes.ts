import type { NoUpperBound, SchemeComparison, SchemeRow } from '../composition/sgd/scheme-comparison.ts';
import type { TrainingScheme } from '../privacy/mechanism.ts';
import { LOWER, QUERY, TEXT, GIVEN, UPPER, whole } from './kit/codecs.ts';
import * as json from './kit/codec.ts';
import { givenText, lowerText, queryText, upperText } from './kit/number.ts';
import { heading, label, list, stack, type Output } from './kit/page.ts';
import { counted, grouped } from './kit/prose.ts';
import { csvText, table } from './kit/table.ts';
import { boundText } from './kit/json-value.ts';
import { epochsNumber, epochsText } from './sgd.ts';

/** For which neighbours there is a bound: of shuffled batches, a record is replaced by one without a gradient. */
const NEIGHBOURS = {
  poisson: 'add-remove',
  'random-allocation': 'add-remove',
  'without-replacement': 'replace-one',
  shuffled: 'zero-out',
} as const satisfies Readonly<Record<TrainingScheme, string>>;

/** One training with its batches drawn in every way. */
export const SGD_SCHEMES = json.document(
  'sgd-schemes',
  'The privacy loss of one training under every sampling scheme, as sgd --compare-schemes --json prints it.',
  {
    examples: whole(1),
    batch: whole(1),
    noiseMultiplier: GIVEN,
    steps: whole(1),
    epochs: json.from(json.plain<number>({ type: 'number' }), epochsNumber),
    query: QUERY,
    schemes: json.list(
      json.object({
        scheme: json.choice('poisson', 'random-allocation', 'without-replacement', 'shuffled'),
        neighbours: json.described(
          'Numbers for different neighbors cannot be compared directly.',
          json.choice('add-remove', 'replace-one', 'zero-out'),
        ),
        upper: json.orNull(UPPER),
        lower: json.orNull(LOWER),
        sampler: json.described('What the sampler must do.', TEXT),
        code: json.described('Why there is no upper bound; null if there is one.', json.orNull(TEXT)),
        reason: json.orNull(TEXT),
      }),
    ),
  },
);

const leastOf = ({ least }: SchemeRow): string => (least === null ? '-' : lowerText(least));

/** What the sampler must do, in few words. */
const SAMPLERS: Readonly<Record<TrainingScheme, string>> = {
  poisson: 'draw each example with probability B/N, independently for every step',
  'random-allocation': 'put each example into one of the N/B batches of an epoch, independently, anew for every epoch',
  'without-replacement': 'draw exactly B different examples, anew for every step',
  shuffled: 'permute the examples in every epoch, and take the next B',
};

/** One training with its batches drawn in every way, as a table. */
export function sgdSchemesOutput({ question, rows }: SchemeComparison): Output {
  const { training, noise, length, query } = question;
  const { examples, batch } = training;
  const reasons: Readonly<Record<NoUpperBound, string>> = {
    'no-whole-batches': `does not apply: ${counted(examples, 'example')} are no whole number of batches of ${grouped(batch)}`,
    'no-whole-epochs': `does not apply: ${epochsText(length)} are no whole number of epochs`,
    'no-theorem': 'no theorem in dpcompose bounds it from above',
    'no-bound': 'no bound of dpcompose covers it',
  };
  const reasonOf = ({ reason }: SchemeRow): string | null => reason && reasons[reason];
  const samplerOf = (row: SchemeRow): string => {
    const reason = reasonOf(row);
    return reason === null ? SAMPLERS[row.scheme] : `${SAMPLERS[row.scheme]}; ${reason}`;
  };
  return {
    page: () => [
      heading(
        `DP-SGD: ${counted(length.steps, 'step')} (${epochsText(length)} epochs), batches of ${grouped(batch)} of ${counted(examples, 'example')}, noise multiplier ${givenText(noise)}: ${queryText(query)}`,
      ),
      table(rows, [
        'scheme',
        ['neighbors', ({ scheme }) => NEIGHBOURS[scheme], { inBlock: 'neighbors' }],
        [query.solveFor, ({ cost }) => (cost === null ? '-' : upperText(cost))],
        ['lower bound', leastOf],
        ['what the sampler must do', samplerOf],
      ]),
      stack([
        label('How to read this'),
        list(
          [
            'Numbers for different neighbors cannot be compared directly. Replacing one example moves the sum by up to 2 C, adding or removing one by up to C; zero-out replaces an example by one without a gradient.',
            'The guarantee is that of the scheme your code uses. A sampler of another scheme does not have it.',
          ],
          2,
        ),
      ]),
    ],
    json: (version) =>
      json.documentText(SGD_SCHEMES, {
        version,
        examples,
        batch,
        noiseMultiplier: noise,
        steps: length.steps,
        epochs: length.epochs,
        query,
        schemes: rows.map((row) => ({
          scheme: row.scheme,
          neighbours: NEIGHBOURS[row.scheme],
          upper: row.cost?.upper ?? null,
          lower: row.least,
          sampler: SAMPLERS[row.scheme],
          code: row.reason,
          reason: reasonOf(row),
        })),
      }),
    csv: () =>
      csvText(rows, [
        'scheme',
        ['neighbours', ({ scheme }) => NEIGHBOURS[scheme]],
        ['upper', ({ cost }) => cost && boundText(cost.upper, 'up')],
        ['lower', ({ least }) => (least === null ? null : boundText(least, 'down'))],
        ['sampler', ({ scheme }) => SAMPLERS[scheme]],
        ['code', ({ reason }) => reason],
        ['reason', reasonOf],
      ]),
  };
}
