import type { SgdAnswer } from '../../composition/sgd/sgd.ts';
import { problemOf, type Run } from '../../composition/sgd/training.ts';
import type { Answer } from '../../composition/core/outcome.ts';
import { USUAL_SETTING } from '../../composition/core/setting.ts';
import { Rational } from '../../numeric/rational.ts';
import { NEIGHBOURS_OF } from '../../privacy/sampling/rate.ts';
import { exactForm, type ExactForm } from '../../document/structure/normal-form.ts';
import { ANSWER } from '../compose/answer-json.ts';
import { choice, described, document, documentText, from, list, object, optional, orNull } from '../kit/codec.ts';
import { BRACKET, BUDGET, FINITE, GIVEN, INPUT, QUERY, TEXT, whole } from '../kit/codecs.ts';
import { WARNING } from '../refusal/bound-row-json.ts';
import { limitIn, RISK_LIMIT, SOLUTION, solutionIn } from '../solve/json.ts';
import { assumptionsOf, epochsNumber, searchText, sgdStatement } from './words.ts';

const EPOCHS = from(FINITE, epochsNumber);

const MILESTONE = object({ epochs: EPOCHS, steps: whole(1), cost: orNull(BRACKET) });

/** Accounting for training by noisy gradients. */
export const SGD = document('sgd', 'What training by noisy gradients costs, as sgd --json prints it.', {
  training: object({
    examples: whole(1),
    batch: described('Of Poisson samples on the average.', whole(1)),
    rate: described('The probability that an example is in a batch, as a quotient in lowest terms.', TEXT),
    scheme: choice('poisson', 'without-replacement', 'shuffled'),
    neighbours: choice('add-remove', 'replace-one'),
  }),
  find: choice('cost', 'noise', 'steps'),
  query: optional(described('What was asked, where a cost was.', QUERY)),
  budget: optional(described('What may be spent, with all digits, where noise or steps were asked.', BUDGET)),
  limit: optional(RISK_LIMIT),
  noiseMultiplier: described(
    'The deviation of the noise over the clipping norm, given or found; null where none was found.',
    orNull(GIVEN),
  ),
  steps: described('Given or found; null where none were found.', orNull(whole(1))),
  epochs: orNull(EPOCHS),
  solution: described(
    'Of a search: what was found, and what is known beyond it; null where nothing fits, or a cost was asked.',
    orNull(SOLUTION),
  ),
  message: described('Of a search: what was found, in words.', orNull(TEXT)),
  answer: described('The cost of all steps.', orNull(ANSWER)),
  milestones: described(
    'The cost along the training, epsilon or delta as was asked; the last is the whole.',
    list(MILESTONE),
  ),
  statement: orNull(TEXT),
  assumptions: list(TEXT),
  input: described('All steps as a specification in normal form, which compose reads.', orNull(INPUT)),
  warnings: list(WARNING),
});

/** A run as a specification. */
const inputOf = ({ run, answer }: { readonly run: Run; readonly answer: Answer }): ExactForm =>
  exactForm({
    ...problemOf(run),
    name: null,
    order: 'any',
    target: answer.query,
    neighbours: null,
    setting: USUAL_SETTING,
    design: null,
  });

/** An answer about training as `dpcompose.sgd/1`. */
export function sgdJson(given: SgdAnswer, version: string): string {
  const { question, search, trained, milestones, warnings } = given;
  const { training } = question;
  const { examples, batch, scheme } = training;
  const run = trained?.run ?? null;
  return documentText(SGD, {
    version,
    training: {
      ...training,
      rate: Rational.of(batch, examples).toString(),
      neighbours: NEIGHBOURS_OF[scheme],
    },
    find: question.kind,
    ...(question.kind === 'cost' ? { query: question.query } : limitIn(question.budget)),
    noiseMultiplier: run?.noise ?? null,
    steps: run?.length.steps ?? null,
    epochs: run?.length.epochs ?? null,
    solution: search && solutionIn(search.outcome),
    message: searchText(given),
    answer: trained?.answer ?? null,
    milestones,
    statement: trained && sgdStatement(trained),
    assumptions: assumptionsOf(training),
    input: trained && inputOf(trained),
    warnings,
  });
}
