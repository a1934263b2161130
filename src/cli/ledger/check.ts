import type { Present } from '../../ledger/present.ts';
import type { LedgerDecision } from '../../output/ledger/decisions.ts';
import { inGroup } from '../kit/option.ts';
import { decisionsResult, requireCovered } from './answer.ts';
import { CHARGED, readChargedRequest, type ChargedBudgets } from './kit/budgets-option.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { checkNeighbours, DECLARED, EVIDENCED, PLACES } from './kit/mechanisms.ts';
import { ledgerError, orThrow, WHERE, type OpenStore } from './kit/store-option.ts';

const EXAMPLES = `
check records and authorizes nothing. Two callers can both get "granted" if the
budget suffices for one only. Use "ledger spend" before you run anything. With
--budgets, a missing ledger counts as unused and is not created.

Examples:
  dpcompose ledger check budget.jsonl -m dp:epsilon=0.1,count=5
  dpcompose ledger check budget.jsonl release.json --json
  dpcompose ledger check team.jsonl clinic.jsonl -m dp:epsilon=0.1`;

/** A ledger in its own place: elsewhere nothing would be granted. */
async function presentAtHome(name: string, location: OpenStore): Promise<Present> {
  const [{ presentOf }, { notWrittenHere }] = await Promise.all([
    import('../../ledger/present.ts'),
    import('../../ledger/verify.ts'),
  ]);
  const ledger = location.ledgerNamed(name);
  const ends = orThrow(await location.store.ends(name), ledger);
  const away = await notWrittenHere(location.store, name, ends);
  if (away !== null) throw ledgerError(away.fault, name);
  return orThrow(presentOf(ends), ledger);
}

/** The ledgers of budgets as they are; one that is missing as it would be made. */
async function presentOfCharged({ ledgers }: ChargedBudgets, location: OpenStore, version: string) {
  const [{ missingOf, headerFor }, { presentOfNew }, { otherTerms }] = await Promise.all([
    import('../../ledger/budgets/make-missing.ts'),
    import('../../ledger/present.ts'),
    import('../../ledger/terms-codec.ts'),
  ]);
  const missing = await missingOf(location.store, ledgers);
  if ('kind' in missing) throw ledgerError(missing.fault, missing.ledger ?? '--budgets');
  const all: Present[] = [];
  for (const ledger of ledgers) {
    const { name, line } = ledger;
    if (missing.includes(name)) {
      all.push(presentOfNew(headerFor(ledger, { version, at: null })));
      continue;
    }
    const present = await presentAtHome(name, location);
    const other = otherTerms(present.header.terms, line.terms);
    if (other !== null) throw ledgerError(other, name);
    all.push(present);
  }
  return { all, missing };
}

/** Several ledgers as they are, no two of them the same. */
async function presentOfNamed(names: readonly string[], location: OpenStore): Promise<readonly Present[]> {
  const all: Present[] = [];
  for (const name of names) {
    const present = await presentAtHome(name, location);
    const same = all.findIndex(({ hash }) => hash === present.hash);
    if (same >= 0) throw ledgerError({ code: 'same-ledger', other: names[same] ?? '' }, name);
    all.push(present);
  }
  return all;
}

/** Ends the command where the clock is behind a ledger to which something would be added. */
async function requireClock(parts: readonly LedgerDecision[], now: string): Promise<void> {
  if (parts.some(({ decision }) => decision.kind !== 'accepted')) return;
  const { clockFault } = await import('../../ledger/prepare.ts');
  for (const { file, before } of parts) {
    const behind = clockFault([[before.at, before.records]], now);
    if (behind !== null) throw ledgerError(behind.fault, file);
  }
}

/** `dpcompose ledger check`: what `spend` would say now. */
export const checkCommand = ledgerCommand({
  name: 'check',
  summary: 'dry run of spend; authorizes nothing',
  about: 'Dry run of spend: prints its answer. Records and authorizes nothing.',
  operands: [PLACES],
  options: { ...inGroup('Launch:', { ...DECLARED, ...EVIDENCED }), ...CHARGED, ...WHERE },
  examples: EXAMPLES,
  async run(run, operands: readonly string[]) {
    const { context } = run;
    const { requested, launchRequest, launch, charged, location, names } = await readChargedRequest(
      run,
      operands,
      'ledger check',
    );
    const { all, missing } =
      charged === null
        ? { all: await presentOfNamed(names, location), missing: [] }
        : await presentOfCharged(charged, location, context.version);
    const { decideDry } = await import('../../ledger/spend-in.ts');
    const parts: LedgerDecision[] = [];
    const now = context.now().toISOString();
    for (const [i, before] of all.entries()) {
      const file = names[i] ?? '';
      const { terms } = before.header;
      const isOneOf = names.length > 1;
      checkNeighbours(requested, terms.neighbours, isOneOf ? file : undefined);
      await requireCovered(requested, [{ terms, file, isOneOf }]);
      parts.push({ file, before, decision: decideDry(before, launchRequest, now), record: null, again: false });
    }
    await requireClock(parts, now);
    return await decisionsResult(
      { command: 'check', request: launchRequest, parts, settled: 'none', made: missing, charged, launch },
      run,
    );
  },
});
