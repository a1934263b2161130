import type { ObliviousAttack } from '../../composition/attack/oblivious.ts';
import type { ParallelAttack } from '../../composition/attack/parallel.ts';
import { CONFIDENCE, type Rate } from '../../composition/attack/rate.ts';
import type { RenyiAttack, RenyiGate } from '../../composition/attack/renyi.ts';
import type { Simulated } from '../../composition/attack/simulate-gates.ts';
import { henzingerSafaviVadhan } from '../../composition/theorems/theorem.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { bracketOf, jsonRational } from '../kit/exact-text.ts';
import { jsonBracket, jsonDecimal, jsonDocument, jsonNumber, type Json } from '../kit/json-value.ts';

type Members = Readonly<Record<string, Json>>;

/** What all documents of attacks begin with. */
export const aboutAttack = (attack: string, place: string, version: string): Members => ({
  schema: 'dpcompose.attack/1',
  version,
  attack,
  reference: henzingerSafaviVadhan(place),
});

const jsonRate = ({ times, of, interval }: Rate): Json => ({
  times,
  of,
  interval: interval && jsonBracket(interval),
});

const repeated = ({ runs, seed }: { readonly runs: number; readonly seed: number }): Members => ({
  runs,
  seed,
  generator: 'xoshiro128**',
  confidence: CONFIDENCE,
});

const simulatedJson = (simulated: Simulated | null): Json =>
  simulated && {
    ...repeated(simulated),
    guessed: jsonRate(simulated.guessed),
    right: jsonRate(simulated.right),
    messages: {
      mean: jsonNumber(simulated.messages.total / simulated.runs),
      most: simulated.messages.most,
    },
  };

/** The attack of Thm 5.2 as `dpcompose.attack/1`. */
export function parallelJson(attack: ParallelAttack, version: string): string {
  const { question, success, messages, needed, simulated } = attack;
  const expected = jsonBracket(bracketOf(success));
  return jsonDocument({
    ...aboutAttack('parallel', 'Thm 5.2', version),
    input: { deltas: question.deltas.map(jsonDecimal), instances: question.instances },
    expected: { success: expected, messages: { mean: jsonBracket(bracketOf(messages.mean)), most: messages.most } },
    needed: needed.map(({ success, instances, messages }) => ({ success, instances, messages })),
    simulated: simulatedJson(simulated),
    floor: { epsilon: 'any', delta: jsonNumber(bracketOf(success).lower ?? 0), supremum: 1 },
    refuses: 'unbounded-approximate',
  });
}

const gateJson = ({ opens, lie, alone, view, endless }: RenyiGate): Json => ({
  q: jsonDecimal(new Decimal(1).minus(lie)),
  p: jsonDecimal(opens),
  alone: jsonBracket(bracketOf(alone)),
  view: jsonBracket(bracketOf(view)),
  endless: jsonBracket(bracketOf(endless)),
});

/** The attack of Thm 13.5 as `dpcompose.attack/1`. */
export function renyiJson(attack: RenyiAttack, version: string): string {
  const { question, proving, printed, bound, opened, messages, simulated } = attack;
  const { alpha, epsilon, target, instances } = question;
  return jsonDocument({
    ...aboutAttack('renyi', 'Thm 13.5', version),
    input: { alpha: jsonDecimal(alpha), epsilon: jsonDecimal(epsilon), target: jsonDecimal(target), instances },
    proving: gateJson(proving),
    printed: gateJson(printed),
    bound: bound && {
      lower: jsonNumber(bound.lower),
      upper: jsonNumber(bracketOf({ lower: bound.upper, upper: bound.upper }).upper),
    },
    expected: {
      opened: jsonBracket(bracketOf(opened)),
      messages: { mean: jsonBracket(bracketOf(messages)) },
    },
    simulated: simulatedJson(simulated),
    refuses: 'unbounded-renyi',
  });
}

/** The attack of footnote 1 as `dpcompose.attack/1`. */
export function obliviousJson(attack: ObliviousAttack, version: string): string {
  const { delta, many, repetition } = attack;
  const learned = ({ exact, simulated }: ObliviousAttack['adaptive']): Json => ({
    exact: jsonRational(exact),
    simulated: simulated && jsonRate(simulated),
  });
  return jsonDocument({
    ...aboutAttack('oblivious', 'footnote 1', version),
    input: { delta: jsonDecimal(delta) },
    numbers: many,
    simulated: repetition && repeated(repetition),
    oblivious: learned(attack.oblivious),
    adaptive: learned(attack.adaptive),
    refuses: 'oblivious-guarantee',
  });
}
