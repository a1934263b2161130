/*
 * Ledgers that are kept: in files, in SQLite, in PostgreSQL, or in a store of one's own. For node only; the decisions themselves
 * (`ledger` of the main entry) run anywhere.
 */
export { birthsOf, type Birth } from './ledger/journal/prepare.ts';
export type { Ends, Rest } from './ledger/records/walk.ts';
export * from './ledger/records/fault.ts';
export { readHistory, type History, type Kept, type Scanned } from './ledger/journal/history.ts';
export { launchIn, type Ended, type Launched, type LaunchOptions } from './ledger/journal/launch.ts';
export {
  seal,
  unseal,
  type Damage,
  type Fields,
  type Line,
  type Sealed,
  type Unsealed,
} from './ledger/records/line.ts';
export { verifyOrigin, type Misled } from './ledger/journal/replay.ts';
export { prepare, type Prepared, type PreparedTransaction } from './ledger/journal/prepare.ts';
export { presentOf, readPresent, type Present } from './ledger/journal/present.ts';
export type { RawLine } from './ledger/records/line.ts';
export type { Aside, Asked, Event, Header, Heir, Nested, Noted, Origin, Recorded } from './ledger/records/record.ts';
export { recoverIn, remarkIn, type Remark } from './ledger/journal/succession.ts';
export { Replay, replayOf, type OnStep, type Replayed } from './ledger/journal/replay.ts';
export { sealHeader } from './ledger/journal/prepare.ts';
export type {
  Listed,
  Proposal,
  Propose,
  Seen,
  Settled,
  Sought,
  Store,
  StoreTime,
  TransactOptions,
  Transacted,
} from './ledger/journal/store.ts';
export { convertIn, nestIn, type Converted, type NewLedger } from './ledger/journal/succession.ts';
export { verify, type Verified } from './ledger/journal/verify.ts';
export { DISK, type Disk } from './ledger/file/create.ts';
export { fileStore, type FileStoreOptions } from './ledger/file/store.ts';
export { initStore, openStore, type Opened } from './ledger/stores/open-store.ts';
