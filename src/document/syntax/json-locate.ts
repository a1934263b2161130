import { walkJson, type JsonHandler } from './json-walk.ts';
import type { Mistake } from '../core/input-error.ts';

/** A step of a path that is looked for, with what was found of it. */
class Node {
  readonly children = new Map<string | number, Node>();
  keyAt = -1;
  valueAt = -1;

  child(step: string | number): Node {
    const known = this.children.get(step);
    if (known !== undefined) return known;
    const created = new Node();
    this.children.set(step, created);
    return created;
  }
}

interface Frame {
  /** Undefined where nothing inside is looked for. */
  readonly node: Node | undefined;
  /** The next index of a list; -1 in an object. */
  index: number;
  member: Node | undefined;
}

class Locator implements JsonHandler {
  readonly #root: Node;
  readonly #frames: Frame[] = [];

  constructor(root: Node) {
    this.#root = root;
  }

  beginObject(offset: number): void {
    this.#frames.push({ node: this.#arrive(offset), index: -1, member: undefined });
  }

  beginArray(offset: number): void {
    this.#frames.push({ node: this.#arrive(offset), index: 0, member: undefined });
  }

  end(): void {
    this.#frames.pop();
  }

  key(name: string, offset: number): void {
    const frame = this.#frames[this.#frames.length - 1];
    if (frame === undefined) return;
    const member = frame.node?.children.get(name);
    const repeated = member !== undefined && member.keyAt >= 0;
    frame.member = repeated ? undefined : member;
    if (frame.member !== undefined) frame.member.keyAt = offset;
  }

  value(_value: unknown, offset: number): void {
    this.#arrive(offset);
  }

  mistake(): void {
    // The text has been read before: what is wrong with it is known.
  }

  /** The node of the value that begins here. */
  #arrive(offset: number): Node | undefined {
    const frame = this.#frames[this.#frames.length - 1];
    let node: Node | undefined;
    if (frame === undefined) node = this.#root;
    else if (frame.index < 0) node = frame.member;
    else node = frame.node?.children.get(frame.index++);
    if (node !== undefined) node.valueAt = offset;
    return node;
  }
}

/** The offsets of mistakes in the text they were found in: of the key, the value, or the innermost thing that exists. */
export function locate(text: string, mistakes: readonly Mistake[]): number[] {
  const root = new Node();
  for (const { path } of mistakes) path.reduce((node, step) => node.child(step), root);
  walkJson(text, new Locator(root));
  return mistakes.map(({ path, anchor, offset }) => {
    if (offset !== undefined) return offset;
    let place = root;
    for (const step of path) {
      const next = place.child(step);
      if (next.valueAt < 0) return place.valueAt;
      place = next;
    }
    return anchor === 'key' && place.keyAt >= 0 ? place.keyAt : place.valueAt;
  });
}
