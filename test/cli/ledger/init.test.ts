import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { mistakes } from '../run.ts';
import { Desk } from './desk.ts';

interface Made {
  readonly ledger: { readonly id: string; readonly hash: string; readonly terms: Record<string, unknown> };
  readonly guarantee: Record<string, string> | null;
}

describe('dpcompose ledger init', () => {
  const desk = new Desk();
  let made = 0;
  const init = (options: string) => desk.json<Made>('ledger-made', `init ${made++}.jsonl ${options}`);

  it('makes a file of one line, the same for the same words but for its random bits and its place', async () => {
    await desk.done('init one.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal --id team --at 2026-03-02');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    const [header] = desk.lines('one.jsonl');
    const { nonce, home } = header ?? {};
    expect(nonce).toMatch(/^[0-9a-f]{32}$/);
    expect(home).toMatch(/^[0-9a-f]{16}$/);
    const content = `{"schema":"dpcompose.ledger/2","version":"${version}","seq":0,"nonce":"${String(nonce)}","at":"2026-03-02","id":"team","terms":{"mode":"filter","rule":{"id":"zcdp-optimal","delta":"0.000001","deltaPrime":"0.000001","deltas":"sum"},"budget":{"epsilon":"1"},"onExcess":"refuse","concurrency":"concurrent","maxMechanisms":null,"distance":"1","neighbours":null,"conversions":"forbidden"},"home":"${String(home)}"`;
    const hash = createHash('sha256').update(content).digest('hex');
    expect(desk.read('one.jsonl')).toBe(`${content},"hash":"${hash}"}\n`);
  });

  it('says in words what it made, and of what it is a guarantee', async () => {
    const text = await desk.done('init words.jsonl --epsilon 0.3 --neighbours household --id w');
    expect(text).toMatch(
      /^words\.jsonl is a filter of \(0\.3, 0\)-DP by pure: .*; neighbours: household\.\nid w, hash [0-9a-f]{12}\n/,
    );
    expect(text).toContain('The guarantee is the full budget, even if less has been spent.');
  });

  it('gives every ledger an id of its own, and the time of the clock', async () => {
    const [one, other] = [await init('--rho 1'), await init('--rho 1')];
    expect(one.ledger.id).not.toBe(other.ledger.id);
    expect(desk.lines('0.jsonl')[0]?.at).toBe('2026-03-02T09:15:00Z');
  });

  it.each([
    ['--epsilon 1', { id: 'pure' }, { epsilon: 1 }],
    ['--rho 0.1', { id: 'zcdp' }, { rho: 0.1 }],
    ['--mu 0.5', { id: 'gdp' }, { mu: 0.5 }],
    ['--epsilon 2 --terms alpha=8', { id: 'rdp', alpha: 8 }, { epsilon: 2 }],
    ['--terms orders=8:0.5;2:0.1', { id: 'rdp-curve', alphas: [2, 8] }, { epsilons: [0.1, 0.5] }],
    [
      '--rule approximate-dp --epsilon 1 --delta 1e-6 --terms delta-prime=5e-7 --terms deltas=product',
      { id: 'approximate-dp', delta: 1e-6, deltaPrime: 5e-7, deltas: 'product' },
      { epsilon: 1 },
    ],
    ['--rule basic --epsilon 1 --delta 0', { id: 'basic', deltas: 'sum' }, { epsilon: 1, delta: 0 }],
  ])('takes %s for the rule and the budget that it means', async (options, rule, budget) => {
    expect((await init(options)).ledger.terms).toMatchObject({ mode: 'filter', rule, budget });
  });

  it('makes odometers, which have no budget, and compositors, which declare their mechanisms', async () => {
    const odometer = await init('--mode odometer --rule approximate-dp --delta 1e-6');
    expect(odometer).toMatchObject({ guarantee: null, ledger: { terms: { mode: 'odometer' } } });
    const compositor = await init(
      '--mode compositor --rule dp-optimal --epsilon 2.5 --delta 1e-6 -m dp:epsilon=0.1,count=20 -m dp:epsilon=0.5',
    );
    expect(compositor.ledger.terms).toMatchObject({
      mode: 'compositor',
      bound: 'dp-optimal',
      declared: [
        { epsilon: 0.1, count: 20 },
        { epsilon: 0.5, count: 1 },
      ],
    });
  });

  it.each([
    ['nothing', '', ['--epsilon: missing-option']],
    ['no rule', '--epsilon 1 --delta 1e-6', ['--rule: missing-option']],
    ['an unknown rule', '--epsilon 1 --rule pur', ['--rule: unknown-rule']],
    ['a filter that is refused by name', '--epsilon 1 --delta 1e-6 --rule natural', ['--rule: unknown-rule']],
    ['a number of another rule', '--epsilon 1 --rho 1 --rule zcdp', ['--epsilon: conflicting-options']],
    ['no number', '--epsilon one', ['--epsilon: not-a-number']],
    ['a negative number', '--epsilon -1', ['--epsilon: out-of-range']],
    ['orders without epsilons', '--terms orders=2;8', ['--terms orders: malformed-flag']],
    ['mechanisms of a filter', '--epsilon 1 -m dp:epsilon=1', ['-m: conflicting-options']],
    [
      'no mechanisms of a compositor',
      '--mode compositor --rule dp-optimal --epsilon 1 --delta 0',
      ['-m: missing-option'],
    ],
    [
      'a bound that is not adaptive',
      '--mode compositor --rule br-nonadaptive --epsilon 1 --delta 0 -m dp:epsilon=1',
      ['--rule: unknown-rule'],
    ],
    [
      'excess of an odometer',
      '--mode odometer --rule pure --terms on-excess=halt',
      ['--terms on-excess: conflicting-options'],
    ],
    ['a wrong word', '--epsilon 1 --mode filtre', ['--mode: unknown-value']],
    ['a wrong time', '--epsilon 1 --at noon', ['--at: malformed-time']],
    [
      'all of that at once',
      '--epsilon x --terms on-excess=stop --terms concurrency=both --terms max-mechanisms=0 --terms distance=0',
      [
        '--terms max-mechanisms: out-of-range',
        '--terms distance: out-of-range',
        '--terms concurrency: unknown-value',
        '--terms on-excess: unknown-value',
        '--epsilon: not-a-number',
      ],
    ],
    [
      'delta prime above delta',
      '--epsilon 1 --delta 1e-6 --terms delta-prime=1e-5 --rule zcdp-optimal',
      ['--terms delta-prime: invalid-terms'],
    ],
  ])('does not take %s for an answer', async (_, options, expected) => {
    const wrong = await desk.type(`init wrong.jsonl ${options} --json`);
    expect(wrong.code).toBe(2);
    expect(mistakes(wrong)).toEqual(expected);
    expect(await desk.codes('status wrong.jsonl')).toEqual([2]);
  });

  it('refuses bounds for fixed parameters as the rule of a filter, with the run in which they fail', async () => {
    const { code, stdout } = await desk.type('init o.jsonl --epsilon 1 --delta 1e-6 --rule dp-optimal --json');
    expect(code).toBe(3);
    const refusal = JSON.parse(stdout) as { code: string; counterexample: { truth: { lower: number } } };
    expect(refusal).toMatchObject({ schema: 'dpcompose.refusal/1', code: 'adaptive-parameters' });
    expect(refusal.counterexample.truth.lower).toBeCloseTo(0.0698595, 6);
    expect((await desk.type('init o.jsonl --epsilon 1 --delta 1e-6 --rule advanced-kov')).stderr).toContain('0.06985');
  });

  it('refuses concurrent approximate zCDP, which is an open question', async () => {
    const { code, stdout } = await desk.type('init open.jsonl --rho 0.1 --delta 1e-6 --json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ schema: 'dpcompose.refusal/1', code: 'open-question' });
    await desk.done('init open.jsonl --rho 0.1 --delta 1e-6 --terms concurrency=sequential');
  });

  it('says no where what is declared costs more than the budget', async () => {
    const line =
      'init dear.jsonl --mode compositor --rule dp-optimal --epsilon 1 --delta 1e-6 -m dp:epsilon=0.5,count=20';
    const { code, stderr } = await desk.type(line);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^error: --delta: the declared mechanisms exceed the budget: by this bound, delta is 0\.5759/,
    );
  });

  it('never overwrites a file', async () => {
    desk.write('mine.txt', 'mine');
    const { code, stderr } = await desk.type('init mine.txt --epsilon 1');
    expect(code).toBe(2);
    expect(stderr).toContain('a ledger is never overwritten');
    expect(desk.read('mine.txt')).toBe('mine');
    expect(await desk.codes('init nowhere/x.jsonl --epsilon 1', 'init . --epsilon 1')).toEqual([2, 2]);
  });
});
