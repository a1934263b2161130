import { createScanner } from 'jsonc-parser';
import { NumberText } from '../core/number-text.ts';
import * as syntax from './json-syntax.ts';
import type { Problem } from '../core/input-error.ts';

/** What stands in a JSON text, in its order. Offsets are places in the text. */
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

/** What may come next: a value (or the end of a list), a key (or the end of an object), a colon, a comma or an end. */
type Expectation = 'value' | 'first-value' | 'key' | 'first-key' | 'colon' | 'comma' | 'nothing';

const isDelimiter = (code: number): boolean =>
  code <= 32 || code === 44 || code === 93 || code === 125 || code === 58 || code === 91 || code === 123 || code === 34;

/**
 * Goes through a JSON text without recursion and tells `handler` what is there. Comments, trailing and missing commas,
 * words that are no JSON values and unquoted keys are reported and passed over; anything else that is wrong ends it.
 */
export function walkJson(text: string, handler: JsonHandler): void {
  const scanner = createScanner(text, false);
  const isObject: boolean[] = [];
  let expected = 'value' as Expectation;
  let mistakes = 0;
  let token = 0;
  let offset = 0;
  let commaAt = 0;

  const mistake = (problem: Problem, at: number): boolean => {
    handler.mistake(problem, at);
    mistakes++;
    return mistakes < MAX_MISTAKES;
  };

  /** The whole word at the token: what stands up to the next delimiter. */
  const takeWord = (): string => {
    let end = offset + scanner.getTokenLength();
    while (end < text.length && !isDelimiter(text.charCodeAt(end))) end++;
    scanner.setPosition(end);
    return text.slice(offset, end);
  };

  const continuesWord = (): boolean => {
    const end = offset + scanner.getTokenLength();
    return end < text.length && !isDelimiter(text.charCodeAt(end));
  };

  const afterValue = (): void => {
    expected = isObject.length === 0 ? 'nothing' : 'comma';
  };

  /** Takes the value at the token; false to give up. */
  const takeValue = (): boolean => {
    const error: number = scanner.getTokenError();
    switch (token) {
      case OPEN_BRACE:
      case OPEN_BRACKET: {
        if (isObject.length >= MAX_DEPTH) {
          handler.mistake(syntax.tooDeep(MAX_DEPTH), offset);
          return false;
        }
        const object = token === OPEN_BRACE;
        isObject.push(object);
        if (object) handler.beginObject(offset);
        else handler.beginArray(offset);
        expected = object ? 'first-key' : 'first-value';
        return true;
      }
      case STRING:
        if (error !== 0 && !brokenString(error)) return false;
        handler.value(scanner.getTokenValue(), offset);
        break;
      case NUMBER:
        if (error !== 0 || continuesWord()) return takeBadWord();
        handler.value(new NumberText(scanner.getTokenValue()), offset);
        break;
      case TRUE:
      case FALSE:
      case NULL:
        if (continuesWord()) return takeBadWord();
        handler.value(token === NULL ? null : token === TRUE, offset);
        break;
      default:
        if (isObject.length > 0 && token === UNKNOWN) return takeBadWord();
        handler.mistake(isObject.length > 0 ? syntax.missingValue() : syntax.notJson(text), offset);
        return false;
    }
    afterValue();
    return true;
  };

  const takeBadWord = (): boolean => {
    const at = offset;
    const goOn = mistake(syntax.badWord(takeWord()), at);
    handler.value(null, at);
    afterValue();
    return goOn;
  };

  /** Reports a string with an error in it; false if nothing can be read beyond it. */
  const brokenString = (error: number): boolean => {
    if (error !== UNEXPECTED_END_OF_STRING) return mistake(syntax.badString(error), offset);
    const end = offset + scanner.getTokenLength();
    handler.mistake(end >= text.length ? syntax.truncated() : syntax.openString(), end >= text.length ? end : offset);
    return false;
  };

  const close = (): boolean => {
    if ((token === CLOSE_BRACE) !== isObject[isObject.length - 1]) {
      handler.mistake(syntax.wrongEnd(token === CLOSE_BRACE ? '}' : ']'), offset);
      return false;
    }
    isObject.pop();
    handler.end();
    afterValue();
    return true;
  };

  const takeKey = (): boolean => {
    const error: number = scanner.getTokenError();
    if (token === STRING) {
      if (error !== 0 && !brokenString(error)) return false;
      handler.key(scanner.getTokenValue(), offset);
    } else if (token === UNKNOWN || (token >= NULL && token <= NUMBER)) {
      const at = offset;
      const word = takeWord();
      if (!mistake(syntax.bareKey(word), at)) return false;
      handler.key(word.replace(/^'(.*)'$/, '$1'), at);
    } else {
      handler.mistake(syntax.keyExpected(), offset);
      return false;
    }
    expected = 'colon';
    return true;
  };

  /** Handles the token at hand; false to give up. */
  const step = (): boolean => {
    const closing = token === CLOSE_BRACE || token === CLOSE_BRACKET;
    switch (expected) {
      case 'first-value':
      case 'first-key':
        if (closing) return close();
        if (expected === 'first-key') return takeKey();
        expected = 'value';
        return step();
      case 'value':
        if (token === COMMA) {
          if (isObject[isObject.length - 1] === true) expected = 'key';
          return mistake(syntax.missingValue(), offset);
        }
        if (closing && isObject.length > 0) {
          if (isObject[isObject.length - 1] === true) return mistake(syntax.missingValue(), offset) && close();
          return mistake(syntax.trailingComma(), commaAt) && close();
        }
        return takeValue();
      case 'key':
        if (token === CLOSE_BRACE) return mistake(syntax.trailingComma(), commaAt) && close();
        return takeKey();
      case 'colon':
        if (token !== COLON) {
          handler.mistake(syntax.colonExpected(), offset);
          return false;
        }
        expected = 'value';
        return true;
      case 'comma': {
        if (closing) return close();
        const inObject = isObject[isObject.length - 1] === true;
        expected = inObject ? 'key' : 'value';
        commaAt = offset;
        if (token === COMMA) return true;
        if (token === COLON || (inObject && token !== STRING)) {
          handler.mistake(syntax.commaExpected(), offset);
          return false;
        }
        return mistake(syntax.commaExpected(), offset) && (inObject ? takeKey() : takeValue());
      }
      case 'nothing':
        handler.mistake(syntax.textAfterDocument(), offset);
        return false;
    }
  };

  for (;;) {
    token = scanner.scan();
    offset = scanner.getTokenOffset();
    if (token === END) {
      if (expected !== 'nothing') handler.mistake(syntax.ended(text), offset);
      return;
    }
    if (token === LINE_COMMENT || token === BLOCK_COMMENT) {
      if (!mistake(syntax.comment(), offset)) return;
    } else if (token <= NUMBER || token === UNKNOWN) {
      if (!step()) return;
    }
  }
}
