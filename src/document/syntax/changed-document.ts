import type { Path, Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { setOwn } from '../core/own-property.ts';
import { describe, formatPath, quote } from '../core/quote.ts';
import { readJson, type JsonValue } from './json-read.ts';

/** A change of a document, as `--set PLACE=VALUE` says it. */
interface Assignment {
  /** From the root of the document; a number may also be the name of a key. */
  readonly path: Path;
  /** The value, as it stands behind the equals sign. */
  readonly text: string;
}

const EXAMPLE = 'For example: --set mechanisms[0].count=50';

const malformed = (message: string, hint = EXAMPLE): { readonly problem: Problem } => ({
  problem: { code: 'malformed-flag', message, hint },
});

/** A key, an index in brackets or after a point, or a key in brackets and quotes. */
const STEP = /(\.?)([A-Za-z_$][\w$-]*)|(\.?)(\d{1,15})(?![\w$-])|\[(\d{1,15})\]|\[("(?:[^"\\]|\\.)*")\]/y;

const keyIn = (quoted: string): string | null => {
  const { value } = readJson(quoted);
  return typeof value === 'string' ? value : null;
};

/** Something, or why there is none. */
type Found<T> = { readonly value: T } | { readonly problem: Problem };

/** Reads `PLACE=VALUE`, such as `mechanisms[0].count=50`. */
export function parseSetFlag(flag: string): Found<Assignment> {
  const path: (string | number)[] = [];
  let at = 0;
  while (flag[at] !== '=') {
    STEP.lastIndex = at;
    const match = STEP.exec(flag);
    if (match === null) break;
    const [all, point, key, dot, index, bracketed, quoted] = match;
    if ((point ?? dot) === (path.length === 0 ? '.' : '')) break;
    const step = key ?? (quoted === undefined ? Number(index ?? bracketed) : keyIn(quoted));
    if (step === null) break;
    path.push(step);
    at += all.length;
  }
  if (path.length > 0 && flag[at] === '=') return { value: { path, text: flag.slice(at + 1) } };
  const got = at === 0 ? quote(flag) : `${quote(flag.slice(at))} after ${quote(flag.slice(0, at))}`;
  return malformed(`must be PLACE=VALUE, where a place is keys and indices from the top of the document, got ${got}`);
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;

/**
 * The value of an assignment: JSON where it is a number, true, false or null, or begins with a quote, bracket or brace;
 * else text. Where text stands already, numbers and words stay text, of which every number may be made.
 *
 * @param place - as messages name it
 */
function assignedValue(text: string, place: string, before: JsonValue | undefined): Found<JsonValue> {
  const bare = text.trim();
  if (bare === '') {
    return malformed(`${place}= has no value`, `Write one, or ${place}=null to remove the present value.`);
  }
  if (bare === 'null') return { value: null };
  if (/^[[{"]/.test(bare)) {
    const { value, mistakes } = readJson(bare);
    const [mistake] = mistakes;
    if (value !== undefined && mistake === undefined) return { value };
    const why = mistake?.problem.message ?? 'it is not';
    return malformed(
      `the value of ${place} must be JSON, as it begins like that: ${why}`,
      'Correct it, or quote it for the shell.',
    );
  }
  if (typeof before === 'string') return { value: text };
  if (bare === 'true' || bare === 'false') return { value: bare === 'true' };
  return { value: NUMBER.test(bare) ? new NumberText(bare) : text };
}

/** Where something stands: in the document as it was written, or in a `--set`. */
interface Origin {
  readonly path: Path;
  readonly isSet: boolean;
}

/** A mistake in a `--set`. */
interface SetMistake {
  /** `--set mechanisms[0].count` */
  readonly flag: string;
  readonly problem: Problem;
}

type JsonObject = Record<string, JsonValue>;

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

/** Stands in a list for an item that is removed until all changes are made, as places are those of the document. */
const REMOVED = new NumberText('removed');

const beginsWith = (path: Path, start: Path): boolean => start.every((step, depth) => step === path[depth]);

/** The items of a list, for a message about one that it does not have. */
function itemsOf(list: readonly JsonValue[], path: Path): string {
  const [first, last] = [0, list.length - 1].map((index) => formatPath([...path, index]));
  if (list.length === 0) return 'it is empty';
  return list.length === 1 ? `it has one item, ${first ?? ''}` : `it has ${first ?? ''} to ${last ?? ''}`;
}

const noItem = (list: readonly JsonValue[], path: Path, index: number): { readonly problem: Problem } => ({
  problem: {
    code: 'unknown-name',
    message: `there is no ${formatPath([...path, index])} in ${formatPath(path)}: ${itemsOf(list, path)}`,
    hint: `A new one would be ${formatPath([...path, list.length])}.`,
  },
});

const notAnIndex = (list: readonly JsonValue[], path: Path, step: string): { readonly problem: Problem } => ({
  problem: {
    code: 'wrong-type',
    message: `${formatPath(path)} is a list, which has no ${step}: ${itemsOf(list, path)}`,
    hint: `Name an item, such as ${formatPath([...path, 0])}.`,
  },
});

const holdsNothing = (value: JsonValue, path: Path): { readonly problem: Problem } => ({
  problem: {
    code: 'wrong-type',
    message: `${formatPath(path)} ${value === REMOVED ? 'is removed' : `is ${describe(value)}, which holds nothing`}`,
    hint: `Set ${formatPath(path)} itself.`,
  },
});

/** A place in a document, under a key or an index of what holds it. */
interface Slot {
  readonly path: Path;
  /** The value there; undefined for none. */
  readonly before: JsonValue | undefined;
  /** Null removes it. */
  readonly put: (value: JsonValue) => void;
}

function slotIn(container: JsonValue, path: Path, step: string | number): Found<Slot> {
  if (Array.isArray(container)) {
    if (typeof step !== 'number') return notAnIndex(container, path, step);
    if (step > container.length) return noItem(container, path, step);
    const put = (value: JsonValue): void => {
      container[step] = value ?? REMOVED;
    };
    return { value: { path: [...path, step], before: container[step], put } };
  }
  if (!isObject(container)) return holdsNothing(container, path);
  const key = String(step);
  const put = (value: JsonValue): void => {
    if (value === null) Reflect.deleteProperty(container, key);
    else setOwn(container, key, value);
  };
  const before = Object.hasOwn(container, key) ? container[key] : undefined;
  return { value: { path: [...path, key], before, put } };
}

/** The slot that a path leads to from `container`, which stands at `from`; objects that are missing on the way are made. */
function slotAt(container: JsonValue, from: Path, [step, ...rest]: Path): Found<Slot> {
  if (step === undefined) throw new RangeError('a place has at least one step');
  const slot = slotIn(container, from, step);
  if ('problem' in slot || rest.length === 0) return slot;
  const { path, before, put } = slot.value;
  if (before !== undefined) return slotAt(before, path, rest);
  if (Array.isArray(container)) return noItem(container, from, container.length);
  const object: JsonObject = {};
  put(object);
  return slotAt(object, path, rest);
}

/** Takes removed items out of a list; the places that the others had, or null where none was removed. */
function compacted(list: JsonValue[]): readonly number[] | null {
  const indices = [...list.keys()].filter((index) => list[index] !== REMOVED);
  if (indices.length === list.length) return null;
  indices.forEach((from, to) => {
    list[to] = list[from]!;
  });
  list.length = indices.length;
  return indices;
}

/** A document that `--set` changes. Places are those of the document as it was written. */
export class ChangedDocument {
  readonly #root: JsonValue;
  readonly #set: Path[] = [];
  /** Lists from which items were removed, with the places that the others had. */
  readonly #places = new Map<JsonValue, readonly number[]>();

  /** @param root - what was read; it is changed in place */
  constructor(root: JsonValue) {
    this.#root = root;
  }

  /** Makes the changes `PLACE=VALUE`, one after the other; returns what is wrong with them. */
  apply(flags: readonly string[]): SetMistake[] {
    if (flags.length === 0) return [];
    const mistakes = flags.flatMap((flag) => this.#apply(flag));
    this.#sweep();
    return mistakes;
  }

  /** Where something stands that has this path in the changed document. */
  originOf(path: Path): Origin {
    if (this.#set.length === 0) return { path, isSet: false };
    const origin: (string | number)[] = [];
    let value: JsonValue | undefined = this.#root;
    for (const step of path) {
      if (Array.isArray(value) && typeof step === 'number') {
        origin.push(this.#places.get(value)?.[step] ?? step);
        value = value[step];
      } else {
        origin.push(step);
        value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
      }
    }
    return { path: origin, isSet: this.#set.some((setPath) => beginsWith(origin, setPath)) };
  }

  #apply(flag: string): SetMistake[] {
    const parsed = parseSetFlag(flag);
    if ('problem' in parsed) return [{ flag: '--set', problem: parsed.problem }];
    const problem = this.#assign(parsed.value);
    return problem === null ? [] : [{ flag: `--set ${formatPath(parsed.value.path)}`, problem }];
  }

  #assign(assignment: Assignment): Problem | null {
    const slot = slotAt(this.#root, [], assignment.path);
    if ('problem' in slot) return slot.problem;
    const { path, before, put } = slot.value;
    const place = formatPath(path);
    if (this.#set.some((setPath) => setPath.length === path.length && beginsWith(path, setPath))) {
      return { code: 'duplicate-key', message: `${place} is set twice`, hint: 'Keep one of the two.' };
    }
    const assigned = assignedValue(assignment.text, place, before);
    if ('problem' in assigned) return assigned.problem;
    if (assigned.value === null && before === undefined) {
      return { code: 'unknown-name', message: `there is no ${place} that could be removed`, hint: 'Omit it.' };
    }
    this.#set.push(path);
    put(assigned.value);
    return null;
  }

  /** Takes removed items out of their lists. */
  #sweep(): void {
    const open = [this.#root];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (Array.isArray(next)) {
        const places = compacted(next);
        if (places !== null) this.#places.set(next, places);
        for (const item of next) open.push(item);
      } else if (isObject(next)) {
        for (const item of Object.values(next)) open.push(item);
      }
    }
  }
}
