import { describe, expect, it } from 'vitest';
import { differentNeighbours } from '../../../src/composition/core/setting.ts';

describe('which data are neighboring', () => {
  it('differs only where two of several say so', () => {
    expect(differentNeighbours([{ neighbours: 'add-remove' }, {}, { neighbours: null }])).toBeNull();
    expect(differentNeighbours([{ neighbours: 'add-remove' }, { neighbours: ' add-remove' }])).toBeNull();
    expect(differentNeighbours([{ neighbours: 'add-remove' }, {}, { neighbours: 'replace-one' }])).toEqual([
      'add-remove',
      'replace-one',
    ]);
  });
});
