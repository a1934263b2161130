import { Command } from 'commander';
import type { Refused } from '../../ledger/core/decision.ts';
import type { Opened } from '../../ledger/open.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import type { Budgets, OnExcess, RuleId } from '../../ledger/core/terms.ts';
import { madeJson, madeText } from '../../report/ledger/opened.ts';
import { refusalText } from '../../report/ledger/refusal-message.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal } from './answer.ts';
import { deliver, recordedText } from './kit/deliver.ts';
import { faultFailure } from './kit/failure.ts';
import { openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import { readId, readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { openStoreOf, type StoreFlags } from './kit/store-option.ts';
import { readBudget, withBudgetOptions, type AmountFlags } from './kit/amount-flags.ts';
import { readWord } from './kit/words.ts';

interface ConvertFlags extends AmountFlags, WriteFlags, PrintFlags, StoreFlags {
  readonly id?: string;
  readonly onExcess?: string;
}

const ID = ['--id <TEXT>', 'a name that no other ledger has (a random one)'] as const;

/** `dpcompose ledger to-filter`: an odometer with a budget from now on. */
export function toFilterCommand(context: Context): Command {
  const command = new Command('to-filter')
    .summary('give an odometer a budget: make the filter that it becomes')
    .description('Ends an odometer, and makes the filter that it becomes: the same rule, what was spent, and a budget.')
    .argument('<FILE>', 'the odometer')
    .argument('<NEW>', 'the file to make')
    .optionsGroup('Its budget:');
  withBudgetOptions(command)
    .optionsGroup('What it is:')
    .option('--on-excess <WHAT>', 'refuse (default) what does not fit and go on, or halt for good')
    .option(...ID);
  return withPrintOptions(withWriteOptions(command))
    .addHelpText(
      'after',
      `
The budget is a guarantee only if it was fixed before the first launch, or does
not depend on what was seen.

Example:
  dpcompose ledger to-filter count.jsonl budget.jsonl --rho 0.05`,
    )
    .action(async (file: string, heir: string, flags: ConvertFlags) => {
      context.ends(await convert('to-filter', file, heir, flags, context));
    });
}

/** `dpcompose ledger to-odometer`: a filter whose budget is not enforced any more. */
export function toOdometerCommand(context: Context): Command {
  const command = new Command('to-odometer')
    .summary('take the budget from a filter: make the odometer that it becomes')
    .description(
      'Ends a filter, and makes the odometer that it becomes: the same rule and what was spent, without a budget.',
    )
    .argument('<FILE>', 'the filter')
    .argument('<NEW>', 'the file to make')
    .optionsGroup('What it is:')
    .option(...ID);
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', '\nExample:\n  dpcompose ledger to-odometer budget.jsonl count.jsonl')
    .action(async (file: string, heir: string, flags: ConvertFlags) => {
      context.ends(await convert('to-odometer', file, heir, flags, context));
    });
}

type Become = (state: LedgerState) => Opened | Refused;

const ON_EXCESS: readonly [OnExcess, ...OnExcess[]] = ['refuse', 'halt'];

/** The conversion of a ledger to a filter or an odometer; the budget is of the ledger's rule. */
async function becomeOf(
  command: 'to-filter' | 'to-odometer',
  { terms }: LedgerState,
  flags: ConvertFlags,
  errors: InputError[],
): Promise<Become> {
  if (command === 'to-odometer') return (await import('../../ledger/to-odometer.ts')).toOdometer;
  const { toFilter } = await import('../../ledger/to-filter.ts');
  const onExcess = readWord('--on-excess', flags.onExcess, ON_EXCESS, errors);
  if (terms.mode === 'compositor') return (state) => toFilter(state, 'pure', {} as Budgets['pure'], onExcess);
  const { rule } = terms;
  // Only an odometer's budget is read: for a filter the refusal comes first.
  const budget = terms.mode === 'odometer' ? readBudget(rule, flags, errors) : {};
  return (state) => toFilter(state, rule.id, budget as Budgets[RuleId], onExcess);
}

async function convert(
  command: 'to-filter' | 'to-odometer',
  file: string,
  heir: string,
  flags: ConvertFlags,
  context: Context,
): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  const id = readId(flags.id, errors);
  await using desk = await openStoreOf(flags, io);
  const [ledger, made] = [desk.named(file), desk.named(heir)];
  const [{ readPresent }, { convertIn }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/journal/succession.ts'),
  ]);
  const { state } = succeeded(await readPresent(ledger.store, file), ledger);
  const become = await becomeOf(command, state, flags, errors);
  if (errors.length > 0) throw new UsageError(errors);
  const inTheWay = await made.store.obstacle(heir);
  if (inTheWay !== null) throw faultFailure(inTheWay.fault, heir);
  const put = await openBeside([ledger, made], flags, io);
  const { value, records, settled } = succeeded(
    await convertIn(ledger.store, file, { name: heir, id }, become, options),
    ledger,
  );
  const [record = null] = records;
  await tellSettled(settled, ledger, flags, io);
  const { decision } = value;
  if (decision.kind === 'ended') {
    const message = `the ledger has ended: it goes on as ${quote(decision.successor.id)}`;
    throw new UsageError([{ code: 'converted', path: file, message, hint: 'Name that ledger.' }], { exit: EXIT.no });
  }
  if (decision.kind === 'refused') return await tellConversionRefused(decision, file, flags, context);
  const report = {
    command,
    file: heir,
    present: succeeded(await readPresent(made.store, heir), made),
    caveats: decision.caveats,
  };
  const width = (await layoutFor(flags, io)).width;
  const written = record && { number: value.before.records + 1, hash: record.hash };
  const text = flags.json === true ? madeJson(report, version) : madeText(report, width);
  await deliver(put, text, written && recordedText(written));
  return EXIT.done;
}

/** Reports that the spending is beyond the budget, or that the ledger cannot be converted as asked. */
async function tellConversionRefused(
  { refusal }: Refused,
  file: string,
  flags: ConvertFlags,
  context: Context,
): Promise<number> {
  if (refusal.code !== 'insufficient-budget' && refusal.code !== 'halted') {
    return await tellLedgerRefusal(refusal, flags, context, { file });
  }
  const { message } = refusalText(refusal);
  const hint = 'See what was spent with "ledger loss", and give a budget that is not below it.';
  throw new UsageError([{ code: refusal.code, path: file, message, hint }], { exit: EXIT.no });
}
