import { describe, expect, it } from 'vitest';
import { blocksOf, LONGEST_LINE } from '../../../src/cli/batch/answer.ts';
import { fc } from '../../reference/properties.ts';

async function* given(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield await Promise.resolve(chunk);
}

/** The lines of all blocks with their numbers; null for one that is too long. */
async function linesOf(chunks: readonly Uint8Array[]): Promise<[number, string | null][]> {
  const lines: [number, string | null][] = [];
  for await (const { first, bytes } of blocksOf(given(chunks))) {
    const texts = bytes === null ? [null] : Buffer.from(bytes).toString().split('\n');
    texts.forEach((text, at) => lines.push([first + at, text]));
  }
  return lines;
}

const numbered = (texts: readonly (string | null)[]): [number, string | null][] =>
  texts.map((text, at) => [at + 1, text]);

describe('the lines of a text', () => {
  it('are the same however the text comes', async () => {
    const text = fc.array(fc.constantFrom('', 'a', 'bcd', '\r'), { maxLength: 120 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.nat(200)), async (whole, cuts) => {
        const bytes = Buffer.from(whole);
        const ends = [...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort((a, b) => a - b);
        const chunks = ends.map((end, at) => bytes.subarray(at === 0 ? 0 : ends[at - 1], end));
        const lines = whole.split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(await linesOf(chunks)).toEqual(numbered(lines));
      }),
    );
  });

  it('may be long, but not without end', async () => {
    const part = new Uint8Array(2 ** 20).fill(97);
    const parts = (count: number): Uint8Array[] => Array.from({ length: count }, () => part);
    const end = Buffer.from('\nnext');
    const most = LONGEST_LINE / part.length;
    const [kept] = await linesOf([...parts(most), end]);
    expect(kept?.[1]?.length).toBe(LONGEST_LINE);
    expect(await linesOf([...parts(most + 1), end])).toEqual(numbered([null, 'next']));
    expect(await linesOf(parts(most + 1))).toEqual(numbered([null]));
  });
});
