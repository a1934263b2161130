import { describe, expect, it } from 'vitest';
import { readBatchLog } from '../../src/document/batch-log-read.ts';

const CLAIM = { examples: 5, batch: 2 };

const batchesOf = (text: string): unknown => {
  const log = readBatchLog(text, CLAIM);
  return 'problem' in log ? `${log.problem.code} ${log.line ?? 'whole'}` : (log.members ?? log.sizes);
};

describe('recorded batches', () => {
  it('are sizes: one a line, or in a column of a table', () => {
    expect(batchesOf('2\n3\r\n0\n')).toEqual([2, 3, 0]);
    expect(batchesOf('step,batch_size\n1,2\n2,3\n')).toEqual([2, 3]);
    expect(batchesOf('"step";"Size"\n1;2\n2;0')).toEqual([2, 0]);
  });

  it('are indices: numbers or a list a line, or a list of lists, numbered as they come', () => {
    const expected = [[0, 1], [2], []];
    expect(batchesOf('[[17, 4], [900],\n []]')).toEqual(expected);
    expect(batchesOf('[17, 4]\n[900]\n[]')).toEqual(expected);
    expect(batchesOf('17 4\n900\n17, 4, 3')).toEqual([[0, 1], [2], [0, 1, 3]]);
  });

  it.each([
    ['', 'empty-document whole'],
    ['[2, 3, 2]', 'wrong-type 1'],
    ['2\n3.5', 'wrong-type 2'],
    ['-1', 'wrong-type 1'],
    ['1 2\n\n3 4', 'wrong-type 2'],
    ['[1, 2]\n[3', 'invalid-json 2'],
    ['[[1, "a"]]', 'wrong-type whole'],
    ['[[1], 2]', 'wrong-type whole'],
    ['loss,step\n1,2', 'invalid-csv 1'],
    ['batch_size\n', 'empty-document whole'],
    ['size,step\nx,2', 'wrong-type 2'],
    ['6', 'out-of-range whole'],
    ['[[1,2,3],[4,5,6]]', 'out-of-range whole'],
  ])('are refused where they may be read in two ways, or in none: %j', (text, expected) => {
    expect(batchesOf(text)).toBe(expected);
  });
});
