import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { documentSchema } from './document-schema.ts';
import { toQuery } from '../mechanism/entries.ts';
import { declaredOrder } from './declared-order.ts';
import type { Path } from '../core/input-error.ts';
import { toDesign } from '../design/reading.ts';
import { designMistakes, settingMistakes } from '../design/references.ts';
import { toSetting } from './nodes.ts';
import { neighboursOf, otherRelation } from './relation.ts';
import type { Specification } from '../core/specification.ts';
import { CHUNK, validate, type Diagnostics } from '../core/validate.ts';
import { validateNodes, withChildren } from './validate-nodes.ts';

/** The elements of a document. */
function elementsOf(document: unknown): readonly unknown[] {
  if (typeof document !== 'object' || document === null || !('mechanisms' in document)) return [];
  return Array.isArray(document.mechanisms) ? document.mechanisms : [];
}

/** Checks a document as read from JSON; null if anything is wrong with it, which is noted in `diagnostics`. */
export function validateDocument(document: unknown, diagnostics: Diagnostics): Specification | null {
  const elements = elementsOf(document);
  const first = elements.slice(0, CHUNK);
  // Too many elements are not checked in one go with the document.
  const head = elements.length <= CHUNK ? document : { ...(document as object), mechanisms: first };
  const parsed = validate(documentSchema, head, diagnostics);
  const inDocument = ([index, ...path]: Path): Path => ['mechanisms', Number(index), ...path];
  const nodes: PlanNode[] = withChildren(first, parsed?.mechanisms, diagnostics, inDocument);
  const rest = validateNodes(elements.slice(CHUNK), diagnostics, ([index, ...path]) =>
    inDocument([CHUNK + Number(index), ...path]),
  );
  const entries = nodes.concat(rest);
  if (parsed?.order === 'declared' && !entries.every(isEntry)) diagnostics.note(declaredOrder(['order']));
  const design = parsed?.design === undefined ? null : toDesign(parsed.design);
  if (parsed !== undefined && design !== null && diagnostics.none) {
    for (const mistake of [...settingMistakes(parsed), ...designMistakes(design, entries)]) diagnostics.note(mistake);
  }
  const said = parsed?.neighbours ?? null;
  const other = otherRelation(said, entries, ['neighbours']);
  if (other !== null && diagnostics.none) diagnostics.note(other);
  if (parsed === undefined || !diagnostics.none) return null;
  return {
    name: parsed.name ?? null,
    adaptivity: parsed.adaptivity,
    order: parsed.order,
    target: parsed.target === undefined ? null : toQuery(parsed.target),
    neighbours: neighboursOf(said, entries),
    setting: toSetting(parsed),
    entries,
    design,
  };
}
