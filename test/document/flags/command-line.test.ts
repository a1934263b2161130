import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { parseOrderFlag, parseTargetFlags, specificationFromFlags } from '../../../src/document/flags/command-line.ts';
import { documentOf, errorsOfFlags, sentence, specificationOf, specificationOfFlags, summary } from '../helpers.ts';

describe('-m', () => {
  it.each([
    ['dp:epsilon=0.1,count=100', '{"type":"dp","epsilon":0.1,"count":100}'],
    ['exponential: epsilon=0.1, kind=interactive', '{"type":"bounded-range","epsilon":"0.1","kind":"interactive"}'],
    ['exponential:coefficient=0.5,range=2', '{"type":"bounded-range","epsilon":1}'],
    ['exponential:coefficient=0.5,sensitivity=1,monotonic=true', '{"type":"bounded-range","epsilon":0.5}'],
    ['exponential:coefficient=0.5, sensitivity=1, monotonic= false', '{"type":"bounded-range","epsilon":1}'],
    ['report-noisy-max:noise=gumbel,scale=2,sensitivity=1', '{"type":"bounded-range","epsilon":1}'],
    ['report-noisy-max:noise=laplace,scale=2,sensitivity=1', '{"type":"dp","epsilon":1}'],
    ['permute-and-flip:epsilon=0.5', '{"type":"dp","epsilon":0.5}'],
    ['sparse-vector:threshold-epsilon=0.05,query-epsilon=0.1', '{"type":"dp","epsilon":0.15,"kind":"interactive"}'],
    [
      'sparse-vector:threshold-scale=20,query-scale=40,positives=3,sensitivity=1,monotonic=true,kind=continual',
      '{"type":"dp","epsilon":0.125,"kind":"continual"}',
    ],
    ['laplace:scale=10,sensitivity=2,label=a b:c=d', '{"type":"laplace","scale":10,"sensitivity":2,"label":"a b:c=d"}'],
    ['gaussian:sigma=4', '{"type":"gaussian","sigma":4}'],
    ['rdp:orders=4:0.3;2:0.1', '{"type":"rdp","orders":[[2,0.1],[4,0.3]]}'],
    ['discrete-laplace:scale=10,sensitivity=3', '{"type":"discrete-laplace","scale":10,"sensitivity":3}'],
    ['discrete-gaussian:sigma=4', '{"type":"discrete-gaussian","sigma":4,"sensitivity":1}'],
    ['finite-pair:p=0.9;0.1,q=0.1;0.9', '{"type":"finite-pair","p":["0.9","0.1"],"q":["0.1","0.9"]}'],
    [
      'finite-pair:p=.1; .9; 0, q=0; 0.9; .1, direction=fixed',
      '{"type":"finite-pair","p":[0.1,0.9,0],"q":[0,0.9,0.1],"direction":"fixed"}',
    ],
    ['finite-pair:p=1,q=1', '{"type":"finite-pair","p":[1],"q":[1]}'],
    ['trade-off:points=.1:0.8; 0.6 : .2', '{"type":"trade-off","points":[[0.1,0.8],[0.6,0.2]]}'],
    ['rdp:alpha=2,epsilon=.1', '{"type":"rdp","orders":[[2,0.1]]}'],
  ])('%s means the same as %s', (flag, entry) => {
    expect(specificationOfFlags({ mechanisms: [flag] })).toEqual(specificationOf(documentOf(entry)));
  });

  it('says how to write what was meant', () => {
    expect(errorsOfFlags({ mechanisms: ['dp:0.1'] }).map(sentence)).toEqual([
      '-m #1: each part after the colon must be key=value, got "0.1". Write -m dp:epsilon=0.1.',
    ]);
    expect(errorsOfFlags({ mechanisms: ['gaussian:sigma=1', 'dp'] }).map(sentence)).toEqual([
      '-m #2 epsilon: epsilon is missing; it must be a number of at least 0. Add epsilon, such as 0.1.',
    ]);
    expect(errorsOfFlags({ mechanisms: ['finite-pair:p=0.9,0.1,q=0.1;0.9', 'finite-pair:q=1'] }).map(sentence)).toEqual(
      [
        '-m #1: each part after the colon must be key=value, got "0.1". Write -m \'finite-pair:p=0.9;0.1,q=0.1;0.9\'.',
        '-m #2 p: p is missing; it must be a list of probabilities. Add p=0.9;0.1 or the like; a shell needs quotes around semicolons.',
      ],
    );
  });

  it.each([
    ['gaussian:sigma=2,5', []],
    ['dp:epsilon=0.1,100', []],
    ['dp:0.1,1e-6', []],
    ['dp:epsilon=1,000', []],
    ['finite-pair:0.9;0.1', []],
    ['banded-matrix:steps=4,noise-multiplier=1,participations=1,coefficients=1,5', []],
    ["dp:label=it's,epsilon:1", []],
    ['gaussian:sigma:1', ['gaussian:sigma=1']],
    ['gaussian:sigma 1,count:5', ['gaussian:sigma=1,count=5']],
    ['gaussian:1', ['gaussian:sigma=1', 'gaussian:variance=1', 'gaussian:noise-multiplier=1']],
    ['laplace:0.5', ['laplace:scale=0.5', 'laplace:epsilon=0.5']],
    ['finite-pair:p=0.9,0.1,q=0.1,0.9', ["'finite-pair:p=0.9;0.1,q=0.1;0.9'"]],
    ['rdp:orders=2:0.1,4:0.3', ["'rdp:orders=2:0.1;4:0.3'"]],
  ])('suggests for %s what it can have meant, or nothing', (flag, meant) => {
    const [{ hint } = { hint: '' }, ...others] = errorsOfFlags({ mechanisms: [flag] });
    expect(others).toEqual([]);
    const written = [...hint.matchAll(/-m ('[^']*'|\S+?)(?=,? |\.$)/g)].map(([, found]) => found ?? '');
    expect(written).toEqual(meant);
    for (const each of written)
      expect(specificationOfFlags({ mechanisms: [each.replaceAll("'", '')] }).entries).toHaveLength(1);
  });

  it.each([
    ['', 'malformed-flag -m #1'],
    ['epsilon=0.1', 'malformed-flag -m #1'],
    ['dp:epsilon=1,', 'malformed-flag -m #1'],
    ['dp:=1', 'malformed-flag -m #1'],
    ['dp:epsilon=1,epsilon=2', 'duplicate-key -m #1 epsilon'],
    ['dp:epsilon=1,type=dp', 'duplicate-key -m #1 type'],
    ['dp:epsilon=', 'not-a-number -m #1 epsilon'],
    ['dp:epsilon=x', 'not-a-number -m #1 epsilon'],
    ['dp:epsilon=1,eps=1', 'unknown-key -m #1 eps'],
    ['dp:epsilon=1,__proto__=1', 'unknown-key -m #1 __proto__'],
    ['dq:epsilon=1', 'unknown-type -m #1 type'],
    ['laplace:scale=1,epsilon=1', 'conflicting-keys -m #1'],
    ['rdp:orders=2:0.1;3', 'wrong-type -m #1 orders[1]'],
    ['finite-pair:p=0.9;0.1;,q=1;0;0', 'not-a-number -m #1 p[2]'],
    ['finite-pair:p=0.9:0.1,q=1', 'not-a-number -m #1 p[0]'],
    ['finite-pair:p=0.9;0.2,q=1;0', 'wrong-sum -m #1 p'],
    ['finite-pair:p=1;0,q=1', 'unequal-lengths -m #1'],
    ['laplace:scale=1,p=0.9;0.1', 'unknown-key -m #1 p'],
    ['discrete-gaussian:sigma=4,sensitivity=1.5', 'not-whole -m #1 sensitivity'],
    ['exponential:epsilon=1,coefficient=1', 'conflicting-keys -m #1'],
    ['exponential:coefficient=1', 'missing-key -m #1'],
    ['exponential:coefficient=1,sensitivity=1,monotonic=yes', 'wrong-type -m #1 monotonic'],
    ['exponential:coefficient=1,sensitivity=1,monotonic=', 'wrong-type -m #1 monotonic'],
    ['report-noisy-max:epsilon=1', 'missing-key -m #1 noise'],
    ['rdp:orders=2:x', 'not-a-number -m #1 orders[0][1]'],
  ])('%j is an error', (flag, expected) => {
    expect(summary(errorsOfFlags({ mechanisms: [flag] }))).toEqual([expected]);
  });

  it('counts its mistakes by the place of the flag, in their order', () => {
    const errors = errorsOfFlags({ mechanisms: ['dp:epsilon=1', 'dp:1', 'dp:epsilon=-1', 'gdp', 'zcdp:2'] });
    expect(errors.map(({ path }) => path)).toEqual(['-m #2', '-m #3 epsilon', '-m #4 mu', '-m #5']);
  });

  it('is needed where there is no document', () => {
    expect(summary(errorsOfFlags({ delta: '1e-6' }))).toEqual(['empty-list -m']);
  });

  it('is refused by name for a type that is not offered', () => {
    expect(specificationFromFlags({ mechanisms: ['dp:epsilon=1', 'DP_SGD:sigma=1'] })).toEqual({
      kind: 'refusal',
      refusal: { code: 'not-offered', path: '-m #2', type: 'DP_SGD' },
    });
  });
});

describe('--order', () => {
  it('is any or declared', () => {
    expect(parseOrderFlag({ order: 'any' })).toMatchObject({ value: 'any', errors: [] });
    expect(parseOrderFlag({ order: 'declared' })).toMatchObject({ value: 'declared', errors: [] });
    expect(parseOrderFlag({})).toMatchObject({ value: null, errors: [] });
  });

  it('is nothing else', () => {
    expect(parseOrderFlag({ order: 'declare' }).errors.map(sentence)).toEqual([
      '--order: order must be any or declared, got "declare". Did you mean "declared"? Write one of these, or omit it.',
    ]);
  });
});

describe('--delta and --epsilon', () => {
  it('are the target', () => {
    expect(parseTargetFlags({ delta: '1e-6' }).value).toEqual({ solveFor: 'epsilon', delta: new Decimal('1e-6') });
    expect(parseTargetFlags({ epsilon: '-1' }).value).toEqual({ solveFor: 'delta', epsilon: new Decimal(-1) });
    expect(parseTargetFlags({})).toMatchObject({ value: null, errors: [] });
  });

  it('exclude each other', () => {
    expect(parseTargetFlags({ delta: '0', epsilon: '1' }).errors.map(sentence)).toEqual([
      '--epsilon: --delta and --epsilon exclude each other: one is given, the other is the answer. Keep one of them.',
    ]);
  });

  it('are named in their mistakes', () => {
    expect(parseTargetFlags({ delta: '1.5' }).errors.map(sentence)).toEqual([
      '--delta: delta must be a number from 0 to 1, got "1.5". Write a number from 0 to 1, such as 1e-6.',
    ]);
    expect(summary(parseTargetFlags({ epsilon: 'inf' }).errors)).toEqual(['not-finite --epsilon']);
  });
});
