import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { append, type AppendOptions, type Appended } from '../../../src/ledger/file/append.ts';
import { create } from '../../../src/ledger/file/create.ts';
import type { Failed } from '../../../src/ledger/file/fault.ts';
import type { Header } from '../../../src/ledger/file/record.ts';
import type { Terms } from '../../../src/ledger/core/terms.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Fields } from '../../../src/ledger/file/line.ts';
import { walk, type Found } from '../../../src/ledger/file/walk.ts';

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

/** Adds a record with these fields. */
export const add = (path: string, fields: Fields, options?: Partial<AppendOptions>): Promise<Appended<null> | Failed> =>
  append(path, () => ({ kind: 'proposal', fields, value: null }), { patience: 5, ...options });

/** A ledger file with a header and so many records. */
export async function ledgerOf(records: number): Promise<string> {
  const path = newPath();
  create(path, HEADER);
  for (let n = 1; n <= records; n++) await add(path, { event: 'spend', label: `release ${n}`, total: `0.${n}` });
  return path;
}

export const linesIn = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

/** All that is found in a file of this content. */
export function found(content: string | Uint8Array): Found[] {
  const fd = openSync(fileOf(content), 'r');
  try {
    return [...walk(fd)];
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
