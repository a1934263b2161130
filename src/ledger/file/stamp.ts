import { hash } from 'node:crypto';
import {
  fstatSync,
  statSync,
  type BigIntStats,
  closeSync,
  constants,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What is kept beside a ledger file to be faster the next time: the ledger says all without it, and it can be deleted. */
export type SidecarKind = 'stamp' | 'checkpoint';

const LONGEST = 64 * 1024 * 1024;

/** Nobody is waited for, as by who opens a pipe. Windows has no such flag. */
const READ = constants.O_RDONLY | ((constants as { readonly O_NONBLOCK?: number }).O_NONBLOCK ?? 0);

/** The file that is kept beside a ledger. */
export const sidecarPath = (path: string, kind: SidecarKind): string =>
  join(dirname(path), `.${basename(path)}.${kind}`);

/** The content of a file beside a ledger; null where there is none that can be read. */
export function readSidecar(path: string, kind: SidecarKind): Buffer | null {
  try {
    const fd = openSync(sidecarPath(path, kind), READ);
    try {
      const found = fstatSync(fd);
      return found.isFile() && found.size <= LONGEST ? readFileSync(fd) : null;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/** Puts a file beside a ledger, as a whole; where that is not possible there is none, and the next time is slower. */
export function writeSidecar(path: string, kind: SidecarKind, content: string): void {
  try {
    const target = sidecarPath(path, kind);
    const draft = `${target}.new`;
    const fill = (): void => {
      writeFileSync(draft, content, { flag: 'wx' });
    };
    try {
      fill();
    } catch {
      // Left by somebody who was stopped.
      unlinkSync(draft);
      fill();
    }
    renameSync(draft, target);
  } catch {
    // A folder that nobody may write to.
  }
}

const described = (file: number | string): BigIntStats =>
  typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true });

/**
 * A file, open or by its path, as the system describes it: its identity, its size, and its last change. An edit changes that,
 * also in the middle, and also where the time of its content is set back. The number of the device is no part of it: it may be
 * another one after a restart, or on another machine.
 */
export function momentOf(file: number | string): string {
  const { ino, birthtimeNs, size, mtimeNs, ctimeNs } = described(file);
  const facts = { file: ino, born: birthtimeNs, size, modified: mtimeNs, changed: ctimeNs };
  return Object.entries(facts)
    .map(([name, value]) => `${name} ${value}`)
    .join('\n');
}

/** Seconds after which an edit cannot have the same time as the one before it, however coarse the clock of a file system. */
const SETTLED = 3;

/** Whether an edit from now on would change the moment of a file, for sure. */
export const isSettled = (file: number | string): boolean =>
  Date.now() - Number(described(file).ctimeMs) > 1000 * SETTLED;

const textOf = (moment: string): string => `dpcompose.ledger-stamp/1\n${moment}\n${hash('sha256', moment)}\n`;

/** Whether the file is as it was when it was last added to by who had found all of it to be one chain. */
export function isStamped(path: string, moment: string): boolean {
  return readSidecar(path, 'stamp')?.equals(Buffer.from(textOf(moment))) === true;
}

/** The numbers of a moment by their names. */
const factsOf = (moment: string): ReadonlyMap<string, bigint> =>
  new Map([...moment.matchAll(/^(\w+) (\d+)$/gm)].map(([, name, digits]) => [name!, BigInt(digits!)]));

/** The numbers that the stamp beside a file has, by their names; none if there is no sound stamp. */
export function readStamp(path: string): ReadonlyMap<string, bigint> {
  const [, ...facts] = readSidecar(path, 'stamp')?.toString('latin1').trimEnd().split('\n') ?? [];
  const stamped = facts.slice(0, -1).join('\n');
  return factsOf(facts.at(-1) === hash('sha256', stamped) ? stamped : '');
}

/** How a file was left: its size, and whether records at its end were gone then, of which nobody has yet said that they are lost. */
export interface Left {
  readonly size: bigint;
  readonly isCut: boolean;
}

/** How this very file was left by who last added to it; null where nothing is known of it. */
export function leftAs(path: string, fd: number): Left | null {
  const stamped = readStamp(path);
  const now = factsOf(momentOf(fd));
  const isSame = ['file', 'born'].every((name) => stamped.get(name) === now.get(name));
  const [cut, size] = [stamped.get('cut'), stamped.get('size')];
  if (!isSame || size === undefined) return null;
  return cut === undefined ? { size, isCut: false } : { size: cut, isCut: true };
}

/**
 * The size at which this very file was left, where records are gone from its end: it is shorter now, though it is only ever added to,
 * or was so when it was recovered. Null where that is not so, or nothing is known of it.
 */
export function sizeBeforeCut(path: string, fd: number): bigint | null {
  // Before the file itself is looked at, to which others may add meanwhile.
  const left = leftAs(path, fd);
  if (left === null) return null;
  return left.isCut || fstatSync(fd, { bigint: true }).size < left.size ? left.size : null;
}

/** Notes that records are gone from the end of a file, which had this size: until somebody says that it goes on without them. */
export function stampCut(path: string, fd: number, size: bigint): void {
  stamp(path, `${momentOf(fd)}\ncut ${size}`);
}

/** Notes that the file of this moment is one chain: whoever adds to it does, while nobody else can. */
export function stamp(path: string, moment: string): void {
  writeSidecar(path, 'stamp', textOf(moment));
}
