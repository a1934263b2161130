import { Command } from 'commander';
import { eventJson, eventText } from '../../report/ledger/event.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readNumberOption, wholeNumber } from '../kit/number-option.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { deliver, recordedText } from './kit/deliver.ts';
import { invalidRequest } from './kit/failure.ts';
import { openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { openStoreOf, type StoreFlags } from './kit/store-option.ts';

interface ConverseFlags extends WriteFlags, PrintFlags, StoreFlags {
  readonly label?: string;
}

const NUMBER = wholeNumber('MECHANISM', '3');

function conversation(event: 'query' | 'close', about: string, examples: string, context: Context): Command {
  const command = new Command(event)
    .summary(about)
    .argument('<FILE>', 'the ledger')
    .argument('<MECHANISM>', 'its number in the order of launches, from 1')
    .optionsGroup('What it is:')
    .option('--label <TEXT>', 'what it is about');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', examples)
    .action(async (file: string, mechanism: string, flags: ConverseFlags) => {
      context.ends(await converse(event, file, mechanism, flags, context));
    });
}

/** `dpcompose ledger query`: one more question to an interactive mechanism. */
export const queryCommand = (context: Context): Command =>
  conversation(
    'query',
    'record a question to an interactive mechanism, which is free',
    `
Interactive mechanisms are paid for when they are launched (kind=interactive);
asking them is free. "spend" says which numbers its mechanisms have.

Example:
  dpcompose ledger query budget.jsonl 3 --label "is the count above 100?"`,
    context,
  ).description('Records that an interactive mechanism is asked once more, if it may be. It costs nothing.');

/** `dpcompose ledger close`: the end of an interactive mechanism. */
export const closeCommand = (context: Context): Command =>
  conversation(
    'close',
    'record that an interactive mechanism is not asked any more',
    `
Example:
  dpcompose ledger close budget.jsonl 3`,
    context,
  ).description('Records that an interactive mechanism is asked nothing any more. Nothing is refunded.');

async function converse(
  event: 'query' | 'close',
  file: string,
  text: string,
  flags: ConverseFlags,
  context: Context,
): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  const mechanism = readNumberOption(text, NUMBER, errors)?.toNumber();
  if (mechanism === undefined || errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const { converseIn } = await import('../../ledger/journal/converse.ts');
  const asked = { event, mechanism, label: flags.label ?? null };
  const { value, records, settled } = succeeded(await converseIn(ledger.store, file, asked, options), ledger);
  await tellSettled(settled, ledger, flags, io);
  const [record = null] = records;
  if (value.kind === 'refused' && value.refusal.code === 'invalid-query')
    throw invalidRequest(value.refusal, 'MECHANISM');
  const written = record && { number: Number(record.fields.seq), hash: record.hash };
  const report = { command: event, file, mechanism, conversed: value, record: written };
  const said = flags.json === true ? eventJson(report, version) : eventText(report);
  await deliver(put, said, written && recordedText(written));
  return value.kind === 'accepted' ? EXIT.done : EXIT.no;
}
