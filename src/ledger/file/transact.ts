import { failed, type Failed } from '../records/fault.ts';
import { prepare } from '../journal/prepare.ts';
import { numberOf } from '../records/line.ts';
import type { Propose, Seen, Settled, TransactOptions, Transacted, Sought } from '../journal/store.ts';
import type { Disk } from './disk.ts';
import { readEnds, readRest, type FileEnds } from './ends.ts';
import { hold, type Held } from './hold.ts';
import { homeOfFile, homeOfNewFile } from './home.ts';
import { keep, type Addition } from './keep.ts';
import { references } from './references.ts';
import { search, searchAhead, type Ahead } from './search.ts';
import { settle, type Needed } from './settle.ts';
import { requireChain, stampAfter, chainFault, SMALL } from './sound.ts';
import { readFault, openExisting } from './system-error.ts';
import { closeSync, fstatSync, statSync } from 'node:fs';
import { isStamped, momentOf } from './stamp.ts';

/** The file in which bytes are kept that were taken from the end of a ledger, until a record has them. */
export const asidePath = (path: string): string => `${path}.aside`;

/** How many bytes are kept beside a ledger by somebody who was stopped before a record had them; 0 where none are. */
export const bytesAside = (path: string): number => statSync(asidePath(path), { throwIfNoEntry: false })?.size ?? 0;

/** What takes long with a large ledger file, done before it is held, so that nobody has to wait for it. */
export interface LookedAhead {
  /** The moment of the file at which it was one chain (`momentOf`); null where that was not looked at. */
  readonly sound: string | null;
  /** The results of the searches; none where the file is small. */
  readonly searches: readonly Ahead[];
}

const NOTHING: LookedAhead = { sound: null, searches: [] };

/** Looks into a file that is not held; what cannot be done is left for when it is. */
export function lookAhead(path: string, sought: readonly Sought[]): LookedAhead {
  const fd = openExisting(path, 'read');
  if (typeof fd !== 'number') return NOTHING;
  try {
    if (fstatSync(fd).size <= SMALL) return NOTHING;
    const moment = momentOf(fd);
    const { offset: length } = readRest(fd);
    const known = isStamped(path, moment);
    const isSound = !known && chainFault(fd, length) === null && momentOf(fd) === moment;
    return { sound: isSound ? moment : null, searches: sought.map((each) => searchAhead(fd, length, each)) };
  } catch {
    return NOTHING;
  } finally {
    closeSync(fd);
  }
}

/** The ends of held files, settled. */
export interface Settlement {
  readonly kind: 'settlement';
  readonly ends: readonly FileEnds[];
  readonly settled: Settled;
}

function settleAll(
  files: readonly Held[],
  held: readonly Held[],
  how: { readonly disk: Disk; readonly adopt?: boolean | undefined },
): Settlement | Needed | Failed {
  const all: FileEnds[] = [];
  let found: Settled = 'none';
  for (const file of files) {
    const one = settle(file, held, how);
    if (one.kind === 'failed') return { ...one, ledger: one.ledger ?? file.path };
    if (one.kind === 'needed') return one;
    all.push(one.ends);
    if (one.settled !== 'none') found = one.settled;
  }
  return { kind: 'settlement', ends: all, settled: found };
}

/** Looks whether each held file is one chain; the first fault. */
export function requireChains(files: readonly Held[], ahead: readonly LookedAhead[] = []): Failed | null {
  for (const [i, file] of files.entries()) {
    const fault = requireChain(file, readRest(file.fd).offset, ahead[i]?.sound ?? null);
    if (fault !== null) return { ...fault, ledger: file.path };
  }
  return null;
}

/** The fault of a file of which bytes were taken away, by somebody who was stopped before a record had them. */
function unrecovered(files: readonly Held[]): Failed | null {
  for (const { path, fd } of files) {
    const bytes = bytesAside(path);
    if (bytes === 0) continue;
    const ends = readEnds(fd);
    const record = ends.kind === 'failed' ? 0 : numberOf(ends.last) + 1;
    return { ...failed({ code: 'unfinished-record', line: record + 1, record, bytes }), ledger: path };
  }
  return null;
}

/** `recovers`: what was taken away from an end is about to be recorded. */
type Options = TransactOptions & { readonly disk: Disk; readonly recovers?: boolean };

/** Decides about held files, each one chain, whose ends are settled, and keeps what is to be added. */
export async function decideAndKeep<T>(
  files: readonly Held[],
  { ends, settled }: Settlement,
  propose: Propose<T>,
  { disk, recovers = false, ...options }: Options,
  ahead: readonly LookedAhead[] = [],
): Promise<Transacted<T> | Failed> {
  const seen = files.map(({ path, fd }, i): Seen => {
    const found = (options.sought ?? []).map((each, n) =>
      search(fd, ends[i]!.length, each, ahead[i]?.searches[n] ?? null),
    );
    return { name: path, ends: ends[i]!, found };
  });
  // What goes on here has its place here from now on.
  const homes = files.map(({ path, fd }) => (options.adopt === true ? homeOfNewFile(fd) : homeOfFile(path, fd)));
  const prepared = prepare(seen, propose, { homes, now: new Date().toISOString(), store: references, options });
  if (prepared.kind === 'failed') return prepared;
  const additions = files.flatMap((file, i): Addition[] => {
    const record = prepared.records[i];
    return record == null ? [] : [{ file, ends: ends[i]!, prepared: record }];
  });
  const fault = await keep(additions, disk);
  if (fault !== null) return fault;
  if (additions.length > 0 || settled !== 'none') {
    for (const file of files) stampAfter(file, options.adopt === true && !recovers);
  }
  const records = prepared.records.map((each) => each?.record ?? null);
  return { kind: 'transacted', value: prepared.value, records, settled };
}

/**
 * One transaction over ledger files. The end of a file may belong to a transaction whose head is in another file; that one is
 * held then too, from the beginning again, so that all files are always locked in the same order.
 */
export async function transact<T>(
  paths: readonly string[],
  propose: Propose<T>,
  options: Options,
): Promise<Transacted<T> | Failed> {
  const ahead = paths.map((path) => lookAhead(path, options.sought ?? []));
  const end = performance.now() + 1000 * options.patience;
  const needed: string[] = [];
  for (;;) {
    const patience = Math.max(0, end - performance.now()) / 1000;
    const held = await hold([...paths, ...needed], needed.length === 0 ? options.patience : patience);
    if (held.kind === 'failed') return headFault(held, needed) ?? held;
    try {
      const files = held.files.slice(0, paths.length);
      const fault = requireChains(files, ahead) ?? (options.recovers === true ? null : unrecovered(files));
      if (fault !== null) return fault;
      const settlement = settleAll(files, held.files, options);
      if (settlement.kind === 'failed') return settlement;
      if (settlement.kind === 'settlement') return await decideAndKeep(files, settlement, propose, options, ahead);
      needed.push(settlement.path);
    } catch (error) {
      return failed(readFault(error));
    } finally {
      held.release();
    }
  }
}

/** The fault of a file that was only needed to know what counts in another one. */
function headFault({ fault, ledger }: Failed, needed: readonly string[]): Failed | null {
  if (ledger === undefined || !needed.includes(ledger) || fault.code === 'busy') return null;
  return failed({ code: 'unsettled', head: ledger, because: fault.code });
}
