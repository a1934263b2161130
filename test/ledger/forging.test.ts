import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Flaw } from '../../src/ledger/fault.ts';
import { seal } from '../../src/ledger/line.ts';
import { create } from '../../src/ledger/stores/file/create.ts';
import { verify } from '../../src/ledger/verify.ts';
import { convertIn } from '../../src/ledger/succession.ts';
import { toOdometer } from '../../src/ledger/conversions.ts';
import { dp } from '../mechanisms.ts';
import { add, FILES, HEADER, launch, linesIn, newPath, OPTIONS, rewrite, TERMS } from './stores/file/files.ts';

// Somebody who knows how hashes are made can write any file. What then can still be found is what the rule says.

type Changes = Readonly<Record<number, (fields: Record<string, unknown>) => unknown>>;

/** A ledger of four records, some of them rewritten, with all hashes made right again. */
async function forged(changes: Changes, onExcess: 'halt' | 'refuse' = 'refuse'): Promise<string> {
  const path = newPath();
  create(path, { ...HEADER, terms: { ...TERMS, onExcess } });
  const interactive = { ...dp('0.2'), kind: 'interactive' as const };
  await launch(path, { entries: [dp('0.1')] });
  await launch(path, { entries: [interactive] });
  await add(path, { event: 'query', mechanism: 2, totals: { launched: 2, spent: { epsilon: '0.3' }, halted: null } });
  await launch(path, { entries: [dp('0.3', '0', { count: 2 })] });
  await launch(path, { entries: [dp('0.5')] });
  let [header, prev] = ['', ''];
  const lines = linesIn(path).map((line, i) => {
    const fields = JSON.parse(line) as Record<string, unknown>;
    delete fields.hash;
    changes[i]?.(fields);
    const sealed = seal(i === 0 ? fields : { ...fields, ledger: header, prev });
    if (i === 0) header = sealed.hash;
    prev = sealed.hash;
    return `${sealed.text}\n`;
  });
  rewrite(path, lines.join(''));
  return path;
}

async function flawsOf(changes: Changes, onExcess?: 'halt' | 'refuse'): Promise<readonly Flaw[] | string> {
  const verified = await verify(FILES, await forged(changes, onExcess));
  return verified.kind === 'failed' ? verified.fault.code : verified.flaws;
}

const spentIn = (fields: Record<string, unknown>) => (fields.totals as { spent: Record<string, string> }).spent;
const mechanismIn = (fields: Record<string, unknown>) => (fields.mechanisms as Record<string, unknown>[])[0] ?? {};

describe('a ledger that was written anew, with the right hashes', () => {
  it('is sound where nothing was changed', async () => {
    expect(await flawsOf({})).toEqual([]);
    expect(await flawsOf({}, 'halt')).toEqual([]);
  });

  it.each<[string, Changes, Partial<Flaw>]>([
    [
      'a total',
      { 2: (fields) => (spentIn(fields).epsilon = '0.25') },
      { record: 2, code: 'wrong-totals', path: 'totals.spent.epsilon', stated: '0.25', actual: '0.3' },
    ],
    [
      'a parameter',
      { 4: (fields) => (mechanismIn(fields).epsilon = '0.2') },
      { record: 4, code: 'wrong-totals', actual: '0.7' },
    ],
    ['a number of mechanisms', { 4: (fields) => (mechanismIn(fields).count = 4) }, { record: 4, code: 'not-allowed' }],
    [
      'the budget',
      { 0: (fields) => ((fields.terms as { budget: object }).budget = { epsilon: '0.2' }) },
      { record: 2, code: 'not-allowed' },
    ],
    [
      'the need of evidence',
      { 0: (fields) => (fields.terms = { ...(fields.terms as object), evidence: 'required' }) },
      { record: 1, code: 'not-allowed' },
    ],
    ['a question', { 3: (fields) => (fields.mechanism = 9) }, { record: 3, code: 'not-allowed' }],
    ['a label', { 3: (fields) => (fields.label = 7) }, { record: 3, code: 'malformed-record', path: 'label' }],
    ['a member', { 1: (fields) => (fields.extra = 1) }, { record: 1, code: 'malformed-record' }],
    [
      'the random bits',
      { 1: (fields) => (fields.nonce = 'not random') },
      { record: 1, code: 'malformed-record', path: 'nonce' },
    ],
    ['the place', { 1: (fields) => (fields.home = 7) }, { record: 1, code: 'malformed-record', path: 'home' }],
    [
      'the kind of a record',
      { 1: (fields) => (fields.event = 'gift') },
      { record: 1, code: 'malformed-record', path: 'event' },
    ],
    [
      'a type of mechanism',
      { 1: (fields) => (mechanismIn(fields).type = 'magic') },
      { record: 1, code: 'malformed-record' },
    ],
    [
      'a number for a text',
      { 1: (fields) => (mechanismIn(fields).epsilon = 0.1) },
      { record: 1, code: 'malformed-record', path: 'mechanisms[0].epsilon' },
    ],
    [
      'the rule',
      { 0: (fields) => ((fields.terms as { rule: object }).rule = { id: 'zcdp' }) },
      { record: 0, code: 'malformed-record', path: 'terms.budget' },
    ],
  ])('is found out by the rule where %s was changed', async (_, changes, flaw) => {
    const found = await flawsOf(changes);
    expect(found[0]).toMatchObject(flaw);
  });

  it('is found out where it says that it halted, and need not have', async () => {
    const changes: Changes = {
      4: (fields) => {
        Object.assign(fields, { event: 'halt' });
        (fields.totals as { halted: string }).halted = 'insufficient-budget';
        spentIn(fields).epsilon = '0.3';
      },
    };
    expect((await flawsOf(changes, 'halt'))[0]).toMatchObject({ record: 4, code: 'needless-halt' });
  });

  it('is found out where it goes on after its end', async () => {
    const path = await forged({});
    const converted = newPath();
    await convertIn(FILES, path, { name: converted, id: 'next' }, toOdometer, OPTIONS);
    const [last] = linesIn(path).slice(-1);
    const { seq, nonce, hash: prev, home, ledger, totals } = JSON.parse(last ?? '') as Record<string, unknown>;
    const more = seal({ seq: Number(seq) + 1, nonce, event: 'query', mechanism: 2, totals, home, ledger, prev });
    rewrite(path, `${readFileSync(path, 'utf8')}${more.text}\n`);
    const verified = await verify(FILES, path);
    expect(verified.kind === 'verified' && verified.flaws[0]).toMatchObject({ code: 'after-conversion', to: 'next' });
  });
});
