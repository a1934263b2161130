import type { Risk, FittedGaussian, TestRates } from '../composition/risk/risk.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { BRACKET, FLAG, GIVEN, INPUT, NUMBER, TEXT } from './kit/codecs.ts';
import { ROW_ID, WARNING } from './refusal/bound-row-json.ts';
import * as words from './risk-words.ts';
import * as json from './kit/codec.ts';
import type { Bracket, UpperBound } from '../numeric/enclosure.ts';
import { planNote } from './compose/table.ts';
import { exactGivenText, lowerText, upperText } from './kit/number.ts';
import { heading, label, list, NOTHING, paragraph, quiet, stack, type Block, type Output } from './kit/page.ts';
import { csvText, ifAny, table } from './kit/table.ts';

const DIVERGENCE = json.from(
  json.object({
    kind: json.choice('total-variation', 'kl', 'renyi'),
    order: json.optional(json.described('Of a Renyi divergence.', GIVEN)),
    value: BRACKET,
  }),
  ({ divergence, value }: Risk['divergences'][number]) => ({ ...divergence, value }),
);

const GAUSSIAN = json.object({
  rate: GIVEN,
  above: json.described('Telling the two data sets apart is nowhere easier than at this mu.', NUMBER),
  below: json.described(
    'Of some mechanisms of the classes it is nowhere harder than at this mu; null where none is known.',
    json.orNull(NUMBER),
  ),
  everywhere: json.described(
    'A mu that holds as `above` does, at all error rates; null where none is known.',
    json.orNull(NUMBER),
  ),
  regret: json.described(
    'By how much more often, at the worst prior, a guess is right by the mu of `above` than it can be; null where that is not known.',
    json.orNull(BRACKET),
  ),
});

/** Risks. */
export const RISK = json.document(
  'risk',
  'What can be done with the results at most, as risk --json prints it: upper ends hold for everybody, lower ends for some mechanisms of the declared classes.',
  {
    input: INPUT,
    exact: json.described('Whether the profile is that of pairs of distributions that the mechanisms may have.', FLAG),
    fromGuarantees: json.described('Whether nothing is declared but guarantees: noise often risks less.', FLAG),
    bounds: json.described('Whose claims the profile is, at every epsilon the smallest.', json.list(ROW_ID)),
    advantage: json.described(
      'The largest true-positive rate minus false-positive rate: the total variation.',
      BRACKET,
    ),
    guesses: json.described(
      'Success in naming the right one of two neighbouring data sets, of which one has this prior probability.',
      json.list(json.object({ prior: GIVEN, success: BRACKET })),
    ),
    tests: json.described(
      'The largest true-positive rates at false-positive rates; predictive: how probable it is at a prior that a test with both is right where it says yes.',
      json.list(
        json.object({
          falsePositiveRate: GIVEN,
          truePositiveRate: BRACKET,
          predictive: json.list(json.object({ prior: GIVEN, value: BRACKET })),
        }),
      ),
    ),
    reconstructions: json.described(
      'Success in guessing an attribute or reconstructing a record, for whoever has at most the baseline as a chance without the results.',
      json.list(json.object({ baseline: GIVEN, success: BRACKET })),
    ),
    leakedBits: json.described(
      'Bits that the results tell of which of two equally probable neighbouring data sets it is.',
      json.object({
        minEntropy: json.described('By how many bits the best guess improves: log2(1 + advantage).', BRACKET),
        mutualInformation: json.described('By how many bits the uncertainty is smaller on average.', BRACKET),
      }),
    ),
    divergences: json.described(
      'Smallest divergences that can be claimed, in nats; total variation as it is.',
      json.list(DIVERGENCE),
    ),
    gaussian: json.optional(
      json.described(
        'Gaussian mechanisms (mu-GDP) on both sides, of tests whose false-positive and false-negative rates are at least `rate`.',
        GAUSSIAN,
      ),
    ),
    notes: json.described('How close the numbers are, and on what they rest, in words.', json.list(TEXT)),
    sources: json.list(
      json.object({
        of: json.choice(...words.RISK_SOURCES),
        text: TEXT,
      }),
    ),
    warnings: json.list(WARNING),
  },
);

/** A lower end where it says something; nothing where it does not. */
const leastText = (value: Bracket, trivial: number): string =>
  value.lower !== null && words.saysMore(value, trivial) ? lowerText(value.lower) : '';

const group = (title: string, meaning: string, rows: Block, ...after: readonly Block[]): Block =>
  stack([label(title, 2), paragraph(meaning), rows, ...after]);

const advantage = ({ advantage: value }: Risk): Block =>
  group(
    'Membership advantage',
    'How much more often an attack says "it is this one" where it is than where it is the other: 0 is blind, 1 certain.',
    table([value], [['advantage at most', upperText], ...ifAny([value], 'at least', (each) => leastText(each, 0))]),
  );

function guesses({ guesses: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Naming the right one of the two',
    'How often the best guess is right, for whoever held one of them so probable before (the prior).',
    table(rows, [
      ['prior', ({ prior }) => exactGivenText(prior), { inBlock: 'prior' }],
      ['right without the results', ({ prior }) => exactGivenText(words.without(prior))],
      ['right at most', ({ success }) => upperText(success)],
      ...ifAny(rows, 'at least', ({ prior, success }) => leastText(success, words.without(prior).toNumber())),
    ]),
  );
}

/** A test and how often it is right where it says yes, at one of the priors. */
interface TestRow extends TestRates {
  readonly predicted: TestRates['predictive'][number];
}

function tests({ tests: all }: Risk): Block {
  const rows = all.flatMap((test) => test.predictive.map((predicted): TestRow => ({ ...test, predicted })));
  if (rows.length === 0) return NOTHING;
  return group(
    'Recognising one of the two',
    'How often an attack says yes where it is the one that it looks for (true positives), if it says yes so often where it is the other (false positives, which are false alarms); and how often its yes is right, if what it looks for was so probable before (the prior).',
    table(rows, [
      ['false positives', ({ falsePositiveRate }) => exactGivenText(falsePositiveRate), { inBlock: 'false positives' }],
      ['true positives at most', ({ truePositiveRate }) => upperText(truePositiveRate)],
      ...ifAny(rows, 'at least', ({ falsePositiveRate, truePositiveRate }) =>
        leastText(truePositiveRate, falsePositiveRate.toNumber()),
      ),
      ['prior', ({ predicted }) => exactGivenText(predicted.prior)],
      ['right if yes, at most', ({ predicted }) => upperText(predicted.value)],
      ...ifAny(rows, 'at least', ({ predicted: { prior, value } }) => leastText(value, prior.toNumber())),
    ]),
    paragraph(
      'How often a yes is right is told of an attack with exactly so many false alarms: one with fewer says yes more rarely, and may be right more often.',
    ),
  );
}

function reconstructions({ reconstructions: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Guessing an attribute, reconstructing a record',
    'How often a guess is right, or near enough, if it would be so often without the results.',
    table(rows, [
      ['baseline', ({ baseline }) => exactGivenText(baseline), { inBlock: 'baseline' }],
      ['right at most', ({ success }) => upperText(success)],
    ]),
    paragraph(
      'That holds for whoever guesses right with at most that chance from all else that is known, where the data with each of the candidates neighbour one and the same data set. It says nothing about who has another prior or other knowledge, and so a better chance. No lower end is known.',
    ),
  );
}

function bits({ leakedBits: { minEntropy, mutualInformation } }: Risk): Block {
  const rows: readonly { readonly measure: string; readonly value: Bracket }[] = [
    { measure: 'by the best guess (min-entropy leakage)', value: minEntropy },
    { measure: 'on average (mutual information)', value: mutualInformation },
  ];
  return group(
    'Information',
    'How much the results tell of one bit, which of the two it is, if both were equally probable before: 0 bits nothing, 1 bit all. By the best guess: a bit is to be right twice as often. On average: a bit is to have no doubt left, whatever comes out.',
    table(rows, [
      ['measure', ({ measure }) => measure, { inBlock: 'measure' }],
      ['bits at most', ({ value }) => upperText(value)],
      ...ifAny(rows, 'at least', ({ value }) => leastText(value, 0)),
    ]),
  );
}

function divergences({ divergences: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Divergences',
    'How far the results on one of the two are from those on the other, in measures of statistics (nats; total variation: a probability).',
    table(rows, [
      ['divergence', ({ divergence }) => words.divergenceText(divergence), { inBlock: 'divergence' }],
      ['at most', ({ value }) => upperText(value)],
      ...ifAny(rows, 'at least', ({ value }) => leastText(value, 0)),
    ]),
  );
}

/** What is lost by giving only a mu. */
function regretText({ above, regret }: FittedGaussian): string {
  if (!Number.isFinite(above)) return 'No Gaussian noise reveals as much.';
  if (regret === null) return 'How much is lost by giving only that mu is not known.';
  return `Regret of giving only the first mu: by it, a guess which of the two it is seems to be right more often than it can be, at no prior by more than ${upperText(regret)}.`;
}

function gaussian({ gaussian: fit }: Risk): Block {
  if (fit === null) return NOTHING;
  const { rate, above, below, everywhere } = fit;
  const mu = (upper: UpperBound | null): string =>
    upper === null || upper === Infinity ? 'none known' : upperText({ lower: null, upper });
  const rows: readonly { readonly compared: string; readonly mu: string }[] = [
    { compared: 'never easier than at', mu: mu(above) },
    { compared: 'at all rates never easier than at', mu: mu(everywhere) },
    ...(below === null || !(below > 0)
      ? []
      : [{ compared: 'for some mechanisms never harder than at', mu: lowerText(below) }]),
  ];
  return group(
    'The Gaussian that fits',
    `How easily the two are told apart, beside two normal distributions of variance 1 whose means differ by mu (mu-GDP), by tests whose false-positive and false-negative rates are both at least ${exactGivenText(rate)}.`,
    table(rows, [['telling them apart is', ({ compared }) => compared, { inBlock: 'telling them apart is' }], 'mu']),
    paragraph(regretText(fit)),
  );
}

const blocksOf = (report: words.RiskReport): Block[] => {
  const { risk, specification } = report;
  const { plan } = risk.answer;
  const short = words.shortText(risk);
  return [
    heading(`Risks of ${words.subjectOf(specification)}`),
    ...(short === null ? [] : [paragraph(short)]),
    paragraph(words.adversaryText(specification)),
    ...[advantage, guesses, tests, reconstructions, bits, divergences, gaussian].map((make) => make(risk)),
    paragraph(words.notes(report).join(' ')),
    stack([
      label('By', 2),
      list(
        words.sourcesOf(risk).map(({ text }) => text),
        2,
      ),
    ]),
    quiet(plan === undefined ? null : planNote(plan)),
  ];
};

/** Risks, in groups, each with its meaning in a line, and what they follow from. Numbers are rounded outward. */
export function riskOutput(report: words.RiskReport): Output {
  const { risk, specification } = report;
  return {
    page: () => blocksOf(report),
    json: (version) =>
      json.documentText(RISK, {
        ...risk,
        version,
        input: exactForm({ ...specification, target: null }),
        exact: risk.isExact,
        fromGuarantees: words.restsOnGuarantees(specification),
        notes: words.notes(report),
        sources: words.sourcesOf(risk),
      }),
    csv: () =>
      csvText(words.riskRows(risk), [
        'risk',
        ['at', ({ at }) => at?.toString() ?? null],
        ['prior', ({ prior }) => prior?.toString() ?? null],
        ['lower', ({ value }) => value.lower],
        ['upper', ({ value }) => value.upper],
      ]),
  };
}
