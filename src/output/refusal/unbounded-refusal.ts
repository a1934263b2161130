import { deltaOf, fewestInstancesBeyond } from '../../composition/attack/counterexamples/counterexamples.ts';
import type { ImpossibilityBound, PlanRefusal } from '../../composition/core/outcome.ts';
import { isEntry } from '../../composition/core/plan-node.ts';
import { Decimal } from '../../numeric/decimal.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { fix, keyChange, type Fix, type RefusalText } from '../kit/page.ts';
import { givenText, lowerText } from '../kit/number.ts';
import { abridged, grouped, listed } from '../kit/prose.ts';
import { andLimited, creationLimit } from './design-reasons.ts';
import { elementAt, lateMechanisms, placeOf, type Held, type RefusedDocument } from './refused-document.ts';

/** The refusals of continual mechanisms without end. */
export type Unbounded = Extract<PlanRefusal, { readonly each: readonly Entry[] }>;

/** A number of instances, as an example of a limit. */
const EXAMPLE = 1000;
/** Smaller probabilities than this are not worth a number. */
const NEGLIGIBLE = 1e-6;

/** Instances and users in words; their plural is the key that limits them. */
const WORDS = {
  instances: {
    one: 'instance',
    each: 'which',
    begins: 'has an unlimited number of continual instances',
    limit: 'limit how many are created',
    settled: 'each instance gets all its data when it is created and none later',
  },
  users: {
    one: 'user',
    each: 'whom',
    begins: 'has an unlimited number of users who each run a continual mechanism',
    limit: 'limit how many users there are',
    settled: 'the data of each user are fixed from the start',
  },
} as const satisfies Record<Unbounded['counted'], object>;

/** A refusal with what is known of its document. */
interface Case {
  readonly refusal: Unbounded;
  readonly document: RefusedDocument;
  /** The mechanisms that are in the way; none where they are not known. */
  readonly late: readonly Held<Entry>[];
  /** Where they are, or at least what holds them. */
  readonly places: string;
}

/** The impossibility lower bound in a sentence; nothing where there is none, or where it says next to nothing. */
function lowerBoundText(bound: ImpossibilityBound | null, many: string): string {
  if (bound === null) return '';
  const at = ` With ${grouped(bound.instances)} ${many}`;
  const such = `${at}, for some such mechanisms`;
  if (bound.solveFor !== 'delta') {
    if (bound.epsilon < NEGLIGIBLE) return ` The epsilon of such mechanisms grows without limit as ${many} are added.`;
    const parameter =
      bound.solveFor === 'epsilon' ? `delta ${givenText(bound.delta)}` : `order ${givenText(bound.alpha)}`;
    return `${such} no epsilon below ${lowerText(bound.epsilon)} holds at ${parameter}; with more, epsilon grows without limit.`;
  }
  const { delta, epsilon } = bound;
  if (delta < NEGLIGIBLE || delta >= 1) {
    const whatever = epsilon === 'any' ? ' at any epsilon' : '';
    return ` As ${many} are added, the total delta tends to 1${whatever}.`;
  }
  return epsilon === 'any'
    ? `${at} no delta below ${lowerText(delta)} holds at any epsilon; with more, delta tends to 1.`
    : `${such} no delta below ${lowerText(delta)} holds at epsilon ${givenText(epsilon)}; with more, delta tends to 1.`;
}

/** The probability that one of these (epsilon, delta) mechanisms fails. */
const failureOf = (mechanisms: readonly Entry[]): Decimal =>
  deltaOf(
    mechanisms.flatMap(({ mechanism, count }) => (mechanism.type === 'dp' ? [{ delta: mechanism.delta, count }] : [])),
  );

/** The number of instances from which half of the data is lost, as an example of how few are too many. */
function halfText(delta: Decimal, many: string): string {
  const count = fewestInstancesBeyond(new Decimal('0.5'), delta);
  return count === Infinity || count === 1
    ? ''
    : ` ${grouped(count)} ${many} reveal everything with probability above 1/2.`;
}

function limitFix({ refusal: { counted, path, label }, document: { design } }: Case): Fix {
  const limit =
    design === null || label === null ? null : creationLimit({ design, mechanism: label, does: 'create' }, EXAMPLE);
  return fix(
    `${WORDS[counted].limit}, such as "${counted}": ${EXAMPLE} at ${path}${andLimited(limit)}`,
    keyChange(path, counted, EXAMPLE),
    ...(limit?.changes ?? []),
  );
}

/** A cap under which instances fit; nothing where it would be no limit, or where it is the design that limits them. */
function capFix({ refusal: { path, counted, code, each }, document }: Case): Fix[] {
  const cap = failureOf(each).times(EXAMPLE).toSignificantDigits(1, Decimal.ROUND_UP);
  if (code !== 'unbounded-approximate' || counted === 'users' || document.design !== null || cap.gte(1)) return [];
  return [
    fix(
      `stop creating them before 1 - prod(1 - delta) over all of them exceeds a limit, and declare the limit, such as "deltaCap": ${givenText(cap)} at ${path}`,
      // One digit, which a double prints.
      keyChange(path, 'deltaCap', cap.toNumber()),
    ),
  ];
}

function pureFix({ late, places, document }: Case): Fix {
  const isDenied = document.setting.discrete === 'denied';
  const rounded = isDenied ? [keyChange('', 'discrete', null)] : [];
  const rounding = isDenied
    ? ', round every answer to a grid, and remove "discrete": false at the top of the document'
    : '';
  const pure = `if ${late.length < 2 ? 'it has a pure guarantee' : 'they have pure guarantees'}${rounding}`;
  if (late.length > 0 && late.every(({ node }) => node.mechanism.type === 'dp')) {
    const changes = late.map(({ path }) => keyChange(path, 'delta', 0));
    return fix(`set "delta" to 0 at ${places}, ${pure}`, ...changes, ...rounded);
  }
  const example = '{"type": "dp", "epsilon": 0.1, "kind": "continual"}';
  return fix(`describe ${places} by a pure guarantee, such as ${example}, ${pure}`);
}

/** Changes where all data are given at the beginning; a design that sends them later shows that they are not. */
function settledFixes({ refusal: { path, counted }, document, late, places }: Case): Fix[] {
  if (document.design !== null) return [];
  const kinds = late.map((element) => keyChange(element.path, 'kind', 'interactive'));
  const interactive = fix(`set "kind" to "interactive" at ${places}, if ${WORDS[counted].settled}`, ...kinds);
  const consistent = fix(
    `set "firstPairConsistent" to true at ${path}, if each instance is given all its data in its first message`,
    keyChange(path, 'firstPairConsistent', true),
  );
  return counted === 'users' ? [interactive] : [interactive, consistent];
}

/** Flags, where the document is a ready design that has no other text. */
const HISTOGRAM_FIXES = [
  fix('limit the number of intervals, such as --intervals 20'),
  fix('remove --interval-delta, so that the test of each interval never fails'),
];

/** Why continual mechanisms without end are refused, and what would fix that. */
export function unboundedRefusal(refusal: Unbounded, document: RefusedDocument): RefusalText {
  const { counted, each, impossibilityBound } = refusal;
  const element = elementAt(document, refusal.path);
  const late = element === null ? [] : lateMechanisms(element);
  const placesText = late.length === 0 ? null : abridged(late.map(({ path }) => path));
  const situation: Case = { refusal, document, late, places: placesText ?? `${refusal.path}.of` };
  const words = WORDS[counted];
  const begins = `${placeOf(refusal, element)} ${words.begins}`;
  const because = `the answers may show which ${words.one} is about to, and data can still be sent to it, so no theorem bounds their total.${lowerBoundText(impossibilityBound, counted)}`;
  const fixes =
    document.example === 'histogram'
      ? HISTOGRAM_FIXES
      : [limitFix(situation), ...capFix(situation), pureFix(situation), ...settledFixes(situation)];
  if (refusal.code === 'unbounded-approximate') {
    const delta = failureOf(each);
    const deltas = `${late.length < 2 ? 'the delta' : 'by the deltas'}${placesText === null ? '' : ` of ${placesText}`}`;
    const facts = `each of ${words.each} may reveal everything with probability ${givenText(delta)} (${deltas})`;
    return { message: `${begins}, ${facts}; ${because}${halfText(delta, counted)}`, fixes };
  }
  const types = listed([...new Set(each.map(({ mechanism }) => mechanism.type))]);
  const guarantee = refusal.code === 'unbounded-renyi' ? 'a Renyi guarantee' : 'the guarantee of their noise';
  const facts = `only ${guarantee} (${types}${placesText === null ? '' : ` at ${placesText}`}), under which each may rarely reveal much`;
  const isCapped =
    element !== null && !isEntry(element.node) && element.node.node === 'parallel' && element.node.deltaCap !== null;
  const cap = isCapped ? ' "deltaCap" limits only (epsilon, delta) guarantees and does not help here.' : '';
  return { message: `${begins} with ${facts}; ${because}${cap}`, fixes };
}
