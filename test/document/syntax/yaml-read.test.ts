import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { documentYaml } from '../../../src/output/written-document.ts';
import type { NormalValue } from '../../../src/document/core/exact-value.ts';
import { NumberText } from '../../../src/document/core/number-text.ts';
import { readSpecification } from '../../../src/document/read-specification.ts';
import { YAML_SYNTAX } from '../../../src/document/syntax/yaml-read.ts';
import { anyDocument, anyPlanDocument } from '../arbitraries.ts';
import { specificationOf } from '../helpers.ts';

const valueOf = (text: string): unknown => YAML_SYNTAX(text, 20).value;
const messagesOf = (text: string): string[] => YAML_SYNTAX(text, 20).mistakes.map(({ problem }) => problem.message);
const errorsIn = (text: string): readonly { code: string; path: string; line?: number; column?: number }[] => {
  const read = readSpecification(text, {}, YAML_SYNTAX);
  return read.kind === 'errors' ? read.errors : [];
};
const places = (text: string): string[] =>
  errorsIn(text).map(({ code, path, line, column }) => `${line ?? 0}:${column ?? 0} ${path} ${code}`);

const document = (mechanism: string): string => `dpcompose: 1\nmechanisms:\n  - ${mechanism}\n`;

describe('a YAML document', () => {
  it('means what the same document means in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(anyDocument, anyPlanDocument), fc.boolean(), async (document, flow) => {
        const text = flow ? JSON.stringify(document) : await documentYaml(document as unknown as NormalValue);
        const read = readSpecification(text, {}, YAML_SYNTAX);
        expect(read).toEqual({ kind: 'specification', specification: specificationOf(JSON.stringify(document)) });
      }),
    );
  });

  it('keeps its numbers as they were written', () => {
    const text = '[0.1, 1e-400, 0.10, -1E+2, .5, 123456789012345678901234567890.5]';
    const numbers = ['0.1', '1e-400', '0.10', '-1E+2', '.5', '123456789012345678901234567890.5'];
    expect(valueOf(text)).toEqual(numbers.map((number) => new NumberText(number)));
  });

  it('is told from text as YAML 1.2 does it', () => {
    expect(valueOf('[true, False, ~, null, "0.1", yes, no, 1_000, text]')).toEqual([
      true,
      false,
      null,
      null,
      '0.1',
      'yes',
      'no',
      '1_000',
      'text',
    ]);
  });

  it.each([
    ['0x10', 'not-a-number'],
    ['010', 'not-a-number'],
    ['1_000', 'not-a-number'],
    ['1:30', 'not-a-number'],
    ['.inf', 'not-finite'],
    ['.nan', 'not-finite'],
    ['1e-400', 'out-of-range'],
    ['true', 'wrong-type'],
    ['', 'wrong-type'],
  ])('has no epsilon %s', (text, code) => {
    const [error] = errorsIn(document(`{type: dp, epsilon: ${text}}`));
    expect(error).toMatchObject({ code, path: 'mechanisms[0].epsilon', line: 3 });
  });

  it('tells line and column of every mistake', () => {
    const text = `dpcompose: 1
target: {delta: 2}
mechanisms:
  - type: dp
    epsilon: -1
  - type: gaussian
    sigm: 3
    sigma: 2
`;
    expect(places(text)).toEqual([
      '2:17 target.delta out-of-range',
      '5:14 mechanisms[0].epsilon out-of-range',
      '7:5 mechanisms[1].sigm unknown-key',
    ]);
  });

  it('tells the place of a mistake in what an alias stands for', () => {
    const text = 'dpcompose: 1\nmechanisms:\n  - &a {type: dp, epsilon: -1}\n  - *a\n';
    expect(places(text)).toEqual([
      '3:28 mechanisms[0].epsilon out-of-range',
      '3:28 mechanisms[1].epsilon out-of-range',
    ]);
  });

  it('may repeat a value by an alias', () => {
    const text = 'dpcompose: 1\nmechanisms:\n  - &a {type: dp, epsilon: 0.1}\n  - *a\n  - *a\n';
    const read = readSpecification(text, {}, YAML_SYNTAX);
    expect(read.kind === 'specification' && read.specification.entries).toHaveLength(3);
  });

  it('does not let aliases stand for more than any document holds', () => {
    const levels = Array.from({ length: 9 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`);
    const text = ['a0: &a0 [1,1,1,1,1,1,1,1,1]', ...levels].join('\n');
    expect(messagesOf(text)).toEqual(['aliases stand for more than 100000 values']);
    expect(messagesOf('a: &a [*a]')).toEqual(['"a" stands for a value that holds it']);
    expect(messagesOf('a: &a {b: &b [*a], c: *b}')[0]).toContain('stands for a value that holds it');
    expect(messagesOf('a: *b')[0]).toContain('b');
  });

  it.each([
    ['a tag', 'a: !!float 1', 'invalid-yaml', 'tag'],
    ['a tag of its own', 'a: !thing {b: 1}', 'invalid-yaml', 'tag'],
    ['a merge key', 'b: &b {c: 1}\na: {<<: *b}', 'invalid-yaml', 'merge key'],
    ['two documents', 'a: 1\n---\nb: 2', 'invalid-yaml', 'second document'],
    ['another version of YAML', '%YAML 1.1\n---\na: 010', 'invalid-yaml', 'YAML 1.1'],
    ['a key that is a list', '? [a]\n: 1', 'invalid-yaml', 'key'],
    ['a tab', 'a:\n\tb: 1', 'invalid-yaml', 'not YAML'],
    ['an open bracket', 'a: [1, 2', 'invalid-yaml', 'not YAML'],
    ['nothing', '# only a comment\n', 'empty-document', 'empty'],
  ])('with %s is refused', (_, text, code, words) => {
    const reading = YAML_SYNTAX(text, 20);
    expect(reading.value).toBeUndefined();
    expect(reading.mistakes[0]?.problem.code).toBe(code);
    expect(reading.mistakes[0]?.problem.message).toContain(words);
  });

  it('has every key once', () => {
    expect(places('dpcompose: 1\nmechanisms: [{type: dp, epsilon: 1, epsilon: 2}]')).toEqual([
      '2:37 mechanisms[0].epsilon duplicate-key',
    ]);
  });

  it.each([
    ['lists', '['.repeat(20000)],
    ['objects', '{a: '.repeat(5000)],
    ['blocks', '- '.repeat(5000)],
  ])('of %s nested without end is refused', (_, text) => {
    expect(YAML_SYNTAX(text, 20).mistakes).toHaveLength(1);
  });

  it('never makes the reader fail', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      ' ',
      '\n',
      '- ',
      '[',
      ']',
      '{',
      '}',
      '*a',
      '&a ',
      '!t',
      '"',
      "'",
      '|',
      '#',
      '%',
      '?',
      '0.1',
      ',',
      '---',
      '<<',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const reading = YAML_SYNTAX(pieces.join(''), 20);
        expect(reading.value !== undefined || reading.mistakes.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('that is written by another library is read as it is', () => {
    const value = { dpcompose: 1, mechanisms: [{ type: 'dp', epsilon: 0.1, label: 'on' }] };
    expect(readSpecification(stringify(value), {}, YAML_SYNTAX).kind).toBe('specification');
  });
});
