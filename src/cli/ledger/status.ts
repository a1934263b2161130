import type { Stand } from '../../ledger/journal/rollup.ts';
import type { Store } from '../../ledger/journal/store.ts';
import { notAtHome } from '../../ledger/journal/verify.ts';
import { charactersFor } from '../kit/characters.ts';
import type { Context } from '../kit/context.ts';
import type { Io } from '../kit/io.ts';
import { inGroup, textOption } from '../kit/option.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { loadBudgets } from './kit/budgets-option.ts';
import { ledgerCommand, type Run, type Said } from './kit/ledger-command.ts';
import { eachListed, eachNamed, succeeded, type Named } from './kit/named-ledger.ts';
import { LEDGERS, requireLedgers, WHERE } from './kit/store-option.ts';
import { firstQuestion, lossOf, QUESTIONS, readQuestions, remainingOf, type Questions } from './status-questions.ts';

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

/** Whether block characters are shown: on a terminal whose locale is in UTF-8. */
function showsBlocks({ stdout, env }: Io, { output }: PrintFlags): boolean {
  const toTerminal = stdout.isTTY === true && (output === undefined || output === '-');
  return toTerminal && charactersFor(env) === 'unicode';
}

/** Whether the last record of a ledger was written in another place. */
async function isCopy(ledger: Named): Promise<boolean> {
  const { store, file } = ledger;
  const away = await notAtHome(store, file, succeeded(await store.ends(file), ledger));
  return away?.fault.code === 'moved';
}

/** Says of each line of a file of budgets what it guarantees, by which theorem, and what is not guaranteed. */
async function statusOfBudgets(file: string, io: Io): Promise<Said> {
  const budgets = await loadBudgets(file, [], io);
  const { budgetsJson, budgetsText } = await import('../../report/ledger/budgets.ts');
  return {
    json: (version) => budgetsJson(budgets, file, version),
    text: ({ width }) => budgetsText(budgets, width),
  };
}

async function statusOfOne(
  ledger: Named,
  questions: Questions,
  flags: PrintFlags,
  { io, now }: Context,
): Promise<Said> {
  const { file } = ledger;
  const [{ foldOf }, { presentAt }, { ITEMS }, { standstillText }, { statusJson, statusReport }] = await Promise.all([
    import('../../ledger/journal/history.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../report/ledger/items.ts'),
    import('../../report/ledger/ledger-text.ts'),
    import('../../report/ledger/status.ts'),
  ]);
  const found = succeeded(await foldOf(ledger.store, file, ITEMS), ledger);
  const present = presentAt(found.present, now().toISOString());
  const rows = await remainingOf(ledger, present, questions);
  const isLossAsked = questions.query !== null || questions.distance !== undefined;
  const loss = isLossAsked ? await lossOf(ledger, present, questions) : undefined;
  const standstill = standstillText(present, await isCopy(ledger));
  const answers = { standstill, ...(rows.length > 0 && { remaining: rows }), ...(loss && { loss }) };
  const folded = { ...found, present };
  return {
    json: (version) => statusJson(folded, file, answers, version),
    text: (layout) => statusReport(folded, file, { ...layout, blocks: showsBlocks(io, flags) }, answers),
  };
}

/** Where ledgers stand, by their two ends. */
async function standsOf(store: Store, files: readonly string[] | null): Promise<readonly Stand[]> {
  const [{ presentOf }, { resumingMany }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/open.ts'),
  ]);
  const resuming = resumingMany();
  const stands: Stand[] = [];
  for await (const { name, ends } of files === null ? eachListed(store) : eachNamed(store, files)) {
    if (ends.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: ends.fault });
      continue;
    }
    const present = presentOf(ends, resuming);
    if (present.kind === 'failed') {
      stands.push({ name, kind: 'fault', fault: present.fault });
      continue;
    }
    const away = await notAtHome(store, name, ends);
    stands.push({ name, kind: 'stands', present, isCopy: away?.fault.code === 'moved' });
  }
  return stands;
}

/** Where ledgers stand; all of the store where `files` is null. */
async function statusOfAll(files: readonly string[] | null, run: Pick<Run, 'open' | 'place'>): Promise<Said> {
  const { store, named } = await run.open();
  const stands = await standsOf(store, files);
  const [{ rolledUp }, { standingJson, standingTable }] = await Promise.all([
    import('../../ledger/journal/rollup.ts'),
    import('../../report/ledger/standing-rows.ts'),
  ]);
  const report = { store: store.address, placed: rolledUp(stands) };
  await run.place(stands.map(({ name }) => named(name)));
  return { json: (version) => standingJson(report, version), text: (layout) => standingTable(report, layout) };
}

/** `dpcompose ledger status`: where a ledger stands. */
export const statusCommand = ledgerCommand({
  name: 'status',
  summary: 'the budget, what was spent on what, and what is left',
  about: 'Shows the budget as a bar, what was spent on what, and what is left, in words.',
  operands: [LEDGERS],
  options: {
    ...QUESTIONS,
    ...inGroup('In place of ledgers:', {
      budgets: textOption(
        '--budgets <FILE>',
        'what the lines of a file of budgets guarantee, by which theorem, and what not',
      ),
    }),
    ...WHERE,
  },
  examples: EXAMPLES,
  async run(run, files: readonly string[]) {
    const { flags, errors, context } = run;
    const { io } = context;
    const [file] = files;
    const isOne = file !== undefined && files.length === 1;
    const question = firstQuestion((name) => run.isTyped(name));
    if (flags.budgets !== undefined && (file ?? question) !== undefined) {
      const hint = 'Ask for one after the other.';
      errors.push({ code: 'conflicting-options', path: '--budgets', message: 'stands beside ledgers', hint });
    } else if (question !== undefined && !isOne) {
      const hint = 'Name one ledger.';
      errors.push({ code: 'conflicting-options', path: question, message: 'is asked of one ledger', hint });
    }
    if (flags.budgets === undefined) requireLedgers(files, flags, io, errors);
    else if (errors.length === 0) return await statusOfBudgets(flags.budgets, io);
    const questions = await readQuestions(flags, errors, io);
    if (isOne) return await statusOfOne(await run.ledger(file), questions, flags, context);
    run.check();
    return await statusOfAll(files.length === 0 ? null : files, run);
  },
});
