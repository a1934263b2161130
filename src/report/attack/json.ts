import type { ObliviousAttack } from '../../composition/attack/oblivious.ts';
import type { ParallelAttack } from '../../composition/attack/parallel.ts';
import { CONFIDENCE } from '../../composition/attack/conversation.ts';
import type { RenyiAttack, RenyiGate } from '../../composition/attack/renyi.ts';
import type { Simulated } from '../../composition/attack/gates.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { encloseRational, type Rational } from '../../numeric/rational.ts';
import { COUNT, ENCLOSURE, FINITE, GIVEN, INTERVAL, NUMBER, TEXT, whole } from '../kit/codecs.ts';
import { bracketOf } from '../kit/exact-text.ts';
import * as json from '../kit/codec.ts';

const POSITIVE = whole(1);

const INSTANCES = json.described(
  'How many instances the adversary may create; null for no limit.',
  json.orNull(POSITIVE),
);

/** An exact number, and doubles on both sides of it. */
const EXACT = json.described(
  'An exact number, and doubles on both sides of it.',
  json.from(
    json.object({
      exact: json.plain<string>({ type: 'string', pattern: '^[0-9]+(/[0-9]+)?$' }),
      lower: NUMBER,
      upper: NUMBER,
    }),
    (value: Rational) => ({ ...encloseRational(value), exact: value.toString() }),
  ),
);

const RATE = json.described(
  'How often something happened, and the Clopper-Pearson interval for its probability.',
  json.object({ times: COUNT, of: COUNT, interval: json.orNull(ENCLOSURE) }),
);

const REPEATED = {
  runs: POSITIVE,
  seed: COUNT,
  generator: json.always('xoshiro128**'),
  confidence: { ...FINITE, encode: () => CONFIDENCE } as json.Codec<unknown, number>,
};

const SIMULATED = json.described(
  'What came of conversations with the adversary; null without a simulation.',
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
const attackIdentity = <const Attack extends string>(
  attack: Attack,
): ReturnType<typeof json.identity<'attack'>> & {
  readonly attack: json.Codec<unknown, Attack>;
  readonly reference: json.Codec<string, string>;
} => ({ ...json.identity('attack'), attack: json.always(attack), reference: TEXT });

const REFUSES = json.described('The code with which plans are refused that this attack would break.', TEXT);

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

/** The attack of Thm 5.2 as `dpcompose.attack/1`. */
export const parallelJson = (attack: ParallelAttack, version: string): string =>
  json.documentText(PARALLEL, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('Thm 5.2'),
    input: attack.question,
    expected: attack,
    floor: { delta: bracketOf(attack.success).lower, supremum: 1 },
    refuses: 'unbounded-approximate',
  });

const GATE = json.from(
  json.object({
    q: json.described('With which probability an open gate tells the truth.', GIVEN),
    p: json.described('With which probability a gate opens.', GIVEN),
    alone: json.described('The divergence of one mechanism against every adaptive adversary.', INTERVAL),
    view: json.described('The divergence of the view with the instances of the input.', INTERVAL),
    endless: json.described('The divergence of the view without a limit of instances.', INTERVAL),
  }),
  (gate: RenyiGate) => ({ ...gate, q: new Decimal(1).minus(gate.lie), p: gate.opens }),
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

/** The attack of Thm 13.5 as `dpcompose.attack/1`. */
export const renyiJson = (attack: RenyiAttack, version: string): string =>
  json.documentText(RENYI, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('Thm 13.5'),
    input: attack.question,
    bound: attack.bound && { lower: attack.bound.lower, upper: toUpper(attack.bound.upper) },
    expected: { opened: attack.opened, messages: { mean: attack.messages } },
    refuses: 'unbounded-renyi',
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

/** The attack of footnote 1 as `dpcompose.attack/1`. */
export const obliviousJson = (attack: ObliviousAttack, version: string): string =>
  json.documentText(OBLIVIOUS, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('footnote 1'),
    input: attack,
    numbers: attack.many,
    simulated: attack.repetition,
    refuses: 'oblivious-guarantee',
  });

/** The answer of an attack. */
export const ATTACK = json.published(
  'attack',
  'What came of an attack against a composition that is refused, as attack --json prints it.',
  json.oneOf(PARALLEL, RENYI, OBLIVIOUS),
);
