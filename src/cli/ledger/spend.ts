import { Command } from 'commander';
import type { LaunchOptions } from '../../ledger/journal/launch.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { tellAnswer, tellAnswers, tellDenied, type AskedLedger } from './answer.ts';
import { readCharged, withBudgets, type BudgetsFlags, type Charged } from './kit/budgets-option.ts';
import {
  readEvidence,
  withEvidence,
  type EvidenceFlags,
  checkNeighbours,
  mayNotFit,
  readMechanisms,
  withDocument,
  type MechanismFlags,
  type Requested,
  placesArgument,
  placesOf,
} from './kit/mechanisms.ts';
import { answeredPart, openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { withPrintOptions, openStoreOf, storeToName, type OpenStore, type StoreFlags } from './kit/store-option.ts';

type SpendFlags = MechanismFlags & EvidenceFlags & BudgetsFlags & WriteFlags & PrintFlags & StoreFlags;

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

/** `dpcompose ledger spend`: the only thing that authorises. */
export function spendCommand(context: Context): Command {
  const command = new Command('spend')
    .summary('record mechanisms, if the budget allows them: this authorises')
    .description('Records mechanisms if the budget allows them. Only this and commit authorise.')
    .addArgument(placesArgument())
    .optionsGroup('What is launched:');
  withEvidence(withDocument(command, 'a mechanism (repeatable)').option('--label <TEXT>', 'what it is for'));
  return withPrintOptions(withWriteOptions(withBudgets(command)))
    .addHelpText('after', EXAMPLES)
    .action(async (operands: readonly string[], flags: SpendFlags) => {
      context.ends(await spend(operands, flags, context));
    });
}

/** The terms of the ledgers, as far as what is asked for may not be for them. Throws where it is for other neighbours. */
async function fittingLedgers(requested: Requested, names: readonly string[], desk: OpenStore): Promise<AskedLedger[]> {
  if (!mayNotFit(requested)) return [];
  const { readPresent } = await import('../../ledger/journal/present.ts');
  const isOneOf = names.length > 1;
  const ledgers: AskedLedger[] = [];
  for (const file of names) {
    const { terms } = succeeded(await readPresent(desk.store, file), desk.named(file)).header;
    checkNeighbours(requested, terms.neighbours, isOneOf ? file : undefined);
    ledgers.push({ terms, file, isOneOf });
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

async function spend(operands: readonly string[], flags: SpendFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const { files, source } = placesOf(operands, flags, errors);
  const options = readWriteOptions(flags, context, errors);
  const charged = await readCharged(flags, errors, io);
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger spend', io);
  if (typeof requested === 'number') return requested;
  await using desk = await openStoreOf(flags, io, charged === null ? {} : { otherwise: '.' });
  const names = charged === null ? files : charged.ledgers.map(({ name }) => name);
  const put = await openBeside(names.map(desk.named), flags, io);
  for (const each of charged?.ledgers ?? []) checkNeighbours(requested, each.line.terms.neighbours, each.name);
  const ledgers =
    charged === null
      ? await fittingLedgers(requested, names, desk)
      : charged.ledgers.map(({ name, line: { terms } }) => ({ terms, file: name, isOneOf: true }));
  const refused = await tellDenied(requested, ledgers, flags, context);
  if (refused !== null) return refused;
  const made = charged === null ? [] : await makeCharged(charged, options, desk, version);
  const { launchIn } = await import('../../ledger/journal/launch.ts');
  const asked = { entries: requested.entries, evidence };
  const terms = charged?.ledgers.map(({ line }) => line.terms);
  const first = desk.named(names[0] ?? '');
  const launched = await launchIn(desk.store, names, asked, { ...options, terms });
  const { value, records, settled } = succeeded(launched, first);
  const parts = value.map((each, i) => answeredPart(names[i] ?? '', each, records[i]));
  await tellSettled(settled, names.length > 1 ? { file: 'one of the ledgers' } : first, flags, io);
  const [part, ...others] = parts;
  if (part === undefined) throw new Error('A ledger was asked, and none has answered.');
  if (charged === null && others.length === 0) {
    return await tellAnswer({ command: 'spend', asked, ...part, settled }, put, flags, context);
  }
  const caveats =
    charged === null ? [] : (await import('../../ledger/budgets/budgets.ts')).caveatsOfBudgets(charged.budgets);
  const store = charged === null ? null : storeToName(flags, io);
  return await tellAnswers({ command: 'spend', asked, parts, settled, made, caveats, store }, put, flags, context);
}
