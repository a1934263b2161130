import { fewestInstancesBeyond, deltaOf } from '../composition/counterexamples/approximate-continual.ts';
import type { Floor } from '../composition/counterexamples/floor.ts';
import type { PlanRefusal } from '../composition/outcome.ts';
import type { Place } from '../composition/plan/uncovered.ts';
import { henzingerSafaviVadhan } from '../composition/theorems/theorem.ts';
import { Decimal } from '../numeric/decimal.ts';
import type { Entry } from '../privacy/mechanism.ts';
import { jsonNumber, type Json } from './json-value.ts';
import { givenText, lowerText } from './number.ts';
import { grouped, listed } from './prose.ts';

/** `mechanisms[2] ("svt")`. */
export const placeText = ({ path, label }: Place): string => (label === null ? path : `${path} ("${label}")`);

/** What the counterexample says, in a sentence; nothing where there is none. */
function floorText(floor: Floor | null): string {
  if (floor === null) return '';
  const at = `With ${grouped(floor.instances)} instances`;
  switch (floor.solveFor) {
    case 'delta':
      return floor.epsilon === 'any'
        ? ` ${at} no delta below ${lowerText(floor.delta)} holds, whatever epsilon; with more it tends to 1.`
        : ` ${at} there are such mechanisms for which no delta below ${lowerText(floor.delta)} holds at epsilon ${givenText(floor.epsilon)}; with more it tends to 1.`;
    case 'epsilon':
      return ` ${at} there are such mechanisms for which no epsilon below ${lowerText(floor.epsilon)} holds at delta ${givenText(floor.delta)}; with more it grows without limit.`;
    case 'renyi':
      return ` ${at} there are such mechanisms for which no epsilon below ${lowerText(floor.epsilon)} holds at order ${givenText(floor.alpha)}; with more it grows without limit.`;
  }
}

type Unbounded = Extract<PlanRefusal, { readonly each: readonly Entry[] }>;

/** What limits or describes instances, or users, so that a theorem covers them. */
function mendings({ counted, code }: Unbounded): string[] {
  const approximate = code === 'unbounded-approximate';
  const paid = approximate ? '' : ', each of which is then paid';
  const pure = approximate
    ? 'use instances with delta 0'
    : 'describe each instance by a pure guarantee, if it has one (dp with delta 0)';
  if (counted === 'users') {
    return [
      `limit how many users there are ("users": a number${paid})`,
      pure.replaceAll('instance', 'user'),
      'if the data of each user are fixed from the start, set the "kind" of what they run to interactive',
    ];
  }
  return [
    `limit how many are created ("instances": a number${paid})`,
    ...(approximate ? ['stop creating them once 1 - prod(1 - delta) reaches a limit, and say so ("deltaCap")'] : []),
    pure,
    'if neighbours that agree on the first message to an instance agree on all that follow, set "firstPairConsistent" to true (where an instance gets all its data when it is created, its "kind" is interactive)',
  ];
}

function failuresOf(each: readonly Entry[]): Decimal {
  return deltaOf(
    each.flatMap(({ mechanism, count }) => (mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [])),
  );
}

/** The number of instances from which half of the data is lost, as an example of how few are too many. */
function halfText(delta: Decimal, many: string): string {
  const count = fewestInstancesBeyond(new Decimal('0.5'), delta);
  return count === Infinity ? '' : ` ${grouped(count)} ${many} reveal everything more often than not.`;
}

function unboundedMessage(refusal: Unbounded): string {
  const { counted, each, floor } = refusal;
  const [one, many] = counted === 'users' ? ['user', 'users'] : ['instance', 'instances'];
  const begins = `${placeText(refusal)} has any number of continual ${many}`;
  const because = `the answers may show which ${one} is about to, and data can still be sent to that one: so no theorem limits what they reveal together.`;
  const mends = `Any one of these mends it: ${mendings(refusal).join('; ')}.`;
  if (refusal.code === 'unbounded-approximate') {
    const delta = failuresOf(each);
    const facts = `${begins}, each of which may reveal everything with probability ${givenText(delta)} (its delta);`;
    return `${facts} ${because}${floorText(floor)}${halfText(delta, many)} ${mends}`;
  }
  const types = listed([...new Set(each.map(({ mechanism }) => mechanism.type))]);
  const guarantee = refusal.code === 'unbounded-renyi' ? 'a Renyi guarantee' : 'the guarantee of their noise';
  const facts = `${begins} with no more than ${guarantee} (${types}), by which each may reveal much, if rarely;`;
  return `${facts} ${because}${floorText(floor)} ${mends}`;
}

/** What a plan is refused for, and what would mend it. */
export function planRefusalMessage(refusal: PlanRefusal): string {
  const name = placeText(refusal);
  switch (refusal.code) {
    case 'unbounded-approximate':
    case 'unbounded-renyi':
    case 'unbounded-f-dp':
      return unboundedMessage(refusal);
    case 'oblivious-guarantee':
      return (
        `${name} answers questions or takes data over time, and its guarantee (${refusal.type}) is said to hold only for questions and data that are fixed in advance ("adaptiveAdversary": false). ` +
        'Who chooses the next question after an answer can break such a guarantee completely: a mechanism that first tells a random number and reveals everything when asked for that number fails rarely on fixed questions, always on chosen ones. ' +
        'Use a guarantee that is proved against adaptive adversaries, or a pure one (dp with delta 0), for which the two are the same; for a mechanism that answers once, set "kind" to "noninteractive".'
      );
    case 'answers-not-discrete':
      return (
        `${name} is interactive or continual and its answers are said not to be discrete ("discrete": false), but concurrent composition of ${refusal.type} guarantees is proved for answers of countably many values only. ` +
        'Round every answer to a grid before it is given (that costs no privacy; to whole numbers, it adds at most 1 to the error) and leave "discrete" out, or describe the mechanism by a Renyi guarantee (rdp or zcdp), which needs no rounding.'
      );
    case 'needs-finite-communication':
      return (
        `${name} is an interactive or continual ${refusal.type}, whose distributions compose concurrently only where communication is finite: finitely many possible messages and answers, and finitely many of them. ` +
        'If that is so for every mechanism here, set "finiteCommunication" to true; else describe it by a guarantee that it has, such as dp, or set "kind" to "noninteractive" if it answers once.'
      );
    case 'too-many-mechanisms':
      return `${name} multiplies to more than 2^53 - 1 mechanisms that are alike. Lower "sparsity", "instances" or "count".`;
  }
}

/** Where to read about it; null where nothing is to be read. */
export function planRefusalReference({ code }: PlanRefusal): string | null {
  switch (code) {
    case 'unbounded-approximate':
      return `${henzingerSafaviVadhan('Thm 5.2')} (what mends it: Thm 5.4, Cor 5.5, Thm 5.14, Cor 5.15)`;
    case 'unbounded-renyi':
      return `${henzingerSafaviVadhan('Thm 13.5')} (what mends it: Cor 13.4, Thm 13.6, Cor 13.7)`;
    case 'unbounded-f-dp':
      return `${henzingerSafaviVadhan('Thm 5.2 and Sec 14')} (what mends it: Cor 14.7, 14.8 and 14.9)`;
    case 'oblivious-guarantee':
      return henzingerSafaviVadhan('footnote 1 and Thm 4.10');
    case 'answers-not-discrete':
      return henzingerSafaviVadhan('Def 4.6 and Thm 4.10');
    case 'needs-finite-communication':
      return henzingerSafaviVadhan('Def 14.4 and Cor 14.7');
    case 'too-many-mechanisms':
      return null;
  }
}

/** What no claim could go below, and the limit of that as instances are added. */
export function floorJson(floor: Floor | null): Json {
  if (floor === null) return null;
  const { instances } = floor;
  switch (floor.solveFor) {
    case 'delta':
      return {
        instances,
        epsilon: floor.epsilon === 'any' ? 'any' : jsonNumber(floor.epsilon.toNumber()),
        delta: jsonNumber(floor.delta),
        supremum: 1,
      };
    case 'epsilon':
      return {
        instances,
        epsilon: jsonNumber(floor.epsilon),
        delta: jsonNumber(floor.delta.toNumber()),
        supremum: 'Infinity',
      };
    case 'renyi':
      return {
        instances,
        alpha: jsonNumber(floor.alpha.toNumber()),
        epsilon: jsonNumber(floor.epsilon),
        supremum: 'Infinity',
      };
  }
}
