import { Command } from 'commander';
import type { Refused, LedgerState } from '../../ledger/core/state.ts';
import type { Opened } from '../../ledger/open.ts';
import type { Budgets, RuleId } from '../../ledger/core/terms.ts';
import { madeJson, madeText } from '../../report/ledger/status.ts';
import { refusalText } from '../../report/ledger/refusal-message.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal } from './answer.ts';
import { deliver, recordedText, faultFailure, openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import { readId, readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { withPrintOptions, openStoreOf, type StoreFlags } from './kit/store-option.ts';
import { AMOUNT_NAMES, optionOf, readBudget, withBudgetOptions } from './kit/amount-flags.ts';
import {
  givenTerms,
  readConversions,
  readOnExcess,
  termsHelp,
  withTerms,
  type GivenTerms,
  type TermsFlags,
} from './kit/terms-flags.ts';

interface ConvertFlags extends TermsFlags, WriteFlags, PrintFlags, StoreFlags {
  readonly id?: string;
}

const KEYS = ['on-excess', 'conversions', 'orders'] as const;

const EXAMPLES = `${termsHelp(KEYS)}
A budget is a guarantee only if it was fixed before the first launch, or does
not depend on what was seen. A filter becomes an odometer only if it was made
with --terms conversions=allowed.

Examples:
  dpcompose ledger convert count.jsonl budget.jsonl --rho 0.05
  dpcompose ledger convert budget.jsonl count.jsonl`;

/** `dpcompose ledger convert`: an odometer with a budget from now on, or a filter whose budget is not enforced any more. */
export function convertCommand(context: Context): Command {
  const command = new Command('convert')
    .summary('give an odometer a budget, or take it from a filter')
    .description(
      'Ends a ledger and makes the one that it becomes, with the same rule and what was spent: of an odometer a filter with a budget, of a filter an odometer without.',
    )
    .argument('<FILE>', 'the odometer, or the filter')
    .argument('<NEW>', 'the ledger to make')
    .optionsGroup('The budget that an odometer gets:');
  withTerms(withBudgetOptions(command)).option('--id <TEXT>', 'a name that no other ledger has (a random one)');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, heir: string, flags: ConvertFlags) => {
      context.ends(await convert(file, heir, flags, context));
    });
}

type Become = (state: LedgerState) => Opened | Refused;

/** The conversion of a ledger: of an odometer to a filter, with a budget of its rule; of anything else to an odometer. */
async function becomeOf(
  { terms }: LedgerState,
  flags: ConvertFlags,
  given: GivenTerms,
  errors: InputError[],
): Promise<Become> {
  if (terms.mode !== 'odometer') {
    const amount = AMOUNT_NAMES.find((name) => given[name] !== undefined);
    const term = KEYS.find((key) => flags.terms?.some((text) => text.startsWith(`${key}=`)) === true);
    const flag = amount === undefined ? term && `--terms ${term}` : optionOf(amount);
    if (flag !== undefined) {
      const hint = `Leave it out: a ${terms.mode} is not given a budget.`;
      errors.push({ code: 'conflicting-options', path: flag, message: 'is for odometers', hint });
    }
    return (await import('../../ledger/conversions.ts')).toOdometer;
  }
  const { toFilter } = await import('../../ledger/conversions.ts');
  const onExcess = readOnExcess(given, errors);
  const { conversions } = readConversions(given, errors);
  const { rule } = terms;
  const budget = readBudget(rule, given, errors) as Budgets[RuleId];
  return (state) => toFilter(state, rule.id, budget, onExcess, conversions);
}

async function convert(file: string, heir: string, flags: ConvertFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  const given = givenTerms(flags, errors, KEYS);
  const id = readId(flags.id, errors);
  await using desk = await openStoreOf(flags, io);
  const [ledger, made] = [desk.named(file), desk.named(heir)];
  const [{ readPresent }, { convertIn }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/journal/succession.ts'),
  ]);
  const { state } = succeeded(await readPresent(ledger.store, file), ledger);
  const become = await becomeOf(state, flags, given, errors);
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
    command: state.terms.mode === 'odometer' ? ('to-filter' as const) : ('to-odometer' as const),
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
  const hint = 'See what was spent with "ledger status", and give a budget that is not below it.';
  throw new UsageError([{ code: refusal.code, path: file, message, hint }], { exit: EXIT.no });
}
