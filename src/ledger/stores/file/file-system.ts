import { readFileSync, statfsSync, statSync, realpathSync } from 'node:fs';
import { platform } from 'node:os';
import { dirname, basename, join, resolve, sep } from 'node:path';
import { failed, type Failed } from '../../fault.ts';
import type { Store } from '../../store.ts';

/** How a file is mounted, as the system tells it. */
export interface Mount {
  /** The type of the file system, as statfs(2) gives it. */
  readonly type: bigint;
  /** The number of the device, as stat(2) gives it. */
  readonly device: bigint;
  /** The text of /proc/self/mountinfo; null where there is none. */
  readonly mountinfo: string | null;
}

/** Types of file systems whose locks other machines do not see, or need not see. Source: statfs(2), linux/magic.h. */
const NEVER_SHARED: Readonly<Record<number, string>> = {
  0x65735546: 'FUSE',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x01021997: '9p',
  0x5346414f: 'AFS',
  0x6b414653: 'AFS',
  0x73757245: 'Coda',
  0x786f4256: 'VirtualBox',
  0xbacbacbc: 'VMware',
  0x7c7c6673: 'Parallels',
  0x564c: 'NCP',
  0x19830326: 'BeeGFS',
  0x20030528: 'OrangeFS',
};

/** Types whose locks are shared unless they were mounted with one of these options. */
const SHARED_UNLESS: Readonly<Record<number, { readonly name: string; readonly local: RegExp }>> = {
  0x6969: { name: 'NFS', local: /(^|,)(nolock|local_lock=(all|posix))(,|$)/ },
  0x0bd00bd0: { name: 'Lustre', local: /(^|,)(localflock)(,|$)/ },
};

/** A device as mountinfo has it: `MAJOR:MINOR`. */
function deviceText(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return `${major}:${minor}`;
}

interface MountLine {
  readonly type: string;
  readonly options: string;
}

/** The mounts of a device. Source: proc_pid_mountinfo(5). */
function mountsOf({ device, mountinfo }: Mount): readonly MountLine[] {
  const deviceId = deviceText(device);
  return (mountinfo ?? '').split('\n').flatMap((line): MountLine[] => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , mountDevice, , , options = ''] = before.split(' ');
    const [type = '', , superOptions = ''] = after.split(' ');
    return mountDevice === deviceId ? [{ type, options: `${options},${superOptions}` }] : [];
  });
}

/**
 * The name of a file system whose locks keep only writers of this machine apart, if that; null where they keep all apart. One whose
 * options are not known is taken for one of these.
 */
export function unsharedLocks(mount: Mount): string | null {
  // Some systems give the type with a sign.
  const type = Number(BigInt.asUintN(32, mount.type));
  const mounts = mountsOf(mount);
  const never = NEVER_SHARED[type];
  if (never !== undefined) {
    const typeName = mounts[0]?.type;
    return typeName === undefined || typeName.toLowerCase() === never.toLowerCase() ? never : `${never} (${typeName})`;
  }
  const unless = SHARED_UNLESS[type];
  if (unless === undefined) return null;
  if (mounts.length === 0) return `${unless.name} with options that are not known`;
  const local = mounts.map(({ options }) => unless.local.exec(options)?.[2]).find((option) => option !== undefined);
  return local === undefined ? null : `${unless.name} with ${local}`;
}

/** The mounts of this process; null where the system does not tell them. */
export function readMountinfo(): string | null {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return null;
  }
}

/** How a file is mounted, or where it is to be made; null where that cannot be seen. */
export function mountOf(path: string): Mount | null {
  // Elsewhere the types have other numbers, which are not the same on every machine.
  if (platform() !== 'linux') return null;
  try {
    const { type } = statfsSync(path, { bigint: true });
    return { type, device: statSync(path, { bigint: true }).dev, mountinfo: readMountinfo() };
  } catch {
    // It is to be made, perhaps with folders on the way.
    return dirname(path) === path ? null : mountOf(dirname(path));
  }
}

/** How the locks of file systems are looked at. */
export interface LockOptions {
  /** Whether locks are relied on wherever files are: somebody else sees to it that only one machine writes. */
  readonly assumeLocks?: boolean;
  /** How a path is mounted; by default as the system says. */
  readonly mountOf?: (path: string) => Mount | null;
}

/** Why nothing is written at a path: two machines could write there at once, each granted the same budget. Reading is always allowed. */
export function lockFault(path: string, { assumeLocks = false, mountOf: look = mountOf }: LockOptions): Failed | null {
  if (assumeLocks) return null;
  const mount = look(path);
  const fileSystem = mount === null ? null : unsharedLocks(mount);
  return fileSystem === null ? null : failed({ code: 'unshared-locks', fileSystem });
}

/** The path of a file, or of one that is to be made, without links on the way. */
export function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

/**
 * How a ledger file is called in the records of another one: by its whole path, with slashes. So a record that was moved to another
 * folder before everything that belongs to it was done never finds another file of the same name beside it.
 */
export const references: Pick<Store, 'reference' | 'resolve'> = {
  reference: (_, to) => to.split(sep).join('/'),
  resolve: (from, reference) => resolve(dirname(from), reference),
};
