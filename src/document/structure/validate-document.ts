import { isEntry, type PlanNode } from '../../composition/core/plan-node.ts';
import { isOpenQuestion, MECHANISM_KINDS, type MechanismKind } from '../../privacy/mechanism.ts';
import { type Mistake, type Path, STRUCTURE_TYPES } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import type { Specification } from '../core/specification.ts';
import { CHUNK, validate, type Diagnostics } from '../core/validate.ts';
import { toDesign } from '../design/normal-form.ts';
import { designMistakes, settingMistakes } from '../design/references.ts';
import { toQuery, type ParsedEntry, toEntry } from '../mechanism/entry-schema.ts';
import { OPEN_QUESTION } from '../mechanism/guarantees.ts';
import { documentSchema, type ParsedFacts } from './document-schema.ts';
import { nodesSchema, type ParsedNode } from './structure-schema.ts';
import { declaredOrder, neighboursOf, otherRelation } from './relation.ts';
import type { Setting, Standing } from '../../composition/core/setting.ts';
import type { Decimal } from '../../numeric/decimal.ts';

/** A validated element that holds others. */
type ParsedStructure = Exclude<ParsedNode, ParsedEntry>;

/** Whether a validated element holds others. */
const isStructure = (parsed: ParsedNode): parsed is ParsedStructure => STRUCTURE_TYPES.includes(parsed.type);

const instances = (value: Decimal | 'unbounded'): number | 'unbounded' =>
  value === 'unbounded' ? value : value.toNumber();

function only(nodes: readonly PlanNode[]): PlanNode {
  const [node] = nodes;
  if (node === undefined) throw new Error('A validated element lacks what it holds.');
  return node;
}

/** The normal form of a validated element, `children` being what it holds in the same form. */
function toNode(parsed: ParsedNode, children: readonly PlanNode[]): PlanNode {
  if (!isStructure(parsed)) return toEntry(parsed);
  const label = parsed.label ?? null;
  switch (parsed.type) {
    case 'group':
      return { node: 'group', label, nodes: children };
    case 'parallel':
      return {
        node: 'parallel',
        label,
        sparsity: parsed.sparsity.toNumber(),
        instances: instances(parsed.instances),
        deltaCap: parsed.deltaCap ?? null,
        firstPairConsistent: parsed.firstPairConsistent,
        of: only(children),
      };
    case 'partition':
      return {
        node: 'partition',
        label,
        sparsity: parsed.sparsity?.toNumber() ?? 1,
        ...(parsed.sparsity === undefined && { impliedSparsity: true }),
        counted: parsed.counted,
        of: children,
        ...(parsed.parts === undefined ? {} : { parts: parsed.parts.toNumber() }),
      };
    case 'local':
      return {
        node: 'local',
        label,
        differing: parsed.differing.toNumber(),
        users:
          parsed.each === undefined
            ? { kind: 'alike', count: instances(parsed.users ?? 'unbounded'), of: only(children) }
            : { kind: 'different', each: children },
      };
  }
}

const standing = (fact: boolean | undefined): Standing => (fact === undefined ? 'assumed' : fact ? 'stated' : 'denied');

/** The preconditions of theorems in a validated document. */
const toSetting = ({ discrete, adaptiveAdversary, symmetric, finiteCommunication }: ParsedFacts): Setting => ({
  discrete: standing(discrete),
  adaptiveAdversary: standing(adaptiveAdversary),
  symmetric: standing(symmetric),
  finiteCommunication: standing(finiteCommunication),
});

/** Elements that hold others may be nested this deep. */
export const MAX_NODE_DEPTH = 30;

/** Where a list of elements stands. */
interface Place {
  /** Leads from paths in the list to those of the input. */
  readonly toPath: (path: Path) => Path;
  /** How many elements hold the list. */
  readonly depth: number;
  /** The kind of mechanisms that do not say theirs. */
  readonly kind: MechanismKind | null;
}

type Raw = Readonly<Record<string, unknown>>;

const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !(value instanceof NumberText);

/** Whether an element as it was read is meant to hold others. */
const holdsOthers = (value: unknown): value is Raw =>
  isRaw(value) && typeof value.type === 'string' && STRUCTURE_TYPES.includes(value.type);

const isKind = (value: unknown): value is MechanismKind => MECHANISM_KINDS.some((kind) => kind === value);

/** The key under which an element holds a list of others, or one. */
function heldBy(
  raw: Raw,
): { readonly key: string; readonly list: readonly unknown[]; readonly single: boolean } | null {
  for (const key of raw.type === 'group' ? ['mechanisms'] : ['of', 'each']) {
    const content = raw[key];
    if (Array.isArray(content)) return { key, list: content, single: false };
    if (isRaw(content)) return { key, list: [content], single: true };
  }
  return null;
}

function tooDeep(path: Path): Mistake {
  return {
    path,
    anchor: 'value',
    problem: {
      code: 'too-deep',
      message: `elements that hold others are nested more than ${MAX_NODE_DEPTH} deep`,
      hint: 'Describe the innermost ones by a guarantee that they have together.',
    },
  };
}

/** Checks what an element holds; the place is that of the element's list, `index` its place there. */
function childrenOf(raw: Raw, index: number, { toPath, depth, kind }: Place, diagnostics: Diagnostics): PlanNode[] {
  const content = heldBy(raw);
  if (content === null) return [];
  if (depth >= MAX_NODE_DEPTH) {
    diagnostics.note(tooDeep(toPath([index])));
    return [];
  }
  const inside = ([at, ...rest]: Path): Path =>
    toPath(content.single ? [index, content.key, ...rest] : [index, content.key, Number(at), ...rest]);
  const ownKind = isKind(raw.kind) ? raw.kind : kind;
  return nodesOf(content.list, diagnostics, { toPath: inside, depth: depth + 1, kind: ownKind });
}

/** The elements of a list in normal form, as far as they are valid; what they hold is checked too. */
function assembled(
  raw: readonly unknown[],
  parsed: readonly ParsedNode[] | undefined,
  start: number,
  place: Place,
  diagnostics: Diagnostics,
): PlanNode[] {
  return raw.flatMap((item, at) => {
    const children = holdsOthers(item) ? childrenOf(item, start + at, place, diagnostics) : [];
    const own = parsed?.[at];
    if (own === undefined || !diagnostics.none) return [];
    const node = toNode(own, children);
    if (isEntry(node) && isOpenQuestion(node)) {
      diagnostics.note({ path: place.toPath([start + at, 'delta']), anchor: 'value', problem: OPEN_QUESTION });
    }
    return [node];
  });
}

/** An element with the kind of the element that holds it, where it is a mechanism that does not say its own. */
function withKind(item: unknown, kind: MechanismKind | null): unknown {
  if (kind === null || !isRaw(item) || holdsOthers(item) || Object.hasOwn(item, 'kind')) return item;
  return { ...(item as object), kind };
}

function nodesOf(raw: readonly unknown[], diagnostics: Diagnostics, place: Place): PlanNode[] {
  const nodes: PlanNode[] = [];
  for (let start = 0; start < raw.length; start += CHUNK) {
    const chunk = raw.slice(start, start + CHUNK).map((item) => withKind(item, place.kind));
    const parsed = validate(nodesSchema, chunk, diagnostics, ([index, ...rest]) =>
      place.toPath([start + Number(index), ...rest]),
    );
    for (const node of assembled(chunk, parsed, start, place, diagnostics)) nodes.push(node);
  }
  return nodes;
}

/** Where the elements of a document stand that follow so many others. */
const after = (before: number): Place => ({
  toPath: ([index, ...path]) => ['mechanisms', before + Number(index), ...path],
  depth: 0,
  kind: null,
});

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
  const nodes = assembled(first, parsed?.mechanisms, 0, after(0), diagnostics);
  const entries = nodes.concat(nodesOf(elements.slice(CHUNK), diagnostics, after(CHUNK)));
  if (parsed?.order === 'declared' && !entries.every(isEntry)) diagnostics.note(declaredOrder(['order']));
  const design = parsed?.design === undefined ? null : toDesign(parsed.design);
  if (parsed !== undefined && design !== null && diagnostics.none) {
    for (const mistake of [...settingMistakes(parsed), ...designMistakes(design, entries)]) diagnostics.note(mistake);
  }
  const words = parsed?.neighbours ?? null;
  const other = otherRelation(words, entries, ['neighbours']);
  if (other !== null && diagnostics.none) diagnostics.note(other);
  if (parsed === undefined || !diagnostics.none) return null;
  return {
    name: parsed.name ?? null,
    adaptivity: parsed.adaptivity,
    order: parsed.order,
    target: parsed.target === undefined ? null : toQuery(parsed.target),
    neighbours: neighboursOf(words, entries),
    setting: toSetting(parsed),
    entries,
    design,
  };
}
