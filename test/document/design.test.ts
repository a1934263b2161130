import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../../src/document/structure/normal-form.ts';
import { specJsonSchema } from '../../src/document/published-schema.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { errorsOf, sentence, specificationOf, summary } from './helpers.ts';

const conforms = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(specJsonSchema());
const FIXTURES = readdirSync('fixtures/designs');
const fixture = (name: string): string => readFileSync(`fixtures/designs/${name}`, 'utf8');

const MECHANISMS = '[{"type":"dp","epsilon":1,"kind":"continual","label":"counter"}]';
const DESIGN = `{
  "inputs": [{"name": "x", "differing": 1, "change": 1}],
  "constants": ["q"],
  "submechanisms": [{"mechanism": "counter", "receives": [{"name": "row", "change": 1}]}],
  "procedure": {"start": [{"create": "counter"}], "input": [{"send": ["x"], "to": "counter", "answer": "h"}, {"output": ["h"]}]}
}`;
const documentWith = (design: string, mechanisms = MECHANISMS, more = ''): string =>
  `{"dpcompose":1,${more}"mechanisms":${mechanisms},"design":${design}}`;
/** The document with one place of the design written otherwise. */
const changed = (from: string, to: string): string => {
  if (!DESIGN.includes(from)) throw new Error(`The design has no ${from}`);
  return documentWith(DESIGN.replace(from, to));
};
const sentences = (text: string): string[] => errorsOf(text).map(sentence);

describe('a design in a document', () => {
  it.each(FIXTURES)('is read from %s, and written so that it means the same', (name) => {
    const specification = specificationOf(fixture(name));
    expect(specification.design).not.toBeNull();
    const form = normalForm(specification);
    expect(specificationOf(JSON.stringify(form))).toEqual(specification);
    expect(conforms(JSON.parse(fixture(name))), JSON.stringify(conforms.errors)).toBe(true);
    expect(conforms(form), JSON.stringify(conforms.errors)).toBe(true);
  });

  it('is left out where there is none', () => {
    expect(specificationOf('{"dpcompose":1,"mechanisms":[{"type":"gdp","mu":1}]}').design).toBeNull();
  });

  it('has its defaults filled in, and exact decimals', () => {
    expect(
      normalForm(
        specificationOf(
          changed('"change": 1}]}]', '"change": "0.10"}, {"name": "t"}]}]').replace('["x"], "to"', '["x", "q"], "to"'),
        ),
      ).design,
    ).toEqual({
      inputs: [{ name: 'x', differing: 1, change: '1' }],
      constants: ['q'],
      submechanisms: [
        {
          mechanism: 'counter',
          receives: [
            { name: 'row', change: '0.1' },
            { name: 't', change: '0' },
          ],
          differing: 1,
        },
      ],
      procedure: {
        start: [{ create: 'counter' }],
        input: [{ send: ['x', 'q'], to: 'counter', answer: 'h' }, { output: ['h'] }],
      },
    });
  });

  it('is told where it is wrong by line and column', () => {
    expect(errorsOf(changed('"constants"', '"constant"'))).toMatchObject([
      { code: 'unknown-key', path: 'design.constant', line: 3, column: 3 },
    ]);
    expect(errorsOf(changed('["x"], "to": "counter"', '["y"], "to": "counter"'))).toMatchObject([
      { code: 'unknown-name', path: 'design.procedure.input[0].send[0]', line: 5, column: 71 },
    ]);
  });
});

describe('a mistake in a design', () => {
  it('is answered with what was got, what is allowed and how to fix it', () => {
    expect(sentences(changed('"differing": 1', '"differing": 0'))).toEqual([
      'design.inputs[0].differing: differing must be a whole number from 1 to 9007199254740991, or "unbounded", got 0. Write a whole number such as 1, or "unbounded".',
    ]);
    expect(sentences(changed('"change": 1}],', '"change": -1}],'))).toEqual([
      'design.inputs[0].change: change must be a number of at least 0, or "any", got -1. Write a number such as 1, or "any".',
    ]);
    expect(sentences(changed('{"output": ["h"]}', '{"output": ["h"], "to": "counter"}'))).toEqual([
      'design.procedure.input[1]: a statement has either create, send with to, set, add with to, if with then, or output, got to as well as output. Keep one of them.',
    ]);
    expect(sentences(changed('{"output": ["h"]}', '{"print": ["h"]}'))).toEqual([
      'design.procedure.input[1]: a statement needs create, send with to, set, add with to, if with then, or output. Add create, send with to, set, add with to, if with then, or output, such as {"send": ["x"], "to": "svt", "answer": "a"}.',
      'design.procedure.input[1].print: the key "print" has no meaning here; allowed are create, data, send, which, answer, set, from, sensitivity, change, differing, add, to, if, atMost, then, output. Correct or remove it.',
    ]);
    expect(sentences(changed('{"output": ["h"]}', '{"set": "v", "from": ["h"], "change": 1}'))).toEqual([
      'design.procedure.input[1].differing: differing is missing; it goes together with set and change. Add "differing": 1, or "unbounded".',
    ]);
  });

  it('in a name says which names there are', () => {
    expect(sentences(changed('{"output": ["h"]}', '{"output": ["hh"]}'))).toEqual([
      'design.procedure.input[1].output[0]: "hh" is not an input, a constant or a variable. Set it, or list it in "inputs". If it is fixed in advance or public, such as a parameter or the time, list it in "constants".',
    ]);
    expect(sentences(changed('{"mechanism": "counter",', '{"mechanism": "conter",'))[0]).toBe(
      'mechanisms[0]: the design says nothing of "counter". Describe it in design.submechanisms, or remove it.',
    );
    expect(summary(errorsOf(changed('{"mechanism": "counter",', '{"mechanism": "conter",')))).toEqual([
      'not-described mechanisms[0]',
      'unknown-name design.submechanisms[0].mechanism',
      'unknown-name design.procedure.start[0].create',
      'unknown-name design.procedure.input[0].to',
    ]);
  });

  it.each([
    [
      'a constant that is set',
      ['"answer": "h"}, {"output": ["h"]}', '"answer": "q"}'],
      'duplicate-name design.procedure.input[0].answer',
    ],
    [
      'an input that is set',
      ['{"output": ["h"]}', '{"set": "x", "from": []}'],
      'duplicate-name design.procedure.input[1].set',
    ],
    [
      'two inputs of one name',
      ['"change": 1}],', '"change": 1}, {"name": "x", "differing": 1, "change": 1}],'],
      'duplicate-name design.inputs[1].name',
    ],
    ['a constant that is an input', ['["q"]', '["x"]'], 'duplicate-name design.constants[0]'],
    [
      'a message of two values where one is taken',
      ['["x"], "to"', '["x", "q"], "to"'],
      'unequal-lengths design.procedure.input[0].send',
    ],
    ['data for a continual mechanism', ['"receives"', '"data"'], 'conflicting-keys design.submechanisms[0].data'],
    [
      'a mechanism that is never created',
      ['{"create": "counter"}', '{"set": "h", "from": []}'],
      'missing-key design.procedure.input[0].to',
    ],
    ['no input', ['[{"name": "x", "differing": 1, "change": 1}]', '[]'], 'empty-list design.inputs'],
    [
      'a number for a name',
      ['"answer": "h"}, {"output": ["h"]}', '"answer": 5}'],
      'wrong-type design.procedure.input[0].answer',
    ],
    [
      'an empty name',
      ['"answer": "h"}, {"output": ["h"]}', '"answer": ""}'],
      'wrong-type design.procedure.input[0].answer',
    ],
    ['a list for a statement', ['{"output": ["h"]}', '[]'], 'wrong-type design.procedure.input[1]'],
    ['a number for a statement', ['{"output": ["h"]}', '5'], 'wrong-type design.procedure.input[1]'],
    [
      'a condition that holds 0 times',
      ['{"output": ["h"]}', '{"if": ["h"], "atMost": 0, "then": [{"output": ["h"]}]}'],
      'out-of-range design.procedure.input[1].atMost',
    ],
  ])('such as %s has a stable code', (_, [from = '', to = ''], expected) => {
    expect(summary(errorsOf(changed(from, to)))).toContain(expected);
  });

  it('of how the mechanisms are used is told too', () => {
    const noninteractive = MECHANISMS.replace('continual', 'noninteractive');
    expect(sentences(documentWith(DESIGN, noninteractive))).toEqual([
      'design.procedure.start[0].create: "counter" answers once: each message to it is an instance of its own, and none is created before. Remove this, or set "kind" to "interactive" or "continual".',
    ]);
    const interactive = MECHANISMS.replace('continual', 'interactive');
    expect(summary(errorsOf(documentWith(DESIGN, interactive)))).toEqual([
      'conflicting-keys design.submechanisms[0].receives[0].change',
    ]);
    expect(summary(errorsOf(documentWith(DESIGN, MECHANISMS, '"adaptivity":"nonadaptive",')))).toEqual([
      'conflicting-keys adaptivity',
    ]);
    expect(summary(errorsOf(documentWith(DESIGN, '[{"type":"dp","epsilon":1}]')))).toContain(
      'missing-key mechanisms[0]',
    );
    const parts = '[{"type":"partition","label":"counter","of":[{"type":"dp","epsilon":1}]}]';
    expect(sentences(documentWith(DESIGN, parts))[0]).toBe(
      'mechanisms[0]: a design cannot send to "counter": it is a partition. A design cannot send to a partition. Replace it by one element per part, at the top level (that costs more: parts are then added, not the largest taken).',
    );
  });

  it('of a label that a design cannot reach, and of data that are settled, says why', () => {
    const parts = `[{"type":"partition","of":${MECHANISMS}}]`;
    expect(sentences(documentWith(DESIGN, parts)).join('\n')).toContain(
      '"counter" is a label, but inside mechanisms[0] (partition), which a design cannot look into',
    );
    const one = '{"type":"dp","epsilon":1,"kind":"continual"}';
    const nested = `[{"type":"parallel","label":"counter","sparsity":1,"of":{"type":"parallel","sparsity":1,"of":${one}}}]`;
    expect(sentences(documentWith(DESIGN, nested))[0]).toContain(
      'A design cannot create instances inside instances. Write one parallel.',
    );
    const settled = `[{"type":"parallel","label":"counter","sparsity":1,"firstPairConsistent":true,"of":${one}}]`;
    expect(sentences(documentWith(DESIGN, settled))[0]).toContain(
      'because mechanisms[0] ("counter") says "firstPairConsistent": true. If the data are updated, remove',
    );
  });

  it('such as a mechanism that is described with its group and by itself is told: it would run twice and be paid once', () => {
    const inGroup = `[{"type":"group","label":"counter","mechanisms":[${MECHANISMS.slice(1, -1).replace('"counter"', '"inner"')}]}]`;
    expect(specificationOf(documentWith(DESIGN, inGroup)).design).not.toBeNull();
    const both = DESIGN.replace('"submechanisms": [', '"submechanisms": [{"mechanism": "inner"}, ');
    expect(summary(errorsOf(documentWith(both, inGroup)))).toEqual(['unknown-name design.submechanisms[0].mechanism']);
  });

  it('of too many statements is told before any of them is looked into', () => {
    const many = Array.from({ length: 600 }, () => '{"if":["h"],"then":[{"output":["h"]}]}').join(',');
    expect(summary(errorsOf(changed('{"output": ["h"]}', many)))).toEqual(['out-of-range design.procedure']);
  });
});

describe('the published JSON Schema of a design', () => {
  it.each([
    ['"differing": 1, ', ''],
    ['"change": 1}],', '"change": "some"}],'],
    ['{"output": ["h"]}', '{"output": "h"}'],
    ['{"output": ["h"]}', '{"print": ["h"]}'],
    ['{"output": ["h"]}', '{"set": "v", "from": ["h"], "change": 1}'],
    ['{"output": ["h"]}', '{"if": ["h"], "then": [{"print": ["h"]}]}'],
    ['{"mechanism": "counter",', '{'],
    ['"constants"', '"constant"'],
  ])('rejects %s written as %s, as the reader does', (from, to) => {
    const text = changed(from, to);
    expect(readSpecification(text).kind).toBe('errors');
    expect(conforms(JSON.parse(text))).toBe(false);
  });
});
