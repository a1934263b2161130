import { existsSync, mkdirSync, statSync, closeSync, fsyncSync, linkSync, openSync, rmSync } from 'node:fs';
import { relative, resolve, sep, dirname, join } from 'node:path';
import { type HeaderAndHead, restorable, type LastLine } from '../../chain.ts';
import { failed, type Failed, type NotALedger, type NotWritten, Interrupted, type Unnamed } from '../../fault.ts';
import type { Listed, Propose, Restored, Store, Transacted } from '../../store.ts';
import { foldFile } from './checkpoint.ts';
import { create, obstacle, syncDirectory, DISK, type Disk, NEWLINE, writeAll } from './create.ts';
import { readEnds, batchesOf } from './lines.ts';
import { lockFault, type LockOptions, references, withoutLinks } from './file-system.ts';
import { placeIdOfFile, placeIdOfNewFile, sidecarPath, cutFault, cutFaultIn } from './fingerprint.ts';
import { openExisting, reading, createFault, readFault, reasonOf, writeFault } from './system-error.ts';
import { recover } from './recover.ts';
import { transact } from './transact.ts';
import { opendir } from 'node:fs/promises';
import { INCOMING, incomingPathOf, lock, removeAbandoned } from './lock-files.ts';

/** A hidden file for lines that come in that was removed before it was held is made anew this often at most. */
const MOST_TRIES = 100;

/** A hidden file for the lines of a ledger, held, so that nobody takes it for one of a writer that was killed. */
async function openIncoming(path: string): Promise<{ readonly fd: number; readonly beside: string } | Failed> {
  for (let tries = 1; ; tries++) {
    const beside = incomingPathOf(path);
    const fd = openSync(beside, 'ax');
    const unlocked = await lock(fd, 0);
    if (unlocked === null && existsSync(beside)) return { fd, beside };
    rmSync(beside, { force: true });
    closeSync(fd);
    // Somebody who removes dead files holds it, or has removed it, in the moment before it was locked.
    if (unlocked !== null && (unlocked.fault.code !== 'busy' || tries >= MOST_TRIES)) return unlocked;
  }
}

/**
 * Makes a ledger file of lines that were written elsewhere. They are written into a hidden file beside it, which gets the name
 * of the ledger when all of them are durable, and only if nothing has that name: there is no moment at which the ledger is there in part.
 */
async function restore(path: string, lines: AsyncIterable<readonly Buffer[]>, disk: Disk): Promise<Restored | Failed> {
  const inTheWay = obstacle(path);
  if (inTheWay !== null) return failed(inTheWay);
  let opened;
  try {
    await removeAbandoned(path, INCOMING, () => false);
    opened = await openIncoming(path);
  } catch (error) {
    return failed(createFault(error));
  }
  if ('kind' in opened) return opened;
  const { fd, beside } = opened;
  const last: LastLine = {};
  let hasName = false;
  try {
    for await (const batch of restorable(lines, placeIdOfNewFile(fd), last)) {
      writeAll(disk, fd, Buffer.concat(batch.flatMap((line) => [line, NEWLINE])));
    }
    fsyncSync(fd);
    linkSync(beside, path);
    hasName = true;
    syncDirectory(path);
    return { kind: 'restored', last: last.record! };
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    if (hasName) return failed({ code: 'outcome-unknown', reason: reasonOf(error) });
    const fault = createFault(error);
    return failed(fault.code === 'file-exists' ? fault : writeFault(error));
  } finally {
    // While it is held: else somebody might take it for one of a writer that was killed.
    rmSync(beside, { force: true });
    closeSync(fd);
  }
}

/** Why a ledger of a folder that is a store cannot have this name, which has to lead to a file in that folder; null where it can. */
function outsideFault(folder: string, name: string): Failed<Unnamed> | null {
  const isInside = name !== '' && resolve(folder, name).startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
  return isInside ? null : failed({ code: 'bad-name', reason: 'it leads out of the folder of the store' }, name);
}

const BATCH = 256;

/** A file that is a ledger, or should be one but cannot be read; null where it is something else. */
function listed(path: string, name: string): Listed | null {
  const ends = reading(path, readEnds);
  return ends.kind === 'failed' && ends.fault.code === 'not-a-ledger' ? null : { name, ends };
}

/** Ledger files of a folder and those in it, by their names in order; files that are no ledgers are left out. */
async function* listFiles(
  folder: string,
  suffix: string,
  nameOf: (path: string) => string,
): AsyncGenerator<readonly Listed[]> {
  const [files, folders]: [string[], string[]] = [[], []];
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) folders.push(join(folder, entry.name));
      else if (entry.name.endsWith(suffix)) files.push(join(folder, entry.name));
    }
  } catch (error) {
    throw new Interrupted(failed(readFault(error), folder));
  }
  files.sort();
  for (let from = 0; from < files.length; from += BATCH) {
    yield files.slice(from, from + BATCH).flatMap((path) => listed(path, nameOf(path)) ?? []);
  }
  for (const inner of folders.sort()) yield* listFiles(inner, suffix, nameOf);
}

/** The directories that a file is in: from the first that is missing, or the one below `root`, to its own. */
function foldersOf(root: string, path: string): string[] {
  const folders: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const isThere = statSync(folder, { throwIfNoEntry: false }) !== undefined;
    if (isThere && (folder === root || !folder.startsWith(root))) return folders;
    folders.unshift(folder);
    if (folder === dirname(folder)) return folders;
  }
}

/**
 * Makes the directories that a file is to be in, as far as they are missing. Those below `root` are made durable also where another
 * process has just made them.
 */
function makeFolders(root: string, path: string): Failed<NotALedger | NotWritten> | null {
  try {
    for (const folder of foldersOf(root, path)) {
      mkdirSync(folder, { recursive: true });
      syncDirectory(folder);
    }
    return null;
  } catch (error) {
    return failed(createFault(error));
  }
}

/** A decision about ledgers by the names that they have in the store. */
const asNamed =
  <T>(names: readonly string[], propose: Propose<T>): Propose<T> =>
  (views, now) =>
    propose(
      views.map((view, i) => ({ ...view, name: names[i]! })),
      now,
    );

/** How ledger files are found and written. */
export interface FileStoreOptions extends LockOptions {
  /** Ends the names of files, and not those of ledgers: `.jsonl` where `team` is kept in `team.jsonl`; nothing by default. */
  readonly suffix?: string;
  readonly disk?: Disk;
}

/** A store whose ledgers are files: each name is a path from `root`. */
export function fileStore(root: string, { suffix = '', disk = DISK, ...locks }: FileStoreOptions = {}): Store {
  const folder = withoutLinks(resolve(root));
  const pathOf = (name: string): string => withoutLinks(resolve(folder, `${name}${suffix}`));
  const nameOf = (path: string): string => {
    const name = relative(folder, path).split(sep).join('/');
    return name.slice(0, name.length - suffix.length);
  };
  /** A fault names ledgers as they were named to the store. */
  const withStoreNames = (fault: Failed, paths: readonly string[], names: readonly string[]): Failed => {
    const at = fault.ledger === undefined ? -1 : paths.indexOf(fault.ledger);
    return at < 0 ? fault : { ...fault, ledger: names[at]! };
  };
  /** Why nothing can be at the first of these names where something is wrong: without a suffix, names are paths to anywhere. */
  const outside = (...names: readonly string[]): Failed | null =>
    suffix === '' ? null : (names.map((name) => outsideFault(folder, name)).find((fault) => fault !== null) ?? null);
  /** The fault of the first of these files that is not to be written: outside, or where two machines could write at once. */
  const unshared = (paths: readonly string[], names: readonly string[]): Failed | null => {
    const wrong = outside(...names);
    if (wrong !== null) return wrong;
    for (const [i, path] of paths.entries()) {
      const fault = lockFault(path, locks);
      if (fault !== null) return { ...fault, ledger: names[i]! };
    }
    return null;
  };
  const leftOf = (name: string): string | null => {
    const beside = sidecarPath(pathOf(name), 'stamp');
    return existsSync(beside) && !existsSync(pathOf(name)) ? beside : null;
  };
  /** Why a ledger is not made that was here before and had records; null where none was. */
  const lost = (name: string): Failed | null => {
    const remnant = leftOf(name);
    return remnant === null ? null : failed({ code: 'lost-ledger', left: remnant }, name);
  };
  /** Writes to files, if nothing is in the way. */
  const writing = async <T>(
    names: readonly string[],
    write: (paths: readonly string[]) => Promise<Transacted<T> | Failed>,
  ): Promise<Transacted<T> | Failed> => {
    const paths = names.map(pathOf);
    const done = unshared(paths, names) ?? (await write(paths));
    return done.kind === 'failed' ? withStoreNames(done, paths, names) : done;
  };
  /** Does something with the file of a name. */
  const at = <T>(name: string, use: (path: string) => T | Failed): Promise<T | Failed> =>
    Promise.resolve(outside(name) ?? use(pathOf(name)));
  /** In a folder that is a store, a slash in a name is a matter of the store. */
  const foldersFor = (name: string) => (suffix === '' ? null : makeFolders(folder, pathOf(name)));
  return {
    address: folder,
    placeId: (name) => at(name, (path) => reading(path, (fd) => placeIdOfFile(path, fd))),
    reference: (from, to) => references.reference(pathOf(from), pathOf(to)),
    resolve: (from, reference) => nameOf(references.resolve(pathOf(from), reference)),
    transact: (names, propose, options) =>
      writing(names, (paths) => transact(paths, asNamed(names, propose), { ...options, disk })),
    recover: (name, propose, options) =>
      writing([name], ([path]) => recover(path!, (aside) => asNamed([name], propose(aside)), { ...options, disk })),
    restore: async (name, lines) =>
      unshared([pathOf(name)], [name]) ?? foldersFor(name) ?? (await restore(pathOf(name), lines, disk)),
    create: (name, header) =>
      Promise.resolve(
        unshared([pathOf(name)], [name]) ?? lost(name) ?? foldersFor(name) ?? create(pathOf(name), header, { disk }),
      ),
    obstacle: (name) => {
      const obstacleFault = outside(name) === null ? obstacle(pathOf(name)) : null;
      const isStore = suffix !== '' && existsSync(folder);
      const fault = isStore && obstacleFault?.code === 'no-such-directory' ? null : obstacleFault;
      return Promise.resolve(fault === null ? unshared([pathOf(name)], [name]) : failed(fault));
    },
    ends: (name) =>
      at(name, (path) =>
        reading(path, (fd): HeaderAndHead | Failed => {
          const ends = readEnds(fd);
          return ends.kind === 'failed' ? ends : (cutFault({ path, fd }, ends) ?? ends);
        }),
      ),
    records: (name) =>
      at(name, (path) => {
        const fd = openExisting(path, 'read');
        return typeof fd === 'number' ? batchesOf(fd, () => cutFaultIn({ path, fd })) : fd;
      }),
    leftOf,
    fold: (name, fold) => at(name, (path) => reading(path, (fd) => foldFile(path, fd, fold))),
    list: () =>
      Promise.resolve(
        existsSync(folder) ? listFiles(folder, suffix || '.jsonl', nameOf) : failed({ code: 'no-such-directory' }),
      ),
    close: () => Promise.resolve(),
  };
}
