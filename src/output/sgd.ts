import type { Problem } from '../composition/compose/compose.ts';
import type { SgdAnswer, Milestone, Tuning } from '../composition/sgd/sgd.ts';
import {
  lengthOfEpochs,
  type Length,
  type Run,
  type Training,
  problemOf,
  rateOf,
} from '../composition/sgd/training.ts';
import { NEIGHBOURS_OF } from '../privacy/sampling/rate.ts';
import type { Answer } from '../composition/core/outcome.ts';
import type { SchemeVerdict } from '../composition/core/sampler-verdict.ts';
import { Rational, roundedDecimal } from '../numeric/rational.ts';
import type { TrainingScheme } from '../privacy/mechanism.ts';
import { neighboursText, guarantee, SELECTION_ASSUMPTION } from './kit/statement.ts';
import { givenText, lowerText, upperText } from './kit/number.ts';
import { counted, grouped } from './kit/prose.ts';
import { NOUNS, solveStatement, type Nouns, limitIn, RISK_LIMIT, SOLUTION, solutionIn } from './solve.ts';
import { USUAL_SETTING } from '../composition/core/setting.ts';
import type { Specification } from '../document/core/specification.ts';
import { runsText } from '../document/mechanism/run-law.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import { ANSWER } from './compose/json.ts';
import { BRACKET, BUDGET, FINITE, GIVEN, INPUT, QUERY, TEXT, whole } from './kit/codecs.ts';
import { WARNING } from './refusal/refusal.ts';
import { chanceText, SAMPLER_VERDICT, SCHEME_NAMES } from './refusal/batch-facts.ts';
import { heading, label, list, NOTHING, paragraph, stack, type Block } from './kit/page.ts';
import type { Axis, Chart, DrawnOutput } from './chart/chart.ts';
import { measureLabel } from './curve.ts';
import { csvText, endsOf, ifAny, table } from './kit/table.ts';
import * as json from './kit/codec.ts';

/** Digits that are shown of epochs, and those of a double. */
const DIGITS = 6;
const DOUBLE_DIGITS = 17;

/** Epochs for a reader, rounded down: training is not said to be longer than it is. */
export function epochsText({ epochs }: Length): string {
  const whole = epochs.numerator / epochs.denominator;
  return whole < 10n ** BigInt(DIGITS - 1) ? givenText(roundedDecimal(epochs, DIGITS, 'down')) : grouped(whole);
}

/** Epochs for a program, about. */
export const epochsNumber = (epochs: Rational): number => roundedDecimal(epochs, DOUBLE_DIGITS, 'down').toNumber();

const epochsWords = (length: Length): string => {
  const text = epochsText(length);
  return `${text} ${text === '1' ? 'epoch' : 'epochs'}`;
};

/** `on Poisson samples of expected size 256`. */
function batchesText({ batch, scheme }: Training): string {
  switch (scheme) {
    case 'poisson':
      return `Poisson subsamples of expected size ${grouped(batch)}`;
    case 'random-allocation':
      return `randomly allocated batches of expected size ${grouped(batch)}`;
    case 'without-replacement':
      return `fixed-size subsamples of ${grouped(batch)} without replacement`;
    case 'shuffled':
      return `shuffled batches of ${grouped(batch)}`;
  }
}

/** The training in words: `14,063 steps (60 epochs) on Poisson samples of expected size 256 from 60,000 examples`. */
const lengthText = (run: Run): string =>
  `${counted(run.length.steps, 'step')} (${epochsWords(run.length)}) on ${batchesText(run)} from ${counted(run.examples, 'example')}`;

/** The heading of a run. */
const runHeading = (run: Run): string => `DP-SGD: ${lengthText(run)}, noise multiplier ${givenText(run.noise)}`;

/** Where it is shown what a sample gains. */
const AMPLIFICATION: Readonly<Record<TrainingScheme, string>> = {
  'random-allocation':
    'random allocation by its dominating pair, the mean over batches of N(e_i, sigma^2 I) against N(0, sigma^2 I) (Chua et al. 2024, arXiv:2412.16802)',
  poisson: 'Poisson sampling by Zhu, Dong, Wang 2022, Thm 11',
  'without-replacement': 'sampling by Balle, Barthe, Gaboardi 2018, Thm 2',
  shuffled: 'no theorem on shuffled batches',
};

/** What a run guarantees, as a paper says it: for which neighbours, by which sampling, by which theorem. */
function sgdStatement({ run, answer }: { readonly run: Run; readonly answer: Answer }): string {
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  const theorem = row === undefined ? answer.bound : `${row.name} (${row.reference})`;
  const who = `DP-SGD with noise multiplier ${givenText(run.noise)}, run for ${lengthText(run)},`;
  const claim = guarantee(answer, who);
  const { records = 1, scheme } = run;
  const amplification =
    records > 1 ? 'Poisson sampling of several records of one person derived' : AMPLIFICATION[scheme];
  return `${claim} ${neighboursText(NEIGHBOURS_OF[scheme], records)} Certified by ${theorem}; ${amplification}.`;
}

/** What a hyperparameter search guarantees that releases the best of several runs. */
function tuningStatement({ runs, answer }: Tuning): string {
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  const theorem = row === undefined ? answer.bound : `${row.name} (${row.reference})`;
  const who = `A hyperparameter search that releases only the best of ${runsText(runs, givenText)}`;
  return `${guarantee(answer, who)} Certified by ${theorem}.`;
}

/** What a sampler must do. */
function drawnText({ examples, batch, scheme, heaviest }: Training): string {
  switch (scheme) {
    case 'poisson':
      if (heaviest) {
        const rate = givenText(roundedDecimal(heaviest, DIGITS, 'up'));
        return `every step draws each example independently with its own probability ${grouped(batch)} w / sum w, which does not depend on the other examples; the rate of the heaviest one, ${rate}, is used for all`;
      }
      return `every step draws each example with probability ${grouped(batch)}/${grouped(examples)} independently, so batch sizes vary; batches of a shuffled list are not Poisson subsamples, and lose more privacy (--scheme shuffled)`;
    case 'random-allocation':
      return `each example is in exactly one of the ${grouped(examples / batch)} batches of an epoch, drawn anew for every epoch; it is uniform and independent of the other examples, so batch sizes vary; one draw for all epochs loses more privacy, and a shuffled list is another scheme (--scheme shuffled)`;
    case 'without-replacement':
      return `every step draws ${grouped(batch)} of the ${grouped(examples)} examples anew, uniformly at random; batches of a shuffled list are not such samples (--scheme shuffled)`;
    case 'shuffled':
      return `every epoch permutes the ${grouped(examples)} examples uniformly at random and takes the next ${grouped(batch)} for each step`;
  }
}

/** What a guarantee takes for granted of the program that trains. */
function assumptionsOf(training: Training, isTuned: boolean): readonly string[] {
  const { scheme, records = 1 } = training;
  const draws = drawnText(training);
  const clipped =
    'each gradient is clipped to norm C; the noise on the sum is Gaussian with standard deviation noise multiplier times C; the divisor does not depend on the data';
  const replaced =
    scheme === 'without-replacement'
      ? [
          'replacing one example moves the sum by up to 2 C, so sigma divided by the sensitivity is half the noise multiplier',
        ]
      : [];
  const owned = records > 1 ? [`one person has at most ${grouped(records)} examples`] : [];
  return [
    draws,
    ...owned,
    clipped,
    ...replaced,
    isTuned
      ? SELECTION_ASSUMPTION
      : 'everything else computed from the data, such as choosing among several training runs, adds privacy loss (--tuning)',
  ];
}

const nounsOf = ({ scheme }: Training): Nouns => ({
  ...NOUNS,
  sigma: 'noise multiplier',
  count: scheme === 'random-allocation' ? 'number of epochs' : 'number of steps',
});

/** The whole epochs of steps that fit: as many steps as those take, or more, fit. */
function wholeEpochs({ question, trained }: SgdAnswer): string {
  if (question.kind !== 'steps' || trained === null || trained.run.scheme === 'random-allocation') return '';
  const { run } = trained;
  const epochs = run.length.epochs.numerator / run.length.epochs.denominator;
  const length = lengthOfEpochs(run, Rational.of(epochs));
  if (epochs === 0n) return ' That is less than an epoch.';
  if (length === null) return '';
  const fit = epochs === 1n ? 'One whole epoch fits' : `${grouped(epochs)} whole epochs fit`;
  return ` ${fit}: ${counted(length.steps, 'step')}.`;
}

/** What was found, and what shows that; null where a cost was asked. */
function searchText(answer: SgdAnswer): string | null {
  const { search } = answer;
  if (search === null) return null;
  const { question, outcome } = search;
  return `${solveStatement(outcome, { kind: 'within', question }, nounsOf(answer.question.training))}${wholeEpochs(answer)}`;
}

/** What was asked for and cannot be told, in a heading. */
const questionHeading = ({ question: { training } }: SgdAnswer): string =>
  `DP-SGD on ${batchesText(training)} from ${counted(training.examples, 'example')}`;

const EPOCHS = json.from(FINITE, epochsNumber);

const MILESTONE = json.object({ epochs: EPOCHS, steps: whole(1), cost: json.orNull(BRACKET) });

const TUNING = json.object({ statement: TEXT, answer: ANSWER, input: INPUT });

/** Accounting for training by noisy gradients. */
export const SGD = json.document('sgd', 'Privacy accounting of DP-SGD, as sgd --json prints it.', {
  training: json.object({
    examples: whole(1),
    batch: json.described('For Poisson subsampling, the expected size.', whole(1)),
    records: json.optional(
      json.described('The most examples of one person, where that is the unit of privacy.', whole(1)),
    ),
    rate: json.described(
      'The probability that an example is in a batch, of weighted samples the heaviest one, as a quotient in lowest terms.',
      TEXT,
    ),
    scheme: json.choice('poisson', 'random-allocation', 'without-replacement', 'shuffled'),
    neighbours: json.choice('add-remove', 'replace-one'),
  }),
  find: json.choice('cost', 'noise', 'steps'),
  query: json.optional(json.described('The privacy loss, if it was computed.', QUERY)),
  budget: json.optional(json.described('The budget with all digits, if noise or steps were computed.', BUDGET)),
  limit: json.optional(RISK_LIMIT),
  noiseMultiplier: json.described(
    'The standard deviation of the noise divided by the clipping norm, given or computed; null if none meets the target.',
    json.orNull(GIVEN),
  ),
  steps: json.described('Given or computed; null if none meets the target.', json.orNull(whole(1))),
  epochs: json.orNull(EPOCHS),
  solution: json.described(
    'For a search: the solution and what is known beyond it; null if nothing fits or no search was made.',
    json.orNull(SOLUTION),
  ),
  message: json.described('For a search: the result in words.', json.orNull(TEXT)),
  answer: json.described('The privacy loss of all steps.', json.orNull(ANSWER)),
  milestones: json.described(
    'The privacy loss during training, epsilon or delta as requested; the last row is the whole run.',
    json.list(MILESTONE),
  ),
  statement: json.orNull(TEXT),
  assumptions: json.list(TEXT),
  input: json.described('All steps as a specification in normal form, which compose reads.', json.orNull(INPUT)),
  tuning: json.optional(
    json.described('With --tuning: the privacy loss of the best of a random number of such runs.', TUNING),
  ),
  batches: json.optional(
    json.described('With --batches: what the recorded batches say of the scheme.', SAMPLER_VERDICT),
  ),
  warnings: json.list(WARNING),
});

/** A run as a specification. */
export const runSpecification = ({ run, answer }: { readonly run: Run; readonly answer: Answer }): Specification =>
  specificationOf(problemOf(run), answer);

const specificationOf = (problem: Problem, answer: Answer): Specification => ({
  ...problem,
  name: null,
  order: 'any',
  target: answer.query,
  neighbours: null,
  setting: USUAL_SETTING,
  design: null,
});

function lowerBoundText({ cost }: Milestone): string {
  const lower = cost?.lower ?? null;
  return lower === null ? '' : lowerText(lower);
}

/** The cost along the training; nothing where it is told at the end only. */
function costs({ trained, milestones }: SgdAnswer): Block {
  if (trained === null || milestones.length < 2) return NOTHING;
  return table(milestones, [
    ['epochs', epochsText, { inBlock: 'epochs' }],
    ['steps', ({ steps }) => grouped(steps)],
    [trained.answer.query.solveFor, ({ cost }) => (cost === null ? '-' : upperText(cost))],
    ...ifAny(milestones, 'lower bound', lowerBoundText),
  ]);
}

/** What recorded batches say of the scheme that is accounted for. */
const testedText = ({ scheme, pValue, tests }: SchemeVerdict): string =>
  `The recorded batches do not contradict ${SCHEME_NAMES[scheme]} (${pValue === null ? 'their sizes are possible' : `p-value ${chanceText(pValue)}, ${counted(tests, 'test')}`}). That does not verify the sampler.`;

/** The axis of a chart along a training. */
export const EPOCHS_AXIS: Axis = { label: 'epochs', scale: 'linear' };

/** The cost along the training, drawn. */
function sgdChart(answer: SgdAnswer, title: string): Chart {
  const { trained, milestones } = answer;
  const result = searchText(answer);
  const measure = trained?.answer.query.solveFor ?? 'epsilon';
  const points = milestones.map((milestone) => ({
    x: epochsNumber(milestone.epochs),
    lower: milestone.cost?.lower ?? null,
    upper: milestone.cost?.upper ?? null,
  }));
  const lines = [{ name: 'claim', stroke: 'solid' as const, points }];
  const y: Axis = { label: measureLabel(measure), scale: measure === 'delta' ? 'log' : 'linear' };
  return {
    title,
    description: `${title}, over epochs. One line: the claim.`,
    notes: result === null ? [] : [result],
    panels: [{ title: null, x: EPOCHS_AXIS, y, lines }],
  };
}

/** An answer about training: what was found, the cost per epoch, a sentence for a paper, what it takes for granted. */
export function sgdOutput(answer: SgdAnswer, tested: SchemeVerdict | null = null): DrawnOutput {
  const { question, search, trained, tuning, milestones, warnings } = answer;
  const { training } = question;
  const { scheme } = training;
  const run = trained?.run ?? null;
  const title = trained === null ? questionHeading(answer) : runHeading(trained.run);
  return {
    page: () => [
      heading(title),
      paragraph(searchText(answer)),
      paragraph(tested && testedText(tested)),
      costs(answer),
      paragraph(trained && sgdStatement(trained)),
      paragraph(trained && tuning && tuningStatement(tuning)),
      ...(trained === null ? [] : [stack([label('Assumptions'), list(assumptionsOf(training, tuning !== null), 2)])]),
    ],
    json: (version) =>
      json.documentText(SGD, {
        version,
        training: {
          ...training,
          rate: rateOf(training).toString(),
          neighbours: NEIGHBOURS_OF[scheme],
        },
        find: question.kind,
        ...(question.kind === 'cost' ? { query: question.query } : limitIn(question.budget)),
        noiseMultiplier: run?.noise ?? null,
        steps: run?.length.steps ?? null,
        epochs: run?.length.epochs ?? null,
        solution: search && solutionIn(search.outcome),
        message: searchText(answer),
        answer: trained?.answer ?? null,
        milestones,
        statement: trained && sgdStatement(trained),
        assumptions: assumptionsOf(training, tuning !== null),
        input: trained && exactForm(runSpecification(trained)),
        ...(trained &&
          tuning && {
            tuning: {
              statement: tuningStatement(tuning),
              answer: tuning.answer,
              input: exactForm(specificationOf(tuning.problem, trained.answer)),
            },
          }),
        ...(tested && { batches: { ...tested, batch: training.batch } }),
        warnings,
      }),
    csv: () =>
      csvText(milestones, [
        ['noiseMultiplier', () => run?.noise.toString() ?? null],
        ['epochs', ({ epochs }) => epochsNumber(epochs)],
        'steps',
        ...endsOf<Milestone>('cost', ({ cost }) => cost),
      ]),
    chart: () => sgdChart(answer, title),
  };
}
