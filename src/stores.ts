/*
 * Ledgers that are kept: in files, in SQLite, in PostgreSQL, or in a store of one's own. For node only; the decisions themselves
 * (`ledger` of the main entry) run anywhere.
 */
export type { StoreTime } from './ledger/rules/terms.ts';
export {
  newLedgersOf,
  type NewLedger,
  prepare,
  type Prepared,
  type PreparedTransaction,
  sealHeader,
} from './ledger/prepare.ts';
export type { HeaderAndHead, TrailingBytes } from './ledger/chain.ts';
export * from './ledger/fault.ts';
export { readHistory, type History, type StoredRecord, type Scanned } from './ledger/history.ts';
export { spendIn, type Ended, type SpendResult, type RecordOptions } from './ledger/spend-in.ts';
export {
  seal,
  unseal,
  type Damage,
  type Fields,
  type Line,
  type Sealed,
  type Unsealed,
  type RawLine,
} from './ledger/line.ts';
export { verifyOrigin, type OriginMismatch, Replay, replayOf, type OnStep, type Replayed } from './ledger/replay.ts';
export { presentOf, readPresent, type Present } from './ledger/present.ts';
export type {
  Aside,
  LaunchRequest,
  Event,
  Header,
  Successor,
  Nested,
  RecordMetadata,
  Origin,
  LedgerRecord,
} from './ledger/record.ts';
export {
  recoverIn,
  annotateIn,
  type Annotation,
  convertIn,
  nestIn,
  type Converted,
  type NewLedgerId,
} from './ledger/succession.ts';
export type {
  Listed,
  Proposal,
  Propose,
  LedgerView,
  Settled,
  Lookup,
  Store,
  TransactOptions,
  Transacted,
} from './ledger/store.ts';
export { verify, type Verified } from './ledger/verify.ts';
export { DISK, type Disk } from './ledger/stores/file/create.ts';
export { fileStore, type FileStoreOptions } from './ledger/stores/file/store.ts';
export { initStore, openStore, type Opened } from './ledger/stores/open-store.ts';
