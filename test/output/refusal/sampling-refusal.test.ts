import { describe, expect, it } from 'vitest';
import { asLower, asUpper } from '../../../src/numeric/enclosure.ts';
import type { SamplingRefusal } from '../../../src/composition/core/outcome.ts';
import { refusalJson } from '../../../src/output/refusal/refusal.ts';
import { refusalText } from '../../../src/output/refusal/messages.ts';
import { UNKNOWN_DOCUMENT } from '../../../src/output/refusal/refused-document.ts';
import { run, type } from '../../cli/run.ts';
import { violations } from '../schema.ts';

const batches = (least: number | null, asPoisson: number | null): SamplingRefusal => ({
  code: 'shuffled-batches',
  solveFor: 'delta',
  least: least === null ? null : asLower(least),
  asPoisson: asPoisson === null ? null : asUpper(asPoisson),
});

const samplingRefusalText = (refusal: SamplingRefusal) => refusalText(refusal, UNKNOWN_DOCUMENT);

const messageOf = (refusal: SamplingRefusal): string => samplingRefusalText(refusal).message;

describe('a refusal of shuffled batches', () => {
  it('rounds what they cost at least down, and what Poisson samples would cost up', () => {
    expect(messageOf(batches(0.226055366699, 1.168318006e-5))).toContain(
      'Here delta is at least 0.2260553666 for some data (Poisson subsampling would give 1.168318006e-5).',
    );
    expect(messageOf(batches(0.25, null))).toMatch(/is at least 0\.25 for some data\.$/);
    expect(messageOf(batches(null, 0.1))).toMatch(/bounds their privacy amplification\.$/);
    expect(messageOf(batches(Infinity, Infinity))).toMatch(/Here no finite delta holds for all data\.$/);
  });

  it('has both numbers in JSON', async () => {
    const line = 'compose --epsilon 4 -m gaussian:sigma=0.4,sampling=shuffled,rate=1e-4,count=10000';
    const { code, stdout } = await type(`${line} --json`);
    expect([code, violations('refusal', stdout)]).toEqual([3, []]);
    const { samples, message } = JSON.parse(stdout) as {
      samples: { solveFor: string; atLeast: number; asPoisson: number };
      message: string;
    };
    expect(samples.solveFor).toBe('delta');
    expect(samples.atLeast).toBeGreaterThan(0.22605535);
    expect(samples.asPoisson).toBeCloseTo(1.168318006e-5, 10);
    expect(message).toMatch(/at least 0\.226055\d+ .* would give 1\.168318\d*e-5/);
    expect(violations('refusal', refusalJson(batches(null, null), '1'))).toEqual([]);
  });

  it('is the same of plan, and of both numbers', async () => {
    const line = '--delta 1e-6 -m gaussian:sigma=1,sampling=shuffled,rate=0.1,count=10';
    const [one, other] = [await type(`compose ${line}`), await type(`plan ${line}`)];
    expect(other).toEqual(one);
    expect(one.code).toBe(3);
  });
});

describe('a refusal of other samples', () => {
  it('names the relations, or the place', () => {
    expect(messageOf({ code: 'mixed-neighbours', relations: ['replace-one', 'add-remove'] })).toContain(
      '(replace-one and add-remove)',
    );
    const inside = { code: 'sampled-in-structure', path: 'mechanisms[0].of', within: 'mechanisms[0]' } as const;
    const users = samplingRefusalText({ ...inside, element: 'local', several: true });
    expect(users.message).toContain('the subsampling of mechanisms[0].of');
    expect(users.fixes.map(({ text }) => text)).toEqual([
      'set "differing" to 1 at mechanisms[0], if neighboring data differ in one of them only',
      'replace mechanisms[0].of by the (epsilon, delta) that "dpcompose compose" certifies for it alone, which holds in both directions',
    ]);
    const parts = samplingRefusalText({ ...inside, element: 'partition', several: false });
    expect(parts.fixes[0]?.text).toContain('use Poisson subsampling');
  });
});

it('samples of which several may differ are answered as the refusal says', async () => {
  const parallel = (of: object): string =>
    JSON.stringify({ dpcompose: 1, mechanisms: [{ type: 'parallel', sparsity: 2, instances: 'unbounded', of }] });
  const sampled = { type: 'gaussian', sigma: 4, sampling: { scheme: 'poisson', rate: '0.01' } };
  expect((await run(['compose', '-', '--delta', '1e-6'], { stdin: parallel(sampled) })).code).toBe(3);
  const stated = { type: 'dp', epsilon: '0.0117', delta: '1e-6' };
  const alone = 'compose -m gaussian:sigma=4,sampling=poisson,rate=0.01 --delta 1e-6 --json';
  const { answer } = JSON.parse((await type(alone)).stdout) as { answer: { epsilon: { upper: number } } };
  expect(answer.epsilon.upper).toBeLessThan(0.0117);
  expect((await run(['compose', '-', '--delta', '3e-6'], { stdin: parallel(stated) })).code).toBe(0);
});

describe('--precision', () => {
  it('gives no digits of mechanisms on samples, and says so', async () => {
    const line = 'compose --delta 1e-6 -m gaussian:sigma=1,sampling=poisson,rate=0.01,count=10';
    const { stdout } = await type(`${line} --precision 30`);
    expect(stdout).toContain('loss-distribution is not available in decimal arithmetic');
    expect(stdout).not.toMatch(/\d\.\d{15}/);
  });
});
