import { describe, expect, it } from 'vitest';
import { mistakes, type } from '../run.ts';
import { lazy, seen } from './helpers.ts';

const RUN = 'switches --rounds 1e6 --batch 10 --eta 6.68328e-5 --p 6.68328e-3';
const CAPPED = `${RUN} --epsilon 0.1 --delta 1e-8`;

interface Switches {
  readonly transitions: number;
  readonly counts: { kind: string; mean: number; quantiles: number[] }[];
  readonly caps: { status: string; resampling: string; rule: string; most: number | null; beyond: number | null }[];
}

describe('dpcompose lazy switches', () => {
  it('has the quantiles', async () => {
    const { transitions, counts, caps } = await lazy<Switches>(`${RUN} --beyond 0.5,5e-15`);
    expect(transitions).toBe(99_999);
    expect(counts.find(({ kind }) => kind === 'fake')).toMatchObject({ quantiles: [1332, 1622] });
    expect(caps).toEqual([]);
  });

  it('has caps that keep a run within a budget', async () => {
    const { caps } = await lazy<Switches>(CAPPED);
    const most = (resampling: string, rule: string): number =>
      caps.find((cap) => cap.resampling === resampling && cap.rule === rule)!.most!;
    expect(most('bounded-range', 'zcdp')).toBeGreaterThan(60_000);
    expect(most('bounded-range', 'joint')).toBeGreaterThan(most('bounded-range', 'br-rdp'));
    expect(most('randomized-response', 'joint')).toBeGreaterThan(most('randomized-response', 'dp-optimal'));
    expect(caps.every(({ status, beyond }) => status === 'guaranteed' && beyond! < 1e-20)).toBe(true);
    const { stdout } = await seen(CAPPED);
    expect(stdout).toMatch(/\* bounded-range steps +joint +[\d,]+ +at most \d\.\d+e-\d\d\n/);
    expect(stdout.replaceAll('\n', ' ')).toContain('Bounds on the regret are for runs that are not stopped.');
  });

  it('says where there is nothing to cap, or no cap', async () => {
    const one = await seen('switches --rounds 10 --batch 10 --eta 0.1 --p 0.1 --epsilon 1 --delta 1e-6');
    expect(one.stdout).toContain('there is nothing to cap');
    const none = await seen('switches --rounds 10 --batch 1 --eta 0.1 --p 0 --measure any --epsilon 1 --delta 1e-6');
    expect(none.stdout).toContain('No cap is known');
  });

  it.each<[string, string, string[]]>([
    ['half a budget', `${RUN} --epsilon 1`, ['--delta: missing-option']],
    ['a chance of 1', `${RUN} --beyond 1`, ['--beyond: out-of-range']],
    ['a chance that the laws are not listed to', `${RUN} --beyond 1e-30`, ['--beyond: out-of-range']],
    [
      'too many rounds to list',
      'switches --rounds 9007199254740991 --batch 1 --eta 0.1 --p 0.1',
      ['--rounds: too-large'],
    ],
  ])('exits with 2 for %s', async (_, line, expected) => {
    const found = await type(`lazy ${line} --json`);
    expect(found.code).toBe(2);
    expect(mistakes(found)).toEqual(expected);
  });
});
