import { createScanner, type JSONScanner } from 'jsonc-parser';
import { NumberText } from '../core/number-text.ts';
import * as syntax from './json-syntax.ts';
import type { Problem } from '../core/input-error.ts';

/** Receives all that stands in a JSON text, in its order. Offsets are places in the text. */
export interface JsonHandler {
  beginObject(offset: number): void;
  beginArray(offset: number): void;
  /** The innermost object or list ends. */
  end(): void;
  key(name: string, offset: number): void;
  /** A value that is neither an object nor a list. */
  value(value: string | boolean | null | NumberText, offset: number): void;
  mistake(problem: Problem, offset: number): void;
}

/** Objects and lists may be nested this deep. */
export const MAX_DEPTH = 200;
/** After so many syntax errors a document is given up: those that follow are mostly their consequences. */
const MAX_MISTAKES = 5;

// The kinds of token of jsonc-parser, whose own enumeration exists only while compiling.
const OPEN_BRACE = 1;
const CLOSE_BRACE = 2;
const OPEN_BRACKET = 3;
const CLOSE_BRACKET = 4;
const COMMA = 5;
const COLON = 6;
const NULL = 7;
const TRUE = 8;
const FALSE = 9;
const STRING = 10;
const NUMBER = 11;
const LINE_COMMENT = 12;
const BLOCK_COMMENT = 13;
const UNKNOWN = 16;
const END = 17;
const UNEXPECTED_END_OF_STRING = 2;

/** Tokens that may come next: a value (or the end of a list), a key (or the end of an object), a colon, a comma or an end. */
type Expectation = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'nothing';

const isDelimiter = (code: number): boolean =>
  code <= 32 || code === 44 || code === 93 || code === 125 || code === 58 || code === 91 || code === 123 || code === 34;

class JsonWalk {
  readonly #text: string;
  readonly #handler: JsonHandler;
  readonly #scanner: JSONScanner;
  /** Of what is open, outermost first. */
  readonly #isObject: boolean[] = [];
  #expected: Expectation = 'value';
  #mistakes = 0;
  #token = 0;
  #offset = 0;
  #commaAt = 0;

  constructor(text: string, handler: JsonHandler) {
    this.#text = text;
    this.#handler = handler;
    this.#scanner = createScanner(text, false);
  }

  run(): void {
    do {
      this.#token = this.#scanner.scan();
      this.#offset = this.#scanner.getTokenOffset();
    } while (this.#take());
  }

  // All that take a token return whether to go on.

  #take(): boolean {
    const token = this.#token;
    if (token === END) return this.#expected !== 'nothing' && this.#giveUp(syntax.ended(this.#text));
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) return this.#passOver(syntax.comment());
    const isSpace = token > NUMBER && token !== UNKNOWN;
    return isSpace || this.#takeExpected();
  }

  #takeExpected(): boolean {
    switch (this.#expected) {
      case 'first-value':
        return this.#isClosing() ? this.#close() : this.#takeItem();
      case 'first-key':
        return this.#isClosing() ? this.#close() : this.#takeKey();
      case 'value':
        return this.#takeItem();
      case 'key':
        return this.#token === CLOSE_BRACE ? this.#closeAfterComma() : this.#takeKey();
      case 'colon':
        if (this.#token !== COLON) return this.#giveUp(syntax.colonExpected());
        this.#expected = 'value';
        return true;
      case 'comma':
        return this.#isClosing() ? this.#close() : this.#takeComma();
      case 'nothing':
        return this.#giveUp(syntax.textAfterDocument());
    }
  }

  /** A value, or what stands in its place. */
  #takeItem(): boolean {
    const inObject = this.#inObject();
    this.#expected = 'value';
    if (this.#token === COMMA) {
      if (inObject) this.#expected = 'key';
      return this.#passOver(syntax.missingValue());
    }
    if (!this.#isClosing() || this.#isObject.length === 0) return this.#takeValue();
    return inObject ? this.#passOver(syntax.missingValue()) && this.#close() : this.#closeAfterComma();
  }

  #takeValue(): boolean {
    const error: number = this.#scanner.getTokenError();
    switch (this.#token) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        return this.#open(this.#token === OPEN_BRACE);
      case STRING:
        return (error === 0 || this.#takeBrokenString(error)) && this.#tell(this.#scanner.getTokenValue());
      case NUMBER:
        if (error !== 0 || this.#wordEnd() > this.#tokenEnd()) return this.#takeBadWord();
        return this.#tell(new NumberText(this.#scanner.getTokenValue()));
      case TRUE:
      case FALSE:
      case NULL:
        if (this.#wordEnd() > this.#tokenEnd()) return this.#takeBadWord();
        return this.#tell(this.#token === NULL ? null : this.#token === TRUE);
      default:
        if (this.#isObject.length === 0) return this.#giveUp(syntax.notJson(this.#text));
        return this.#token === UNKNOWN ? this.#takeBadWord() : this.#giveUp(syntax.missingValue());
    }
  }

  #takeBadWord(): boolean {
    const at = this.#offset;
    const goesOn = this.#passOver(syntax.badWord(this.#takeWord()), at);
    return this.#tell(null, at) && goesOn;
  }

  /** A string with an error in it, beyond which nothing can be read where it does not end. */
  #takeBrokenString(error: number): boolean {
    if (error !== UNEXPECTED_END_OF_STRING) return this.#passOver(syntax.badString(error));
    const end = this.#tokenEnd();
    return end >= this.#text.length ? this.#giveUp(syntax.truncated(), end) : this.#giveUp(syntax.openString());
  }

  #takeKey(): boolean {
    const error: number = this.#scanner.getTokenError();
    const at = this.#offset;
    if (this.#token === STRING) {
      if (error !== 0 && !this.#takeBrokenString(error)) return false;
      this.#handler.key(this.#scanner.getTokenValue(), at);
    } else if (this.#token === UNKNOWN || (this.#token >= NULL && this.#token <= NUMBER)) {
      const word = this.#takeWord();
      if (!this.#passOver(syntax.bareKey(word), at)) return false;
      this.#handler.key(word.replace(/^'(.*)'$/, '$1'), at);
    } else {
      return this.#giveUp(syntax.keyExpected());
    }
    this.#expected = 'colon';
    return true;
  }

  /** A comma between two items, or the second of them where it is missing. */
  #takeComma(): boolean {
    const inObject = this.#inObject();
    this.#expected = inObject ? 'key' : 'value';
    this.#commaAt = this.#offset;
    if (this.#token === COMMA) return true;
    const isReadable = this.#token !== COLON && (!inObject || this.#token === STRING);
    if (!isReadable) return this.#giveUp(syntax.commaExpected());
    return this.#passOver(syntax.commaExpected()) && (inObject ? this.#takeKey() : this.#takeValue());
  }

  #open(object: boolean): boolean {
    if (this.#isObject.length >= MAX_DEPTH) return this.#giveUp(syntax.tooDeep(MAX_DEPTH));
    this.#isObject.push(object);
    if (object) this.#handler.beginObject(this.#offset);
    else this.#handler.beginArray(this.#offset);
    this.#expected = object ? 'first-key' : 'first-value';
    return true;
  }

  #close(): boolean {
    if ((this.#token === CLOSE_BRACE) !== this.#inObject()) {
      return this.#giveUp(syntax.wrongEnd(this.#token === CLOSE_BRACE ? '}' : ']'));
    }
    this.#isObject.pop();
    this.#handler.end();
    return this.#endValue();
  }

  #closeAfterComma(): boolean {
    return this.#passOver(syntax.trailingComma(), this.#commaAt) && this.#close();
  }

  #tell(value: string | boolean | null | NumberText, at = this.#offset): boolean {
    this.#handler.value(value, at);
    return this.#endValue();
  }

  #endValue(): true {
    this.#expected = this.#isObject.length === 0 ? 'nothing' : 'comma';
    return true;
  }

  /** Reports a mistake; whether there were few enough to go on. */
  #passOver(problem: Problem, at = this.#offset): boolean {
    this.#handler.mistake(problem, at);
    this.#mistakes++;
    return this.#mistakes < MAX_MISTAKES;
  }

  /** Reports a mistake beyond which nothing can be read. */
  #giveUp(problem: Problem, at = this.#offset): false {
    this.#handler.mistake(problem, at);
    return false;
  }

  #inObject(): boolean {
    return this.#isObject.at(-1) === true;
  }

  #isClosing(): boolean {
    return this.#token === CLOSE_BRACE || this.#token === CLOSE_BRACKET;
  }

  #tokenEnd(): number {
    return this.#offset + this.#scanner.getTokenLength();
  }

  /** The end of the word at the token, which is as far as the next delimiter. */
  #wordEnd(): number {
    let end = this.#tokenEnd();
    while (end < this.#text.length && !isDelimiter(this.#text.charCodeAt(end))) end++;
    return end;
  }

  #takeWord(): string {
    const end = this.#wordEnd();
    this.#scanner.setPosition(end);
    return this.#text.slice(this.#offset, end);
  }
}

/**
 * Goes through a JSON text without recursion and tells `handler` what is there. Comments, trailing and missing commas,
 * words that are no JSON values and unquoted keys are reported and passed over; anything else that is wrong ends it.
 */
export function walkJson(text: string, handler: JsonHandler): void {
  new JsonWalk(text, handler).run();
}
