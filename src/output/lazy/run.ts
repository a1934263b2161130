import { learnerOf, transitions, type Runnable } from '../../learning/core/setting.ts';
import { besideRun, chanceBeyond, regretOfRun } from '../../learning/run/run-guarantee.ts';
import { answersOf, type Answers, type RunState } from '../../learning/run/run-state.ts';
import { always, choice, described, identity, list, object, optional, orNull, published } from '../kit/codec.ts';
import { BUDGET, COUNT, ENCLOSURE, FLAG, GIVEN, TEXT, TEXT_OR_NULL } from '../kit/codecs.ts';
import { type Layout, pageText, paragraph } from '../kit/page.ts';
import { jsonLine } from '../kit/json-value.ts';
import { counted, grouped, printable } from '../kit/prose.ts';
import {
  GUARANTEED,
  lazyText,
  printedSetting,
  SAFE,
  SETTING,
  lazyHeading,
  leastText,
  mostText,
  parameterText,
  settingText,
} from './words.ts';

/** A line of `lazy run`. */
export const LAZY_ANSWER = published(
  'lazy-answer',
  'The expert of the next round, as lazy run --json prints it in one line for each round of losses.',
  object({
    ...identity('lazy-answer'),
    round: described('the round in which the expert is played, from 1', COUNT),
    expert: described('from 1; null when the run is over', orNull(COUNT)),
    name: TEXT_OR_NULL,
  }),
);

type Names = readonly string[] | null;

/** Answers as lines of JSON. */
export function* answerJson(answers: Answers, names: Names, version: string): Generator<string> {
  for (const { round, expert } of answersOf(answers)) {
    const [number, name] = expert === null ? [null, null] : [expert + 1, names?.[expert] ?? null];
    yield `${jsonLine(LAZY_ANSWER.encode({ version, round, expert: number, name }))}\n`;
  }
}

/** The name of an expert, or its number from 1; a hyphen when the run is over. */
const expertText = (expert: number | null, names: Names): string =>
  expert === null ? '-' : printable(names?.[expert] ?? String(expert + 1));

/** Answers as lines with nothing but the expert. */
export function* answerText(answers: Answers, names: Names): Generator<string> {
  for (const { expert } of answersOf(answers)) yield `${expertText(expert, names)}\n`;
}

/** A run, without what experts have lost. */
export const RUN = object({
  result: always('run'),
  input: object({
    ...SETTING,
    eta: described('null for learners other than L2P, as is c', orNull(GIVEN)),
    learner: optional(choice('l2p', 'perturbed-leader', 'guessing')),
    noise: described(
      'the standard deviations of the noise of a perturbed leader: of a row, and of every sum; sums are written to the base radix',
      optional(object({ radix: COUNT, row: GIVEN, sum: GIVEN })),
    ),
    experts: COUNT,
    names: orNull(list(TEXT)),
    cap: described('the largest number of times that experts are sampled anew; null if unlimited', orNull(COUNT)),
  }),
  id: TEXT,
  simulated: described('whether the random numbers come from a seed; if so, nothing is private', FLAG),
  guarantee: described(
    'for replacing the losses of one round; null for a simulation',
    orNull(object({ status: GUARANTEED, epsilon: GIVEN, delta: GIVEN })),
  ),
  budget: BUDGET,
  beyondCap: described(
    'the probability that more new samples are needed than the cap allows; null without a cap',
    orNull(ENCLOSURE),
  ),
  regret: object({ safe: described('of a run with its cap, if there is one', SAFE) }),
  instead: described(
    'a learner of lazy plan that is as private, with a smaller proved regret; null where none is known',
    orNull(object({ id: TEXT, regret: SAFE })),
  ),
  ledger: orNull(object({ name: TEXT, store: TEXT_OR_NULL })),
  round: described('the round that is next; null before the ledger has granted the run', orNull(COUNT)),
  expert: described('of that round, from 1; null when the run is over', orNull(COUNT)),
  name: TEXT_OR_NULL,
  resampled: described('how often L2P sampled experts anew; 0 for other learners', COUNT),
});

/** What is played, with the parameters of its learner. */
function printedRunnable(setting: Runnable) {
  const { rounds, batch } = setting;
  if ('eta' in setting) return { learner: learnerOf(setting), ...printedSetting(setting) };
  const noise = setting.deviation && { radix: setting.radix, row: setting.node, sum: setting.deviation };
  return { learner: learnerOf(setting), rounds, batch, eta: null, p: null, c: null, noise };
}

/** A run as `dpcompose.lazy/1`. */
export function lazyRunJson({ header, progress, simulated }: RunState, version: string): string {
  const { setting, experts, names, cap, id, epsilon, delta, ledger } = header;
  const regret = regretOfRun(setting, experts, cap);
  const { instead } = besideRun(header, regret);
  const action = progress === null || progress.round > setting.rounds ? null : progress.x;
  return lazyText(
    RUN,
    {
      input: { ...printedRunnable(setting), experts, names, cap },
      id,
      simulated: simulated !== null,
      guarantee: simulated === null ? { epsilon, delta } : null,
      budget: { epsilon, delta },
      beyondCap: cap === null ? null : chanceBeyond(setting, cap),
      regret: { safe: { upper: regret } },
      instead: instead && { id: instead.id, regret: { upper: instead.regret } },
      ledger,
      round: progress?.round ?? null,
      expert: action === null ? null : action + 1,
      name: action === null ? null : (names?.[action] ?? null),
      resampled: progress?.resampled ?? 0,
    },
    version,
  );
}

function guaranteeText({ header: { setting, epsilon, delta }, simulated }: RunState): string {
  const when = 'eta' in setting ? ', and when they were sampled anew,' : '';
  const budget = `(${epsilon.toString()}, ${delta.toString()})-differentially private`;
  return simulated === null
    ? `All experts that it names${when} are together ${budget} for replacing the losses of one round.`
    : `This is a simulation, whose random numbers come from a seed: it is not private. With random numbers of the system it would be ${budget}.`;
}

function progressText({ header: { setting, names }, progress }: RunState): string {
  if (progress === null) return 'Its ledger has not granted it yet: nothing was drawn.';
  const [round, rounds] = [grouped(progress.round), grouped(setting.rounds)];
  if (progress.round > setting.rounds) return `It is over, after ${counted(setting.rounds, 'round')}.`;
  return `Round ${round} of ${rounds} is next, and is for expert ${expertText(progress.x, names)}.`;
}

function samplesText({ header: { setting, cap }, progress }: RunState): string | null {
  if (progress === null || !('eta' in setting)) return null;
  const limitText = cap === null ? '' : `, which may happen ${counted(cap, 'time')} at most`;
  const always = cap === 0 ? ' The expert of the first round is that of every round, whatever the losses are.' : '';
  return `An expert was sampled anew ${counted(progress.resampled, 'time')}${limitText}.${always}`;
}

/** How likely the cap is to be reached, and what follows. */
function capText({ header: { setting, cap } }: RunState): string | null {
  if (cap === null) return null;
  const { lower, upper } = chanceBeyond(setting, cap);
  const lowEnd = lower > 0 ? `at least ${leastText(lower)} and ` : '';
  return `It asks for more new samples than its cap allows with a chance of ${lowEnd}at most ${mostText(upper)}; from then on it keeps its expert, whatever the losses are.`;
}

/** Where guessing, or a learner that is as private, has a smaller proved regret. */
function besideText({ header }: RunState): string | null {
  const { setting, experts, cap } = header;
  if (transitions(setting) === 0)
    return 'It plays one expert, drawn uniformly, in all rounds: it learns nothing and reads no losses.';
  const regret = regretOfRun(setting, experts, cap);
  const { guessing, instead } = besideRun(header, regret);
  if (instead !== null) {
    const why =
      'eta' in setting
        ? '--init without parameters and learner of your own plays the one with the least that can be run'
        : 'it needs more noise than a run keeps';
    return `Another learner of "lazy plan" has a smaller proved regret with the same privacy: ${instead.id}, at most ${mostText(instead.regret)}; ${why}.`;
  }
  return regret < guessing
    ? null
    : `Drawing one expert uniformly, which reads no losses, has at most ${mostText(guessing)}: this run is not proved to be better.`;
}

/** The bound on the regret, with the cap and without it. */
function regretText({ header: { setting, experts, cap } }: RunState): string {
  const bound = mostText(regretOfRun(setting, experts, cap));
  const free = cap === null ? '' : `, without its cap at most ${mostText(regretOfRun(setting, experts))}`;
  return `Its expected regret is at most ${bound} for losses that are fixed in advance${free}.`;
}

const paidText = ({ header: { setting, ledger }, progress }: RunState): string | null =>
  learnerOf(setting) === 'guessing'
    ? 'No ledger is charged for it.'
    : ledger &&
      `It is ${progress === null ? 'to be ' : ''}paid by the ledger ${ledger.name}${ledger.store === null ? '' : ` in ${ledger.store}`}.`;

/** The learner and its parameters. */
function learnerText(setting: Runnable): string {
  if ('eta' in setting) return settingText(setting, { type: 'multiplicative-weights' });
  if (setting.deviation === null) return `Guessing: T ${grouped(setting.rounds)}`;
  const { rounds, batch, radix, deviation } = setting;
  const noise = `noise of standard deviation ${parameterText(deviation)} on sums to the base ${grouped(radix)}`;
  return `Perturbed leader: T ${grouped(rounds)}, B ${grouped(batch)}, ${noise}`;
}

/** A run for a person: how far it is, and what is certain of it; nothing of what experts have lost. */
export function lazyRunTable(run: RunState, layout: Layout): string {
  const { setting, experts } = run.header;
  return pageText(
    [
      lazyHeading(`${learnerText(setting)}, ${grouped(experts)} experts`),
      paragraph([progressText(run), samplesText(run), paidText(run)].filter((text) => text !== null).join(' ')),
      paragraph(guaranteeText(run)),
      paragraph([capText(run), regretText(run), besideText(run)].filter((text) => text !== null).join(' ')),
    ],
    layout,
  );
}
