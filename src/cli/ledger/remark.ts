import type { Failed } from '../../ledger/records/fault.ts';
import type { LaunchOptions } from '../../ledger/journal/launch.ts';
import type { Present } from '../../ledger/journal/present.ts';
import type { Transacted } from '../../ledger/journal/store.ts';
import { remarkOutput, type RemarkReport } from '../../report/ledger/copy.ts';
import { inGroup, textOption, wholeOption } from '../kit/option.ts';
import { UsageError, lacking } from '../kit/usage-error.ts';
import { ledgerCommand, type Run, type Said } from './kit/ledger-command.ts';
import { recordedText, writtenOf, type Named, LEDGER, WHERE } from './kit/store-option.ts';
import { RECORDED, recordedAs } from './kit/write-options.ts';

const IS = 'Description:';

const OPTIONS = {
  ...inGroup(IS, { label: textOption('--label <TEXT>', 'why, for people to read') }),
  ...RECORDED,
  ...WHERE,
};

type Record = (ledger: Named, label: string | null, options: LaunchOptions) => Promise<Transacted<Present> | Failed>;

/** Records something by which nothing is spent, and says so. */
async function remarked(
  command: RemarkReport['command'],
  run: Pick<Run<typeof OPTIONS>, 'context' | 'flags' | 'ledger' | 'settled'>,
  file: string,
  recordIn: Record,
): Promise<Said> {
  const ledger = await run.ledger(file);
  const recorded = await recordIn(ledger, run.flags.label ?? null, recordedAs(run));
  const [record = null] = (await run.settled(recorded, ledger)).records;
  const written = writtenOf(record);
  const report = { command, file, record: written, fields: record?.fields ?? {} };
  return {
    ...remarkOutput(report),
    kept: written && recordedText(written),
  };
}

/** `dpcompose ledger recover`: sets aside what stands at the end and is no record. */
export const recoverCommand = ledgerCommand({
  name: 'recover',
  summary: 'set aside what stands at the end of a file and is no record',
  about: 'Takes what stands after the last record of a file and is none out of the way, and keeps it in a record.',
  operands: [LEDGER],
  options: OPTIONS,
  examples: `
A writer that loses its power leaves the beginning of a record, of which nobody
was told. The same is left where somebody cuts off the end of a record that
counted: look at what is set aside, and if it was granted, enter it again.

Example:
  dpcompose ledger recover budget.jsonl --label "power cut on Monday"`,
  run: (run, file: string) =>
    remarked('recover', run, file, async ({ store }, label, options) => {
      const { recoverIn } = await import('../../ledger/journal/succession.ts');
      return await recoverIn(store, file, label, options);
    }),
});

/** A text that has to be there. */
function required(label: string | null): string {
  if (label !== null && label.trim() !== '') return label;
  const hint = 'Say what people should know: --label "the job crashed at once"';
  throw new UsageError([lacking('--label', 'nothing is said', hint)]);
}

/** `dpcompose ledger annotate`: something for people to know, perhaps that what was launched never ran. */
export const annotateCommand = ledgerCommand({
  name: 'annotate',
  summary: 'record something for people to know, as that a launch never ran',
  about: 'Records a text for people to know. Nothing is spent, nothing is granted, nothing is given back.',
  operands: [LEDGER],
  options: {
    ...inGroup(IS, {
      label: textOption('--label <TEXT>', 'the text'),
      void: wholeOption('--void <RECORD>', 'says that what the record of this number launched never ran', '12', 1),
    }),
    ...RECORDED,
    ...WHERE,
  },
  examples: `
That something did not run is known only from those who say so, and may depend
on what was seen: so the budget stays spent. What may not run after all is
better reserved first (see "ledger reserve").

Examples:
  dpcompose ledger annotate budget.jsonl --label "reviewed by the board"
  dpcompose ledger annotate budget.jsonl --void 12 --label "the job crashed"`,
  async run(run, file: string) {
    const { void: voids } = run.flags;
    return await remarked(voids === undefined ? 'note' : 'void', run, file, async ({ store }, text, options) => {
      const label = required(text);
      const { remarkIn, voidIn } = await import('../../ledger/journal/succession.ts');
      return voids === undefined
        ? await remarkIn(store, file, { event: 'note', label }, options)
        : await voidIn(store, file, { voids, label }, options);
    });
  },
});

/** `dpcompose ledger adopt`: a ledger goes on in another place. */
export const adoptCommand = ledgerCommand({
  name: 'adopt',
  summary: 'let a ledger go on in another place than before',
  about: 'Records that a ledger goes on here, and that it is not spent from any more where it was before.',
  operands: [LEDGER],
  options: OPTIONS,
  examples: `
A copy of a ledger knows nothing of what is spent from the original. So nothing
is granted from a file that was copied, restored, or rewritten by git or by an
editor, until somebody says with this command that only this one is used from
now on, and answers for it.

Example:
  dpcompose ledger adopt budget.jsonl --label "moved to the new server"`,
  run: (run, file: string) =>
    remarked('adopt', run, file, async ({ store }, label, options) => {
      const { adoptIn } = await import('../../ledger/journal/succession.ts');
      return await adoptIn(store, file, label, options);
    }),
});
