import type { Budgets } from '../../../ledger/budgets/budgets.ts';
import type { ChargedLedger, KeyValue } from '../../../ledger/budgets/make-missing.ts';
import { quote } from '../../../document/core/quote.ts';
import type { InputError } from '../../../document/core/specification.ts';
import type { Io } from '../../kit/io.ts';
import { inGroup, repeatedOption, textOption, type ValuesOf } from '../../kit/option.ts';
import { readGiven, type SourceHints, syntaxNamed, syntaxNameOf } from '../../kit/source.ts';
import type { Run } from './ledger-command.ts';
import { operandsOf, readRequest, type MechanismFlags } from './mechanisms.ts';
import { UsageError, lacking } from '../../kit/usage-error.ts';

const FOR = '--for';

/** `analyst=ann`. */
function readKeyValue(text: string, errors: InputError[]): KeyValue | null {
  const at = text.indexOf('=');
  if (at > 0) return { key: text.slice(0, at), value: text.slice(at + 1) };
  const message = `must be KEY=VALUE, got ${quote(text)}`;
  errors.push({ code: 'malformed-flag', path: FOR, message, hint: `For example: ${FOR} analyst=ann` });
  return null;
}

/** The options that name ledgers by budgets. */
export const CHARGED = inGroup('Ledgers, in place of FILE:', {
  budgets: textOption('--budgets <FILE>', 'charge every line of a JSON or YAML file of budgets'),
  for: repeatedOption(`${FOR} <KEY=VALUE>`, 'value of a key, such as analyst=ann (repeatable)', readKeyValue),
});

const HINTS: SourceHints = { directory: 'Give a JSON or YAML file.', large: 'A file of budgets has a few lines.' };

/** Reads a file of budgets; everything that is wrong with it ends the command. */
export async function loadBudgets(file: string, errors: readonly InputError[], io: Io): Promise<Budgets> {
  const document = await readGiven(file, io, HINTS);
  if (document === null)
    throw new UsageError([
      ...errors,
      { code: 'no-input', path: file, message: 'standard input is a terminal, not a document', hint: HINTS.directory },
    ]);
  const [{ readBudgets }, syntax] = await Promise.all([
    import('../../../ledger/budgets/read-budgets.ts'),
    syntaxNameOf(document, null).then(syntaxNamed),
  ]);
  const reading = readBudgets(document.input, { syntax });
  if (reading.kind === 'budgets') return reading.budgets;
  throw new UsageError([...errors, ...reading.errors], { source: document.source, more: reading.more });
}

/** Budgets, and the ledgers that a request is charged to by them. */
export interface ChargedBudgets {
  readonly budgets: Budgets;
  readonly ledgers: readonly ChargedLedger[];
}

/** The ledgers that --budgets and --for name; null without --budgets. What is wrong with --for goes to `errors`. */
async function readCharged(
  { budgets: file, for: values }: ValuesOf<typeof CHARGED>,
  errors: InputError[],
  io: Io,
): Promise<ChargedBudgets | null> {
  if (file === undefined) {
    if (values.length > 0) {
      errors.push(lacking('--budgets', `${FOR} needs --budgets`, 'Name the file of budgets that has these keys.'));
    }
    return null;
  }
  const budgets = await loadBudgets(file, errors, io);
  const { chargedLedgers } = await import('../../../ledger/budgets/make-missing.ts');
  return { budgets, ledgers: errors.length > 0 ? [] : chargedLedgers(budgets, values, FOR, errors) };
}

/** A request of mechanisms, and the ledgers that are asked: those that are named, or those of budgets. */
export async function readChargedRequest(
  run: Pick<Run, 'context' | 'errors' | 'open' | 'openOutput'> & {
    readonly flags: MechanismFlags & ValuesOf<typeof CHARGED>;
  },
  operands: readonly string[],
  command: 'ledger spend' | 'ledger check',
) {
  const { flags, errors, context } = run;
  const { files, source } = operandsOf(operands, flags, errors);
  const charged = await readCharged(flags, errors, context.io);
  const request = await readRequest(run, source, command);
  const location = await run.open(charged === null ? {} : { otherwise: '.' });
  const names = charged === null ? files : charged.ledgers.map(({ name }) => name);
  await run.openOutput(names.map(location.ledgerNamed));
  return { ...request, charged, location, names };
}
