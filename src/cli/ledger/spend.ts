import type { LaunchOptions } from '../../ledger/journal/launch.ts';
import { answersOf, requireCovered, type AskedLedger } from './answer.ts';
import { CHARGED, readAsked, type Charged } from './kit/budgets-option.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { checkNeighbours, mayNotFit, PLACES, REQUESTED, type Requested } from './kit/mechanisms.ts';
import { answeredPart, succeeded, WHERE, type OpenStore } from './kit/store-option.ts';
import { RECORDED, recordedAs } from './kit/write-options.ts';

const EXAMPLES = `
All mechanisms of one command are granted together, or none is; and in all of
the ledgers that are named, or in none. The answer is yes only when it is
written and durable: run the mechanism after exit code 0, and only then. Exit
code 1 is no; the ledgers are then as they were, unless one halts on excess.
With exit code 74 a record may be there that counts all the same, as where only
the answer could not be written; what is said tells which.
With --budgets the ledgers are those of its lines, in the folder or the store of
--store; those that are missing are made. "dpcompose compose --help" says how
mechanisms are written.

Examples:
  dpcompose ledger spend budget.jsonl -m dp:epsilon=0.1,count=5 --label "visits"
  dpcompose ledger spend budget.jsonl release.json
  dpcompose ledger spend team.jsonl clinic.jsonl -m dp:epsilon=0.1
  dpcompose ledger spend --budgets budgets.yaml --for analyst=ann \\
      --for day=2026-03-02 -m dp:epsilon=0.1
  dpcompose ledger spend budget.jsonl -m dp:epsilon=0.1 --json | jq .granted
  dpcompose ledger spend budget.jsonl -m laplace:scale=20 --expect 3fa9c1d2e4b5`;

/** The terms of the ledgers, as far as what is asked for may not be for them. Throws where it is for other neighbours. */
async function fittingLedgers(
  requested: Requested,
  names: readonly string[],
  charged: Charged | null,
  desk: OpenStore,
): Promise<readonly AskedLedger[]> {
  const ledgers: AskedLedger[] = [];
  if (charged !== null) {
    for (const { name, line } of charged.ledgers) ledgers.push({ terms: line.terms, file: name, isOneOf: true });
  } else if (mayNotFit(requested)) {
    const { readPresent } = await import('../../ledger/journal/present.ts');
    for (const file of names) {
      const { terms } = succeeded(await readPresent(desk.store, file), desk.named(file)).header;
      ledgers.push({ terms, file, isOneOf: names.length > 1 });
    }
  }
  for (const { terms, file, isOneOf } of ledgers) {
    checkNeighbours(requested, terms.neighbours, isOneOf === true ? file : undefined);
  }
  return ledgers;
}

/** Makes the ledgers of budgets that are missing; their names. */
async function makeCharged(
  { ledgers }: Charged,
  { patience, at = null }: LaunchOptions,
  desk: OpenStore,
  version: string,
): Promise<readonly string[]> {
  const { makeMissing } = await import('../../ledger/budgets/make-missing.ts');
  const there = await makeMissing(desk.store, ledgers, { patience, at, version });
  return succeeded(there, { file: '--budgets' }).made;
}

/** `dpcompose ledger spend`: the only thing that authorises. */
export const spendCommand = ledgerCommand({
  name: 'spend',
  summary: 'record mechanisms, if the budget allows them: this authorises',
  about: 'Records mechanisms if the budget allows them. Only this and commit authorise.',
  operands: [PLACES],
  options: { ...REQUESTED('What is launched:', 'what it is for'), ...CHARGED, ...RECORDED, ...WHERE },
  examples: EXAMPLES,
  async run(run, operands: readonly string[]) {
    const options = recordedAs(run);
    const { requested, asked, charged, desk, names } = await readAsked(run, operands, 'ledger spend');
    await requireCovered(requested, await fittingLedgers(requested, names, charged, desk));
    const made = charged === null ? [] : await makeCharged(charged, options, desk, run.context.version);
    const { launchIn } = await import('../../ledger/journal/launch.ts');
    const terms = charged?.ledgers.map(({ line }) => line.terms);
    const first = desk.named(names[0] ?? '');
    const launched = await launchIn(desk.store, names, asked, { ...options, terms });
    const which = names.length > 1 ? { file: 'one of the ledgers' } : first;
    const { value, records, settled } = await run.settled(launched, first, which);
    const parts = value.map((each, i) => answeredPart(names[i] ?? '', each, records[i]));
    return await answersOf({ command: 'spend', asked, parts, settled, made, charged }, run);
  },
});
