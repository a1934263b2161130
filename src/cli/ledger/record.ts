import { Command } from 'commander';
import { incurredJson, incurredText } from '../../report/ledger/incurred.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { specArgument } from '../kit/document-options.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal, tellDenied } from './answer.ts';
import { deliver, recordedText, openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import {
  readEvidence,
  withEvidence,
  type EvidenceFlags,
  checkNeighbours,
  mayNotFit,
  readMechanisms,
  withDocument,
  type MechanismFlags,
} from './kit/mechanisms.ts';
import { withPrintOptions, openStoreOf, type StoreFlags } from './kit/store-option.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';

type RecordFlags = MechanismFlags &
  EvidenceFlags &
  WriteFlags &
  PrintFlags &
  StoreFlags & { readonly incurred?: boolean };

const EXAMPLES = `
What ran without having been granted has to be counted all the same, also where
it exceeds the budget. From then on the budget of a filter guarantees nothing,
and nothing fits any more; within the budget it is a guarantee only if what ran
would have kept within it whatever had been answered. Ask with "ledger spend"
before anything runs.

Examples:
  dpcompose ledger record budget.jsonl --incurred -m dp:epsilon=0.3 \\
      --label "ran on Monday without asking"`;

/** `dpcompose ledger record`: counts what ran without having been granted. */
export function recordCommand(context: Context): Command {
  const command = new Command('record')
    .summary('count what ran without having been granted')
    .description('Counts mechanisms that ran without having been granted, also beyond the budget.')
    .argument('<FILE>', 'the ledger')
    .addArgument(specArgument())
    .optionsGroup('What ran:');
  withEvidence(withDocument(command, 'a mechanism (repeatable)').option('--label <TEXT>', 'what it was for')).option(
    '--incurred',
    'says that it has run: nothing is asked for',
  );
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, source: string | undefined, flags: RecordFlags) => {
      context.ends(await record(file, source, flags, context));
    });
}

async function record(file: string, source: string | undefined, flags: RecordFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  if (flags.incurred !== true) {
    const hint = 'Add --incurred for what has run already; what is to run is asked for with "ledger spend".';
    errors.push({ code: 'missing-option', path: '--incurred', message: 'nothing says that it has run', hint });
  }
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger spend', io);
  if (typeof requested === 'number') return requested;
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const [{ incurIn }, { readPresent }] = await Promise.all([
    import('../../ledger/journal/launch.ts'),
    import('../../ledger/journal/present.ts'),
  ]);
  if (mayNotFit(requested)) {
    const { header } = succeeded(await readPresent(ledger.store, file), ledger);
    checkNeighbours(requested, header.terms.neighbours);
    const refused = await tellDenied(requested, [{ terms: header.terms, file }], flags, context);
    if (refused !== null) return refused;
  }
  const { entries } = requested;
  const { value, records, settled } = succeeded(
    await incurIn(ledger.store, file, { entries, evidence }, options),
    ledger,
  );
  await tellSettled(settled, ledger, flags, io);
  const { before, decision } = value;
  if (decision.kind === 'ended') {
    const message = `the ledger has ended: it goes on as ${quote(decision.successor.id)}`;
    throw new UsageError([{ code: 'converted', path: file, message, hint: 'Count it there.' }], { exit: EXIT.no });
  }
  if (decision.kind === 'refused') return await tellLedgerRefusal(decision.refusal, flags, context, { file });
  const [record] = records;
  const written = record == null ? null : { number: Number(record.fields.seq), hash: record.hash };
  const report = {
    command: 'record' as const,
    file,
    entries,
    evidence,
    before,
    after: decision.state,
    record: written,
  };
  const { width } = await layoutFor(flags, io);
  const text = flags.json === true ? incurredJson(report, version) : incurredText(report, width);
  await deliver(put, text, written && recordedText(written));
  return EXIT.done;
}
