import type { Inapplicability } from '../../bounds/core/bound.ts';
import type { BoundRow } from '../../composition/core/outcome.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { inapplicabilityMessage } from '../kit/inapplicability.ts';
import { fix, type Fix } from '../kit/fix.ts';
import { abridged, listed } from '../kit/prose.ts';
import { mechanismsOf, placeOf, type Held, type RefusedDocument } from './refused-document.ts';

/** A bound that does not apply. */
export type Inapplicable = Extract<BoundRow, { applies: false }>;

/** How many types of mechanism keep a theorem from applying. */
const distance = ({ reason }: Inapplicable): number => (reason.code === 'needs-types' ? reason.found.length : 0);

/** The bounds that the fewest types of mechanism keep from applying. */
export function nearestOf(rows: readonly Inapplicable[]): Inapplicable[] {
  const least = Math.min(...rows.map(distance));
  return rows.filter((row) => distance(row) === least);
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

const named = (held: Held<Entry>): string => placeOf({ path: held.path, label: held.node.label }, held);

/** How the mechanisms that are in the way of a bound might be described so that it applies. */
export function rewriteFixes(row: Inapplicable, document: RefusedDocument): Fix[] {
  const { reason } = row;
  if (reason.code !== 'needs-types') return [];
  const found = inTheWay(row, document);
  if (found.length === 0) return [];
  const types = [...new Set(found.map(({ node }) => node.mechanism.type))];
  return [
    fix(
      `write ${abridged(found.map(named))} (${listed(types)}) as ${listed(reason.needs, 'or')}, where that is a guarantee that ${found.length === 1 ? 'it has' : 'they have'}; ${row.id} then applies`,
    ),
  ];
}
