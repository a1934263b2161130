import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();

describe('a key', () => {
  it.each(['annotate k.jsonl --label again', 'spend k.jsonl -m dp:epsilon=0.2', 'convert k.jsonl o.jsonl'])(
    'is of one record alone: %s',
    async (line) => {
      if (line.startsWith('annotate')) {
        await desk.done('init k.jsonl --epsilon 1 --terms conversions=allowed');
        await desk.done('spend k.jsonl -m dp:epsilon=0.1,kind=interactive --key taken');
        await desk.done('annotate k.jsonl --label first --key noted');
      }
      const before = desk.read('k.jsonl');
      for (const key of ['taken', 'noted']) {
        const { code, stderr } = await desk.type(`${line} --key ${key}`);
        expect({ key, code }).toEqual({ key, code: 2 });
        expect(stderr).toContain('nothing was recorded');
      }
      expect(desk.read('k.jsonl')).toBe(before);
    },
  );
});

describe('a result', () => {
  it('never overwrites another ledger', async () => {
    await desk.done('init one.jsonl --epsilon 1');
    await desk.done('init two.jsonl --epsilon 1');
    const before = desk.read('two.jsonl');
    expect((await desk.type('spend one.jsonl -m dp:epsilon=0.1 -o two.jsonl')).code).toBe(2);
    expect(desk.read('two.jsonl')).toBe(before);
    expect(desk.lines('one.jsonl')).toHaveLength(1);
  });
});
