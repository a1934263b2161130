import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

// Written by a version that had approvals, times of opening, and questions to interactive mechanisms.
const earlier = (name: string): string => readFileSync(new URL(`earlier/${name}.jsonl`, import.meta.url), 'utf8');

const desk = new Desk();

let adoptions = 0;

/** A ledger of an earlier version that goes on here. */
async function adopted(name: string): Promise<string> {
  const file = `${name}-${++adoptions}.jsonl`;
  desk.write(file, earlier(name));
  await desk.done(`verify --copy ${file}`);
  await desk.done(`adopt ${file} -q`);
  return file;
}

describe.each([
  ['approvals', 'its terms require approvals, which this version does not check'],
  ['window', 'its terms limit it to a time window, which this version does not check'],
  ['closed', 'its terms limit it to a time window, which this version does not check'],
])('a ledger whose terms are not checked any more: %s', (name, why) => {
  it('is read and verified, and says so', async () => {
    const file = await adopted(name);
    expect(await desk.done(`verify ${file}`)).toContain(`It denies all requests: ${why}.`);
    expect(await desk.done(`status ${file}`)).toContain(`This ledger denies all requests: ${why}.`);
    for (const command of ['export', 'verify']) await desk.done(`${command} ${file} -q`);
  });

  it('launches nothing, and goes on otherwise', async () => {
    const file = await adopted(name);
    const before = desk.lines(file).at(-1)?.totals;
    for (const command of ['spend', 'check', 'reserve']) {
      const refused = await desk.type(`${command} ${file} -m dp:epsilon=0.1`);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(why);
    }
    expect((await desk.type(`nest ${file} child.jsonl --epsilon 0.1`)).code).toBe(2);
    expect(desk.lines(file).at(-1)?.totals).toMatchObject({ spent: (before as { spent: object }).spent });
    await desk.done(`record ${file} --incurred -m dp:epsilon=0.1 -q`);
    expect(await desk.done(`verify ${file}`)).toContain('is intact');
  });
});

it('a reservation of such a ledger is released, and never launched', async () => {
  const file = await adopted('approvals');
  const { hold } = desk.lines(file).find(({ event }) => event === 'hold') as { readonly hold: string };
  expect((await desk.type(`commit ${file} ${hold}`)).code).toBe(2);
  await desk.done(`release ${file} ${hold} -q`);
  await desk.done(`verify ${file} -q`);
});

it('questions to mechanisms are read, verified and listed', async () => {
  const file = await adopted('asked');
  const { rows } = await desk.json<{ rows: { event: string }[] }>('ledger-export', `export ${file}`);
  expect(rows.map(({ event }) => event)).toEqual(['spend', 'query', 'close', 'spend', 'adopt']);
  await desk.done(`spend ${file} -m dp:epsilon=0.1 -q`);
});

it.each([
  ['query asked.jsonl 1', 'ledger annotate'],
  ['close asked.jsonl 1', 'ledger annotate'],
  ['request a.jsonl -m dp:epsilon=1', '--actor'],
  ['approve a.json', '--actor'],
  ['init a.jsonl --epsilon 1 --require-approval 2', '--actor'],
  ['init a.jsonl --epsilon 1 --closes 2030-01-01', 'period'],
])('what is gone is answered with what to use instead: %s', async (line, instead) => {
  const { code, stderr } = await desk.type(line);
  expect(code).toBe(2);
  expect(stderr).toContain(instead);
});
