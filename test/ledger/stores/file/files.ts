import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { create, DISK, type Disk } from '../../../../src/ledger/stores/file/create.ts';
import type { Failed } from '../../../../src/ledger/fault.ts';
import type { LaunchRequest, Header } from '../../../../src/ledger/record.ts';
import type { Terms } from '../../../../src/ledger/rules/terms.ts';
import { Decimal } from '../../../../src/numeric/decimal.ts';
import type { Fields } from '../../../../src/ledger/line.ts';
import { Walker, type ParsedLine } from '../../../../src/ledger/chain.ts';
import { fileStore } from '../../../../src/ledger/stores/file/store.ts';
import { linesOf } from '../../../../src/ledger/stores/file/lines.ts';
import { spendIn, type SpendResult, type RecordOptions } from '../../../../src/ledger/spend-in.ts';
import type { TransactOptions, Transacted } from '../../../../src/ledger/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-ledger-'));
// Test files share this module, so that it outlives each of them.
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

let made = 0;

/** A path in a folder that goes away with the tests. */
export const newPath = (): string => join(folder, `${made++}.jsonl`);

export const TERMS = {
  mode: 'filter',
  rule: { id: 'pure' },
  budget: { epsilon: new Decimal(1) },
  onExcess: 'refuse',
  concurrency: 'concurrent',
  maxMechanisms: null,
  distance: new Decimal(1),
  neighbours: null,
} as const satisfies Terms;

export const HEADER: Header = { version: '0.1.0', at: null, id: 'test', terms: TERMS, origin: null };

/** A file with this content. */
export function fileOf(content: string | Uint8Array): string {
  const path = newPath();
  writeFileSync(path, content);
  return path;
}

/** The store of files by their paths. */
export const FILES = fileStore(folder);

/** How long tests wait for a lock. */
export const OPTIONS = { patience: 5 };

/** Asks one ledger file to launch something. */
export async function launch(
  path: string,
  asked: LaunchRequest,
  options: RecordOptions = OPTIONS,
): Promise<Transacted<SpendResult> | Failed> {
  const done = await spendIn(FILES, [path], asked, options);
  return done.kind === 'failed' ? done : { ...done, value: done.value[0]! };
}

/** Removes what is noted beside a ledger of how it was left. */
export const forget = (path: string): void => {
  rmSync(join(dirname(path), `.${basename(path)}.stamp`), { force: true });
};

/** Gives a file another content in place, as a writer leaves it that is killed: it stays the same file, and nothing is noted of it. */
export const rewrite = (path: string, content: string | Uint8Array): void => {
  writeFileSync(path, content);
  forget(path);
};

/** A disk that does so much, and nothing more: what there is then is what a writer leaves that is killed. */
export function dying(steps: number): Disk {
  let left = steps;
  const step = <T>(does: () => T): T => {
    if (left-- <= 0) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    return does();
  };
  return {
    write: (fd, bytes) => step(() => DISK.write(fd, bytes)),
    sync: (fd) => {
      step(() => {
        DISK.sync(fd);
      });
    },
    truncate: (fd, length) => {
      step(() => {
        DISK.truncate(fd, length);
      });
    },
  };
}

/** Adds a record with these fields. */
export const add = (
  path: string,
  fields: Fields,
  { disk, ...options }: Partial<TransactOptions & { disk: Disk }> = {},
): Promise<Transacted<null> | Failed> =>
  (disk === undefined ? FILES : fileStore(folder, { disk })).transact(
    [path],
    () => ({ kind: 'proposal', additions: [fields], value: null }),
    { patience: 5, ...options },
  );

/** A ledger file with a header and so many records. */
export async function ledgerOf(records: number): Promise<string> {
  const path = newPath();
  create(path, HEADER);
  for (let n = 1; n <= records; n++) await add(path, { event: 'spend', label: `release ${n}`, total: `0.${n}` });
  return path;
}

export const linesIn = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

/** All that is found in a file of this content. */
export function found(content: string | Uint8Array): ParsedLine[] {
  const fd = openSync(fileOf(content), 'r');
  try {
    const walker = new Walker();
    const all: ParsedLine[] = [];
    // One after the other: the bytes of a line are valid until the next one is asked for.
    for (const line of linesOf(fd)) all.push(...walker.take(line));
    return [...all, ...walker.end()];
  } finally {
    closeSync(fd);
  }
}

/** What is wrong in a file of this content: `line 3: fork`. */
export const flaws = (content: string | Uint8Array): string[] =>
  found(content).flatMap((one) => {
    if (one.kind === 'other') return [one.fault.code];
    if (one.kind !== 'flaw') return [];
    const what = one.flaw.code === 'damaged-record' ? ` (${one.flaw.what})` : '';
    return [`line ${one.flaw.line}, record ${one.flaw.record}: ${one.flaw.code}${what}`];
  });
