import type { RecordOptions } from '../../ledger/spend-in.ts';
import type { ChargedLedger } from '../../ledger/budgets/make-missing.ts';
import { decisionsResult, requireCovered, type TargetLedger } from './answer.ts';
import { CHARGED, readChargedRequest, type ChargedBudgets } from './kit/budgets-option.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { checkNeighbours, mayNotFit, PLACES, REQUESTED, type Requested } from './kit/mechanisms.ts';
import { ledgerDecision, ledgerError, orThrow, WHERE, type OpenStore } from './kit/store-option.ts';
import { RECORD, recordOptions } from './kit/write-options.ts';

const EXAMPLES = `
One command grants all of its mechanisms in all named ledgers, or nothing.
The record is durable before the answer. Run the mechanisms after exit code 0,
and only then. Exit code 1 means denied: the ledgers are unchanged, unless one
halts on excess. With exit code 74, a record may exist and count; the message
tells.
With --budgets, missing ledgers are created in the folder or store of --store.
To write mechanisms, see "dpcompose help mechanisms".

Examples:
  dpcompose ledger spend budget.jsonl -m dp:epsilon=0.1,count=5 --label "visits"
  dpcompose ledger spend team.jsonl clinic.jsonl release.json
  dpcompose ledger spend --budgets budgets.yaml --for analyst=ann \\
      --for day=2026-03-02 -m dp:epsilon=0.1`;

/** The terms of the ledgers, as far as what is asked for may not be for them. Throws where it is for other neighbours. */
async function fittingLedgers(
  requested: Requested,
  names: readonly string[],
  charged: ChargedBudgets | null,
  location: OpenStore,
): Promise<readonly TargetLedger[]> {
  const ledgers: TargetLedger[] = [];
  if (charged !== null) {
    for (const { name, line } of charged.ledgers) ledgers.push({ terms: line.terms, file: name, isOneOf: true });
  } else if (mayNotFit(requested)) {
    const { readPresent } = await import('../../ledger/present.ts');
    for (const file of names) {
      const { terms } = orThrow(await readPresent(location.store, file), location.ledgerNamed(file)).header;
      ledgers.push({ terms, file, isOneOf: names.length > 1 });
    }
  }
  for (const { terms, file, isOneOf } of ledgers) {
    checkNeighbours(requested, terms.neighbours, isOneOf === true ? file : undefined);
  }
  return ledgers;
}

/** The ledgers of budgets that are missing, as they would be made. */
async function missingIn({ ledgers }: ChargedBudgets, { patience, expect }: RecordOptions, location: OpenStore) {
  const { missingSoon } = await import('../../ledger/budgets/make-missing.ts');
  const names = await missingSoon(location.store, ledgers, patience);
  if ('kind' in names) throw ledgerError(names.fault, names.ledger ?? '--budgets');
  const [first] = ledgers;
  // Only what is there ends in a hash.
  if (expect !== undefined && names.includes(first!.name)) {
    orThrow(await location.store.ends(first!.name), { file: first!.name });
  }
  return ledgers.filter(({ name }) => names.includes(name));
}

/** `dpcompose ledger spend`: the only thing that authorises. */
export const spendCommand = ledgerCommand({
  name: 'spend',
  summary: 'charge mechanisms; authorizes',
  about: 'Charges mechanisms to the budget, or denies them. Only spend and commit authorize.',
  operands: [PLACES],
  options: { ...REQUESTED('Launch:', 'purpose, for people to read'), ...CHARGED, ...RECORD, ...WHERE },
  examples: EXAMPLES,
  async run(run, operands: readonly string[]) {
    const options = recordOptions(run);
    const { requested, launchRequest, launch, charged, location, names } = await readChargedRequest(
      run,
      operands,
      'ledger spend',
    );
    await requireCovered(requested, await fittingLedgers(requested, names, charged, location));
    const [{ spendIn }, { presentOfNew }, { headerFor, makeAll }] = await Promise.all([
      import('../../ledger/spend-in.ts'),
      import('../../ledger/present.ts'),
      import('../../ledger/budgets/make-missing.ts'),
    ]);
    const noted = { version: run.context.version, at: options.at ?? null };
    const first = location.ledgerNamed(names[0] ?? '');
    const which = names.length > 1 ? { file: 'one of the ledgers' } : first;
    const ask = async (there: readonly string[], missing: readonly ChargedLedger[]) => {
      const terms = charged?.ledgers.filter(({ name }) => there.includes(name)).map(({ line }) => line.terms);
      const absent = missing.map((ledger) => presentOfNew(headerFor(ledger, noted)));
      const launched = await spendIn(location.store, there, launchRequest, { ...options, terms, absent });
      const { value, records, settled } = await run.settled(launched, first, which);
      const all = [...there, ...missing.map(({ name }) => name)];
      const parts = value.map((result, i) => ledgerDecision(all[i] ?? '', result, records[i]));
      return { parts: parts.sort((a, b) => names.indexOf(a.file) - names.indexOf(b.file)), settled };
    };
    const report = { command: 'spend' as const, request: launchRequest, charged, launch };
    const missing = charged === null ? [] : await missingIn(charged, options, location);
    if (missing.length > 0) {
      const there = names.filter((name) => missing.every((ledger) => ledger.name !== name));
      const tried = await ask(there, missing);
      const isGranted = tried.parts.every(({ decision }) => decision.kind === 'accepted');
      if (!isGranted) return await decisionsResult({ ...report, ...tried, made: [] }, run);
    }
    const { newNames } = orThrow(await makeAll(location.store, missing, noted), { file: '--budgets' });
    return await decisionsResult({ ...report, ...(await ask(names, [])), made: newNames }, run);
  },
});
