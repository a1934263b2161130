import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { specArgument } from '../kit/document-options.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { tellAnswer } from './answer.ts';
import { readEvidence, withEvidence, type EvidenceFlags } from './evidence.ts';
import { checkNeighbours, readMechanisms, withDocument, type MechanismFlags } from './mechanisms.ts';
import { named, openBeside, succeeded } from './named-ledger.ts';
import { withPrintOptions } from './print-options.ts';

type CheckFlags = MechanismFlags & EvidenceFlags & PrintFlags;

const EXAMPLES = `
Nothing is recorded, and nothing is authorised: two who both check may both be
told yes where only one may go on. Use "ledger spend" before you run anything.

Examples:
  dpcompose ledger check budget.jsonl -m dp:epsilon=0.1,count=5
  dpcompose ledger check budget.jsonl release.json --json`;

/** `dpcompose ledger check`: what `spend` would say now. */
export function checkCommand(context: Context): Command {
  const command = new Command('check')
    .summary('what spend would say: records and authorises nothing')
    .description('Says what spend would say as things stand. Records and authorises nothing.')
    .argument('<FILE>', 'the ledger')
    .addArgument(specArgument())
    .optionsGroup('What would be launched:');
  return withPrintOptions(withEvidence(withDocument(command, 'a mechanism (repeatable)')))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, source: string | undefined, flags: CheckFlags) => {
      context.ends(await check(file, source, flags, context));
    });
}

async function check(file: string, source: string | undefined, flags: CheckFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger check', io);
  if (typeof requested === 'number') return requested;
  const ledger = named(file, io);
  const put = await openBeside([ledger], flags, io);
  const asked = { entries: requested.entries, evidence };
  const [{ decideIn }, { readPresent }] = await Promise.all([
    import('../../ledger/file/launch.ts'),
    import('../../ledger/file/present.ts'),
  ]);
  const before = succeeded(readPresent(ledger.path), ledger);
  checkNeighbours(requested, before.header.terms.neighbours);
  const decision = decideIn(before, asked);
  // A dry run halts nothing.
  const dry = decision.kind === 'refused' ? { ...decision, state: before.state, halts: false } : decision;
  const answered = { command: 'check' as const, file, asked, before, decision: dry, record: null };
  return await tellAnswer({ ...answered, recovered: 'none' }, put, flags, context);
}
