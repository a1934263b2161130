import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { readJson, type JsonValue } from '../../../src/document/syntax/json-read.ts';
import { NumberText } from '../../../src/document/core/number-text.ts';

const plain = (value: JsonValue | undefined): unknown => {
  if (value instanceof NumberText) return Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
};

const messagesOf = (text: string): string[] => readJson(text).mistakes.map(({ problem }) => problem.message);

describe('a JSON text', () => {
  it('is read as JSON.parse reads it, but for its numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 4), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plain(readJson(text).value)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('keeps its numbers as they were written', () => {
    expect(readJson('[1.0, -1E+2]').value).toEqual([new NumberText('1.0'), new NumberText('-1E+2')]);
  });

  it('is accepted exactly where JSON.parse accepts it', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"b"',
      '1',
      '-',
      '01',
      'true',
      'nul',
      ' ',
      '"',
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 8 }), (fragments) => {
        const text = fragments.join('');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        const { value, mistakes } = readJson(text);
        expect(value !== undefined).toBe(valid);
        expect(mistakes.every(({ problem }) => problem.code === 'duplicate-key')).toBe(valid);
      }),
      { numRuns: 2000 },
    );
  });

  it('never changes a prototype', () => {
    const { value } = readJson('{"__proto__": {"polluted": true}, "constructor": 1}');
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });

  it('says which key stands twice, and where', () => {
    const { value, mistakes } = readJson('{"a": [0, {"b": 1,\n "b": 2}]}');
    expect(plain(value)).toEqual({ a: [0, { b: 1 }] });
    expect(mistakes).toMatchObject([{ path: ['a', 1, 'b'], offset: 20, problem: { code: 'duplicate-key' } }]);
  });

  it('may be nested, but not without end', () => {
    expect(readJson(`${'['.repeat(200)}${']'.repeat(200)}`).mistakes).toEqual([]);
    for (const opening of ['[', '{"a":']) {
      expect(readJson(opening.repeat(1_000_000)).mistakes.map(({ problem }) => problem.code)).toEqual(['too-deep']);
    }
  });
});

describe('a text that is not JSON', () => {
  it.each([
    ['{"a": 1,}', 'a comma stands after the last item'],
    ['[1, 2,]', 'a comma stands after the last item'],
    ['{"a": 1 "b": 2}', 'a comma is missing before this'],
    ['[1 2]', 'a comma is missing before this'],
    ['{"a": 1} // end', 'JSON has no comments'],
    ['/* start */ {"a": 1}', 'JSON has no comments'],
    ["{'a': 1}", "a key must stand in double quotes, got 'a'"],
    ['{a: 1}', 'a key must stand in double quotes, got a'],
    ['{"a": \'x\'}', "'x' is not a JSON value"],
    ['{"a": NaN}', 'NaN is not a JSON value'],
    ['{"a": .5}', '.5 is not a JSON value'],
    ['{"a": 0x1F}', '0x1F is not a JSON value'],
    ['{"a": 1_000}', '1_000 is not a JSON value'],
    ['{"a": True}', 'True is not a JSON value'],
    ['{"a":, "b": 1}', 'a value is missing here'],
    ['{"a":}', 'a value is missing here'],
    ['{"a" 1}', 'a colon must stand between a key and its value'],
    ['{"a": "x\\q"}', 'this text holds an escape that JSON does not have'],
    ['{"a": "x\ty"}', 'this text holds a control character'],
    ['{"a": "x\ny"}', 'this text is not closed on its line'],
    ['[1, 2}', '} does not close what was opened last'],
    ['{"a": 1} {"b": 2}', 'something follows after the end of the document'],
    ['', 'the document is empty'],
    [' \n', 'the document is empty'],
    ['epsilon: 1', 'a JSON object must begin here, got "epsilon: 1"'],
    ['\u0000\u0001\u0002', 'this is binary data, not a JSON document'],
    ['{"a": [1, 2', 'the document ends in the middle: something that was opened is never closed'],
    ['{"a": "x', 'the document ends in the middle: something that was opened is never closed'],
  ])('%j: %s', (text, message) => {
    expect(messagesOf(text)).toEqual([message]);
    expect(readJson(text).value).toBeUndefined();
  });

  it('has all its mistakes reported, but no more than five', () => {
    expect(messagesOf('{"a": NaN, "b": [1,], c: 2}')).toHaveLength(3);
    expect(messagesOf(`[${'x,'.repeat(1000)}1]`)).toHaveLength(5);
  });

  it('never makes the reader fail', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(readJson(text).mistakes.length).toBeLessThanOrEqual(20);
      }),
    );
  });
});
