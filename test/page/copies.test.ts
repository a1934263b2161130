import { expect, it } from 'vitest';
import { Decimal } from '../../src/numeric/decimal.ts';
import { checkStep, composeCommandLine, sgdCommandLine } from '../../src/page/copies.ts';
import type { Headline } from '../../src/page/question.ts';

const TEXT = '{"dpcompose": 1}\n';
const dp = { type: 'dp', epsilon: '0.1' };

it('rows are copied as flags, quoted for the shell', () => {
  const mechanisms = [dp, { type: 'rdp', orders: '2:0.1;4:0.3', label: "it's" }];
  const settings = { adaptivity: 'nonadaptive', order: '', neighbours: 'add-remove', delta: '1e-6' };
  expect(composeCommandLine({ settings, mechanisms }, TEXT)).toBe(
    "dpcompose compose -m dp:epsilon=0.1 -m 'rdp:orders=2:0.1;4:0.3,label=it'\\''s' --delta 1e-6 --nonadaptive --neighbours add-remove",
  );
});

it.each([
  ['a comma', [{ ...dp, label: 'a, b' }], {}],
  ['blanks at an end', [{ ...dp, label: ' a' }], {}],
  ['a name', [dp], { name: 'visits' }],
  ['parameters that are chosen', [dp], { adaptivity: 'parameters' }],
])('what no flag says is copied as its document: %s', (_, mechanisms, settings) => {
  expect(composeCommandLine({ settings, mechanisms }, TEXT)).toBe(
    'dpcompose compose - <<\'END\'\n{"dpcompose": 1}\nEND',
  );
});

it('a document with parts is copied as it is', () => {
  expect(composeCommandLine(null, TEXT)).toContain(TEXT);
});

it('a training is copied without what was not typed', () => {
  expect(sgdCommandLine({ examples: '600', delta: '', epsilon: '1' })).toBe('dpcompose sgd --examples 600 --epsilon 1');
});

it('a check is at what was asked, to the last digit, and there is none without a finite number', () => {
  const headline: Headline = { solveFor: 'epsilon', upper: '0.1', lower: null, given: '', bound: 'basic' };
  const digits = '1.000000000000000000000001e-6';
  const query = { solveFor: 'epsilon', delta: new Decimal(digits) } as const;
  expect(checkStep(headline, query, { text: TEXT, version: '1.0.0' })).toContain(
    `privacy.json --epsilon 0.1 --delta ${digits} `,
  );
  expect(checkStep({ ...headline, upper: 'infinity' }, query, { text: TEXT, version: '1.0.0' })).toBeNull();
});
