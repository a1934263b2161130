import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { failed, Interrupted } from '../records/fault.ts';
import type { Listed } from '../journal/store.ts';
import { readEnds } from './ends.ts';
import { reading } from './open-file.ts';
import { readFault } from './system-error.ts';

/** How many ledgers are looked at at a time. */
const BATCH = 256;

/** A file that is a ledger, or should be one but cannot be read; null where it is something else. */
function listed(path: string, name: string): Listed | null {
  const ends = reading(path, readEnds);
  return ends.kind === 'failed' && ends.fault.code === 'not-a-ledger' ? null : { name, ends };
}

/** Ledger files of a folder and those in it, by their names in order; files that are no ledgers are left out. */
export async function* listFiles(
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
    throw new Interrupted({ ...failed(readFault(error)), ledger: folder });
  }
  files.sort();
  for (let from = 0; from < files.length; from += BATCH) {
    yield files.slice(from, from + BATCH).flatMap((path) => listed(path, nameOf(path)) ?? []);
  }
  for (const inner of folders.sort()) yield* listFiles(inner, suffix, nameOf);
}
