import { describe, expect, it } from 'vitest';
import { documentOf, errorsOf, sentence } from './helpers.ts';

const ONE = '{"type":"dp","epsilon":1}';

const told = (element: string): string => errorsOf(documentOf(element)).map(sentence).join('\n');

describe('advice on a key that has no meaning here', () => {
  it.each([
    [`{"type":"partition","of":[${ONE}],"differing":2}`, 'In how many parts neighbors differ is "sparsity" here.'],
    [`{"type":"local","of":${ONE},"sparsity":2}`, 'How many users differ is "differing" here.'],
    [`{"type":"local","of":${ONE},"kind":"continual"}`, 'Write "kind" at what it holds'],
    [`{"type":"group","of":[${ONE}]}`, 'A group has "mechanisms", a list.'],
    [`{"type":"parallel","sparsity":1,"of":${ONE},"discrete":true}`, 'Move it to the top of the document'],
    [`{"type":"dp","epsilon":1,"finiteCommunication":true}`, 'Move it to the top of the document'],
  ])('%s', (element, advice) => {
    expect(told(element)).toContain(advice);
  });
});

describe('advice on a number', () => {
  it.each([
    [
      `{"type":"parallel","sparsity":1,"instances":"any","of":${ONE}}`,
      'Did you mean "unbounded"? Write a whole number',
    ],
    [`{"type":"parallel","sparsity":1,"instances":"1/2","of":${ONE}}`, 'such as 1000, or "unbounded".'],
    [`{"type":"local","users":"x","of":${ONE}}`, 'Write a whole number such as 1000, or "unbounded".'],
    [`{"type":"dp","epsilon":1,"count":"x"}`, 'Write a whole number from 1 to'],
  ])('%s is one that is allowed', (element, advice) => {
    expect(told(element)).toContain(advice);
    expect(told(element)).not.toContain('0.1 or 1e-6');
  });
});
