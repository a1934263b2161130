import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Ends } from '../records/ends.ts';
import { failed, type Failed } from '../records/fault.ts';
import type { Store } from '../journal/store.ts';
import { foldFile } from './checkpoint.ts';
import { create, obstacle } from './create.ts';
import { DISK, type Disk } from './disk.ts';
import { readEnds } from './ends.ts';
import { lockFault, type LockOptions } from './file-system.ts';
import { makeFolders } from './folders.ts';
import { homeOfFile } from './home.ts';
import { batchesOf } from './lines.ts';
import { listFiles } from './list.ts';
import { outsideFault } from './name.ts';
import { openExisting, reading } from './open-file.ts';
import { recover } from './recover.ts';
import { references, withoutLinks } from './references.ts';
import { restore } from './restore.ts';
import { sidecarPath } from './sidecar.ts';
import { cutFault, cutFaultIn } from './sound.ts';
import { transact } from './transact.ts';

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
  const named = (fault: Failed, paths: readonly string[], names: readonly string[]): Failed => {
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
  /** Does something with the file of a name. */
  const at = <T>(name: string, use: (path: string) => T | Failed): Promise<T | Failed> =>
    Promise.resolve(outside(name) ?? use(pathOf(name)));
  /** In a folder that is a store, a slash in a name is a matter of the store. */
  const foldersFor = (name: string) => (suffix === '' ? null : makeFolders(folder, pathOf(name)));
  return {
    address: folder,
    home: (name) => at(name, (path) => reading(path, (fd) => homeOfFile(path, fd))),
    reference: (from, to) => references.reference(pathOf(from), pathOf(to)),
    resolve: (from, reference) => nameOf(references.resolve(pathOf(from), reference)),
    transact: async (names, propose, options) => {
      const paths = names.map(pathOf);
      const fault = unshared(paths, names);
      if (fault !== null) return fault;
      const done = await transact(
        paths,
        (seen, now) =>
          propose(
            seen.map((each, i) => ({ ...each, name: names[i]! })),
            now,
          ),
        { ...options, disk },
      );
      return done.kind === 'failed' ? named(done, paths, names) : done;
    },
    recover: async (name, propose, options) => {
      const path = pathOf(name);
      const fault = unshared([path], [name]);
      if (fault !== null) return fault;
      const done = await recover(
        path,
        (aside) => (seen, now) =>
          propose(aside)(
            seen.map((each) => ({ ...each, name })),
            now,
          ),
        { ...options, disk },
      );
      return done.kind === 'failed' ? named(done, [path], [name]) : done;
    },
    restore: async (name, lines) =>
      unshared([pathOf(name)], [name]) ?? foldersFor(name) ?? (await restore(pathOf(name), lines, disk)),
    create: (name, header) =>
      Promise.resolve(unshared([pathOf(name)], [name]) ?? foldersFor(name) ?? create(pathOf(name), header, { disk })),
    obstacle: (name) => {
      const found = outside(name) === null ? obstacle(pathOf(name)) : null;
      const isStore = suffix !== '' && existsSync(folder);
      const fault = isStore && found?.code === 'no-such-directory' ? null : found;
      return Promise.resolve(fault === null ? unshared([pathOf(name)], [name]) : failed(fault));
    },
    ends: (name) =>
      at(name, (path) =>
        reading(path, (fd): Ends | Failed => {
          const ends = readEnds(fd);
          return ends.kind === 'failed' ? ends : (cutFault({ path, fd }, ends) ?? ends);
        }),
      ),
    records: (name) =>
      at(name, (path) => {
        const fd = openExisting(path, 'read');
        return typeof fd === 'number' ? batchesOf(fd, () => cutFaultIn({ path, fd })) : fd;
      }),
    leftOf: (name) => {
      const beside = sidecarPath(pathOf(name), 'stamp');
      return existsSync(beside) && !existsSync(pathOf(name)) ? beside : null;
    },
    fileOf: pathOf,
    fold: (name, fold) => at(name, (path) => reading(path, (fd) => foldFile(path, fd, fold))),
    list: () =>
      Promise.resolve(
        existsSync(folder) ? listFiles(folder, suffix || '.jsonl', nameOf) : failed({ code: 'no-such-directory' }),
      ),
    close: () => Promise.resolve(),
  };
}
