import type { ObliviousAttack } from '../../composition/attack/oblivious.ts';
import type { ParallelAttack } from '../../composition/attack/parallel.ts';
import { CONFIDENCE } from '../../composition/attack/conversation.ts';
import type { RenyiAttack, RenyiGate } from '../../composition/attack/renyi.ts';
import type { Simulated } from '../../composition/attack/gates.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal, toUpper } from '../../numeric/decimal.ts';
import { encloseRational, type Rational } from '../../numeric/rational.ts';
import {
  always,
  described,
  documentText,
  from,
  identity,
  list,
  object,
  oneOf,
  orNull,
  plain,
  published,
  type Codec,
} from '../kit/codec.ts';
import { COUNT, ENCLOSURE, FINITE, GIVEN, INTERVAL, NUMBER, TEXT, whole } from '../kit/codecs.ts';
import { bracketOf } from '../kit/exact-text.ts';

const POSITIVE = whole(1);

const INSTANCES = described('How many instances the adversary may create; null for no limit.', orNull(POSITIVE));

/** An exact number, and doubles on both sides of it. */
const EXACT = described(
  'An exact number, and doubles on both sides of it.',
  from(
    object({ exact: plain<string>({ type: 'string', pattern: '^[0-9]+(/[0-9]+)?$' }), lower: NUMBER, upper: NUMBER }),
    (value: Rational) => ({ ...encloseRational(value), exact: value.toString() }),
  ),
);

const RATE = described(
  'How often something happened, and the Clopper-Pearson interval for its probability.',
  object({ times: COUNT, of: COUNT, interval: orNull(ENCLOSURE) }),
);

const REPEATED = {
  runs: POSITIVE,
  seed: COUNT,
  generator: always('xoshiro128**'),
  confidence: { ...FINITE, encode: () => CONFIDENCE } as Codec<unknown, number>,
};

const SIMULATED = described(
  'What came of conversations with the adversary; null without a simulation.',
  orNull(
    from(
      object({ ...REPEATED, guessed: RATE, right: RATE, messages: object({ mean: NUMBER, most: COUNT }) }),
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
): ReturnType<typeof identity<'attack'>> & {
  readonly attack: Codec<unknown, Attack>;
  readonly reference: Codec<string, string>;
} => ({ ...identity('attack'), attack: always(attack), reference: TEXT });

const REFUSES = described('The code with which plans are refused that this attack would break.', TEXT);

/** The attack of Thm 5.2. */
const PARALLEL = object({
  ...attackIdentity('parallel'),
  input: object({ deltas: list(GIVEN), instances: INSTANCES }),
  expected: object({
    success: INTERVAL,
    messages: object({ mean: INTERVAL, most: orNull(POSITIVE) }),
  }),
  needed: list(object({ success: FINITE, instances: POSITIVE, messages: POSITIVE })),
  simulated: SIMULATED,
  floor: described(
    'No delta below this holds, whatever epsilon; the supremum over any number of instances.',
    object({ epsilon: always('any'), delta: NUMBER, supremum: NUMBER }),
  ),
  refuses: REFUSES,
});

/** The attack of Thm 5.2 as `dpcompose.attack/1`. */
export const parallelJson = (attack: ParallelAttack, version: string): string =>
  documentText(PARALLEL, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('Thm 5.2'),
    input: attack.question,
    expected: attack,
    floor: { delta: bracketOf(attack.success).lower, supremum: 1 },
    refuses: 'unbounded-approximate',
  });

const GATE = from(
  object({
    q: described('With which probability an open gate tells the truth.', GIVEN),
    p: described('With which probability a gate opens.', GIVEN),
    alone: described('The divergence of one mechanism against every adaptive adversary.', INTERVAL),
    view: described('The divergence of the view with the instances of the input.', INTERVAL),
    endless: described('The divergence of the view without a limit of instances.', INTERVAL),
  }),
  (gate: RenyiGate) => ({ ...gate, q: new Decimal(1).minus(gate.lie), p: gate.opens }),
);

/** The attack of Thm 13.5. */
const RENYI = object({
  ...attackIdentity('renyi'),
  input: object({ alpha: GIVEN, epsilon: GIVEN, target: GIVEN, instances: INSTANCES }),
  proving: GATE,
  printed: GATE,
  bound: orNull(ENCLOSURE),
  expected: object({ opened: INTERVAL, messages: object({ mean: INTERVAL }) }),
  simulated: SIMULATED,
  refuses: REFUSES,
});

/** The attack of Thm 13.5 as `dpcompose.attack/1`. */
export const renyiJson = (attack: RenyiAttack, version: string): string =>
  documentText(RENYI, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('Thm 13.5'),
    input: attack.question,
    bound: attack.bound && { lower: attack.bound.lower, upper: toUpper(attack.bound.upper) },
    expected: { opened: attack.opened, messages: { mean: attack.messages } },
    refuses: 'unbounded-renyi',
  });

const LEARNED = object({ exact: EXACT, simulated: orNull(RATE) });

/** The attack of footnote 1. */
const OBLIVIOUS = object({
  ...attackIdentity('oblivious'),
  input: object({ delta: GIVEN }),
  numbers: POSITIVE,
  simulated: orNull(object(REPEATED)),
  oblivious: LEARNED,
  adaptive: LEARNED,
  refuses: REFUSES,
});

/** The attack of footnote 1 as `dpcompose.attack/1`. */
export const obliviousJson = (attack: ObliviousAttack, version: string): string =>
  documentText(OBLIVIOUS, {
    ...attack,
    version,
    reference: henzingerSafaviVadhan('footnote 1'),
    input: attack,
    numbers: attack.many,
    simulated: attack.repetition,
    refuses: 'oblivious-guarantee',
  });

/** The answer of an attack. */
export const ATTACK = published(
  'attack',
  'What came of an attack against a composition that is refused, as attack --json prints it.',
  oneOf(PARALLEL, RENYI, OBLIVIOUS),
);
