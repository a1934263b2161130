import type { Uncovered } from '../../composition/core/uncovered.ts';
import type { Refusal } from '../../ledger/core/refusal.ts';
import type { Terms } from '../../ledger/core/terms.ts';
import { needsFiniteCommunication } from '../../ledger/needs-finite-communication.ts';
import type { Context } from '../kit/context.ts';
import { tellRefusal } from '../kit/refusal.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { tellLedgerRefusal } from './answer.ts';
import { deniesAny, type Requested } from './kit/mechanisms.ts';

type NoTheorem = Extract<Refusal, { code: 'no-theorem' }>;

const isRenyi = (terms: Terms): boolean =>
  terms.mode !== 'compositor' && ['zcdp', 'rdp', 'rdp-curve'].includes(terms.rule.id);

/** What the rule of a ledger does not cover, apart from trade-off functions. */
async function uncoveredIn({ entries, setting }: Requested, terms: Terms): Promise<Uncovered | null> {
  const { admittedMeasure } = await import('../../composition/plan/mechanism-cost.ts');
  const found: Uncovered[] = [];
  // What a ledger holds is never alone; one after the other, mechanisms need no more than adaptive adversaries.
  const context = {
    plan: { setting },
    alone: terms.concurrency === 'sequential',
    uncovered: (part: Uncovered) => found.push(part),
  };
  entries.forEach((entry, i) =>
    admittedMeasure(entry, { path: `mechanisms[${i}]`, label: entry.label }, !isRenyi(terms), context),
  );
  return found[0] ?? null;
}

/** A ledger that is asked. */
export interface AskedLedger {
  readonly terms: Terms;
  readonly file: string;
  /** Whether several are asked, so that it is named. */
  readonly isOneOf?: boolean;
}

/** What a ledger does not cover of what a document denies. */
async function refusalIn(requested: Requested, { terms }: AskedLedger): Promise<Uncovered | NoTheorem | null> {
  const { entries, setting } = requested;
  const isEndless = setting.finiteCommunication === 'denied' || setting.discrete === 'denied';
  const finiteCommunication = isEndless ? ('denied' as const) : ('stated' as const);
  const uncovered = await uncoveredIn({ ...requested, setting: { ...setting, finiteCommunication } }, terms);
  if (uncovered !== null || terms.mode === 'compositor' || !isEndless) return uncovered;
  const endless = entries.find((entry) => needsFiniteCommunication(entry, terms));
  if (endless === undefined) return null;
  const { type } = endless.mechanism;
  return { code: 'no-theorem', reason: 'communication-not-finite', rule: terms.rule.id, found: type };
}

/**
 * Ends a command where a document denies what the theorem of one of the ledgers needs, with the exit code of a refusal; null
 * where it goes on.
 *
 * That communication is finite is assumed where nothing is said, and told as a caveat. Answers that are not discrete rule it
 * out.
 */
export async function tellDenied(
  requested: Requested | null,
  ledgers: readonly AskedLedger[],
  flags: PrintFlags,
  context: Context,
): Promise<number | null> {
  if (requested === null || !deniesAny(requested.setting)) return null;
  for (const ledger of ledgers) {
    const refusal = await refusalIn(requested, ledger);
    if (refusal === null) continue;
    if (refusal.code === 'no-theorem') return await tellLedgerRefusal(refusal, flags, context, ledger);
    const format = flags.json === true ? 'json' : 'table';
    return await tellRefusal({ ...refusal, impossibilityBound: null }, { format, color: flags.color, io: context.io });
  }
  return null;
}
