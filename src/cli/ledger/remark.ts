import { Command } from 'commander';
import type { Failed } from '../../ledger/records/fault.ts';
import type { LaunchOptions } from '../../ledger/journal/launch.ts';
import type { Present } from '../../ledger/journal/present.ts';
import type { Transacted } from '../../ledger/journal/store.ts';
import { remarkJson, remarkText, type RemarkReport } from '../../report/ledger/copy.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { readNumberOption, wholeNumber } from '../kit/number-option.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { deliver, recordedText, openBeside, succeeded, tellSettled, type Named } from './kit/named-ledger.ts';
import { withPrintOptions, openStoreOf, type StoreFlags } from './kit/store-option.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';

interface RemarkFlags extends WriteFlags, PrintFlags, StoreFlags {
  readonly label?: string;
  readonly void?: string;
}

type Record = (ledger: Named, label: string | null, options: LaunchOptions) => Promise<Transacted<Present> | Failed>;

/** A command that records something by which nothing is spent. */
function remarkCommand(
  event: RemarkReport['command'],
  { summary, description, after }: { readonly summary: string; readonly description: string; readonly after: string },
  record: Record,
  context: Context,
): Command {
  const command = new Command(event)
    .summary(summary)
    .description(description)
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What it is:')
    .option('--label <TEXT>', 'why, for people to read');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', after)
    .action(async (file: string, flags: RemarkFlags) => {
      context.ends(await remark(event, file, flags, record, context));
    });
}

async function remark(
  command: RemarkReport['command'],
  file: string,
  flags: RemarkFlags,
  recordIn: Record,
  context: Context,
): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const { records, settled } = succeeded(await recordIn(ledger, flags.label ?? null, options), ledger);
  await tellSettled(settled, ledger, flags, io);
  const [record = null] = records;
  const written = record && { number: Number(record.fields.seq), hash: record.hash };
  const report = { command, file, record: written, fields: record?.fields ?? {} };
  const said = flags.json === true ? remarkJson(report, version) : remarkText(report);
  await deliver(put, said, written && recordedText(written));
  return EXIT.done;
}

/** `dpcompose ledger recover`: sets aside what stands at the end and is no record. */
export const recoverCommand = (context: Context): Command =>
  remarkCommand(
    'recover',
    {
      summary: 'set aside what stands at the end of a file and is no record',
      description:
        'Takes what stands after the last record of a file and is none out of the way, and keeps it in a record.',
      after: `
A writer that loses its power leaves the beginning of a record, of which nobody
was told. The same is left where somebody cuts off the end of a record that
counted: look at what is set aside, and if it was granted, enter it again.

Example:
  dpcompose ledger recover budget.jsonl --label "power cut on Monday"`,
    },
    async ({ store, file }, label, options) => {
      const { recoverIn } = await import('../../ledger/journal/remark.ts');
      return await recoverIn(store, file, label, options);
    },
    context,
  );

const RECORD = wholeNumber('--void', '12');

/** `dpcompose ledger annotate`: something for people to know, perhaps that what was launched never ran. */
export function annotateCommand(context: Context): Command {
  const command = new Command('annotate')
    .summary('record something for people to know, as that a launch never ran')
    .description('Records a text for people to know. Nothing is spent, nothing is granted, nothing is given back.')
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What it is:')
    .option('--label <TEXT>', 'the text')
    .option('--void <RECORD>', 'says that what the record of this number launched never ran');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText(
      'after',
      `
That something did not run is known only from those who say so, and may depend
on what was seen: so the budget stays spent. What may not run after all is
better reserved first (see "ledger reserve").

Examples:
  dpcompose ledger annotate budget.jsonl --label "reviewed by the board"
  dpcompose ledger annotate budget.jsonl --void 12 --label "the job crashed"`,
    )
    .action(async (file: string, flags: RemarkFlags) => {
      const errors: InputError[] = [];
      const voids = readNumberOption(flags.void, RECORD, errors)?.toNumber();
      if (errors.length > 0) throw new UsageError(errors);
      const record: Record = async ({ store, file: name }, text, options) => {
        const { remarkIn, voidIn } = await import('../../ledger/journal/remark.ts');
        const label = required(text);
        return voids === undefined
          ? await remarkIn(store, name, { event: 'note', label }, options)
          : await voidIn(store, name, { voids, label }, options);
      };
      context.ends(await remark(voids === undefined ? 'note' : 'void', file, flags, record, context));
    });
}

/** A text that has to be there. */
function required(label: string | null): string {
  if (label !== null && label.trim() !== '') return label;
  const hint = 'Say what people should know: --label "the job crashed at once"';
  throw new UsageError([{ code: 'missing-option', path: '--label', message: 'nothing is said', hint }]);
}

/** `dpcompose ledger adopt`: a ledger goes on in another place. */
export const adoptCommand = (context: Context): Command =>
  remarkCommand(
    'adopt',
    {
      summary: 'let a ledger go on in another place than before',
      description: 'Records that a ledger goes on here, and that it is not spent from any more where it was before.',
      after: `
A copy of a ledger knows nothing of what is spent from the original. So nothing
is granted from a file that was copied, restored, or rewritten by git or by an
editor, until somebody says with this command that only this one is used from
now on, and answers for it.

Example:
  dpcompose ledger adopt budget.jsonl --label "moved to the new server"`,
    },
    async ({ store, file }, label, options) => {
      const { adoptIn } = await import('../../ledger/journal/remark.ts');
      return await adoptIn(store, file, label, options);
    },
    context,
  );
