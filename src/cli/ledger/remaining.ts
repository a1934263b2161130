import { Command, Option } from 'commander';
import type { Refusal } from '../../ledger/core/refusal.ts';
import type { Remaining, RemainingQuestion } from '../../ledger/remaining.ts';
import type { LedgerState } from '../../ledger/core/state.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import { ownMechanism } from '../../report/ledger/left-text.ts';
import { remainingJson, remainingText, type RemainingRow } from '../../report/ledger/remaining.ts';
import { standstillText } from '../../report/ledger/standstill.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import { repeatable } from '../kit/repeatable.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal } from './answer.ts';
import { readMechanisms, withMechanisms, type MechanismFlags } from './kit/mechanisms.ts';
import { readOpenMechanism, type NextQuestion } from './kit/open-mechanism.ts';
import { isCopy } from './kit/is-copy.ts';
import { openBeside, succeeded } from './kit/named-ledger.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { openStoreOf, type StoreFlags } from './kit/store-option.ts';

interface RemainingFlags extends MechanismFlags, PrintFlags, StoreFlags {
  readonly next?: readonly string[];
}

const EXAMPLES = `
--next takes a mechanism without the parameter that is asked for: the epsilon of
dp, bounded-range or rdp, the rho of zcdp, the mu of gdp, the scale of laplace
or discrete-laplace, the sigma of gaussian or discrete-gaussian.

Examples:
  dpcompose ledger remaining budget.jsonl
  dpcompose ledger remaining budget.jsonl --next dp --next laplace:sensitivity=2
  dpcompose ledger remaining budget.jsonl -m dp:epsilon=0.01 --json`;

/** `dpcompose ledger remaining`: what may still be launched. */
export function remainingCommand(context: Context): Command {
  const command = new Command('remaining')
    .summary('what may still be launched: the largest next one, or how many')
    .description('Tells what may still be launched, which "spend" would grant as things stand.')
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What is asked:')
    .addOption(
      repeatable(
        new Option('--next <TYPE[:key=value,...]>', 'the largest next parameter; of noise the smallest (repeatable)'),
      ),
    );
  return withPrintOptions(withMechanisms(command, 'how many more of this mechanism (repeatable)'))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: RemainingFlags) => {
      context.ends(await remaining(file, flags, context));
    });
}

/** The default question beside the remaining budget: the largest next mechanism of the rule's own kind. */
function usual(state: LedgerState): readonly NextQuestion[] {
  const mechanism = ownMechanism(state);
  return mechanism === null ? [] : [{ mechanism, kind: 'noninteractive' }];
}

const isUsedUp = ({ code }: Refusal): boolean =>
  code === 'insufficient-budget' || code === 'count-limit' || code === 'halted';

async function remaining(file: string, flags: RemainingFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const next = (flags.next ?? []).map((text) => readOpenMechanism(text, errors));
  const requested =
    flags.mechanism === undefined ? null : await readMechanisms(undefined, flags, errors, 'ledger check', io);
  if (typeof requested === 'number') return requested;
  const sizes = requested?.entries ?? [];
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const [{ readPresent, presentAt }, { remaining }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/remaining.ts'),
  ]);
  const present = presentAt(succeeded(await readPresent(ledger.store, file), ledger), context.now().toISOString());
  const { state } = present;
  const isUsual = next.length + sizes.length === 0;
  const questions: RemainingQuestion[] = [
    ...(isUsual && state.rule.left(state.spent) !== null ? [{ form: 'left' as const }] : []),
    ...(isUsual ? usual(state) : next.filter((each) => each !== null)).map((each) => ({
      form: 'next' as const,
      ...each,
    })),
    ...sizes.map((entry) => ({ form: 'how-many' as const, entry })),
  ];
  if (questions.length === 0) questions.push({ form: 'left' });
  const rows: RemainingRow[] = [];
  for (const question of questions) {
    const found = remaining(state, question);
    if (!('refusal' in found)) rows.push(rowOf(question, found));
    else if (question.form === 'next' && isUsedUp(found.refusal)) rows.push({ asked: question.mechanism, found: null });
    else return await tellLedgerRefusal(found.refusal, flags, context, { file });
  }
  const standstill = standstillText(present, await isCopy(ledger));
  const put = await openBeside([ledger], flags, io);
  const text = (width: number): string =>
    flags.json === true
      ? remainingJson(present, rows, { file, standstill }, version)
      : remainingText(rows, width, standstill);
  await put?.(text((await layoutFor(flags, io)).width));
  return EXIT.done;
}

function rowOf(question: RemainingQuestion, found: Remaining): RemainingRow {
  const asked: RemainingRow['asked'] | Entry =
    question.form === 'left' ? null : question.form === 'next' ? question.mechanism : question.entry;
  // The answer has the form of the question.
  return { asked, found } as RemainingRow;
}
