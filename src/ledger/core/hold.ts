/** The hash of what a guarantee was verified by: of a proof, a report, or the code that was reviewed. */
export const EVIDENCE = /^sha256:[0-9a-f]{64}$/;

/** A moment by the clock of a store, as `2026-03-02T09:15:00.000Z`: in UTC, so that the order of texts is that of moments. */
export type StoreTime = string;

/** Matches a {@link StoreTime}. */
export const STORE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** A part of the budget that is held for mechanisms that may be launched later; by itself it authorises nothing. */
export interface Hold {
  readonly id: string;
  /** It is open before this moment. */
  readonly until: StoreTime;
  /** How many mechanisms it is for. */
  readonly launched: number;
  /** The amount that they add to each total of the rule to which they add something, as exact decimals. */
  readonly spent: Readonly<Record<string, string>>;
  /** The mechanisms in normal form, as plain JSON. */
  readonly mechanisms: readonly unknown[];
  /** The evidence by which their guarantees were verified. */
  readonly evidence?: string;
}
