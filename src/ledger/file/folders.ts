import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { failed, type Failed, type NotALedger, type NotWritten } from '../records/fault.ts';
import { syncDirectory } from './create.ts';
import { createFault } from './system-error.ts';

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
export function makeFolders(root: string, path: string): Failed<NotALedger | NotWritten> | null {
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
