import type { Risk } from '../../composition/risk/risk.ts';
import { exactForm } from '../../document/structure/normal-form.ts';
import { choice, described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { BRACKET, FLAG, GIVEN, INPUT, NUMBER, TEXT } from '../kit/codecs.ts';
import { ROW_ID, WARNING } from '../refusal/bound-row-json.ts';
import type { RiskReport } from './report.ts';
import { notes, restsOnGuarantees, sourcesOf, type RiskSource } from './words.ts';

const DIVERGENCE = from(
  object({
    kind: choice('total-variation', 'kl', 'renyi'),
    order: optional(described('Of a Renyi divergence.', GIVEN)),
    value: BRACKET,
  }),
  ({ divergence, value }: Risk['divergences'][number]) => ({ ...divergence, value }),
);

const GAUSSIAN = object({
  rate: GIVEN,
  above: described('Telling the two data sets apart is nowhere easier than at this mu.', NUMBER),
  below: described(
    'Of some mechanisms of the classes it is nowhere harder than at this mu; null where none is known.',
    orNull(NUMBER),
  ),
  everywhere: described(
    'A mu that holds as `above` does, at all error rates; null where none is known.',
    orNull(NUMBER),
  ),
  regret: described(
    'By how much more often, at the worst prior, a guess is right by the mu of `above` than it can be; null where that is not known.',
    orNull(BRACKET),
  ),
});

/** Risks. */
export const RISK = document(
  'risk',
  'What can be done with the results at most, as risk --json prints it: upper ends hold for everybody, lower ends for some mechanisms of the declared classes.',
  {
    input: INPUT,
    exact: described('Whether the profile is that of pairs of distributions that the mechanisms may have.', FLAG),
    fromGuarantees: described('Whether nothing is declared but guarantees: noise often risks less.', FLAG),
    bounds: described('Whose claims the profile is, at every epsilon the smallest.', list(ROW_ID)),
    advantage: described('The largest true-positive rate minus false-positive rate: the total variation.', BRACKET),
    guesses: described(
      'Success in naming the right one of two neighbouring data sets, of which one has this prior probability.',
      list(object({ prior: GIVEN, success: BRACKET })),
    ),
    tests: described(
      'The largest true-positive rates at false-positive rates; predictive: how probable it is at a prior that a test with both is right where it says yes.',
      list(
        object({
          falsePositiveRate: GIVEN,
          truePositiveRate: BRACKET,
          predictive: list(object({ prior: GIVEN, value: BRACKET })),
        }),
      ),
    ),
    reconstructions: described(
      'Success in guessing an attribute or reconstructing a record, for whoever has at most the baseline as a chance without the results.',
      list(object({ baseline: GIVEN, success: BRACKET })),
    ),
    leakedBits: described(
      'Bits that the results tell of which of two equally probable neighbouring data sets it is.',
      object({
        minEntropy: described('By how many bits the best guess improves: log2(1 + advantage).', BRACKET),
        mutualInformation: described('By how many bits the uncertainty is smaller on average.', BRACKET),
      }),
    ),
    divergences: described(
      'Smallest divergences that can be claimed, in nats; total variation as it is.',
      list(DIVERGENCE),
    ),
    gaussian: optional(
      described(
        'Gaussian mechanisms (mu-GDP) on both sides, of tests whose false-positive and false-negative rates are at least `rate`.',
        GAUSSIAN,
      ),
    ),
    notes: described('How close the numbers are, and on what they rest, in words.', list(TEXT)),
    sources: list(
      object({
        of: choice<RiskSource['of']>(
          'profile',
          'advantage',
          'guess',
          'true-positive-rate',
          'reconstruction',
          'min-entropy',
          'mutual-information',
          'total-variation',
          'divergence',
          'gaussian',
        ),
        text: TEXT,
      }),
    ),
    warnings: list(WARNING),
  },
);

/** Risks as `dpcompose.risk/1`. */
export function riskJson(report: RiskReport, version: string): string {
  const { risk, specification } = report;
  const { gaussian, ...others } = risk;
  return documentText(RISK, {
    ...others,
    ...(gaussian !== null && { gaussian }),
    version,
    input: exactForm({ ...specification, target: null }),
    exact: risk.isExact,
    fromGuarantees: restsOnGuarantees(specification),
    notes: notes(report),
    sources: sourcesOf(risk),
  });
}
