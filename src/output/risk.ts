import type { Risk, FittedGaussian, TestRates } from '../composition/risk/risk.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { BRACKET, FLAG, GIVEN, INPUT, LOWER, TEXT, UPPER } from './kit/codecs.ts';
import { ROW_ID, WARNING } from './refusal/refusal.ts';
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
    order: json.optional(json.described('The order of a Renyi divergence.', GIVEN)),
    value: BRACKET,
  }),
  ({ divergence, value }: Risk['divergences'][number]) => ({ ...divergence, value }),
);

const GAUSSIAN = json.object({
  rate: GIVEN,
  above: json.described('Distinguishing the two data sets is nowhere easier than under mu-GDP with this mu.', UPPER),
  below: json.described(
    'For some mechanisms of the classes, distinguishing is nowhere harder than under mu-GDP with this mu; null if none is known.',
    json.orNull(LOWER),
  ),
  everywhere: json.described('As `above`, but for all error rates; null if none is known.', json.orNull(UPPER)),
  regret: json.described(
    'By how much the mu of `above` overstates the success rate of a guess, at the worst prior; null if unknown.',
    json.orNull(BRACKET),
  ),
});

/** Risks. */
export const RISK = json.document(
  'risk',
  'Bounds on attacks that use the results: the output of risk --json. Upper bounds hold for all mechanisms of the declared classes, lower bounds for some.',
  {
    input: INPUT,
    exact: json.described(
      'Whether the profile is attained by pairs of distributions that the mechanisms may have.',
      FLAG,
    ),
    fromGuarantees: json.described(
      'Whether only guarantees are declared; declared noise often gives smaller risks.',
      FLAG,
    ),
    bounds: json.described('The bounds whose smallest delta at every epsilon is the profile.', json.list(ROW_ID)),
    advantage: json.described(
      'The largest true-positive rate minus false-positive rate: the total variation.',
      BRACKET,
    ),
    guesses: json.described(
      'Success rate in identifying which of two neighboring data sets was used, one of which has this prior probability.',
      json.list(json.object({ prior: GIVEN, success: BRACKET })),
    ),
    tests: json.described(
      'The largest true-positive rates at false-positive rates. predictive: precision (positive predictive value) of a test with both rates at a prior.',
      json.list(
        json.object({
          falsePositiveRate: GIVEN,
          truePositiveRate: BRACKET,
          predictive: json.list(json.object({ prior: GIVEN, value: BRACKET })),
        }),
      ),
    ),
    reconstructions: json.described(
      'Success rate in guessing an attribute or reconstructing a record, if the success rate without the results is at most the baseline.',
      json.list(json.object({ baseline: GIVEN, success: BRACKET })),
    ),
    leakedBits: json.described(
      'Bits of information that the results give about which of two equally likely neighboring data sets was used.',
      json.object({
        minEntropy: json.described('The gain of the best guess in bits: log2(1 + advantage).', BRACKET),
        mutualInformation: json.described('The average reduction of uncertainty in bits.', BRACKET),
      }),
    ),
    divergences: json.described(
      'Upper bounds of divergences, in nats; total variation as a probability.',
      json.list(DIVERGENCE),
    ),
    gaussian: json.optional(
      json.described(
        'Gaussian mechanisms (mu-GDP) on both sides, of tests whose false-positive and false-negative rates are at least `rate`.',
        GAUSSIAN,
      ),
    ),
    notes: json.described('How tight the numbers are and what they assume, in words.', json.list(TEXT)),
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
    'True-positive rate minus false-positive rate of the best attack: 0 is random guessing, 1 is certainty.',
    table([value], [['advantage', upperText], ...ifAny([value], 'lower bound', (bracket) => leastText(bracket, 0))]),
  );

function guesses({ guesses: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Success rate of membership inference',
    'Success rate of the best guess, for an attacker with this prior probability of one data set.',
    table(rows, [
      ['prior', ({ prior }) => exactGivenText(prior), { inBlock: 'prior' }],
      ['right without results', ({ prior }) => exactGivenText(words.without(prior))],
      ['success rate', ({ success }) => upperText(success)],
      ...ifAny(rows, 'lower bound', ({ prior, success }) => leastText(success, words.without(prior).toNumber())),
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
    'True-positive rate at a false-positive rate',
    'Largest true-positive rate (TPR) of an attack with this false-positive rate (FPR), and its precision (positive predictive value, PPV) at the prior.',
    table(rows, [
      ['FPR', ({ falsePositiveRate }) => exactGivenText(falsePositiveRate), { inBlock: 'FPR' }],
      ['TPR', ({ truePositiveRate }) => upperText(truePositiveRate)],
      ...ifAny(rows, 'lower bound', ({ falsePositiveRate, truePositiveRate }) =>
        leastText(truePositiveRate, falsePositiveRate.toNumber()),
      ),
      ['prior', ({ predicted }) => exactGivenText(predicted.prior)],
      ['PPV', ({ predicted }) => upperText(predicted.value)],
      ...ifAny(rows, 'lower bound', ({ predicted: { prior, value } }) => leastText(value, prior.toNumber())),
    ]),
    paragraph(
      'The precision is that of an attack with exactly this FPR. An attack with a smaller FPR can have a higher precision.',
    ),
  );
}

function reconstructions({ reconstructions: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Attribute inference and reconstruction',
    'Success rate of a guess (correct, or close enough), given its success rate without the results.',
    table(rows, [
      ['baseline', ({ baseline }) => exactGivenText(baseline), { inBlock: 'baseline' }],
      ['success rate', ({ success }) => upperText(success)],
    ]),
    paragraph(
      'This holds for an attacker whose success rate from all other knowledge is at most the baseline. It assumes that the data sets with each candidate are neighbors of one common data set. It says nothing about attackers with another prior or other knowledge, who may do better. No lower bound is known.',
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
    'Information about which of the two data sets it is, if both are equally likely: from 0 to 1 bit. Best guess: 1 bit doubles the success rate. Average: 1 bit leaves no doubt.',
    table(rows, [
      ['measure', ({ measure }) => measure, { inBlock: 'measure' }],
      ['bits', ({ value }) => upperText(value)],
      ...ifAny(rows, 'lower bound', ({ value }) => leastText(value, 0)),
    ]),
  );
}

function divergences({ divergences: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Divergences',
    'Divergence between the results on the two data sets (in nats; total variation is a probability).',
    table(rows, [
      ['divergence', ({ divergence }) => words.divergenceText(divergence), { inBlock: 'divergence' }],
      ['at most', ({ value }) => upperText(value)],
      ...ifAny(rows, 'lower bound', ({ value }) => leastText(value, 0)),
    ]),
  );
}

/** What is lost by giving only a mu. */
function regretText({ above, regret }: FittedGaussian): string {
  if (!Number.isFinite(above)) return 'No Gaussian mechanism (mu-GDP) reveals as much.';
  if (regret === null) return 'How loose this mu is is not known.';
  return `Regret of the first mu: at every prior, it overstates the success rate of membership inference by at most ${upperText(regret)}.`;
}

function gaussian({ gaussian: fit }: Risk): Block {
  if (fit === null) return NOTHING;
  const { rate, above, below, everywhere } = fit;
  const mu = (upper: UpperBound | null): string =>
    upper === null || upper === Infinity ? 'none known' : upperText({ lower: null, upper });
  const rows: readonly { readonly compared: string; readonly mu: string }[] = [
    { compared: 'at most as easy as mu', mu: mu(above) },
    { compared: 'at all error rates, at most as easy as mu', mu: mu(everywhere) },
    ...(below === null || !(below > 0)
      ? []
      : [{ compared: 'for some mechanisms, at least as easy as mu', mu: lowerText(below) }]),
  ];
  return group(
    'Gaussian DP (mu-GDP)',
    `How easily the two data sets are distinguished, compared with two normal distributions of variance 1 whose means differ by mu. Tests have false-positive and false-negative rates of at least ${exactGivenText(rate)}.`,
    table(rows, [['distinguishing them is', ({ compared }) => compared, { inBlock: 'distinguishing them is' }], 'mu']),
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
