import type { Design } from '../../composition/design/design.ts';
import { isPure } from '../../composition/plan/rules.ts';
import { isEntry, below, walk, type PlanNode, type NestedNode } from '../../composition/core/plan-node.ts';
import { USUAL_SETTING, type Setting } from '../../composition/core/setting.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { isZeroLoss } from '../../privacy/mechanisms/records.ts';
import { printable, abridged, listed } from '../kit/prose.ts';
import type { Inapplicability } from '../../bounds/core/bound.ts';
import type { BoundRow } from '../../composition/core/outcome.ts';
import { inapplicabilityMessage, type Explanation, type Named } from '../kit/message.ts';
import { fix, type Fix, type RefusalText } from '../kit/page.ts';

/** The document that is refused, as far as its fixes depend on that. */
export interface RefusedDocument {
  readonly entries: readonly PlanNode[];
  readonly setting: Setting;
  /** The pseudocode that runs its mechanisms. */
  readonly design: Design | null;
  /** The ready design that it is, by name. */
  readonly example?: string | null;
}

/** What is said of a refusal, the one place where it is written. */
export interface RefusalEntry<R> extends Explanation {
  /** Why, and what would fix it in its document. */
  readonly text: (refusal: R, document: RefusedDocument) => RefusalText;
  /** The paper or theorem to read about it. */
  readonly reference?: string;
}

/** The same of every code of a union of refusals: one that is left out does not compile. */
export type RefusalEntries<R extends { readonly code: string }> = {
  readonly [C in R['code']]: RefusalEntry<Named<R, 'code', C>>;
};

/** A document of which nothing is known. */
export const UNKNOWN_DOCUMENT: RefusedDocument = { entries: [], setting: USUAL_SETTING, design: null };

/** An element at its place in a document, and those that hold it, outermost first. */
export type Held<N extends PlanNode = PlanNode> = NestedNode<N>;

const isHeldEntry = (element: Held): element is Held<Entry> => isEntry(element.node);

/** The mechanisms of a document. */
const mechanismsOf = ({ entries }: RefusedDocument): Held<Entry>[] => walk(entries).filter(isHeldEntry);

/** The element at a place; null where it is not known. */
export const elementAt = ({ entries }: RefusedDocument, path: string): Held | null =>
  walk(entries).find((element) => element.path === path) ?? null;

const isSettled = ({ node }: Held): boolean => !isEntry(node) && node.node === 'parallel' && node.firstPairConsistent;

/**
 * The continual mechanisms in an element that are not (epsilon, 0)-DP, and so must be paid whether their data differ or
 * not; without those whose data are settled by their first message.
 */
export const lateMechanisms = (element: Held): Held<Entry>[] =>
  below(element)
    .filter(isHeldEntry)
    .filter(({ node, above }) => {
      const inside = above.slice(element.above.length + 1);
      return node.kind === 'continual' && !isPure(node) && !isZeroLoss(node.mechanism) && !inside.some(isSettled);
    });

/** Whether a continual mechanism stands in instances, or users, without end, not all of which differ. */
export function isWithoutEnd({ node, above }: Held): boolean {
  if (!isEntry(node) || node.kind !== 'continual') return false;
  return above.some(({ node: holder }) => {
    if (isEntry(holder)) return false;
    if (holder.node === 'parallel') return holder.instances === 'unbounded' && !holder.firstPairConsistent;
    return holder.node === 'local' && holder.users.kind === 'alike' && holder.users.count === 'unbounded';
  });
}

/** `mechanisms[2] ("svt")`, or `mechanisms[2].of (in "svt")` where only what holds it has a label. */
export function placeOf(
  { path, label }: { readonly path: string; readonly label: string | null },
  element: Held | null,
): string {
  if (label !== null) return `${path} ("${printable(label)}")`;
  const holder = element?.above.findLast(({ node }) => node.label !== null)?.node.label ?? null;
  return holder === null ? path : `${path} (in "${printable(holder)}")`;
}

/** A bound that does not apply. */
type Inapplicable = Extract<BoundRow, { applies: false }>;

/** How many types of mechanism keep a theorem from applying. */
const distance = ({ reason }: Inapplicable): number => (reason.code === 'needs-types' ? reason.found.length : 0);

/** The bounds that the fewest types of mechanism keep from applying. */
export function nearestOf(rows: readonly Inapplicable[]): Inapplicable[] {
  const minimum = Math.min(...rows.map(distance));
  return rows.filter((row) => distance(row) === minimum);
}

/** The reasons that keep bounds from applying, one after the other. */
export const because = (rows: readonly Inapplicable[]): string =>
  rows.map(({ id, reason }) => `${id} ${inapplicabilityMessage(reason)}`).join('; ');

const isInTheWay = (reason: Inapplicability, { mechanism, kind }: Entry): boolean => {
  if (reason.code === 'needs-types') return !reason.needs.includes(mechanism.type);
  return reason.code === 'needs-noninteractive' && kind !== 'noninteractive';
};

/** The mechanisms of a document that keep a bound from applying. */
export const inTheWay = ({ reason }: Inapplicable, document: RefusedDocument): Held<Entry>[] =>
  mechanismsOf(document).filter(({ node }) => isInTheWay(reason, node));

const placeText = (element: Held<Entry>): string => placeOf({ path: element.path, label: element.node.label }, element);

/** How the mechanisms that are in the way of a bound might be described so that it applies. */
export function rewriteFixes(row: Inapplicable, document: RefusedDocument): Fix[] {
  const { reason } = row;
  if (reason.code !== 'needs-types') return [];
  const obstacles = inTheWay(row, document);
  if (obstacles.length === 0) return [];
  const types = [...new Set(obstacles.map(({ node }) => node.mechanism.type))];
  return [
    fix(
      `write ${abridged(obstacles.map(placeText))} (${listed(types)}) as ${listed(reason.needs, 'or')}, where that is a guarantee that ${obstacles.length === 1 ? 'it has' : 'they have'}; ${row.id} then applies`,
    ),
  ];
}
