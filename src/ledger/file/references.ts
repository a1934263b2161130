import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Store } from '../journal/store.ts';

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
