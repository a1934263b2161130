import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();

describe('a ledger whose mechanisms ran beyond its budget', () => {
  it('is intact, and no verification keeps silent about the excess', async () => {
    mkdirSync(join(desk.folder, 'store'));
    await desk.done('init a --store store --epsilon 1 -q');
    await desk.done('init b --store store --epsilon 1 -q');
    await desk.done('record a --store store --incurred -m dp:epsilon=3 -q');
    const one = await desk.done('verify a --store store');
    expect(one).toMatch(
      /^a is intact: 1 record, unchanged; every grant was allowed by the rule\. Hash [0-9a-f]{64}\.\n/,
    );
    expect(one).toContain('The budget is exceeded: epsilon is 3; the limit was 1. 1 mechanism ran without a grant.');
    expect(await desk.done('verify --store store')).toBe(
      'intact: 2 ledgers, 1 record.\n1 ledger exceeds its budget: a.\n',
    );
    await desk.done('record b --store store --incurred -m dp:epsilon=0.4 -q');
    expect(await desk.done('verify b --store store')).toContain('1 mechanism ran without a grant, and is charged.');
  });

  it('has used more than all of the budget, of which nothing remains and nothing is claimed', async () => {
    await desk.done('init over.jsonl --epsilon 1 -q');
    await desk.done('record over.jsonl --incurred -m dp:epsilon=3.5 -q');
    const status = await desk.done('status over.jsonl --at-delta 1e-6');
    expect(status).toMatch(/^epsilon +\[#+\] +350\.0%$/m);
    expect(status).toContain('Nothing remains: the budget is exceeded.');
    expect(status).toContain('Loss so far: epsilon 3.5.');
    expect(status).not.toContain('which is (');
    expect(status).toContain(
      'The budget is no longer a guarantee, because mechanisms that ran without a grant exceeded it.',
    );
    expect(await desk.json('ledger-status', 'status over.jsonl')).toMatchObject({ shares: { epsilon: 1 } });
    expect(await desk.done('status over.jsonl over.jsonl')).toMatch(/^over\.jsonl +\(1, 0\)-DP +350\.0%/m);
    const { stdout } = await desk.type('spend over.jsonl -m dp:epsilon=0.1');
    expect(stdout).toMatch(/Nothing remains: the budget is exceeded\.\n$/);
  });

  it('guarantees its budget within it only on a condition, on which the guarantee depends', async () => {
    await desk.done('init within.jsonl --epsilon 1 -q');
    expect(await desk.done('record within.jsonl --incurred -m dp:epsilon=0.5')).toContain(
      'for every possible result.\nIf so, the guarantee is the full budget, even if less has been spent.',
    );
  });
});
