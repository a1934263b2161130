import type { LaunchOptions } from '../../ledger/journal/launch.ts';
import type { Asked } from '../../ledger/records/record.ts';
import { answersOf, requireCovered, type AskedLedger } from './answer.ts';
import { CHARGED, readAsked, type Charged } from './kit/budgets-option.ts';
import { ledgerCommand, type Run } from './kit/ledger-command.ts';
import { checkNeighbours, mayNotFit, PLACES, REQUESTED, type Requested } from './kit/mechanisms.ts';
import { answeredPart, faultFailure, succeeded, WHERE, type OpenStore } from './kit/store-option.ts';
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

type Answers = Pick<Parameters<typeof answersOf>[0], 'parts' | 'settled' | 'made'>;

const BUDGETS = { file: '--budgets' };

/** Makes the ledgers of budgets that are missing, if none refuses; their names, or else the answers. */
async function makeCharged(
  { ledgers }: Charged,
  asked: Asked,
  options: LaunchOptions,
  { desk, run }: { readonly desk: OpenStore; readonly run: Pick<Run, 'context' | 'settled'> },
): Promise<readonly string[] | Answers> {
  const [{ missingSoon, headerFor, makeAll }, { presentOfNew }, { launchIn }] = await Promise.all([
    import('../../ledger/budgets/make-missing.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../ledger/journal/launch.ts'),
  ]);
  const { store } = desk;
  const names = await missingSoon(store, ledgers, options.patience);
  if ('kind' in names) throw faultFailure(names.fault, names.ledger ?? BUDGETS.file);
  if (names.length === 0) return [];
  const [missing, there] = [true, false].map((is) => ledgers.filter(({ name }) => names.includes(name) === is));
  const noted = { version: run.context.version, at: options.at ?? null };
  const first = desk.named(ledgers[0]!.name);
  // The hash that it is to end in is that of the first ledger.
  if (options.expect !== undefined && names.includes(first.file)) succeeded(await store.ends(first.file), first);
  const tried = await launchIn(
    store,
    there!.map(({ name }) => name),
    asked,
    {
      ...options,
      terms: there!.map(({ line }) => line.terms),
      absent: missing!.map((ledger) => presentOfNew(headerFor(ledger, noted))),
    },
  );
  const { value, records, settled } = await run.settled(tried, first, { file: 'one of the ledgers' });
  if (value.every(({ decision }) => decision.kind === 'accepted')) {
    return succeeded(await makeAll(store, missing!, noted), BUDGETS).made;
  }
  const parts = [...there!, ...missing!].map(({ name }, i) => answeredPart(name, value[i]!, records[i]));
  return { parts: ledgers.map(({ name }) => parts.find(({ file }) => file === name)!), settled, made: [] };
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
    const { requested, asked, launch, charged, desk, names } = await readAsked(run, operands, 'ledger spend');
    await requireCovered(requested, await fittingLedgers(requested, names, charged, desk));
    const made = charged === null ? [] : await makeCharged(charged, asked, options, { desk, run });
    const answer = (answers: Answers) => answersOf({ command: 'spend', asked, charged, launch, ...answers }, run);
    if ('parts' in made) return await answer(made);
    const { launchIn } = await import('../../ledger/journal/launch.ts');
    const terms = charged?.ledgers.map(({ line }) => line.terms);
    const first = desk.named(names[0] ?? '');
    const launched = await launchIn(desk.store, names, asked, { ...options, terms });
    const which = names.length > 1 ? { file: 'one of the ledgers' } : first;
    const { value, records, settled } = await run.settled(launched, first, which);
    const parts = value.map((each, i) => answeredPart(names[i] ?? '', each, records[i]));
    return await answer({ parts, settled, made });
  },
});
