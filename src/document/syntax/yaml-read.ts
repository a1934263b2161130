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
  type YAMLSeq,
} from 'yaml';
import type { Mistake, Path, Problem } from '../core/input-error.ts';
import { NumberText } from '../core/number-text.ts';
import { duplicateKey, setOwn } from '../core/own-property.ts';
import { quote } from '../core/quote.ts';
import { noReading, type DocumentSyntax } from './document-syntax.ts';
import type { JsonValue } from './json-read.ts';
import { tooDeep } from './json-syntax.ts';
import { MAX_DEPTH } from './json-walk.ts';
import { Places } from './places.ts';

const offsetOf = (node: Node | null): number | undefined => node?.range?.[0];

// What can be wrong with a text as YAML, in words.

const invalid = (message: string, hint: string): Problem => ({ code: 'invalid-yaml', message, hint });

/** A syntax error as the parser tells it. */
function syntaxError(message: string): Problem {
  const [sentence = ''] = message.split('\n');
  return invalid(
    `this is not YAML: ${sentence.replace(/\.$/, '')}`,
    'Check the indentation (blanks only) and the quotes around here.',
  );
}

const emptyDocument = (): Problem => ({
  code: 'empty-document',
  message: 'the document is empty',
  hint: 'Write a mapping that begins with dpcompose: 1.',
});

const severalDocuments = (): Problem =>
  invalid('a second document begins here', 'Keep one document in a file, without --- in its middle.');

const otherVersion = (version: string): Problem =>
  invalid(
    `this is YAML ${version}, in which numbers are written otherwise`,
    'Write %YAML 1.2, or leave the directive out.',
  );

const tagged = (tag: string): Problem =>
  invalid(`the tag ${quote(tag)} has no meaning here`, 'Remove the tag: numbers and text are told apart as in JSON.');

const keyNotText = (): Problem => invalid('a key must be a word', 'Write key: value.');

const mergeKey = (): Problem =>
  invalid('a merge key is no part of YAML 1.2', 'Write the keys out, or use an alias for a whole value.');

const octal = (text: string): Problem => ({
  code: 'not-a-number',
  message: `${quote(text)} is one number in YAML 1.1 and another in YAML 1.2`,
  hint: 'Write it without leading zeros.',
});

const unknownAlias = (name: string): Problem =>
  invalid(`nothing before this has the anchor ${quote(name)}`, 'Write &NAME before the value that *NAME stands for.');

const aliasOfItself = (name: string): Problem =>
  invalid(`${quote(name)} stands for a value that holds it`, 'Write the value out.');

const tooManyAliases = (maximum: number): Problem =>
  invalid(`aliases stand for more than ${maximum} values`, 'Use "count" for equal mechanisms.');

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
  readonly places = new Places();
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
      if (this.#aliased === MOST_ALIASED + 1) this.#fail(tooManyAliases(MOST_ALIASED), node, path);
      return null;
    }
    if (isAlias(node)) return this.#alias(node, path);
    if (node.tag !== undefined) this.#fail(tagged(node.tag), node, path);
    if (isMap<Node, Node | null>(node)) return this.#map(node, path);
    if (isSeq<Node | null>(node)) return this.#list(node, path);
    return isScalar<string>(node) ? this.#scalar(node, path) : null;
  }

  #scalar(node: Scalar<string>, path: Path): JsonValue {
    if (node.type !== Scalar.PLAIN) return node.value;
    const text = node.source ?? node.value;
    if (NOTHING.test(text)) return null;
    if (TRUE.test(text)) return true;
    if (FALSE.test(text)) return false;
    if (OCTAL.test(text)) this.#fail(octal(text), node, path);
    return DECIMAL.test(text) || OTHER_NUMBER.test(text) ? new NumberText(text) : node.value;
  }

  #list(node: YAMLSeq<Node | null>, path: Path): JsonValue {
    const list: JsonValue[] = [];
    for (const [index, item] of node.items.entries()) {
      const value = this.value(item, [...path, index]);
      const at = offsetOf(item);
      if (at !== undefined) this.places.set(list, index, value, at);
      list.push(value);
    }
    return list;
  }

  #map(node: YAMLMap<Node, Node | null>, path: Path): JsonValue {
    const object: Record<string, JsonValue> = {};
    for (const { key, value } of node.items) {
      if (!isScalar<string>(key) || key.tag !== undefined) {
        this.#fail(keyNotText(), key, path);
        continue;
      }
      const name = key.value;
      const inside = [...path, name];
      if (name === '<<' && key.type === Scalar.PLAIN) this.#fail(mergeKey(), key, inside);
      else if (Object.hasOwn(object, name)) this.#note(duplicateKey(name), key, inside);
      else {
        setOwn(object, name, this.value(value, inside));
        const keyAt = offsetOf(key) ?? 0;
        this.places.set(object, name, object[name]!, offsetOf(value) ?? keyAt, keyAt);
      }
    }
    return object;
  }

  #alias(node: Alias, path: Path): JsonValue {
    const target = node.resolve(this.#document);
    if (target === undefined) {
      this.#fail(unknownAlias(node.source), node, path);
      return null;
    }
    const place = node.range?.[0] ?? 0;
    const within =
      target.range !== undefined && target.range !== null && place >= target.range[0] && place < target.range[2];
    if (within || this.#resolving.has(target)) {
      this.#fail(aliasOfItself(node.source), node, path);
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
    else this.mistakes.push({ path, anchor: 'value', problem, offset: offsetOf(node) ?? 0 });
  }
}

const mistakeAt = (problem: Problem, offset: number): Mistake => ({ path: [], anchor: 'value', problem, offset });

/**
 * Reads YAML 1.2 as JSON is read: numbers are the text that was written, keys stand once. Aliases stand for copies of their
 * values; tags and merge keys are refused, and what YAML 1.1 reads as another number.
 */
export const YAML_SYNTAX: DocumentSyntax = (text, limit) => {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) {
    const deep = tooDeepAt(token);
    if (deep !== null) return noReading([mistakeAt(tooDeep(MAX_DEPTH), deep)]);
  }
  const [document, second] = [...new Composer(OPTIONS).compose(tokens)] as Document.Parsed[];
  if (document === undefined || (document.contents as Node | null) === null) {
    if (document === undefined || document.errors.length === 0) return noReading([mistakeAt(emptyDocument(), 0)]);
  }
  const errors = document.errors.slice(0, MAX_MISTAKES);
  if (errors.length > 0) return noReading(errors.map(({ message, pos }) => mistakeAt(syntaxError(message), pos[0])));
  if (second !== undefined) return noReading([mistakeAt(severalDocuments(), second.range[0])]);
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== '1.2') return noReading([mistakeAt(otherVersion(version), 0)]);
  const conversion = new Conversion(document, limit);
  const value = conversion.value(document.contents, []);
  const { broken, mistakes, more, places } = conversion;
  places.setRoot(value, offsetOf(document.contents) ?? 0);
  return { value: broken ? undefined : value, mistakes, more, offsetOf: places.offsetOf };
};
