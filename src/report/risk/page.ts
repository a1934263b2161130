import type { FittedGaussian, Risk, TestRates } from '../../composition/risk/risk.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Bracket, UpperBound } from '../../numeric/enclosure.ts';
import { planNote } from '../compose/table.ts';
import type { Layout } from '../kit/columns.ts';
import { exactGivenText, lowerText, upperText } from '../kit/number.ts';
import {
  heading,
  label,
  list,
  NOTHING,
  pageMarkdown,
  pageText,
  paragraph,
  quiet,
  stack,
  type Block,
} from '../kit/page.ts';
import { table, type Column } from '../kit/table.ts';
import type { RiskReport } from './report.ts';
import { adversaryText, divergenceText, notes, saysMore, shortText, sourcesOf, subjectOf } from './words.ts';

/** A lower end where it says something; nothing where it does not. */
const leastText = (value: Bracket, trivial: number): string =>
  value.lower !== null && saysMore(value, trivial) ? lowerText(value.lower) : '';

/** A column of lower ends, if any of them says something. */
const leastColumn = <Row>(rows: readonly Row[], least: (row: Row) => string): readonly Column<Row>[] =>
  rows.some((row) => least(row) !== '') ? [['at least', least]] : [];

const group = (title: string, meaning: string, rows: Block, ...after: readonly Block[]): Block =>
  stack([label(title, 2), paragraph(meaning), rows, ...after]);

/** The chance of being right without the results. */
const without = (prior: Decimal): Decimal => Decimal.max(prior, new Decimal(1).minus(prior));

const advantage = ({ advantage: value }: Risk): Block =>
  group(
    'Membership advantage',
    'How much more often an attack says "it is this one" where it is than where it is the other: 0 is blind, 1 certain.',
    table([value], [['advantage at most', upperText], ...leastColumn([value], (each) => leastText(each, 0))]),
  );

function guesses({ guesses: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Naming the right one of the two',
    'How often the best guess is right, for whoever held one of them so probable before (the prior).',
    table(rows, [
      ['prior', ({ prior }) => exactGivenText(prior), { inBlock: 'prior' }],
      ['right without the results', ({ prior }) => exactGivenText(without(prior))],
      ['right at most', ({ success }) => upperText(success)],
      ...leastColumn(rows, ({ prior, success }) => leastText(success, without(prior).toNumber())),
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
      ...leastColumn(rows, ({ falsePositiveRate, truePositiveRate }) =>
        leastText(truePositiveRate, falsePositiveRate.toNumber()),
      ),
      ['prior', ({ predicted }) => exactGivenText(predicted.prior)],
      ['right if yes, at most', ({ predicted }) => upperText(predicted.value)],
      ...leastColumn(rows, ({ predicted: { prior, value } }) => leastText(value, prior.toNumber())),
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
      ...leastColumn(rows, ({ value }) => leastText(value, 0)),
    ]),
  );
}

function divergences({ divergences: rows }: Risk): Block {
  if (rows.length === 0) return NOTHING;
  return group(
    'Divergences',
    'How far the results on one of the two are from those on the other, in measures of statistics (nats; total variation: a probability).',
    table(rows, [
      ['divergence', ({ divergence }) => divergenceText(divergence), { inBlock: 'divergence' }],
      ['at most', ({ value }) => upperText(value)],
      ...leastColumn(rows, ({ value }) => leastText(value, 0)),
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

const blocksOf = (report: RiskReport): Block[] => {
  const { risk, specification } = report;
  const { plan } = risk.answer;
  const short = shortText(risk);
  return [
    heading(`Risks of ${subjectOf(specification)}`),
    ...(short === null ? [] : [paragraph(short)]),
    paragraph(adversaryText(specification)),
    ...[advantage, guesses, tests, reconstructions, bits, divergences, gaussian].map((make) => make(risk)),
    paragraph(notes(report).join(' ')),
    stack([
      label('By', 2),
      list(
        sourcesOf(risk).map(({ text }) => text),
        2,
      ),
    ]),
    quiet(plan === undefined ? null : planNote(plan)),
  ];
};

/** Risks for a person: in groups, each with its meaning in a line, and what they follow from. Numbers are rounded outward. */
export const riskText = (report: RiskReport, layout: Layout): string => pageText(blocksOf(report), layout);

/** The same as a Markdown document. */
export const riskMarkdown = (report: RiskReport): string => pageMarkdown(blocksOf(report));
