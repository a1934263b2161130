import { describe, expect, it } from 'vitest';
import { readScores } from '../../src/document/scores-read.ts';

function scoresIn(text: string | Uint8Array) {
  const scores = readScores(text);
  if ('problem' in scores) throw new Error(scores.problem.message);
  return { members: [...scores.members], others: [...scores.others] };
}

function faultIn(text: string | Uint8Array): readonly [code: string, line: number | null] {
  const scores = readScores(text);
  if (!('problem' in scores)) throw new Error('was read');
  return [scores.problem.code, scores.line];
}

const READ = { members: [2.5, -1], others: [0, 1e-3] };

describe('scores', () => {
  it.each([
    ['plain', 'member,score\n1,2.5\n0,0\n1,-1\n0,1e-3\n'],
    ['with a byte order mark and CRLF', '\ufeffmember,score\r\n1,2.5\r\n0,0\r\n1,-1\r\n0,1e-3\r\n'],
    ['with lone CR, and no last line end', 'member,score\r1,2.5\r0,0\r1,-1\r0,1e-3'],
    ['with other columns in another order', 'id,Score,seed,Is Member\na,2.5,1,1\nb,0,1,0\nc,-1,1,1\nd,.001,1,0\n'],
    ['with tabs', 'score\tmember\n2.5\tin\n0\tout\n-1\tIN\n1E-3\tOUT\n'],
    ['in words, quotes and blanks', '"in" , "statistic"\n true,"2.5"\nfalse, +0\n\nYes,-1.\nno,0.001\n'],
  ])('%s are read', (_, text) => {
    expect(scoresIn(text)).toEqual(READ);
    expect(scoresIn(Buffer.from(text))).toEqual(READ);
  });

  it('may be infinite, and are rounded to the nearest double without changing their order', () => {
    expect(scoresIn('member,score\n1,inf\n0,-Infinity\n1,1e999\n0,0.1000000000000000000000001\n')).toEqual({
      members: [Infinity, Infinity],
      others: [-Infinity, 0.1],
    });
  });

  it.each([
    ['nothing', '', 'empty-document', null],
    ['blank lines', '\n\n', 'empty-document', null],
    ['no heading', '1,0.5\n0,0.2\n', 'invalid-csv', 1],
    ['no score', 'member,loss\n1,0.5\n', 'invalid-csv', 1],
    ['two columns that may be meant', 'member,in,score\n1,0,0.5\n', 'invalid-csv', 1],
    ['one column twice', 'member,score,score\n1,0,0.5\n', 'invalid-csv', 1],
    ['a heading alone', 'member,score\n', 'empty-list', null],
    ['members alone', 'member,score\n1,2\n1,3\n', 'empty-list', null],
    ['no members', 'member,score\n0,2\n', 'empty-list', null],
    ['NaN', 'member,score\n1,2\n0,NaN\n', 'not-finite', 3],
    ['no number', 'member,score\n1,2\n\n0,0x10\n', 'not-a-number', 4],
    ['an empty cell', 'member,score\n1,\n', 'not-a-number', 2],
    ['a comma for a point', 'member;score\n1;2,5\n', 'invalid-csv', 1],
    ['another member', 'member,score\n1,2\n2,3\n', 'unknown-value', 3],
    ['a short row', 'member,score\n1,2\n0\n', 'invalid-csv', 3],
    ['a long row', 'member,score\n1,2\n0,1,2\n', 'invalid-csv', 3],
    ['an open quote', 'member,score\n1,"2\n', 'invalid-csv', 2],
    ['bytes that are no text', Uint8Array.of(0x6d, 0xff, 0xfe), 'not-text', null],
    ['UTF-16', Buffer.from('\ufeffmember,score\n1,2\n', 'utf16le'), 'not-text', null],
  ])('with %s are refused at their place', (_, text, code, line) => {
    expect(faultIn(text)).toEqual([code, line]);
  });

  it('of a million runs are read', () => {
    const text = `member,score\n${Array.from({ length: 1_000_000 }, (_, i) => `${i % 2},${i}`).join('\n')}`;
    const { members, others } = scoresIn(text);
    expect([members.length, others.length, members.at(-1), others[1]]).toEqual([500_000, 500_000, 999_999, 2]);
  });
});
