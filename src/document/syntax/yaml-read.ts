import {
  Composer,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Parser,
  Scalar,
  type Alias,
  type CST,
  type Document,
  type Node,
  type YAMLMap,
} from 'yaml';
import type { DocumentSyntax, TextReading } from './document-syntax.ts';
import { duplicateKey } from '../core/duplicate-key.ts';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import type { JsonValue } from './json-read.ts';
import { tooDeep } from './json-syntax.ts';
import { MAX_DEPTH } from './json-walk.ts';
import { NumberText } from '../core/number-text.ts';
import { setOwn } from '../core/own-property.ts';
import * as yaml from './yaml-mistakes.ts';
import { placeOf } from './yaml-place.ts';

/** Aliases may stand for so many values in all. */
const MOST_ALIASED = 100_000;
/** After so many syntax errors a document is given up: those that follow are mostly their consequences. */
const MAX_MISTAKES = 5;

const DECIMAL = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
/** Other forms of numbers: they are read as numbers, to be refused as such. */
const OTHER_NUMBER = /^(?:0o[0-7]+|0x[0-9a-fA-F]+|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const OCTAL = /^[-+]?0[0-9]+$/;
const NOTHING = /^(?:~|null|Null|NULL)?$/;
const TRUE = /^(?:true|True|TRUE)$/;
const FALSE = /^(?:false|False|FALSE)$/;

/** Everything is text to the parser: what it stands for is decided here, from what is written. */
const OPTIONS = {
  version: '1.2',
  schema: 'failsafe',
  strict: true,
  merge: false,
  uniqueKeys: false,
  prettyErrors: false,
  logLevel: 'silent',
} as const;

const offsetOf = (node: Node): number => node.range?.[0] ?? 0;

/** The offset at which tokens are nested too deep; null if they are not. */
function tooDeepAt(token: CST.Token | undefined): number | null {
  const open: { readonly token: CST.Token | null | undefined; readonly depth: number }[] = [{ token, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    if (token === null || token === undefined) continue;
    if (depth > MAX_DEPTH) return token.offset;
    if ('value' in token) open.push({ token: token.value, depth });
    if (!('items' in token)) continue;
    for (const { key, value } of token.items)
      open.push({ token: key, depth: depth + 1 }, { token: value, depth: depth + 1 });
  }
  return null;
}

/** Makes values of a document's nodes, noting what is wrong with them. */
class Conversion {
  readonly mistakes: Mistake[] = [];
  more = 0;
  broken = false;
  readonly #document: Document;
  readonly #limit: number;
  readonly #resolving = new Set<Node>();
  #aliased = 0;

  constructor(document: Document, limit: number) {
    this.#document = document;
    this.#limit = limit;
  }

  value(node: Node | null, path: Path): JsonValue {
    if (node === null) return null;
    if (this.#resolving.size > 0 && ++this.#aliased > MOST_ALIASED) {
      if (this.#aliased === MOST_ALIASED + 1) this.#fail(yaml.tooManyAliases(MOST_ALIASED), node, path);
      return null;
    }
    if (isAlias(node)) return this.#alias(node, path);
    if (node.tag !== undefined) this.#fail(yaml.tagged(node.tag), node, path);
    if (isMap<Node, Node | null>(node)) return this.#map(node, path);
    if (isSeq<Node | null>(node)) return node.items.map((item, index) => this.value(item, [...path, index]));
    return isScalar<string>(node) ? this.#scalar(node, path) : null;
  }

  #scalar(node: Scalar<string>, path: Path): JsonValue {
    if (node.type !== Scalar.PLAIN) return node.value;
    const text = node.source ?? node.value;
    if (NOTHING.test(text)) return null;
    if (TRUE.test(text)) return true;
    if (FALSE.test(text)) return false;
    if (OCTAL.test(text)) this.#fail(yaml.octal(text), node, path);
    return DECIMAL.test(text) || OTHER_NUMBER.test(text) ? new NumberText(text) : node.value;
  }

  #map(node: YAMLMap<Node, Node | null>, path: Path): JsonValue {
    const object: Record<string, JsonValue> = {};
    for (const { key, value } of node.items) {
      if (!isScalar<string>(key) || key.tag !== undefined) {
        this.#fail(yaml.keyNotText(), key, path);
        continue;
      }
      const name = key.value;
      const inside = [...path, name];
      if (name === '<<' && key.type === Scalar.PLAIN) this.#fail(yaml.mergeKey(), key, inside);
      else if (Object.hasOwn(object, name)) this.#note(duplicateKey(name), key, inside);
      else setOwn(object, name, this.value(value, inside));
    }
    return object;
  }

  #alias(node: Alias, path: Path): JsonValue {
    const target = node.resolve(this.#document);
    if (target === undefined) {
      this.#fail(yaml.unknownAlias(node.source), node, path);
      return null;
    }
    const place = node.range?.[0] ?? 0;
    const within =
      target.range !== undefined && target.range !== null && place >= target.range[0] && place < target.range[2];
    if (within || this.#resolving.has(target)) {
      this.#fail(yaml.aliasOfItself(node.source), node, path);
      return null;
    }
    this.#resolving.add(target);
    const value = this.value(target, path);
    this.#resolving.delete(target);
    return value;
  }

  #fail(problem: Problem, node: Node, path: Path): void {
    this.broken = true;
    this.#note(problem, node, path);
  }

  #note(problem: Problem, node: Node, path: Path): void {
    if (this.mistakes.length >= this.#limit) this.more++;
    else this.mistakes.push({ path, anchor: 'value', problem, offset: offsetOf(node) });
  }
}

const nothing = (mistakes: readonly Mistake[]): TextReading => ({
  value: undefined,
  mistakes,
  more: 0,
  locate: (all) => all.map(({ offset }) => offset ?? 0),
});

const mistakeAt = (problem: Problem, offset: number): Mistake => ({ path: [], anchor: 'value', problem, offset });

/**
 * Reads YAML 1.2 as JSON is read: numbers are the text that was written, keys stand once. Aliases stand for copies of their
 * values; tags and merge keys are refused, and what YAML 1.1 reads as another number.
 */
export const YAML_SYNTAX: DocumentSyntax = (text, limit) => {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) {
    const deep = tooDeepAt(token);
    if (deep !== null) return nothing([mistakeAt(tooDeep(MAX_DEPTH), deep)]);
  }
  const [document, second] = [...new Composer(OPTIONS).compose(tokens)] as Document.Parsed[];
  if (document === undefined || (document.contents as Node | null) === null) {
    if (document === undefined || document.errors.length === 0) return nothing([mistakeAt(yaml.emptyDocument(), 0)]);
  }
  const errors = document.errors.slice(0, MAX_MISTAKES);
  if (errors.length > 0) return nothing(errors.map(({ message, pos }) => mistakeAt(yaml.syntaxError(message), pos[0])));
  if (second !== undefined) return nothing([mistakeAt(yaml.severalDocuments(), second.range[0])]);
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== '1.2') return nothing([mistakeAt(yaml.otherVersion(version), 0)]);
  const conversion = new Conversion(document, limit);
  const value = conversion.value(document.contents, []);
  const { broken, mistakes, more } = conversion;
  return {
    value: broken ? undefined : value,
    mistakes,
    more,
    locate: (all) => all.map((each) => placeOf(each, document)),
  };
};
