import { describe, expect, it } from 'vitest';
import { mistakes } from '../run.ts';
import { Desk, type DecisionDocument } from './desk.ts';

const desk = new Desk();
let made = 0;

async function ledger(options: string): Promise<string> {
  const file = `samples-${made++}.jsonl`;
  await desk.done(`init ${file} ${options}`);
  return file;
}

const spend = (file: string, mechanism: string): Promise<DecisionDocument> =>
  desk.json<DecisionDocument>('ledger-decision', `spend ${file} -m ${mechanism}`);

/** The totals after a spend. */
const after = async (file: string, mechanism: string): Promise<Record<string, number>> =>
  ((await spend(file, mechanism)) as unknown as { after: { totals: Record<string, number> } }).after.totals;

/**
 * The Renyi epsilon at a whole order of Gaussian noise on Poisson samples: the binomial sum of Mironov, Talwar, Zhang 2019,
 * "Renyi Differential Privacy of the Sampled Gaussian Mechanism", Section 3.3.
 */
function binomialSum(order: number, rate: number, sigma: number): number {
  let sum = 0;
  let choose = 1;
  for (let k = 0; k <= order; k++) {
    sum += choose * (1 - rate) ** (order - k) * rate ** k * Math.exp((k * k - k) / (2 * sigma * sigma));
    choose = (choose * (order - k)) / (k + 1);
  }
  return Math.log(sum) / (order - 1);
}

const ADD_REMOVE = '--neighbours add-remove';

describe('a ledger for neighbours of which one has one record more', () => {
  it.each([
    [2, 0.01, 1],
    [8, 0.01, 1],
    [8, 0.25, 2],
    [32, 0.004, 1.1],
  ])('charges at order %d the binomial sum of rate %d and sigma %d', async (order, rate, sigma) => {
    const file = await ledger(`--rule rdp --epsilon 30 --terms alpha=${order} ${ADD_REMOVE}`);
    const { epsilon } = await after(file, `gaussian:sigma=${sigma},sampling=poisson,rate=${rate}`);
    const known = binomialSum(order, rate, sigma);
    expect(epsilon! / known).toBeGreaterThan(1 - 1e-10);
    expect(epsilon! / known).toBeLessThan(1 + 1e-6);
  });

  it('charges nothing at rate 0, and the noise without samples at rate 1', async () => {
    const file = await ledger(`--rule rdp-curve --terms orders=2:30;8:50 ${ADD_REMOVE}`);
    const none = await after(file, 'gaussian:sigma=1,sampling=poisson,rate=0');
    expect([none['epsilon@2'], none['epsilon@8']]).toEqual([0, 0]);
    const { 'epsilon@2': two, 'epsilon@8': eight } = await after(file, 'gaussian:sigma=1,sampling=poisson,rate=1');
    expect(two).toBeCloseTo(1, 9);
    expect(eight).toBeCloseTo(4, 9);
  });

  it('charges in zCDP what the mechanism costs on all data', async () => {
    const file = await ledger(`--rule zcdp --rho 30 ${ADD_REMOVE}`);
    const { rho } = await after(file, 'gaussian:sigma=1,sampling=poisson,rate=0.01,count=10');
    expect(rho).toBeGreaterThanOrEqual(5);
    expect(rho).toBeLessThan(5.000001);
  });

  it('charges the rate times the delta of what is run on samples', async () => {
    const file = await ledger(
      `--rule approximate-rdp --epsilon 3 --terms alpha=4 --delta 1e-5 --terms concurrency=sequential ${ADD_REMOVE}`,
    );
    const { delta } = await after(file, 'dp:epsilon=0.1,delta=1e-6,sampling=poisson,rate=1/4');
    expect(delta).toBeCloseTo(2.5e-7, 18);
  });

  it('is verified, replayed, exported and shown afterwards, as -m writes what was spent', async () => {
    const file = await ledger(`--rule rdp --epsilon 30 --terms alpha=8 ${ADD_REMOVE}`);
    for (const mechanism of [
      'gaussian:sigma=1,sampling=poisson,rate=256/60000,count=10',
      'finite-pair:p=0.5;0.5,q=0.4;0.6,sampling=poisson,rate=1/3',
      'laplace:scale=2,sampling=poisson,rate=1',
      'dp:epsilon=1,sampling=poisson,rate=0',
    ]) {
      await spend(file, mechanism);
    }
    expect(
      await desk.codes(`verify ${file}`, `verify --replay ${file}`, `status ${file} --json`, `status ${file}`),
    ).toEqual([0, 0, 0, 0]);
    expect(await desk.done(`status ${file}`)).toContain('gaussian:sigma=1,sensitivity=1');
    expect(await desk.done(`export ${file} --format csv`)).toContain(
      'sigma=1,sensitivity=1,neighbours=add-remove,sampling=poisson,rate=8/1875',
    );
  });

  it('takes no shuffled batches, no samples for other neighbours and no rate of later', async () => {
    const file = await ledger(`--rule rdp --epsilon 30 --terms alpha=8 ${ADD_REMOVE}`);
    const told = async (mechanism: string): Promise<readonly string[]> =>
      mistakes(await desk.type(`spend ${file} -m ${mechanism} --json`));
    expect(await told('gaussian:sigma=1,sampling=shuffled,rate=0.1')).toEqual(['-m: wrong-measure']);
    expect(await desk.codes(`spend ${file} -m gaussian:sigma=1,sampling=without-replacement,rate=0.1`)).toEqual([2]);
    expect(await desk.codes(`spend ${file} -m gaussian:sigma=1,sampling=poisson,rate=adaptive`)).toEqual([3]);
  });
});

describe('a ledger that says nothing of neighbours', () => {
  it('takes no mechanism for a relation', async () => {
    const file = await ledger('--rule rdp --epsilon 30 --terms alpha=8');
    for (const mechanism of ['gaussian:sigma=1,sampling=poisson,rate=0.1', 'gaussian:sigma=1,neighbours=replace-one']) {
      expect(mistakes(await desk.type(`spend ${file} -m ${mechanism} --json`))).toEqual(['-m: other-relation']);
    }
  });
});
