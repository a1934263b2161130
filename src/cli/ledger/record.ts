import { incurredOutput } from '../../report/ledger/incurred.ts';
import { quote } from '../../document/core/quote.ts';
import { specArgument } from '../kit/document-options.ts';
import { EXIT } from '../kit/exit.ts';
import { inGroup, switchOption } from '../kit/option.ts';
import { UsageError } from '../kit/usage-error.ts';
import { ledgerRefusal, requireFitting } from './answer.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { readRequest, REQUESTED } from './kit/mechanisms.ts';
import { recordedText, writtenOf } from './kit/named-ledger.ts';
import { LEDGER, WHERE } from './kit/store-option.ts';
import { RECORDED, recordedAs } from './kit/write-options.ts';

const EXAMPLES = `
What ran without having been granted has to be counted all the same, also where
it exceeds the budget. From then on the budget of a filter guarantees nothing,
and nothing fits any more; within the budget it is a guarantee only if what ran
would have kept within it whatever had been answered. Ask with "ledger spend"
before anything runs.

Examples:
  dpcompose ledger record budget.jsonl --incurred -m dp:epsilon=0.3 \\
      --label "ran on Monday without asking"`;

const RAN = 'What ran:';

/** `dpcompose ledger record`: counts what ran without having been granted. */
export const recordCommand = ledgerCommand({
  name: 'record',
  summary: 'count what ran without having been granted',
  about: 'Counts mechanisms that ran without having been granted, also beyond the budget.',
  operands: [LEDGER, specArgument()],
  options: {
    ...REQUESTED(RAN, 'what it was for'),
    ...inGroup(RAN, { incurred: switchOption('--incurred', 'says that it has run: nothing is asked for') }),
    ...RECORDED,
    ...WHERE,
  },
  examples: EXAMPLES,
  async run(run, file: string, source: string | undefined) {
    const { errors } = run;
    if (!run.flags.incurred) {
      const hint = 'Add --incurred for what has run already; what is to run is asked for with "ledger spend".';
      errors.push({ code: 'missing-option', path: '--incurred', message: 'nothing says that it has run', hint });
    }
    const { requested, asked } = await readRequest(run, source);
    const ledger = await run.ledger(file);
    await requireFitting(requested, ledger);
    const { incurIn } = await import('../../ledger/journal/launch.ts');
    const incurred = await incurIn(ledger.store, file, asked, recordedAs(run));
    const { value, records } = await run.settled(incurred, ledger);
    const { before, decision } = value;
    if (decision.kind === 'ended') {
      const message = `the ledger has ended: it goes on as ${quote(decision.successor.id)}`;
      throw new UsageError([{ code: 'converted', path: file, message, hint: 'Count it there.' }], { exit: EXIT.no });
    }
    if (decision.kind === 'refused') throw ledgerRefusal(decision.refusal, { file });
    const record = writtenOf(records[0]);
    const report = { command: 'record' as const, file, ...asked, before, after: decision.state, record };
    return {
      ...incurredOutput(report),
      kept: record && recordedText(record),
    };
  },
});
