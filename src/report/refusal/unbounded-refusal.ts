import { deltaOf, fewestInstancesBeyond } from '../../composition/attack/counterexamples/approximate-continual.ts';
import type { Floor } from '../../composition/core/floor.ts';
import type { PlanRefusal } from '../../composition/core/outcome.ts';
import { isEntry, type Parallel } from '../../composition/core/plan-node.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { andLimited, creationLimit } from './creation-limit.ts';
import { mend, type KeyChange, type Mend, type RefusalText } from '../kit/mend.ts';
import { givenText, lowerText } from '../kit/number.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';
import { elementAt, lateMechanisms, placeOf, type Held, type RefusedDocument } from './refused-document.ts';

/** The refusals of continual mechanisms without end. */
export type Unbounded = Extract<PlanRefusal, { readonly each: readonly Entry[] }>;

/** A number of instances, as an example of a limit. */
const EXAMPLE = 1000;
/** Smaller probabilities than this are not worth a number. */
const NEGLIGIBLE = 1e-6;

type Counted = Unbounded['counted'];

/** The lower bound of the counterexample in a sentence; nothing where there is none, or where it is next to nothing. */
function lowerBoundText(floor: Floor | null, counted: Counted): string {
  if (floor === null) return '';
  const such = ` With ${grouped(floor.instances)} ${counted} there are such mechanisms for which`;
  switch (floor.solveFor) {
    case 'delta':
      if (floor.delta < NEGLIGIBLE || floor.delta >= 1) {
        return ` The more ${counted} there are, the closer the delta of all together comes to 1${floor.epsilon === 'any' ? ', whatever epsilon' : ''}.`;
      }
      return floor.epsilon === 'any'
        ? ` With ${grouped(floor.instances)} ${counted} no delta below ${lowerText(floor.delta)} holds, whatever epsilon; with more it tends to 1.`
        : `${such} no delta below ${lowerText(floor.delta)} holds at epsilon ${givenText(floor.epsilon)}; with more it tends to 1.`;
    case 'epsilon':
    case 'renyi': {
      if (floor.epsilon < NEGLIGIBLE)
        return ` The epsilon of such mechanisms grows without limit as ${counted} are added.`;
      const at = floor.solveFor === 'epsilon' ? `delta ${givenText(floor.delta)}` : `order ${givenText(floor.alpha)}`;
      return `${such} no epsilon below ${lowerText(floor.epsilon)} holds at ${at}; with more it grows without limit.`;
    }
  }
}

function failuresOf(each: readonly Entry[]): Decimal {
  return deltaOf(
    each.flatMap(({ mechanism, count }) => (mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [])),
  );
}

/** The number of instances from which half of the data is lost, as an example of how few are too many. */
function halfText(delta: Decimal, counted: Counted): string {
  const count = fewestInstancesBeyond(new Decimal('0.5'), delta);
  return count === Infinity || count === 1
    ? ''
    : ` ${grouped(count)} ${counted} reveal everything more often than not.`;
}

/** A refusal with what is known of its document. */
interface Case {
  readonly refusal: Unbounded;
  readonly document: RefusedDocument;
  /** The element whose instances, or users, have no end; null where it is not known. */
  readonly held: Held | null;
  /** The mechanisms in it that are in the way. */
  readonly late: readonly Held<Entry>[];
}

const placesOf = (late: readonly Held[]): string => abridged(late.map(({ path }) => path));

const within = ({ refusal, late }: Case): string => (late.length === 0 ? `${refusal.path}.of` : placesOf(late));

function limitMend({ refusal, document }: Case): Mend {
  const { counted, path, label } = refusal;
  const { design } = document;
  const limit =
    design === null || label === null ? null : creationLimit({ design, mechanism: label, does: 'create' }, EXAMPLE);
  const what = counted === 'users' ? 'limit how many users there are' : 'limit how many are created';
  const change: KeyChange = { path, key: counted, value: EXAMPLE };
  return mend(
    `${what}, such as "${counted}": ${EXAMPLE} at ${path}${andLimited(limit)}`,
    change,
    ...(limit?.changes ?? []),
  );
}

/** A cap that instances fit under; nothing where it would be no limit, or where it is the design that limits them. */
function capMend({ refusal, document }: Case, delta: Decimal): Mend[] {
  const { path, counted, code } = refusal;
  const cap = delta.times(EXAMPLE).toSignificantDigits(1, Decimal.ROUND_UP);
  if (code !== 'unbounded-approximate' || counted === 'users' || document.design !== null || cap.gte(1)) return [];
  return [
    mend(
      `stop creating them before 1 minus the product of (1 - delta) over all of them exceeds a limit, and say so, such as "deltaCap": ${givenText(cap)} at ${path}`,
      // One digit, which a double prints.
      { path, key: 'deltaCap', value: cap.toNumber() },
    ),
  ];
}

function pureMend({ late, refusal, document }: Case): Mend {
  const denied = document.setting.discrete === 'denied';
  const rounded: readonly KeyChange[] = denied ? [{ path: '', key: 'discrete', value: null }] : [];
  const rounding = denied
    ? ', round every answer to a grid, and remove "discrete": false at the top of the document'
    : '';
  const places = late.length === 0 ? `${refusal.path}.of` : placesOf(late);
  const alone = late.length < 2;
  const has = alone ? 'it has a pure guarantee' : 'they have pure guarantees';
  if (late.length > 0 && late.every(({ node }) => node.mechanism.type === 'dp')) {
    const changes = late.map(({ path }): KeyChange => ({ path, key: 'delta', value: 0 }));
    return mend(`set "delta" to 0 at ${places}, if ${has}${rounding}`, ...changes, ...rounded);
  }
  const written = '{"type": "dp", "epsilon": 0.1, "kind": "continual"}';
  return mend(`describe ${places} by a pure guarantee, such as ${written}, if ${has}${rounding}`);
}

/** Fixes where all data are given at the beginning; a design that sends them later shows that they are not. */
function settledMends(found: Case): Mend[] {
  const { refusal, document, late } = found;
  if (document.design !== null) return [];
  const { path, counted } = refusal;
  const users = counted === 'users';
  const fixed = users
    ? 'the data of each user are fixed from the start'
    : 'each instance is given all its data when it is created and none later';
  const kinds = late.map((each): KeyChange => ({ path: each.path, key: 'kind', value: 'interactive' }));
  return [
    mend(`set "kind" to "interactive" at ${within(found)}, if ${fixed}`, ...kinds),
    ...(users
      ? []
      : [
          mend(
            `set "firstPairConsistent" to true at ${path}, if each instance is given all its data in its first message`,
            { path, key: 'firstPairConsistent', value: true },
          ),
        ]),
  ];
}

/** Flags, where the document is a ready design that has no other text. */
const exampleMends = (): Mend[] => [
  mend('limit how many intervals there may be, such as --intervals 20'),
  mend('leave --interval-delta out, so that the test of each interval never fails'),
];

function mendsOf(found: Case): Mend[] {
  if (found.document.example === 'histogram') return exampleMends();
  return [limitMend(found), ...capMend(found, failuresOf(found.refusal.each)), pureMend(found), ...settledMends(found)];
}

/** That a cap is no help to guarantees without delta. */
function capText({ held, refusal }: Case): string {
  if (refusal.code === 'unbounded-approximate' || held === null || isEntry(held.node)) return '';
  const { node } = held;
  const capped = node.node === 'parallel' && (node satisfies Parallel).deltaCap !== null;
  return capped ? ' "deltaCap" limits only (epsilon, delta) guarantees and does not help here.' : '';
}

/** Why continual mechanisms without end are refused, and what would fix that. */
export function unboundedRefusal(refusal: Unbounded, document: RefusedDocument): RefusalText {
  const held = elementAt(document, refusal.path);
  const late = held === null ? [] : lateMechanisms(held);
  const found: Case = { refusal, document, held, late };
  const { code, counted, each, floor } = refusal;
  const [one, which, them] =
    counted === 'users'
      ? ['user', 'whom', 'users who each run something continual']
      : ['instance', 'which', 'continual instances'];
  const begins = `${placeOf(refusal, held)} has any number of ${them}`;
  const because = `the answers may show which ${one} is about to, and data can still be sent to that one: so no theorem limits what they reveal together.${lowerBoundText(floor, counted)}`;
  const places = placesOf(late);
  const mends = mendsOf(found);
  if (code === 'unbounded-approximate') {
    const delta = failuresOf(each);
    const by = ['the delta', `the delta of ${places}`][late.length] ?? `by the deltas of ${places}`;
    const facts = `${begins}, each of ${which} may reveal everything with probability ${givenText(delta)} (${by});`;
    return { message: `${facts} ${because}${halfText(delta, counted)}`, mends };
  }
  const types = listed([...new Set(each.map(({ mechanism }) => mechanism.type))]);
  const guarantee = code === 'unbounded-renyi' ? 'a Renyi guarantee' : 'the guarantee of their noise';
  const at = late.length === 0 ? types : `${types} at ${places}`;
  const facts = `${begins} with no more than ${guarantee} (${at}), by which each may reveal much, if rarely;`;
  return { message: `${facts} ${because}${capText(found)}`, mends };
}
