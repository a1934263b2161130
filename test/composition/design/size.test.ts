import { describe, expect, it } from 'vitest';
import { checkDesign } from '../../../src/composition/design/check-design.ts';
import { failureText } from '../../../src/output/design/failure.ts';
import { PLAIN } from '../../../src/output/kit/page.ts';
import { designOf, entry, type Json } from './histogram.ts';

const CHAIN = Array.from({ length: 290 }, (_, i): Json => {
  const from = i < 2 ? ['x'] : [`v${i - 1}`, `v${i - 2}`];
  return { set: `v${i}`, from, sensitivity: 1 };
});

const CONDITIONS = Array.from({ length: 100 }, (): Json => {
  return { if: ['x'], then: [{ set: 'v289', from: ['x', 'v289'], sensitivity: 1 }] };
});

const sums = (): Json[] => {
  const added = Array.from({ length: 140 }, (_, i): Json => {
    return { add: i === 0 ? ['x'] : Array.from({ length: Math.min(i, 30) }, (__, j) => `s${i - 1 - j}`), to: `s${i}` };
  });
  const resets = added.map((_, i): Json => ({ set: `s${i}`, from: [] }));
  return [...added, { set: 'v289', from: ['s139'], sensitivity: 1 }, ...resets];
};

function nested(): Json[] {
  let inner: Json[] = [{ set: 'v289', from: ['x'] }];
  for (let i = 0; i < 90; i++)
    inner = [
      { set: `n${i}`, from: ['x'] },
      { if: ['x'], then: inner },
    ];
  return inner;
}

describe('a design as large as a document may hold', () => {
  it.each([
    ['a chain of variables, each computed from the two before', CHAIN],
    ['the same chain through steps', CHAIN.toReversed()],
    ['many conditions', CONDITIONS],
    ['sums of sums', sums()],
    ['conditions in conditions', nested()],
    // What grows faster than the document would take longer than any test may.
  ])('such as %s is judged, in few words', (_, statements) => {
    const design = designOf({
      inputs: [{ name: 'x', differing: 1, change: 1 }],
      submechanisms: [{ mechanism: 'counter', receives: [{ name: 'value', change: 1 }] }],
      procedure: { start: [{ create: 'counter' }], input: [...statements, { send: ['v289'], to: 'counter' }] },
    });
    const entries = [entry('counter', 'continual')];
    const check = checkDesign(design, entries);
    expect(failureText(check, { design, entries }, { width: 100, style: PLAIN }).length).toBeLessThan(20_000);
  });
});
