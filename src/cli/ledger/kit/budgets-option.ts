import { Option, type Command } from 'commander';
import type { Budgets } from '../../../ledger/budgets/budgets.ts';
import type { ChargedLedger, KeyValue } from '../../../ledger/budgets/make-missing.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { repeatable } from '../../kit/repeatable.ts';
import { readGiven, type SourceHints } from '../../kit/source.ts';
import { syntaxNamed, syntaxNameOf } from '../../kit/syntax.ts';
import { UsageError } from '../../kit/usage-error.ts';

/** The options that name ledgers by budgets, as typed. */
export interface BudgetsFlags {
  readonly budgets?: string;
  readonly for?: readonly string[];
}

const FOR = '--for';

/** The options that name ledgers by budgets. */
export const withBudgets = (command: Command): Command =>
  command
    .optionsGroup('Which ledgers, in place of FILE:')
    .option(
      '--budgets <FILE>',
      'JSON or YAML file of budgets: each of its lines is charged, see "ledger status --budgets"',
    )
    .addOption(
      repeatable(new Option(`${FOR} <KEY=VALUE>`, 'for whom or what it is, such as analyst=ann (repeatable)')),
    );

const HINTS: SourceHints = { directory: 'Give a JSON or YAML file.', large: 'Budgets are a few lines.' };

/** Reads a file of budgets; everything that is wrong with it ends the command. */
export async function loadBudgets(file: string, errors: readonly InputError[], io: Io): Promise<Budgets> {
  const given = await readGiven(file, io, HINTS);
  if (given === null)
    throw new UsageError([
      ...errors,
      { code: 'no-input', path: file, message: 'standard input is a terminal, not a document', hint: HINTS.directory },
    ]);
  const [{ readBudgets }, syntax] = await Promise.all([
    import('../../../ledger/budgets/read-budgets.ts'),
    syntaxNameOf(given, null).then(syntaxNamed),
  ]);
  const reading = readBudgets(given.input, { syntax });
  if (reading.kind === 'budgets') return reading.budgets;
  throw new UsageError([...errors, ...reading.errors], { source: given.source, more: reading.more });
}

/** `analyst=ann`. */
function readKeyValue(text: string, errors: InputError[]): KeyValue[] {
  const at = text.indexOf('=');
  if (at > 0) return [{ key: text.slice(0, at), value: text.slice(at + 1) }];
  const message = `must be KEY=VALUE, got ${quote(text)}`;
  errors.push({ code: 'malformed-flag', path: FOR, message, hint: `For example: ${FOR} analyst=ann` });
  return [];
}

/** Budgets, and the ledgers that a request is charged to by them. */
export interface Charged {
  readonly budgets: Budgets;
  readonly ledgers: readonly ChargedLedger[];
}

/** The ledgers that --budgets and --for name; null without --budgets. What is wrong with --for goes to `errors`. */
export async function readCharged(flags: BudgetsFlags, errors: InputError[], io: Io): Promise<Charged | null> {
  const { budgets: file, for: texts = [] } = flags;
  if (file === undefined) {
    if (texts.length > 0) {
      const hint = 'Name the file of budgets whose keys they are.';
      errors.push({ code: 'missing-option', path: '--budgets', message: `${FOR} needs --budgets`, hint });
    }
    return null;
  }
  const budgets = await loadBudgets(file, errors, io);
  const { chargedLedgers } = await import('../../../ledger/budgets/make-missing.ts');
  const values = texts.flatMap((text) => readKeyValue(text, errors));
  return { budgets, ledgers: errors.length > 0 ? [] : chargedLedgers(budgets, values, FOR, errors) };
}
