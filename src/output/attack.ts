import type { Learned, ObliviousAttack } from '../composition/attack/oblivious.ts';
import type { ParallelAttack, ParallelQuestion } from '../composition/attack/parallel.ts';
import { CONFIDENCE, type Rate } from '../composition/attack/conversation.ts';
import type { RenyiAttack, RenyiGate, RenyiQuestion } from '../composition/attack/renyi.ts';
import type { Simulated } from '../composition/attack/gates.ts';
import { henzingerSafaviVadhan } from '../composition/theorems/theorem.ts';
import { Decimal, toUpper, ONE } from '../numeric/decimal.ts';
import { encloseRational, type Rational } from '../numeric/rational.ts';
import * as json from './kit/codec.ts';
import { COUNT, ENCLOSURE, FINITE, GIVEN, INTERVAL, LOWER, NUMBER, TEXT, UPPER, whole } from './kit/codecs.ts';
import {
  bracketOf,
  enclosureOf,
  intervalText,
  rationalText,
  decimalText,
  givenText,
  lowerText,
  shortText,
} from './kit/number.ts';
import { heading, paragraph, type Block, type Output } from './kit/page.ts';
import { abridged, counted, grouped, listed } from './kit/prose.ts';
import { table, type Column } from './kit/table.ts';

const POSITIVE = whole(1);

const INSTANCES = json.described(
  'How many instances the adversary may create; null for no limit.',
  json.orNull(POSITIVE),
);

/** An exact number, with the nearest doubles below and above. */
const EXACT = json.described(
  'An exact number, with the nearest doubles below and above.',
  json.from(
    json.object({
      exact: json.plain<string>({ type: 'string', pattern: '^[0-9]+(/[0-9]+)?$' }),
      lower: LOWER,
      upper: UPPER,
    }),
    (value: Rational) => ({ ...encloseRational(value), exact: value.toString() }),
  ),
);

const RATE = json.described(
  'How often an event happened, with the Clopper-Pearson interval for its probability.',
  json.object({ times: COUNT, of: COUNT, interval: json.orNull(ENCLOSURE) }),
);

const REPEATED = {
  runs: POSITIVE,
  seed: COUNT,
  generator: json.always('xoshiro128**'),
  confidence: { ...FINITE, encode: () => CONFIDENCE } as json.Codec<unknown, number>,
};

const SIMULATED = json.described(
  'Results of simulated interactions with the adversary; null without a simulation.',
  json.orNull(
    json.from(
      json.object({ ...REPEATED, guessed: RATE, right: RATE, messages: json.object({ mean: NUMBER, most: COUNT }) }),
      (simulated: Simulated) => ({
        ...simulated,
        messages: { mean: simulated.messages.total / simulated.runs, most: simulated.messages.most },
      }),
    ),
  ),
);

/** The members with which the answer of an attack begins. */
const attackIdentity = <const Attack extends string>(attack: Attack) => ({
  ...json.identity('attack'),
  attack: json.always(attack),
  reference: TEXT,
});

const REFUSES = json.described('The code of the refusal that this attack justifies.', TEXT);

/** The attack of Thm 5.2. */
const PARALLEL = json.object({
  ...attackIdentity('parallel'),
  input: json.object({ deltas: json.list(GIVEN), instances: INSTANCES }),
  expected: json.object({
    success: INTERVAL,
    messages: json.object({ mean: INTERVAL, most: json.orNull(POSITIVE) }),
  }),
  needed: json.list(json.object({ success: FINITE, instances: POSITIVE, messages: POSITIVE })),
  simulated: SIMULATED,
  floor: json.described(
    'No delta below this holds, whatever epsilon; the supremum over any number of instances.',
    json.object({ epsilon: json.always('any'), delta: NUMBER, supremum: NUMBER }),
  ),
  refuses: REFUSES,
});

const GATE = json.from(
  json.object({
    q: json.described('The probability that an open gate answers truthfully.', GIVEN),
    p: json.described('The probability that a gate opens.', GIVEN),
    alone: json.described('The divergence of one mechanism against every adaptive adversary.', INTERVAL),
    view: json.described('The divergence of the view of the adversary with the number of instances given.', INTERVAL),
    endless: json.described('The divergence of the view of the adversary with no limit on instances.', INTERVAL),
  }),
  (gate: RenyiGate) => ({ ...gate, q: ONE.minus(gate.lie), p: gate.opens }),
);

/** The attack of Thm 13.5. */
const RENYI = json.object({
  ...attackIdentity('renyi'),
  input: json.object({ alpha: GIVEN, epsilon: GIVEN, target: GIVEN, instances: INSTANCES }),
  proving: GATE,
  printed: GATE,
  bound: json.orNull(ENCLOSURE),
  expected: json.object({ opened: INTERVAL, messages: json.object({ mean: INTERVAL }) }),
  simulated: SIMULATED,
  refuses: REFUSES,
});

const LEARNED = json.object({ exact: EXACT, simulated: json.orNull(RATE) });

/** The attack of footnote 1. */
const OBLIVIOUS = json.object({
  ...attackIdentity('oblivious'),
  input: json.object({ delta: GIVEN }),
  numbers: POSITIVE,
  simulated: json.orNull(json.object(REPEATED)),
  oblivious: LEARNED,
  adaptive: LEARNED,
  refuses: REFUSES,
});

/** The answer of an attack. */
export const ATTACK = json.published(
  'attack',
  'An attack on a composition that is refused, and its result: the output of attack --json.',
  json.oneOf(PARALLEL, RENYI, OBLIVIOUS),
);

/** Runs of an attack. */
interface Runs {
  readonly runs: number;
  readonly seed: number;
}

/** A quantity: what is expected of it, and in runs its mean and an interval; null where there were none. */
interface Quantity {
  readonly name: string;
  readonly expected: string;
  readonly runs: readonly [mean: string, interval: string] | null;
}

/** A table of the quantities of an attack: expected, and in simulated runs with confidence intervals. */
function quantities(heading: string, rows: readonly Quantity[], simulated: Runs | null): Block {
  const simulationColumns: readonly Column<Quantity>[] =
    simulated === null
      ? []
      : [
          [`${counted(simulated.runs, 'run')}, seed ${simulated.seed}`, (row) => row.runs?.[0] ?? ''],
          [`${(CONFIDENCE * 100).toFixed()}% confidence`, (row) => row.runs?.[1] ?? ''],
        ];
  return table(rows, [[heading, ({ name }) => name], 'expected', ...simulationColumns]);
}

/** Four significant digits of a mean or a share. */
const roughText = (x: number): string => String(Number(x.toPrecision(4)));

/** How often something happened, as a share of all cases, and the interval for its probability. */
function rateText({ times, of, interval }: Rate): readonly [string, string] {
  if (interval === null) return ['', ''];
  const { lower, upper } = interval;
  return [roughText(times / of), `${shortText(lower, 'down')} to ${shortText(upper, 'up')}`];
}

/** That an interval does not contain what is expected; null where it does. */
function disagreement(rate: Rate, expected: { readonly lower: number; readonly upper: number }): string | null {
  const { interval } = rate;
  if (interval === null || (interval.lower <= expected.upper && interval.upper >= expected.lower)) return null;
  const chance = Math.round(1 / (1 - CONFIDENCE));
  return `The confidence interval does not contain what is expected: at most one seed in ${grouped(chance)} is like that. Try another --seed, or more --runs.`;
}

function parallelHeading({ deltas, instances }: ParallelQuestion): string {
  const [only] = deltas;
  const many = instances === null ? 'any number of' : grouped(instances);
  const which = 'one of which may receive different data';
  return deltas.length === 1 && only
    ? `Attack on ${many} (0, ${givenText(only)})-DP continual mechanisms in parallel, ${which}`
    : `Attack on ${many} (0, delta)-DP continual mechanisms in parallel, ${which}; delta is ${abridged(deltas.map(givenText))}`;
}

function parallelQuantities({ success, messages, simulated }: ParallelAttack): Block {
  const limit = messages.most === null ? 'no limit' : grouped(messages.most);
  return quantities(
    '',
    [
      { name: 'secret bit learned', expected: intervalText(success), runs: simulated && rateText(simulated.guessed) },
      { name: 'guesses that are right', expected: '1', runs: simulated && rateText(simulated.right) },
      {
        name: 'messages, on average',
        expected: intervalText(messages.mean),
        runs: simulated && [roughText(simulated.messages.total / simulated.runs), ''],
      },
      { name: 'messages, at most', expected: limit, runs: simulated && [grouped(simulated.messages.most), ''] },
    ],
    simulated,
  );
}

function neededText({ needed }: ParallelAttack): string | null {
  const parts = needed.map(
    ({ success, instances, messages }) =>
      `${grouped(instances)} for more than ${givenText(new Decimal(success))} (at most ${grouped(messages)} messages)`,
  );
  return parts.length === 0 ? null : `Instances that the adversary needs for a success: ${listed(parts)}.`;
}

function refusalText({ question, success }: ParallelAttack): string {
  const floor = decimalText(success.lower, 'down');
  const what =
    question.instances === null
      ? 'No delta below 1 holds for any number of such mechanisms in parallel, whatever epsilon'
      : `No delta below ${floor} holds for this composition, whatever epsilon; with more instances it tends to 1`;
  return `${what}: dpcompose refuses their composition where their number is not bounded (unbounded-approximate, exit code 3). Any one of these fixes it: a limit on their number or on 1 - prod(1 - delta) of all that are created (Thm 5.4); delta 0 (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 5.14).`;
}

const METHOD =
  'The adversary asks instance after instance with equal data, sees which one opens, and gives only that one different data, which it repeats.';

/** The attack of Thm 5.2. */
export function parallelOutput(attack: ParallelAttack): Output {
  const { simulated, success, question } = attack;
  const reference = henzingerSafaviVadhan('Thm 5.2');
  return {
    page: () => [
      heading(parallelHeading(question)),
      parallelQuantities(attack),
      paragraph(`${METHOD} [${reference}]`),
      paragraph(neededText(attack)),
      paragraph(refusalText(attack)),
      paragraph(simulated && disagreement(simulated.guessed, enclosureOf(success))),
    ],
    json: (version) =>
      json.documentText(PARALLEL, {
        ...attack,
        version,
        reference,
        input: question,
        expected: attack,
        floor: { delta: bracketOf(success).lower, supremum: 1 },
        refuses: 'unbounded-approximate',
      }),
  };
}

function renyiHeading({ alpha, epsilon, instances }: RenyiQuestion): string {
  const many = instances === null ? 'any number of' : grouped(instances);
  return `Attack on ${many} (${givenText(alpha)}, ${givenText(epsilon)})-RDP continual mechanisms in parallel, one of which may receive different data`;
}

function gatesTable({ question, proving, printed }: RenyiAttack): Block {
  const { target, instances } = question;
  const rows: readonly (readonly [string, (gate: RenyiGate) => string])[] = [
    ['1 - q, an open gate lies', ({ lie }) => decimalText(lie, 'up')],
    ['p, a gate opens', ({ opens }) => decimalText(opens, 'up')],
    ['divergence of the mechanism', ({ alone }) => intervalText(alone)],
    ...(instances === null
      ? []
      : [[`of the view, ${grouped(instances)} instances`, ({ view }: RenyiGate) => intervalText(view)] as const]),
    ['of the view, without limit', ({ endless }) => intervalText(endless)],
    [`above ${givenText(target)}`, ({ endless }) => (endless.lower.gt(target) ? 'yes' : 'no')],
  ];
  return table(rows, [
    ['', ([name]) => name],
    ['these constants', ([, of]) => of(proving)],
    ['as printed', ([, of]) => of(printed)],
  ]);
}

const simulationTable = ({ proving, opened, messages, simulated }: RenyiAttack): Block =>
  quantities(
    '',
    [
      { name: 'a gate opened', expected: intervalText(opened), runs: simulated && rateText(simulated.guessed) },
      {
        name: 'guesses that are right',
        expected: decimalText(ONE.minus(proving.lie), 'up'),
        runs: simulated && rateText(simulated.right),
      },
      {
        name: 'messages, on average',
        expected: intervalText(messages),
        runs: simulated && [roughText(simulated.messages.total / simulated.runs), ''],
      },
    ],
    simulated,
  );

/** The attack of Thm 13.5. */
export function renyiOutput(attack: RenyiAttack): Output {
  const { question, printed, bound, simulated, opened } = attack;
  const { alpha, epsilon, target, instances } = question;
  const reference = henzingerSafaviVadhan('Thm 13.5');
  return {
    page: () => [
      heading(renyiHeading(question)),
      paragraph(
        `Of order ${givenText(alpha)}, each mechanism may have a divergence of ${givenText(epsilon)}; the view is to have more than ${givenText(target)}.`,
      ),
      gatesTable(attack),
      simulationTable(attack),
      paragraph(
        `A gate opens rarely, says so, and then repeats its input, with a lie now and then. The adversary gives different data to an open one only. [${reference}; constants derived]`,
      ),
      paragraph(
        printed.endless.upper.lt(target)
          ? `With the constants of the proof as printed, the view never reaches ${givenText(target)}: they mix powers of 2 with natural logarithms and take an expectation under the wrong view. With these it always does.`
          : null,
      ),
      paragraph(
        bound === null || instances === null
          ? null
          : `With ${grouped(instances)} instances no epsilon below ${lowerText(bound.lower)} holds of order ${givenText(alpha)}, as gates open more and more rarely; ${givenText(bound.upper)} does (Cor 13.4).`,
      ),
      paragraph(
        `No epsilon holds of order ${givenText(alpha)} for any number of them: dpcompose refuses their composition where their number is not bounded (unbounded-renyi, exit code 3). Any one of these fixes it: a limit on their number, each of which is paid then (Cor 13.4); pure guarantees (Cor 5.5); instances that agree on all messages if they agree on the first (Thm 13.6).`,
      ),
      paragraph(simulated && disagreement(simulated.guessed, enclosureOf(opened))),
    ],
    json: (version) =>
      json.documentText(RENYI, {
        ...attack,
        version,
        reference,
        input: question,
        bound: bound && { lower: bound.lower, upper: toUpper(bound.upper) },
        expected: { opened, messages: { mean: attack.messages } },
        refuses: 'unbounded-renyi',
      }),
  };
}

const learnedRow = (name: string, { exact, simulated }: Learned): Quantity => ({
  name,
  expected: rationalText(exact),
  runs: simulated && rateText(simulated),
});

/** The attack of footnote 1. */
export function obliviousOutput(attack: ObliviousAttack): Output {
  const { delta, many, oblivious, adaptive, repetition } = attack;
  const { simulated } = oblivious;
  const reference = henzingerSafaviVadhan('footnote 1');
  return {
    page: () => [
      heading(`Attack on a mechanism that is (0, ${givenText(delta)})-DP where all messages are fixed in advance`),
      quantities(
        'data learned',
        [learnedRow('messages fixed in advance', oblivious), learnedRow('messages chosen on the way', adaptive)],
        repetition,
      ),
      paragraph(
        `The mechanism announces one of ${grouped(many)} numbers, all equally likely, and publishes its data to any user who then says that number. [${reference}]`,
      ),
      paragraph(
        'So a guarantee for messages fixed in advance gives no protection against an adversary who reads the answers: dpcompose refuses it for mechanisms that are interactive or continual ("adaptiveAdversary": false; oblivious-guarantee, exit code 3). Use a guarantee that is proved against adaptive adversaries, or a pure one (delta 0), for which the two are the same.',
      ),
      paragraph(simulated && disagreement(simulated, encloseRational(oblivious.exact))),
    ],
    json: (version) =>
      json.documentText(OBLIVIOUS, {
        ...attack,
        version,
        reference,
        input: attack,
        numbers: many,
        simulated: repetition,
        refuses: 'oblivious-guarantee',
      }),
  };
}
