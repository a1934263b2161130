import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkerSays, hasPython } from '../../certificates/campaign.ts';
import type { Written } from '../../certificates/questions.ts';
import { type, type Run } from '../run.ts';

let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'dpcompose-'));
});
afterEach(() => {
  rmSync(cwd, { recursive: true });
});

const typed = (line: string): Promise<Run> => type(line.trimEnd(), { cwd });

/** The certificate of a ledger after some spends. */
async function certificateOf(init: string, spends: readonly string[], more = ''): Promise<Written> {
  await typed(`ledger init own.jsonl ${init}`);
  for (const spend of spends) expect((await typed(`ledger spend own.jsonl ${spend}`)).code).toBe(0);
  expect(await typed(`ledger status own.jsonl -q --certificate proof.json ${more}`)).toMatchObject({ stderr: '' });
  return JSON.parse(readFileSync(join(cwd, 'proof.json'), 'utf8')) as Written;
}

describe('ledger status --certificate', () => {
  const CASES = [
    ['--epsilon 1', ['-m laplace:scale=10,count=4', '-m dp:epsilon=0.6'], '', 'basic'],
    ['--epsilon 1 --delta 1e-6 --rule basic', ['-m dp:epsilon=0.1,delta=5e-7,count=2'], '', 'basic'],
    // The last one takes all that is left.
    [
      '--epsilon 1 --delta 1e-6 --rule zcdp-optimal',
      ['-m gaussian:sigma=20,count=5 -m dp:epsilon=0.05', '-m zcdp:rho=0.01685623071111733379922335147255796296519'],
      '',
      'zcdp',
    ],
    ['--epsilon 1 --delta 1e-6 --rule approximate-dp', ['-m exponential:epsilon=0.05,count=13'], '', 'zcdp'],
    ['--rho 0.1', ['-m gaussian:sigma=10,count=20'], '--at-delta 1e-6', 'zcdp'],
  ] as const;

  it.skipIf(!hasPython()).each(CASES)('claims the budget of %s', async (init, spends, more, theorem) => {
    const written = await certificateOf(init, spends, more);
    expect(written).toMatchObject({ adaptivity: 'filter', upper: { theorem }, lower: null });
    const less = { ...written, upper: { ...written.upper, epsilon: '0.01' } };
    const otherwise = { ...written, upper: { ...written.upper, theorem: 'dp-optimal', witness: {} } };
    const said = checkerSays([written, less, otherwise].map((value) => JSON.stringify(value)));
    expect(said.map((line) => line.split(':')[0])).toEqual(['holds', 'refused', 'refused']);
  });

  it('does not claim what was used so far, which depends on the answers', async () => {
    const { upper } = await certificateOf('--epsilon 1', ['-m dp:epsilon=0.25']);
    expect(upper).toEqual({ theorem: 'basic', epsilon: '1', delta: '0', witness: {} });
  });

  it.each([
    ['--mode odometer --rule pure', 'is for filters'],
    ['--mu 1', 'is not for the rule gdp'],
    ['--rho 1', 'needs a delta for the rule zcdp'],
    ['--epsilon 1 --terms distance=2', 'is for ledgers at distance 1'],
  ])('is refused for %s', async (init, reason) => {
    await typed(`ledger init own.jsonl ${init}`);
    await typed('ledger spend own.jsonl -m dp:epsilon=0.1');
    const { code, stderr } = await typed('ledger status own.jsonl --certificate proof.json');
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--certificate: ${reason}`)]);
  });

  it('is refused for mechanisms that the checker does not know', async () => {
    await typed('ledger init own.jsonl --epsilon 1');
    await typed('ledger spend own.jsonl -m discrete-laplace:scale=10');
    const { code, stderr } = await typed('ledger status own.jsonl --certificate proof.json');
    expect([code, stderr]).toEqual([3, expect.stringContaining('does not know discrete-laplace')]);
  });
});
