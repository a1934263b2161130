import { describe, expect, it } from 'vitest';
import { INPUT_ERROR_CODES } from '../../src/document/core/error-codes.ts';
import { readSpecification } from '../../src/document/read-specification.ts';
import { documentOf, errorsOf, sentence, summary } from './helpers.ts';

const dp = (member: string): string => documentOf(`{"type":"dp",${member}}`);

describe('bad input', () => {
  it('is answered with what was got, what is allowed and how to fix it', () => {
    expect(errorsOf(dp('"epsilon":-1')).map(sentence)).toEqual([
      'mechanisms[0].epsilon: epsilon must be a number of at least 0, got -1. Write a number of at least 0, such as 0.1.',
    ]);
    expect(errorsOf(dp('"epsilon":1,"delta":"1.5"')).map(sentence)).toEqual([
      'mechanisms[0].delta: delta must be a number from 0 to 1, got "1.5". Write a number from 0 to 1, such as 1e-6.',
    ]);
    expect(errorsOf(dp('"epsilom":1, "epsilon":1')).map(sentence)).toEqual([
      'mechanisms[0].epsilom: the key "epsilom" has no meaning here; allowed are type, epsilon, delta, count, label, kind, sampling, rate, batches, selected, records, draws, sample, neighbours, best-of. Did you mean "epsilon"? Correct or remove it.',
    ]);
    expect(errorsOf(documentOf('{"type":"gausian"}')).map(sentence)).toEqual([
      'mechanisms[0].type: type must be dp, bounded-range, exponential, report-noisy-max, permute-and-flip, sparse-vector, laplace, gaussian, discrete-laplace, discrete-gaussian, tree-aggregation, banded-matrix, finite-pair, trade-off, zcdp, rdp, gdp, randomized-response, rappor, shuffled-reports, selection, group, parallel, partition or local, got "gausian". Did you mean "gaussian"? Write one of the types above.',
    ]);
    expect(errorsOf(dp('"epsilon":1,"count":1.5')).map(sentence)).toEqual([
      'mechanisms[0].count: count must be a whole number from 1 to 9007199254740991, got 1.5. Write a whole number from 1 to 9007199254740991, such as 100.',
    ]);
  });

  it('in discrete noise and finite pairs is answered in the same way', () => {
    const sentences = (entry: string): string[] => errorsOf(documentOf(entry)).map(sentence);
    expect(sentences('{"type":"discrete-laplace","scale":4,"sensitivity":1.5}')).toEqual([
      'mechanisms[0].sensitivity: sensitivity must be a whole number from 0 to 1000000, got 1.5. Write a whole number from 0 to 1000000, such as 1.',
    ]);
    expect(sentences('{"type":"discrete-gaussian","sigma":1e6}')).toEqual([
      'mechanisms[0].sigma: sigma must be a number from 0.01 to 200000, got 1e6. Write a number from 0.01 to 200000, such as 4.',
    ]);
    expect(sentences('{"type":"finite-pair","p":0.9,"q":[1,"x",-1]}')).toEqual([
      'mechanisms[0].p: p must be a list of probabilities, got 0.9. Write a list such as ["0.9", "0.1"].',
      'mechanisms[0].q[1]: each probability must be a number from 0 to 1, got "x". Write digits only, with a point and an exponent where needed, such as 0.1 or 1e-6.',
      'mechanisms[0].q[2]: each probability must be a number from 0 to 1, got -1. Write a number from 0 to 1, such as 0.5.',
    ]);
    expect(sentences('{"type":"finite-pair"}')).toEqual([
      'mechanisms[0].p: p is missing; it must be a list of probabilities. Add p, a list such as ["0.9", "0.1"].',
      'mechanisms[0].q: q is missing; it must be a list of probabilities. Add q, a list such as ["0.9", "0.1"].',
    ]);
    expect(sentences('{"type":"finite-pair","p":["0.3333","0.3333","0.3333"],"q":[1,1]}')).toEqual([
      'mechanisms[0]: p and q must list the same outcomes, got 3 in p and 2 in q. Give both lists the same order, with 0 for an outcome that cannot happen.',
      'mechanisms[0].p: p must sum to exactly 1, got 0.9999. Correct the probabilities; with the others as they are, the last would be 0.3334.',
      'mechanisms[0].q: q must sum to exactly 1, got 2. Correct the probabilities; with the others as they are, the last would be 0.',
    ]);
    expect(sentences('{"type":"finite-pair","p":[0.5],"q":[1]}')).toEqual([
      'mechanisms[0].p: p must sum to exactly 1, got 0.5. Write the probability of every outcome, as exact decimals.',
    ]);
  });

  it('in selections is answered with what goes together', () => {
    const sentences = (keys: string, type = 'exponential'): string[] =>
      errorsOf(documentOf(`{"type":"${type}"${keys === '' ? '' : `,${keys}`}}`)).map(sentence);
    expect(sentences('')).toEqual([
      'mechanisms[0]: an exponential mechanism needs epsilon, or coefficient with range or sensitivity. Add epsilon, or coefficient with range or sensitivity.',
    ]);
    expect(sentences('"coefficient":1')).toEqual([
      'mechanisms[0]: an exponential mechanism with coefficient needs range or sensitivity. Add range or sensitivity.',
    ]);
    expect(sentences('"epsilon":1,"coefficient":1')).toEqual([
      'mechanisms[0]: an exponential mechanism has either epsilon, or coefficient with range or sensitivity, got epsilon as well as coefficient. Keep one of them.',
    ]);
    expect(sentences('"coefficient":1,"range":1,"sensitivity":1')).toEqual([
      'mechanisms[0]: an exponential mechanism has either epsilon, or coefficient with range or sensitivity, got range as well as sensitivity. Keep one of them.',
    ]);
    expect(sentences('"coefficient":1,"range":1,"monotonic":true')).toEqual([
      'mechanisms[0].monotonic: an exponential mechanism with coefficient and range has no monotonic. Remove monotonic.',
    ]);
    expect(sentences('"coefficient":1,"sensitivity":1,"monotonic":"true"')).toEqual([
      'mechanisms[0].monotonic: monotonic must be true or false, got "true". Write true or false, without quotes.',
    ]);
    expect(sentences('"coefficient":1e200,"sensitivity":1e200')).toEqual([
      'mechanisms[0]: the epsilon of these keys must be 0 or of magnitude 1e-300 to 1e300, got 2e+400. Write epsilon in their place, rounded up.',
    ]);
    expect(
      summary(
        errorsOf(documentOf(`{"type":"exponential","coefficient":0.${'3'.repeat(900)},"range":0.${'7'.repeat(900)}}`)),
      ),
    ).toEqual(['too-many-digits mechanisms[0]']);
    expect(sentences('"epsilon":1', 'report-noisy-max')).toEqual([
      'mechanisms[0].noise: noise is missing; it must be gumbel, laplace or exponential. Add noise.',
    ]);
    expect(sentences('"noise":"gaussian","epsilon":1', 'report-noisy-max')).toEqual([
      'mechanisms[0].noise: noise must be gumbel, laplace or exponential, got "gaussian". Write one of these; with other noise, write a guarantee that the whole mechanism has, such as dp.',
    ]);
    expect(sentences('"coefficient":1,"scale":1,"range":1', 'permute-and-flip')).toEqual([
      'mechanisms[0]: a permute-and-flip mechanism has either epsilon, or coefficient or scale with range or sensitivity, got coefficient as well as scale. Keep one of them.',
    ]);
  });

  it.each([
    ['"epsilon":1,"count":0', 'out-of-range mechanisms[0].count'],
    ['"epsilon":1,"count":1.5', 'not-whole mechanisms[0].count'],
    ['"epsilon":1,"count":1e30', 'out-of-range mechanisms[0].count'],
    ['"epsilon":1,"count":9007199254740992', 'out-of-range mechanisms[0].count'],
    ['"epsilon":"NaN"', 'not-finite mechanisms[0].epsilon'],
    ['"epsilon":"Infinity"', 'not-finite mechanisms[0].epsilon'],
    ['"epsilon":"0.1abc"', 'not-a-number mechanisms[0].epsilon'],
    ['"epsilon":""', 'not-a-number mechanisms[0].epsilon'],
    ['"epsilon":"0x10"', 'not-a-number mechanisms[0].epsilon'],
    ['"epsilon":" 0.1"', 'not-a-number mechanisms[0].epsilon'],
    ['"epsilon":"1_000"', 'not-a-number mechanisms[0].epsilon'],
    ['"epsilon":true', 'wrong-type mechanisms[0].epsilon'],
    ['"epsilon":null', 'wrong-type mechanisms[0].epsilon'],
    ['"epsilon":[1]', 'wrong-type mechanisms[0].epsilon'],
    ['"epsilon":1e301', 'out-of-range mechanisms[0].epsilon'],
    ['"epsilon":1,"delta":-1e-9', 'out-of-range mechanisms[0].delta'],
    ['"delta":0', 'missing-key mechanisms[0].epsilon'],
    ['"epsilon":1,"kind":"Interactive"', 'unknown-value mechanisms[0].kind'],
    ['"epsilon":1,"label":7', 'wrong-type mechanisms[0].label'],
    ['"epsilon":1,"__proto__":{"x":1}', 'unknown-key mechanisms[0].__proto__'],
    ['"epsilon":1,"epsilon":1', 'duplicate-key mechanisms[0].epsilon'],
  ])('a dp entry with %s', (member, expected) => {
    expect(summary(errorsOf(dp(member)))).toEqual([expected]);
  });

  it.each([
    ['{"type":"laplace"}', 'missing-key mechanisms[0]'],
    ['{"type":"laplace","scale":0}', 'out-of-range mechanisms[0].scale'],
    ['{"type":"laplace","scale":1,"epsilon":1}', 'conflicting-keys mechanisms[0]'],
    ['{"type":"laplace","epsilon":1,"sensitivity":1}', 'conflicting-keys mechanisms[0].sensitivity'],
    ['{"type":"exponential","epsilon":-1}', 'out-of-range mechanisms[0].epsilon'],
    ['{"type":"exponential","epsilon":1,"sensitivity":1}', 'conflicting-keys mechanisms[0]'],
    ['{"type":"exponential","epsilon":1,"monotonic":true}', 'conflicting-keys mechanisms[0].monotonic'],
    ['{"type":"exponential","sensitivity":1}', 'missing-key mechanisms[0].coefficient'],
    ['{"type":"exponential","coefficient":1,"monotonic":true}', 'missing-key mechanisms[0].sensitivity'],
    ['{"type":"exponential","coefficient":-1,"range":1}', 'out-of-range mechanisms[0].coefficient'],
    ['{"type":"exponential","coefficient":1,"range":null}', 'wrong-type mechanisms[0].range'],
    ['{"type":"exponential","coefficient":1,"sensitivity":1,"monotonic":1}', 'wrong-type mechanisms[0].monotonic'],
    ['{"type":"exponential","epsilon":1,"scale":1}', 'unknown-key mechanisms[0].scale'],
    ['{"type":"exponential","coefficient":1e-200,"range":1e-200}', 'out-of-range mechanisms[0]'],
    ['{"type":"report-noisy-max","noise":1,"epsilon":1}', 'unknown-value mechanisms[0].noise'],
    ['{"type":"report-noisy-max","noise":"gumbel","range":1}', 'missing-key mechanisms[0]'],
    ['{"type":"report-noisy-max","noise":"laplace","scale":0,"range":1}', 'out-of-range mechanisms[0].scale'],
    ['{"type":"permute-and-flip","noise":"laplace","epsilon":1}', 'unknown-key mechanisms[0].noise'],
    ['{"type":"permute-and-flip"}', 'missing-key mechanisms[0]'],
    ['{"type":"gaussian","sigma":0}', 'out-of-range mechanisms[0].sigma'],
    ['{"type":"zcdp","rho":-1}', 'out-of-range mechanisms[0].rho'],
    ['{"type":"gdp","mu":-1}', 'out-of-range mechanisms[0].mu'],
    ['{"type":"rdp"}', 'missing-key mechanisms[0]'],
    ['{"type":"rdp","alpha":1,"epsilon":1}', 'out-of-range mechanisms[0].alpha'],
    ['{"type":"rdp","alpha":2}', 'missing-key mechanisms[0].epsilon'],
    ['{"type":"rdp","orders":[]}', 'empty-list mechanisms[0].orders'],
    ['{"type":"rdp","orders":[[2]]}', 'wrong-type mechanisms[0].orders[0]'],
    ['{"type":"rdp","orders":[[2,1,1]]}', 'wrong-type mechanisms[0].orders[0]'],
    ['{"type":"rdp","orders":[[2,-1]]}', 'out-of-range mechanisms[0].orders[0][1]'],
    ['{"type":"rdp","orders":[[2,1],["2.0",2]]}', 'duplicate-order mechanisms[0].orders[1][0]'],
    ['{"type":"rdp","orders":[[2,1]],"alpha":2,"epsilon":1}', 'conflicting-keys mechanisms[0]'],
    ['{"type":"discrete-laplace"}', 'missing-key mechanisms[0].scale'],
    ['{"type":"discrete-laplace","scale":0}', 'out-of-range mechanisms[0].scale'],
    ['{"type":"discrete-laplace","scale":1,"sensitivity":0.5}', 'not-whole mechanisms[0].sensitivity'],
    ['{"type":"discrete-laplace","scale":1,"sensitivity":1000001}', 'out-of-range mechanisms[0].sensitivity'],
    ['{"type":"discrete-laplace","epsilon":1,"scale":1}', 'unknown-key mechanisms[0].epsilon'],
    ['{"type":"discrete-gaussian","sigma":0.009}', 'out-of-range mechanisms[0].sigma'],
    ['{"type":"discrete-gaussian","sigma":2e5,"sensitivity":-1}', 'out-of-range mechanisms[0].sensitivity'],
    ['{"type":"finite-pair","p":[],"q":[1]}', 'empty-list mechanisms[0].p'],
    ['{"type":"finite-pair","p":{},"q":[1]}', 'wrong-type mechanisms[0].p'],
    ['{"type":"finite-pair","p":[[1]],"q":[1]}', 'wrong-type mechanisms[0].p[0]'],
    ['{"type":"finite-pair","p":[1.5],"q":[1]}', 'out-of-range mechanisms[0].p[0]'],
    ['{"type":"finite-pair","p":[0.5,0.4],"q":[1,0]}', 'wrong-sum mechanisms[0].p'],
    ['{"type":"finite-pair","p":[0.1,0.2,0.7000000000000001],"q":[1,0,0]}', 'wrong-sum mechanisms[0].p'],
    ['{"type":"finite-pair","p":[1],"q":[1,0]}', 'unequal-lengths mechanisms[0]'],
    ['{"type":"finite-pair","p":[1],"q":[1],"direction":"both"}', 'unknown-value mechanisms[0].direction'],
    ['{"type":"trade-off","points":[]}', 'empty-list mechanisms[0].points'],
    ['{"type":"trade-off","points":[0.25]}', 'wrong-type mechanisms[0].points[0]'],
    ['{"type":"trade-off","points":[[0.25]]}', 'wrong-type mechanisms[0].points[0]'],
    ['{"type":"trade-off","points":[[0.25,"NaN"]]}', 'not-finite mechanisms[0].points[0][1]'],
    ['{"type":"trade-off","points":[["1e-400",0.5]]}', 'out-of-range mechanisms[0].points[0][0]'],
    ['{"type":"trade-off","points":[[0.5,-0.5]]}', 'out-of-range mechanisms[0].points[0][1]'],
    ['{"type":"trade-off","points":[[0.5,0.6]]}', 'no-trade-off mechanisms[0].points[0][1]'],
    ['{"tpye":"dp"}', 'missing-key mechanisms[0].type'],
    ['{"type":1}', 'wrong-type mechanisms[0].type'],
    ['{"type":"constructor"}', 'unknown-type mechanisms[0].type'],
    ['7', 'wrong-type mechanisms[0]'],
    ['null', 'wrong-type mechanisms[0]'],
  ])('an entry %s', (entry, expected) => {
    expect(summary(errorsOf(documentOf(entry)))).toEqual([expected]);
  });

  it('has all its mistakes reported at once, in the order of the document', () => {
    const text = `{ "dpcompose": 2, "name": 5, "adaptivity": "adaptiv", "order": 1,
      "target": { "delta": 1, "epsilon": 2 },
      "mechanisms": [
        { "type": "dp", "epsilon": "-0.5", "delta": 2 },
        { "type": "laplace", "scale": -1, "epsilon": 1 }
      ],
      "neighbors": "add-remove", "name": "x" }`;
    expect(errorsOf(text).map(({ code, path, line, column }) => [code, path, line, column])).toEqual([
      ['unsupported-version', 'dpcompose', 1, 16],
      ['wrong-type', 'name', 1, 27],
      ['unknown-value', 'adaptivity', 1, 44],
      ['unknown-value', 'order', 1, 64],
      ['two-targets', 'target', 2, 17],
      ['out-of-range', 'mechanisms[0].epsilon', 4, 36],
      ['out-of-range', 'mechanisms[0].delta', 4, 53],
      ['conflicting-keys', 'mechanisms[1]', 5, 9],
      ['out-of-range', 'mechanisms[1].scale', 5, 39],
      ['unknown-key', 'neighbors', 7, 7],
      ['duplicate-key', 'name', 7, 34],
    ]);
  });

  it.each([
    ['{}', ['missing-key dpcompose', 'missing-key mechanisms']],
    ['[]', ['wrong-type document']],
    ['5', ['wrong-type document']],
    ['{"dpcompose":1,"mechanisms":[]}', ['empty-list mechanisms']],
    ['{"dpcompose":1,"mechanisms":{}}', ['wrong-type mechanisms']],
    ['{"dpcompose":1,"target":{},"mechanisms":[{"type":"gdp","mu":1}]}', ['missing-key target']],
    ['{"dpcompose":1,"target":5,"mechanisms":[{"type":"gdp","mu":1}]}', ['wrong-type target']],
    ['{"dpcompose":1,"target":{"delta":2},"mechanisms":[{"type":"gdp","mu":1}]}', ['out-of-range target.delta']],
    ['{"dpcompose":1,"mechanisms":[{"type":"gdp","mu":1}', ['truncated-json mechanisms[1]']],
    ['', ['empty-document document']],
  ])('a document %s', (text, expected) => {
    expect(summary(errorsOf(text))).toEqual(expected);
  });

  it('that is not text in UTF-8 is recognised', () => {
    expect(summary(errorsOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0x80])))).toEqual(['not-text document']);
    expect(summary(errorsOf(new Uint8Array([0xff, 0xfe, 0x7b, 0])))).toEqual(['not-text document']);
    expect(summary(errorsOf(new Uint8Array([0, 0, 0])))).toEqual(['not-text document']);
  });

  it('cannot disturb a terminal', () => {
    const [error] = errorsOf(dp('"epsilon":"\\u001b[31m\\u009b\\u202e"'));
    expect(error?.message).toBe('epsilon must be a number of at least 0, got "\\u001b[31m\\u009b\\u202e"');
  });

  it('carries only documented codes', () => {
    const codes = errorsOf('{"dpcompose":3,"x":1,"mechanisms":[{"type":"dp"},{"type":"x"}]}').map(({ code }) => code);
    for (const code of codes) expect(Object.keys(INPUT_ERROR_CODES)).toContain(code);
  });
});

describe('very large input', () => {
  const many = (entry: string, count: number): string => documentOf(Array<string>(count).fill(entry).join(','));

  it('with a mistake in every entry gets twenty errors and the number of the others', () => {
    const result = readSpecification(many('{"type":"dp","epsilon":-1,"epsilom":1}', 50_000));
    expect(result.kind).toBe('errors');
    if (result.kind !== 'errors') return;
    expect(result.errors).toHaveLength(20);
    expect(result.more).toBe(99_980);
    expect(result.errors[19]?.path).toBe('mechanisms[9].epsilom');
  });

  it('has a mistake in its last entry found and placed', () => {
    const text = many('{"type":"gdp","mu":1}', 5000).replace(/1}]}$/, '"x"}]}');
    expect(errorsOf(text)).toMatchObject([{ path: 'mechanisms[4999].mu', line: 1, column: text.length - 5 }]);
  });

  it('with far too many orders is not looked into', () => {
    const orders = Array<string>(200_000).fill('[1,-1]').join(',');
    expect(summary(errorsOf(documentOf(`{"type":"rdp","orders":[${orders}]}`)))).toEqual([
      'out-of-range mechanisms[0].orders',
    ]);
  });

  it('with far too many outcomes is not looked into', () => {
    const ones = Array<string>(200_000).fill('"x"').join(',');
    expect(summary(errorsOf(documentOf(`{"type":"finite-pair","p":[${ones}],"q":[1]}`)))).toEqual([
      'out-of-range mechanisms[0].p',
    ]);
  });

  it('of a finite pair may have 200 outcomes', () => {
    const list = (outcomes: number): string =>
      Array<string>(outcomes)
        .fill(String(1 / outcomes))
        .join(',');
    const pair = (outcomes: number): string =>
      documentOf(`{"type":"finite-pair","p":[${list(outcomes)}],"q":[${list(outcomes)}]}`);
    expect(readSpecification(pair(200)).kind).toBe('specification');
    expect(summary(errorsOf(pair(250)))).toEqual(['out-of-range mechanisms[0].p', 'out-of-range mechanisms[0].q']);
  });

  it('with far too many unknown keys gets twenty errors', () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `"k${String(index)}":1`).join(',');
    expect(readSpecification(`{"dpcompose":1,"mechanisms":[{"type":"gdp","mu":1}],${keys}}`)).toMatchObject({
      kind: 'errors',
      more: 99_980,
    });
  });
});
