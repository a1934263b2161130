import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockFault, mountOf, unsharedLocks, type Mount } from '../../../../src/ledger/stores/file/file-system.ts';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { spendIn } from '../../../../src/ledger/spend-in.ts';
import { readPresent } from '../../../../src/ledger/present.ts';
import { recoverIn, nestIn } from '../../../../src/ledger/succession.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import { dp } from '../../../mechanisms.ts';
import { HEADER, ledgerOf, newPath, OPTIONS, TERMS } from './files.ts';

const DEVICE = 0x2cn;

/** What the system tells of a file on a file system of this type, mounted so. */
const mounted = (type: number | bigint, line = 'xfs - xfs /dev/sda rw'): Mount => ({
  type: BigInt(type),
  device: DEVICE,
  mountinfo: [
    '22 27 0:21 / /proc rw,relatime - proc proc rw',
    '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw',
    `40 27 0:44 / /data rw,relatime shared:9 - ${line.split(' - ')[1] ?? ''}`,
    '',
  ].join('\n'),
});

describe('the locks of a file system', () => {
  it.each([
    ['ext4', 0xef53],
    ['XFS', 0x58465342],
    ['Btrfs', 0x9123683e],
    ['tmpfs', 0x01021994],
    ['an overlay', 0x794c7630],
    ['ZFS', 0x2fc12fc1],
    ['Ceph', 0x00c36400],
    ['a type that is not known', 0x12345],
  ])('keep all writers apart on %s', (_, type) => {
    expect(unsharedLocks(mounted(type))).toBeNull();
  });

  it.each([
    ['FUSE', 0x65735546, 'x - fuse.sshfs host:/ rw', 'FUSE (fuse.sshfs)'],
    ['SMB', 0x517b, 'x - smbfs //host/share rw', 'SMB (smbfs)'],
    ['CIFS', 0xff534d42, 'x - cifs //host/share rw,vers=3.1.1', 'CIFS'],
    ['CIFS with a sign', -11317950, 'x - cifs //host/share rw', 'CIFS'],
    ['SMB 2', 0xfe534d42, 'x - smb3 //host/share rw', 'SMB (smb3)'],
    ['9p', 0x01021997, 'x - 9p C: rw,trans=fd', '9p'],
    ['VirtualBox', 0x786f4256, 'x - vboxsf share rw', 'VirtualBox (vboxsf)'],
    ['Coda', 0x73757245, 'x - coda none rw', 'Coda'],
    ['AFS', 0x5346414f, 'x - afs AFS rw', 'AFS'],
  ])('do not on %s', (_, type, line, name) => {
    expect(unsharedLocks(mounted(type, line))).toBe(name);
    expect(unsharedLocks({ ...mounted(type), mountinfo: null })).not.toBeNull();
  });

  it.each([
    ['rw,vers=4.2,hard,local_lock=none,addr=10.0.0.1', null],
    ['rw,vers=3,hard,nolock,local_lock=all', 'NFS with nolock'],
    ['rw,vers=3,local_lock=posix', 'NFS with local_lock=posix'],
    ['rw,vers=4.1,local_lock=all', 'NFS with local_lock=all'],
    // Of locks of the other kind, which are not used.
    ['rw,vers=3,local_lock=flock', null],
    ['rw,vers=3,nolocks_at_all', null],
  ])('depend on how NFS is mounted: %s', (options, name) => {
    expect(unsharedLocks(mounted(0x6969, `x - nfs4 host:/data ${options}`))).toBe(name);
  });

  it('are not relied on where it is not known how NFS is mounted', () => {
    const nfs = mounted(0x6969, 'x - nfs host:/data rw,local_lock=none');
    expect(unsharedLocks(nfs)).toBeNull();
    expect(unsharedLocks({ ...nfs, device: DEVICE + 1n })).toBe('NFS with options that are not known');
    expect(unsharedLocks({ ...nfs, mountinfo: null })).toBe('NFS with options that are not known');
  });

  it('are those of the device, whatever its number', () => {
    const line = '50 27 259:70000 / /data rw - nfs host:/data rw,nolock';
    const device = ((259n & 0xfffn) << 8n) | (70000n & 0xffn) | ((70000n & ~0xffn) << 12n);
    expect(unsharedLocks({ type: 0x6969n, device, mountinfo: line })).toBe('NFS with nolock');
  });

  it.runIf(process.platform === 'linux')('are looked up as the system tells them', async () => {
    const path = await ledgerOf(0);
    const mount = mountOf(path);
    expect(mount?.mountinfo).toContain(' - ');
    expect(mountOf(newPath())?.device).toBe(mount?.device);
    expect(mountOf(`${newPath()}/to/be/made.jsonl`)?.device).toBe(mount?.device);
  });
});

describe('a ledger on a file system whose locks other machines need not see', () => {
  const shared = { mountOf: () => mounted(0x65735546, 'x - fuse.sshfs host:/ rw') };
  const fault = { code: 'unshared-locks', fileSystem: 'FUSE (fuse.sshfs)' };

  it('is not written to, nor made', async () => {
    const path = await ledgerOf(1);
    const before = readFileSync(path);
    const store = fileStore(dirname(path), shared);
    expect(await spendIn(store, [path], { entries: [dp('0.1')] }, OPTIONS)).toEqual({
      kind: 'failed',
      fault,
      ledger: path,
    });
    expect(await recoverIn(store, path, null, OPTIONS)).toMatchObject({ fault });
    expect(await store.create(newPath(), HEADER)).toMatchObject({ fault });
    expect(readFileSync(path)).toEqual(before);
  });

  it('is not made for another that is elsewhere', async () => {
    const [path, child] = [newPath(), newPath()];
    const store = fileStore(dirname(path), {
      mountOf: (each) => (each === child ? shared.mountOf() : mounted(0xef53)),
    });
    await store.create(path, HEADER);
    const nested = { children: [{ name: child, id: 'child' }], terms: TERMS, label: null };
    expect(await nestIn(store, path, nested, OPTIONS)).toMatchObject({ fault });
  });

  it('is read', async () => {
    const path = newPath();
    await fileStore(dirname(path)).create(path, HEADER);
    const store = fileStore(dirname(path), shared);
    expect(await readPresent(store, path)).toMatchObject({ kind: 'present', records: 0 });
    expect(await verify(store, path)).toMatchObject({ kind: 'verified', flaws: [] });
  });

  it('is written to by who says that only one machine does', async () => {
    const path = newPath();
    const store = fileStore(dirname(path), { ...shared, assumeLocks: true });
    expect(await store.create(path, HEADER)).toMatchObject({ kind: 'record' });
    expect(await spendIn(store, [path], { entries: [dp('0.1')] }, OPTIONS)).toMatchObject({ kind: 'transacted' });
    expect(lockFault(path, { ...shared, assumeLocks: true })).toBeNull();
  });
});
