import type { Failed } from '../../ledger/fault.ts';
import type { RecordOptions } from '../../ledger/spend-in.ts';
import type { Present } from '../../ledger/present.ts';
import type { Transacted } from '../../ledger/store.ts';
import { annotationOutput, type AnnotationReport } from '../../output/ledger/copy.ts';
import { inGroup, textOption, wholeOption } from '../kit/option.ts';
import { UsageError, lacking } from '../kit/usage-error.ts';
import { ledgerCommand, type Run, type CommandResult } from './kit/ledger-command.ts';
import { recordedText, recordReference, type Named, LEDGER, WHERE } from './kit/store-option.ts';
import { RECORD, recordOptions } from './kit/write-options.ts';

const IS = 'Description:';

const OPTIONS = {
  ...inGroup(IS, { label: textOption('--label <TEXT>', 'reason, for people to read') }),
  ...RECORD,
  ...WHERE,
};

type Record = (ledger: Named, label: string | null, options: RecordOptions) => Promise<Transacted<Present> | Failed>;

/** Records something by which nothing is spent, and says so. */
async function remarked(
  command: AnnotationReport['command'],
  run: Pick<Run<typeof OPTIONS>, 'context' | 'flags' | 'ledger' | 'settled'>,
  file: string,
  recordIn: Record,
): Promise<CommandResult> {
  const ledger = await run.ledger(file);
  const recorded = await recordIn(ledger, run.flags.label ?? null, recordOptions(run));
  const [record = null] = (await run.settled(recorded, ledger)).records;
  const reference = recordReference(record);
  const report = { command, file, record: reference, fields: record?.fields ?? {} };
  return {
    ...annotationOutput(report),
    recordNote: reference && recordedText(reference),
  };
}

/** `dpcompose ledger recover`: sets aside what stands at the end and is no record. */
export const recoverCommand = ledgerCommand({
  name: 'recover',
  summary: 'repair the end of a file after a crash',
  about: 'Removes an incomplete record from the end of a file, and keeps its bytes in a new record.',
  operands: [LEDGER],
  options: OPTIONS,
  examples: `
A power failure leaves an incomplete record, which was never granted to anybody.
If somebody truncated a complete record, the file looks the same. Check the
bytes that were removed; if they were granted, record them again.

Example:
  dpcompose ledger recover budget.jsonl --label "power cut on Monday"`,
  run: (run, file: string) =>
    remarked('recover', run, file, async ({ store }, label, options) => {
      const { recoverIn } = await import('../../ledger/succession.ts');
      return await recoverIn(store, file, label, options);
    }),
});

/** A text that has to be there. */
function required(label: string | null): string {
  if (label !== null && label.trim() !== '') return label;
  const hint = 'Give the text of the note: --label "the job crashed at once"';
  throw new UsageError([lacking('--label', 'is missing', hint)]);
}

/** `dpcompose ledger annotate`: something for people to know, perhaps that what was launched never ran. */
export const annotateCommand = ledgerCommand({
  name: 'annotate',
  summary: 'add a note, or void a launch',
  about: 'Adds a note for people to read. It does not change the budget.',
  operands: [LEDGER],
  options: {
    ...inGroup(IS, {
      label: textOption('--label <TEXT>', 'the text'),
      void: wholeOption('--void <RECORD>', 'note that the launch of record N never ran', '12', 1),
    }),
    ...RECORD,
    ...WHERE,
  },
  examples: `
A voided launch stays charged: the decision to void may depend on results. If a
mechanism may not run, use "ledger reserve" first.

Examples:
  dpcompose ledger annotate budget.jsonl --label "reviewed by the board"
  dpcompose ledger annotate budget.jsonl --void 12 --label "the job crashed"`,
  async run(run, file: string) {
    const { void: voids } = run.flags;
    return await remarked(voids === undefined ? 'note' : 'void', run, file, async ({ store }, text, options) => {
      const label = required(text);
      const { annotateIn, voidIn } = await import('../../ledger/succession.ts');
      return voids === undefined
        ? await annotateIn(store, file, { event: 'note', label }, options)
        : await voidIn(store, file, { voids, label }, options);
    });
  },
});

/** `dpcompose ledger adopt`: a ledger goes on in another place. */
export const adoptCommand = ledgerCommand({
  name: 'adopt',
  summary: 'activate a copy of a lost ledger',
  about: 'Declares that this copy of a ledger is the only one in use from now on.',
  operands: [LEDGER],
  options: OPTIONS,
  examples: `
A copy of a ledger does not know what is spent from the original. So a file that
was copied, restored, or rewritten by git or an editor denies all requests. You
declare, on your responsibility, that only this copy is in use.

Example:
  dpcompose ledger adopt budget.jsonl --label "moved to the new server"`,
  run: (run, file: string) =>
    remarked('adopt', run, file, async ({ store }, label, options) => {
      const { adoptIn } = await import('../../ledger/succession.ts');
      return await adoptIn(store, file, label, options);
    }),
});
