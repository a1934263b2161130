import { Command } from 'commander';
import type { Stand } from '../../ledger/journal/rollup.ts';
import type { InputError } from '../../document/core/specification.ts';
import { charactersFor } from '../kit/characters.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor, openDestination } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { Io } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal } from './answer.ts';
import { loadBudgets } from './kit/budgets-option.ts';
import { eachListed, openBeside, succeeded, type Named } from './kit/named-ledger.ts';
import {
  withPrintOptions,
  ALL_OF_STORE,
  openStoreOf,
  requireLedgers,
  type OpenStore,
  type StoreFlags,
} from './kit/store-option.ts';
import {
  firstQuestion,
  lossOf,
  readQuestions,
  remainingOf,
  withQuestions,
  type QuestionFlags,
  type Questions,
} from './status-questions.ts';
import { notAtHome } from '../../ledger/journal/whereabouts.ts';

/** Whether the last record of a ledger was written in another place. */
export async function isCopy(ledger: Named): Promise<boolean> {
  const { store, file } = ledger;
  const away = await notAtHome(store, file, succeeded(await store.ends(file), ledger));
  return away?.fault.code === 'moved';
}

interface StatusFlags extends QuestionFlags, StoreFlags {
  readonly budgets?: string;
}

const EXAMPLES = `
Of several ledgers, or of all of a store, one line each, those that were paid
for by another one under it.
--next takes a mechanism without the parameter that is asked for: the epsilon of
dp, bounded-range or rdp, the rho of zcdp, the mu of gdp, the scale of laplace
or discrete-laplace, the sigma of gaussian or discrete-gaussian.
The loss changes when a mechanism is launched. What a filter guarantees is its
budget; the loss of an odometer means something only against a threshold that
was fixed before the first launch. A loss of several numbers, as of rdp-curve or
a rule with a delta that grows, is not converted: only the budget can be then.

Examples:
  dpcompose ledger status budget.jsonl
  dpcompose ledger status budget.jsonl --json | jq .left
  dpcompose ledger status budget.jsonl --next dp --next laplace:sensitivity=2
  dpcompose ledger status budget.jsonl -m dp:epsilon=0.01
  dpcompose ledger status budget.jsonl --at-delta 1e-6   as (epsilon, 1e-6)-DP
  dpcompose ledger status count.jsonl --distance 3       data 3 times as far
  dpcompose ledger status --store budgets
  dpcompose ledger status --budgets budgets.yaml         what these guarantee`;

/** `dpcompose ledger status`: where a ledger stands. */
export function statusCommand(context: Context): Command {
  const command = new Command('status')
    .summary('the budget, what was spent on what, and what is left')
    .description('Shows the budget as a bar, what was spent on what, and what is left, in words.')
    .argument('[FILE...]', ALL_OF_STORE);
  withQuestions(command)
    .optionsGroup('In place of ledgers:')
    .option('--budgets <FILE>', 'what the lines of a file of budgets guarantee, by which theorem, and what not');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: StatusFlags) => {
      context.ends(await status(files, flags, context));
    });
}

async function status(files: readonly string[], flags: StatusFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const [file] = files;
  const isOne = file !== undefined && files.length === 1;
  const question = firstQuestion(flags);
  if (flags.budgets !== undefined && (file ?? question) !== undefined) {
    const hint = 'Ask for one after the other.';
    errors.push({ code: 'conflicting-options', path: '--budgets', message: 'stands beside ledgers', hint });
  } else if (question !== undefined && !isOne) {
    const hint = 'Name one ledger.';
    errors.push({ code: 'conflicting-options', path: question, message: 'is asked of one ledger', hint });
  }
  if (flags.budgets === undefined) requireLedgers(files, flags, io, errors);
  else if (errors.length === 0) return await statusOfBudgets(flags.budgets, flags, context);
  const questions = await readQuestions(flags, errors, io);
  if (typeof questions === 'number') return questions;
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  if (isOne) return await statusOfOne(desk.named(file), questions, flags, context);
  return await statusOfAll(desk, files.length === 0 ? null : files, flags, context);
}

/** Says of each line of a file of budgets what it guarantees, by which theorem, and what is not guaranteed. */
async function statusOfBudgets(file: string, flags: PrintFlags, { io, version }: Context): Promise<number> {
  const read = await loadBudgets(file, [], io);
  const put = await openDestination(flags, io);
  if (put === null) return EXIT.done;
  const { budgetsJson, budgetsText } = await import('../../report/ledger/budgets.ts');
  await put(
    flags.json === true ? budgetsJson(read, file, version) : budgetsText(read, (await layoutFor(flags, io)).width),
  );
  return EXIT.done;
}

/** Whether block characters are shown: on a terminal whose locale is in UTF-8. */
function showsBlocks({ stdout, env }: Io, { output }: PrintFlags): boolean {
  const toTerminal = stdout.isTTY === true && (output === undefined || output === '-');
  return toTerminal && charactersFor(env) === 'unicode';
}

async function statusOfOne(ledger: Named, questions: Questions, flags: StatusFlags, context: Context): Promise<number> {
  const { file } = ledger;
  const { io, version, now } = context;
  const [{ foldOf }, { presentAt }, { ITEMS }, { standstillText }] = await Promise.all([
    import('../../ledger/journal/fold.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../report/ledger/items.ts'),
    import('../../report/ledger/ledger-text.ts'),
  ]);
  const found = succeeded(await foldOf(ledger.store, file, ITEMS), ledger);
  const present = presentAt(found.present, now().toISOString());
  const rows = await remainingOf(present, questions);
  if ('refusal' in rows) return await tellLedgerRefusal(rows.refusal, flags, context, { file });
  const isLossAsked = questions.query !== null || questions.distance !== undefined;
  const loss = isLossAsked ? await lossOf(ledger, present, questions) : undefined;
  if (loss !== undefined && 'refusal' in loss) return await tellLedgerRefusal(loss.refusal, flags, context, { file });
  const standstill = standstillText(present, await isCopy(ledger));
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { statusJson, statusReport } = await import('../../report/ledger/status.ts');
  const answers = { standstill, ...(rows.length > 0 && { remaining: rows }), ...(loss && { loss }) };
  const folded = { ...found, present };
  const layout = { ...(await layoutFor(flags, io)), blocks: showsBlocks(io, flags) };
  await put(
    flags.json === true ? statusJson(folded, file, answers, version) : statusReport(folded, file, layout, answers),
  );
  return EXIT.done;
}

async function* named({ store, named }: OpenStore, files: readonly string[]) {
  for (const name of files) yield { name, ends: succeeded(await store.ends(name), named(name)) };
}

/** Where ledgers stand, by their two ends. */
async function standsOf(desk: OpenStore, files: readonly string[] | null): Promise<readonly Stand[]> {
  const [{ presentOf }, { resumingMany }, { notAtHome }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/open.ts'),
    import('../../ledger/journal/whereabouts.ts'),
  ]);
  const resuming = resumingMany();
  const stands: Stand[] = [];
  for await (const { name, ends } of files === null ? eachListed(desk.store) : named(desk, files)) {
    if (ends.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: ends.fault });
      continue;
    }
    const present = presentOf(ends, resuming);
    if (present.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: present.fault });
      continue;
    }
    const away = await notAtHome(desk.store, name, ends);
    stands.push({ name, kind: 'stands', present, isCopy: away?.fault.code === 'moved' });
  }
  return stands;
}

/** Shows where ledgers stand; all of the store where `files` is null. */
async function statusOfAll(
  desk: OpenStore,
  files: readonly string[] | null,
  flags: PrintFlags,
  { io, version }: Context,
): Promise<number> {
  const stands = await standsOf(desk, files);
  const { rolledUp } = await import('../../ledger/journal/rollup.ts');
  const report = { store: desk.store.address, placed: rolledUp(stands) };
  const put = await openBeside(
    stands.map(({ name }) => desk.named(name)),
    flags,
    io,
  );
  if (put === null) return EXIT.done;
  const { standingJson, standingTable } = await import('../../report/ledger/standing-rows.ts');
  await put(flags.json === true ? standingJson(report, version) : standingTable(report, await layoutFor(flags, io)));
  return EXIT.done;
}
