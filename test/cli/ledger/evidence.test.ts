import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mistakes } from '../run.ts';
import { Desk } from './desk.ts';

const desk = new Desk();
const sha256 = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`;

describe('the evidence of a guarantee', () => {
  it('is recorded as the hash of a file, or as it is given', async () => {
    await desk.done('init open.jsonl --epsilon 1');
    desk.write('review.md', 'reviewed by two');
    await desk.done('spend open.jsonl -m dp:epsilon=0.1 --evidence review.md');
    await desk.done(`spend open.jsonl -m dp:epsilon=0.1 --evidence ${sha256('a proof')}`);
    await desk.done('spend open.jsonl -m dp:epsilon=0.1');
    const recorded = desk.lines('open.jsonl').map(({ evidence }) => evidence);
    expect(recorded).toEqual([undefined, sha256('reviewed by two'), sha256('a proof'), undefined]);
    await desk.done('verify open.jsonl');
    expect(await desk.done('export open.jsonl --format csv')).toContain(`,1,1,${sha256('reviewed by two')},1,`);
    expect(await desk.json('ledger-decision', 'check open.jsonl -m dp:epsilon=0.1 --evidence review.md')).toMatchObject(
      {
        evidence: sha256('reviewed by two'),
      },
    );
  });

  it('has to be there where a ledger asks for it', async () => {
    await desk.done('init strict.jsonl --epsilon 1 --terms evidence=required --terms conversions=allowed');
    const before = desk.read('strict.jsonl');
    for (const command of ['spend', 'check']) {
      const { code, stdout, stderr } = await desk.type(`${command} strict.jsonl -m dp:epsilon=0.1 --json`);
      expect(code).toBe(2);
      expect(mistakes({ code, stdout, stderr })).toEqual(['--evidence: no-evidence']);
      expect(stderr).toContain('Add --evidence FILE');
    }
    expect(desk.read('strict.jsonl')).toBe(before);
    expect(await desk.done('status strict.jsonl -m dp:epsilon=0.1')).toContain('10 more of dp:epsilon=0.1.\n');
    await desk.done(`spend strict.jsonl -m dp:epsilon=0.1 --evidence ${sha256('a proof')}`);
    expect((await desk.done('status strict.jsonl')).replaceAll('\n', ' ')).toContain('evidence required');
    await desk.done('verify strict.jsonl');
  });

  it('has to be there in nested ledgers and in what the ledger becomes', async () => {
    await desk.done('nest strict.jsonl child.jsonl --epsilon 0.2');
    expect(await desk.codes('spend child.jsonl -m dp:epsilon=0.1')).toEqual([2]);
    expect(
      mistakes(await desk.type('nest strict.jsonl lax.jsonl --epsilon 0.2 --terms evidence=optional --json')),
    ).toEqual(['--terms evidence: no-evidence-in-child']);
    await desk.done('convert strict.jsonl count.jsonl');
    await desk.done('convert count.jsonl again.jsonl --epsilon 2');
    expect(await desk.codes('spend again.jsonl -m dp:epsilon=0.1')).toEqual([2]);
  });

  it.each([
    ['sha256:12', 'malformed-hash'],
    ['nowhere.md', 'unreadable'],
    ['.', 'unreadable'],
  ])('is refused as %s', async (evidence, code) => {
    const run = await desk.type(`spend open.jsonl -m dp:epsilon=0.1 --evidence ${evidence} --json`);
    expect(mistakes(run)).toEqual([`--evidence: ${code}`]);
    expect(run.code).toBe(2);
  });
});
