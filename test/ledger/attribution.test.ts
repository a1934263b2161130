import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spendIn } from '../../src/ledger/spend-in.ts';
import { verify } from '../../src/ledger/verify.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { filterTerms } from './helpers.ts';
import { memoryStore } from './memory-store.ts';

/** A deduction from the budget of a site for an epoch, and whether it was made. */
interface Deduction {
  readonly site: string;
  readonly epoch: number;
  readonly deduction: string;
  readonly granted: boolean;
}

interface Published {
  readonly budgets: Readonly<Record<'site' | 'impressions' | 'everybody', string>>;
  readonly single: readonly Deduction[];
  readonly multiple: readonly Deduction[];
}

const published = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/attribution/budgets.json'), 'utf8'),
) as Published;

/** What is granted of the deductions, each from all the ledgers that `namesOf` names or from none. */
async function replay(
  deductions: readonly Deduction[],
  namesOf: (deduction: Deduction) => readonly (readonly [name: string, budget: string])[],
): Promise<boolean[]> {
  const store = memoryStore();
  const granted: boolean[] = [];
  for (const each of deductions) {
    const ledgers = namesOf(each);
    for (const [name, budget] of ledgers) {
      const terms = filterTerms({ id: 'pure' }, { epsilon: new Decimal(budget) });
      await store.create(name, { version: '0', at: null, id: name, terms, origin: null });
    }
    const mechanism = { type: 'dp', epsilon: new Decimal(each.deduction), delta: new Decimal(0) } as const;
    const asked = { entries: [{ mechanism, count: 1, kind: 'noninteractive', label: null } as const] };
    const names = ledgers.map(([name]) => name);
    const done = await spendIn(store, names, asked, { patience: 0 });
    if (done.kind === 'failed') throw new Error(done.fault.code);
    granted.push(done.value.every(({ decision }) => decision.kind === 'accepted'));
  }
  for (const { site, epoch } of deductions) {
    expect(await verify(store, `${site}/${epoch}`)).toMatchObject({ flaws: [] });
  }
  return granted;
}

// The reference implementation deducts from three budgets for each epoch: of the site that measures, of the one that shows, of all.
describe('the budgets of the attribution standard', () => {
  it('are spent as its reference implementation spends them, in one epoch', async () => {
    const { single, budgets } = published;
    const granted = await replay(single, ({ site, epoch }) => [[`${site}/${epoch}`, budgets.site]]);
    expect(granted).toEqual(single.map((each) => each.granted));
  });

  it('are spent as its reference implementation spends them, in several epochs, in all three ledgers or in none', async () => {
    const { multiple, budgets } = published;
    const granted = await replay(multiple, ({ site, epoch }) => [
      [`${site}/${epoch}`, budgets.site],
      [`publisher/${epoch}`, budgets.impressions],
      [`everybody/${epoch}`, budgets.everybody],
    ]);
    expect(granted).toEqual(multiple.map((each) => each.granted));
  });
});
