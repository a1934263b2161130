import { describe, expect, it } from 'vitest';
import { readTime, timeOf } from '../../../src/cli/ledger/kit/write-options.ts';
import { mistakes } from '../run.ts';
import { Desk } from './desk.ts';
import type { Context } from '../../../src/cli/kit/io.ts';
import type { InputError } from '../../../src/document/core/specification.ts';

const context = { now: () => new Date('2026-03-02T09:15:30.250Z') } as Context;

function read(text: string | undefined): { readonly time: string | null; readonly codes: readonly string[] } {
  const errors: InputError[] = [];
  const time = timeOf(text === undefined ? undefined : readTime(text, errors), context);
  return { time, codes: errors.map(({ code }) => code) };
}

describe('a variable of a script that was never set', () => {
  const desk = new Desk();

  it('names no request, no ledger and no store', async () => {
    await desk.done('init a.jsonl --epsilon 1 -q');
    await desk.done('init a --store budgets --epsilon 1 -q');
    for (const [line, mistake] of [
      ["spend a.jsonl -m dp:epsilon=0.1 --key ''", '--key: missing-option'],
      ["spend a.jsonl -m dp:epsilon=0.1 --key ' '", '--key: missing-option'],
      ["spend a -m dp:epsilon=0.1 --store ''", '--store: bad-address'],
      ["spend '' -m dp:epsilon=0.1", 'FILE: bad-name'],
      ["spend '' -m dp:epsilon=0.1 --store budgets", 'FILE: bad-name'],
      ["init '' --epsilon 1", 'FILE: bad-name'],
      ["move --keep a --from budgets --to ''", '--to: bad-address'],
      ["move --keep a --from '' --to budgets", '--from: bad-address'],
      ["store init ''", 'ADDRESS: bad-address'],
      ["store list ''", 'ADDRESS: bad-address'],
    ] as const) {
      expect([line, ...mistakes(await desk.type(`${line} --json`))]).toEqual([line, mistake]);
    }
    expect(desk.lines('a.jsonl')).toHaveLength(1);
    expect(desk.files()).toEqual(['a.jsonl', 'budgets']);
    // As it is where it is not set.
    expect((await desk.type('status a.jsonl', { env: { DPCOMPOSE_STORE: '' } })).code).toBe(0);
  });
});

describe('--at', () => {
  it.each([
    '2026-03-02',
    '2026-12-31T23:59Z',
    '2026-03-02T09:15:59.123456789+14:00',
    '2026-03-02T00:00:00-00:30',
    '2024-02-29',
    '2000-02-29',
    '0004-02-29',
    '0099-01-31',
  ])('takes %s as it is written', (text) => {
    expect(read(text)).toEqual({ time: text, codes: [] });
  });
  it.each([
    ['a thirtieth of February', '2026-02-30'],
    ['a leap day of a year that has none', '2026-02-29'],
    ['a leap day of a century that has none', '1900-02-29'],
    ['a thirty-first of April', '2026-04-31'],
    ['a thirty-first of April, at a time', '2026-04-31T12:00Z'],
    ['day 0', '2026-01-00'],
    ['month 0', '2026-00-10'],
    ['month 13', '2026-13-01'],
    ['hour 24', '2026-03-02T24:00Z'],
    ['minute 60', '2026-03-02T12:60Z'],
    ['a leap second', '2026-12-31T23:59:60Z'],
    ['a zone of 99 hours', '2026-03-02T12:00+99:00'],
    ['a zone of 60 minutes', '2026-03-02T12:00+01:60'],
    ['no zone', '2026-03-02T12:00'],
    ['digits of another script', '٢٠٢٦-03-02'],
    ['a line after it', '2026-03-02\n'],
    ['no time', 'noon'],
  ])('takes no %s', (_, text) => {
    expect(read(text)).toEqual({ time: null, codes: ['malformed-time'] });
  });
  it('is the time of the clock in whole seconds, or none', () => {
    expect(read(undefined)).toEqual({ time: '2026-03-02T09:15:30Z', codes: [] });
    expect(read('none')).toEqual({ time: null, codes: [] });
  });
});
