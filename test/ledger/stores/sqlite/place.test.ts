import { describe, expect, it } from 'vitest';
import { isMountPoint, unfitness } from '../../../../src/ledger/stores/sqlite/driver.ts';

const MOUNTS = String.raw`
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
30 22 254:0 /host/team.db /data/team.db rw,relatime - ext4 /dev/vda rw
31 22 254:0 /host /data/my\040budgets\134x rw,relatime - ext4 /dev/vda rw
`;

describe('the file of a database', () => {
  it('is told where it is mounted by itself', () => {
    expect(isMountPoint('/data/team.db', MOUNTS)).toBe(true);
    expect(isMountPoint('/data/my budgets\\x', MOUNTS)).toBe(true);
    for (const path of ['/data', '/data/team', '/data/team.db2', '/host/team.db', ''])
      expect(isMountPoint(path, MOUNTS)).toBe(false);
    expect(isMountPoint('/data/team.db', '')).toBe(false);
  });

  it('is not used where nothing would tell it from a copy, or its journal would stand elsewhere', () => {
    const file = { nlink: 1n, birthtimeNs: 7n };
    expect(unfitness(file, false)).toBeNull();
    expect(unfitness({ ...file, nlink: 2n }, false)).toContain('hard links');
    expect(unfitness(file, true)).toContain('mounted by itself');
    expect(unfitness({ ...file, birthtimeNs: 0n }, false)).toContain('no creation times');
  });
});
