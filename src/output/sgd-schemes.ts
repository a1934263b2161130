import type { NoUpperBound, SchemeComparison, SchemeRow } from '../composition/sgd/scheme-comparison.ts';
import type { TrainingScheme } from '../privacy/mechanism.ts';
import { LOWER, QUERY, TEXT, GIVEN, UPPER, whole } from './kit/codecs.ts';
import * as json from './kit/codec.ts';
import { givenText, lowerText, queryText, upperText } from './kit/number.ts';
import { heading, label, list, stack } from './kit/page.ts';
import type { Axis, Chart, ChartLine, DrawnOutput } from './chart/chart.ts';
import { measureLabel } from './curve.ts';
import { counted, grouped, listed } from './kit/prose.ts';
import { csvText, table } from './kit/table.ts';
import { boundText } from './kit/json-value.ts';
import { EPOCHS_AXIS, epochsNumber, epochsText } from './sgd.ts';

/** For which neighbours there is a bound: of shuffled batches, a record is replaced by one without a gradient. */
const NEIGHBOURS = {
  poisson: 'add-remove',
  'random-allocation': 'add-remove',
  'without-replacement': 'replace-one',
  shuffled: 'zero-out',
} as const satisfies Readonly<Record<TrainingScheme, string>>;

const NOT_COMPARABLE = 'Numbers for different neighbors cannot be compared directly.';

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
        neighbours: json.described(NOT_COMPARABLE, json.choice('add-remove', 'replace-one', 'zero-out')),
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

/** The cost along the training under every scheme: of those without an upper bound, what it is at least. */
function schemesChart({ question, rows }: SchemeComparison, title: string, reasons: readonly string[]): Chart {
  const measure = question.query.solveFor;
  const lines = rows
    .filter(({ cost, least }) => cost !== null || least !== null)
    .map(({ scheme, cost, course }): ChartLine => ({
      name: `${scheme} (${NEIGHBOURS[scheme]})${cost === null ? ', at least' : ''}`,
      stroke: cost === null ? 'dashed' : 'solid',
      points: course.map(({ epochs, cost: own, least }) => ({
        x: epochsNumber(epochs),
        lower: least,
        upper: own === null ? least : own.upper,
      })),
    }));
  const y: Axis = { label: measureLabel(measure), scale: measure === 'delta' ? 'log' : 'linear' };
  return {
    title,
    description: `${title}, over epochs. Lines: ${listed(lines.map(({ name }) => name))}.`,
    notes: [...reasons, NOT_COMPARABLE],
    panels: [{ title: null, x: EPOCHS_AXIS, y, lines }],
  };
}

/** One training with its batches drawn in every way, as a table, and along the training as a chart. */
export function sgdSchemesOutput(comparison: SchemeComparison): DrawnOutput {
  const { question, rows } = comparison;
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
  const title = `DP-SGD: ${counted(length.steps, 'step')} (${epochsText(length)} epochs), batches of ${grouped(batch)} of ${counted(examples, 'example')}, noise multiplier ${givenText(noise)}: ${queryText(query)}`;
  return {
    page: () => [
      heading(title),
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
            `${NOT_COMPARABLE} Replacing one example moves the sum by up to 2 C, adding or removing one by up to C; zero-out replaces an example by one without a gradient.`,
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
    chart: () =>
      schemesChart(
        comparison,
        title,
        rows.flatMap((row) => (row.cost === null ? `${row.scheme}: ${reasonOf(row)!}.` : [])),
      ),
  };
}
