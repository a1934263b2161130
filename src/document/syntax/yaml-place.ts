import { isAlias, isMap, isScalar, isSeq, type Document, type Node } from 'yaml';
import type { Mistake } from '../core/input-error.ts';

const offsetOf = (node: Node | null): number | undefined => node?.range?.[0];

/** The place of a mistake in the text of a document: of the key, the value, or the innermost thing that exists. */
export function placeOf({ path, anchor, offset }: Mistake, document: Document): number {
  if (offset !== undefined) return offset;
  let node = document.contents;
  let place = offsetOf(node) ?? 0;
  let key: number | undefined;
  for (const step of path) {
    const inside: Node | null = isAlias(node) ? (node.resolve(document) ?? null) : node;
    key = undefined;
    if (isMap<Node, Node | null>(inside)) {
      const pair = inside.items.find(({ key }) => isScalar(key) && key.value === step);
      if (pair === undefined) return place;
      [key, node] = [offsetOf(pair.key), pair.value];
    } else if (isSeq<Node | null>(inside) && typeof step === 'number' && step < inside.items.length) {
      node = inside.items[step] ?? null;
    } else {
      return place;
    }
    place = offsetOf(node) ?? key ?? place;
  }
  return anchor === 'key' ? (key ?? place) : place;
}
