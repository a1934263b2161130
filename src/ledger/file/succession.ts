import type { Refused } from '../core/decision.ts';
import type { Opened } from '../open.ts';
import type { LedgerState } from '../core/state.ts';
import type { Terms } from '../core/terms.ts';
import { totalsOf } from '../core/state.ts';
import { append, type Appended } from './append.ts';
import { create, obstacle } from './create.ts';
import { failed, type Failed } from './fault.ts';
import { launchIn, type Ended, type Launched, type LaunchOptions } from './launch.ts';
import { presentOf, type Present } from './present.ts';
import { recordFields, type Header, type Origin } from './record.ts';

/** A ledger that is to be made. */
export interface Heir {
  readonly path: string;
  readonly id: string;
}

/** Options of a ledger that is made for another. */
export interface SuccessionOptions extends LaunchOptions {
  /** The version of this program. */
  readonly version: string;
}

const firstObstacle = (heirs: readonly Heir[]): Failed | null => {
  for (const { path } of heirs) {
    const fault = obstacle(path);
    if (fault !== null) return failed(fault);
  }
  return null;
};

/** Makes ledgers whose price was paid, or whose predecessor ended. */
function makeAll(
  heirs: readonly Heir[],
  terms: Terms,
  origin: Origin,
  { version, at, disk }: SuccessionOptions,
): Failed | null {
  for (const { path, id } of heirs) {
    const header: Header = { version, at, id, terms, origin };
    const made = create(path, header, disk);
    if (made.kind === 'failed') return failed({ code: 'not-made', path, because: made.fault });
  }
  return null;
}

/**
 * Launches ledgers of these terms in a ledger: one, or several on disjoint parts of the data. The price is recorded
 * before a file is made, so that no ledger is ever there that was not paid for.
 */
export async function nestIn(
  path: string,
  { heirs, terms, label }: { readonly heirs: readonly Heir[]; readonly terms: Terms; readonly label: string | null },
  options: SuccessionOptions,
): Promise<Appended<Launched> | Failed> {
  const inTheWay = firstObstacle(heirs);
  if (inTheWay !== null) return inTheWay;
  const launched = await launchIn(path, { nested: { ids: heirs.map(({ id }) => id), terms }, label }, options);
  if (launched.kind === 'failed') return launched;
  const { value, record } = launched;
  if (value.decision.kind !== 'accepted' || record === null) return launched;
  const origin: Origin = { kind: 'nested', id: value.before.header.id, hash: record.hash };
  return makeAll(heirs, terms, origin, options) ?? launched;
}

/** The result of a conversion, and the ledger before it. */
export interface Converted {
  readonly before: Present;
  readonly decision: Opened | Refused | Ended;
}

/**
 * Ends a ledger and makes the one that it becomes, which goes on from its totals. It is ended before the other is made,
 * so that never both can be spent from.
 */
export async function convertIn(
  path: string,
  heir: Heir,
  become: (state: LedgerState) => Opened | Refused,
  options: SuccessionOptions,
): Promise<Appended<Converted> | Failed> {
  const inTheWay = firstObstacle([heir]);
  if (inTheWay !== null) return inTheWay;
  const converted = await append<Converted>(
    path,
    (ends) => {
      const before = presentOf(ends);
      if (before.kind === 'failed') return before;
      const { state, successor } = before;
      const decision = successor === null ? become(state) : { kind: 'ended' as const, successor };
      const end = { event: 'convert' as const, to: heir.id, at: options.at, totals: totalsOf(state) };
      return {
        kind: 'proposal',
        fields: decision.kind === 'opened' ? recordFields(end) : null,
        value: { before, decision },
      };
    },
    options,
  );
  if (converted.kind === 'failed') return converted;
  const { value, record } = converted;
  const { before, decision } = value;
  if (decision.kind !== 'opened' || record === null) return converted;
  const totals = totalsOf(decision.state);
  const origin: Origin = { kind: 'converted', id: before.header.id, hash: record.hash, totals };
  return makeAll([heir], decision.state.terms, origin, options) ?? converted;
}
