import { closeSync, fstatSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { openExisting } from '../../ledger/file/open-file.ts';
import { sectionsOf, verifyAt, type Section } from '../../ledger/file/sections.ts';
import { verifiedOf, type SoundSection } from '../../ledger/journal/sections.ts';
import type { Verified } from '../../ledger/journal/verify.ts';

/** Bytes of a file for which it is worth to start a thread, and of a section. */
const LARGE = 4 * 1024 * 1024;
const SECTION = 2 * 1024 * 1024;

/** What threads share: the sections of an open file, and the number of the next one that nobody has taken. */
export interface Shared {
  readonly fd: number;
  readonly sections: readonly Section[];
  readonly contains: string | null;
  readonly next: Int32Array;
}

/** A section by its number, as it was found. */
type Numbered = readonly [number: number, section: SoundSection | null];

/** Verifies sections until all are taken, or something is wrong in one. */
export function verifyNext({ fd, sections, contains, next }: Shared): readonly Numbered[] {
  const found: Numbered[] = [];
  for (;;) {
    const number = Atomics.add(next, 0, 1);
    const section = sections[number];
    if (section === undefined) return found;
    const sound = verifyAt(fd, section, contains);
    found.push([number, sound]);
    if (sound === null) Atomics.store(next, 0, sections.length);
  }
}

const startThread = (file: string, shared: Shared): Promise<readonly Numbered[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(file, {
      workerData: shared,
      resourceLimits: { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 },
    });
    worker.on('message', resolve);
    worker.on('error', reject);
    worker.on('exit', () => {
      reject(new Error('a thread has ended without an answer'));
    });
  });

/**
 * Verifies a large ledger file by sections in threads, one for each processor; null where it is small, or anything is wrong with
 * it, which `verify` tells. `file`: what a thread runs.
 */
export async function verifyInThreads(
  path: string,
  contains: string | null,
  file: string | undefined,
): Promise<Verified | null> {
  const fd = openExisting(path, 'read');
  if (typeof fd !== 'number') return null;
  try {
    const found = fstatSync(fd).size < LARGE || file === undefined ? null : sectionsOf(fd, SECTION);
    if (found === null || file === undefined) return null;
    const { header, sections } = found;
    const shared = { fd, sections, contains, next: new Int32Array(new SharedArrayBuffer(4)) };
    // This thread is none of them: there is no bound on the memory that it takes before it collects garbage.
    const threads = Array.from({ length: Math.min(availableParallelism(), sections.length) }, () =>
      startThread(file, shared),
    );
    const all = new Map((await Promise.all(threads)).flat());
    return verifiedOf(
      header,
      sections.map((_, i) => all.get(i) ?? null),
      contains,
    );
  } finally {
    closeSync(fd);
  }
}
