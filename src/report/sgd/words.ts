import type { SgdAnswer } from '../../composition/sgd/sgd.ts';
import { lengthOfEpochs, type Length, type Run, type Training } from '../../composition/sgd/training.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/rate.ts';
import type { Answer } from '../../composition/core/outcome.ts';
import { Rational, roundedDecimal } from '../../numeric/rational.ts';
import type { SamplingScheme } from '../../privacy/mechanism.ts';
import { neighboursText } from '../kit/neighbours.ts';
import { givenText } from '../kit/number.ts';
import { counted, grouped } from '../kit/prose.ts';
import { guarantee } from '../kit/statement.ts';
import { NOUNS, solveStatement, type Nouns } from '../solve/statement.ts';

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
      return `Poisson samples of expected size ${grouped(batch)}`;
    case 'without-replacement':
      return `samples of ${grouped(batch)} without replacement`;
    case 'shuffled':
      return `shuffled batches of ${grouped(batch)}`;
  }
}

/** The training in words: `14,063 steps (60 epochs) on Poisson samples of expected size 256 from 60,000 examples`. */
const lengthText = (run: Run): string =>
  `${counted(run.length.steps, 'step')} (${epochsWords(run.length)}) on ${batchesText(run)} from ${counted(run.examples, 'example')}`;

/** The heading of a run. */
export const runHeading = (run: Run): string => `DP-SGD: ${lengthText(run)}, noise multiplier ${givenText(run.noise)}`;

/** Where it is shown what a sample gains. */
const AMPLIFICATION: Readonly<Record<SamplingScheme, string>> = {
  poisson: 'Poisson sampling by Zhu, Dong, Wang 2022, Thm 11',
  'without-replacement': 'sampling by Balle, Barthe, Gaboardi 2018, Thm 2',
  shuffled: 'no theorem on shuffled batches',
};

/** What a run guarantees, as a paper says it: for which neighbours, by which sampling, by which theorem. */
export function sgdStatement({ run, answer }: { readonly run: Run; readonly answer: Answer }): string {
  const row = answer.bounds.find(({ id }) => id === answer.bound);
  const theorem = row === undefined ? answer.bound : `${row.name} (${row.reference})`;
  const who = `DP-SGD with noise multiplier ${givenText(run.noise)}, run for ${lengthText(run)},`;
  const claim = guarantee(answer, { who, is: 'is', has: 'has' });
  return `${claim} ${neighboursText(NEIGHBOURS_OF[run.scheme])} Certified by ${theorem}; ${AMPLIFICATION[run.scheme]}.`;
}

/** What a guarantee takes for granted of the program that trains. */
export function assumptionsOf({ examples, batch, scheme }: Training): readonly string[] {
  const drawn =
    scheme === 'poisson'
      ? `every step draws each example with probability ${grouped(batch)}/${grouped(examples)} on its own, so that batches differ in size: batches of a shuffled list are no such samples, and cost more (--scheme shuffled)`
      : `every step draws ${grouped(batch)} of the ${grouped(examples)} examples anew, every set of so many being as likely: batches of a shuffled list are no such samples (--scheme shuffled)`;
  const clipped =
    'each gradient is clipped to a norm C, noise of the noise multiplier times C is added to their sum, and what that is divided by does not depend on the data';
  const replaced =
    scheme === 'without-replacement'
      ? ['one example replaced moves that sum by up to 2 C: the noise is half its multiplier in units of that']
      : [];
  return [
    drawn,
    clipped,
    ...replaced,
    'whatever else is taken from the data, such as the choice among several trainings, costs more',
  ];
}

const SGD_NOUNS: Nouns = { ...NOUNS, sigma: 'noise multiplier', count: 'number of steps' };

/** The whole epochs of steps that fit: as many steps as those take, or more, fit. */
function wholeEpochs({ question, trained }: SgdAnswer): string {
  if (question.kind !== 'steps' || trained === null) return '';
  const { run } = trained;
  const epochs = run.length.epochs.numerator / run.length.epochs.denominator;
  const length = lengthOfEpochs(run, Rational.of(epochs));
  if (epochs === 0n) return ' That is less than an epoch.';
  if (length === null) return '';
  const fit = epochs === 1n ? 'One whole epoch fits' : `${grouped(epochs)} whole epochs fit`;
  return ` ${fit}: ${counted(length.steps, 'step')}.`;
}

/** What was found, and what shows that; null where a cost was asked. */
export function searchText(answer: SgdAnswer): string | null {
  const { search } = answer;
  if (search === null) return null;
  const { question, outcome } = search;
  return `${solveStatement(outcome, { kind: 'within', question }, SGD_NOUNS)}${wholeEpochs(answer)}`;
}

/** What was asked for and cannot be told, in a heading. */
export const questionHeading = ({ question: { training } }: SgdAnswer): string =>
  `DP-SGD on ${batchesText(training)} from ${counted(training.examples, 'example')}`;
