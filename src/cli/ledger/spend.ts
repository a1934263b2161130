import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { specArgument } from '../kit/document-options.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { tellAnswer } from './answer.ts';
import { readEvidence, withEvidence, type EvidenceFlags } from './evidence.ts';
import { checkNeighbours, readMechanisms, withDocument, type MechanismFlags } from './mechanisms.ts';
import { named, openBeside, succeeded, tellRecovery } from './named-ledger.ts';
import { readWriteOptions, withWriteOptions, type WriteFlags } from './write-options.ts';
import { withPrintOptions } from './print-options.ts';

type SpendFlags = MechanismFlags & EvidenceFlags & WriteFlags & PrintFlags;

const EXAMPLES = `
All mechanisms of one command are granted together, or none is. The answer is
yes only when it is written and durable: run the mechanism after exit code 0,
and only then. Exit code 1 is no; the ledger is then as it was, unless it halts
on excess. With exit code 74 a record may be there that counts all the same, as
where only the answer could not be written; what is said tells which.
"dpcompose compose --help" says how mechanisms are written.

Examples:
  dpcompose ledger spend budget.jsonl -m dp:epsilon=0.1,count=5 --label "visits"
  dpcompose ledger spend budget.jsonl release.json
  dpcompose ledger spend budget.jsonl -m dp:epsilon=0.1 --json | jq .granted
  dpcompose ledger spend budget.jsonl -m laplace:scale=20 --expect 3fa9c1d2e4b5`;

/** `dpcompose ledger spend`: the only thing that authorises. */
export function spendCommand(context: Context): Command {
  const command = new Command('spend')
    .summary('record mechanisms, if the budget allows them: this authorises')
    .description('Records mechanisms if the budget allows them. This is the only command that authorises.')
    .argument('<FILE>', 'the ledger')
    .addArgument(specArgument())
    .optionsGroup('What is launched:');
  withEvidence(withDocument(command, 'a mechanism (repeatable)').option('--label <TEXT>', 'what it is for'));
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, source: string | undefined, flags: SpendFlags) => {
      context.ends(await spend(file, source, flags, context));
    });
}

async function spend(file: string, source: string | undefined, flags: SpendFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger spend', io);
  if (typeof requested === 'number') return requested;
  const ledger = named(file, io);
  const put = await openBeside([ledger], flags, io);
  const [{ launchIn }, { readPresent }] = await Promise.all([
    import('../../ledger/file/launch.ts'),
    import('../../ledger/file/present.ts'),
  ]);
  if (requested.neighbours !== null) {
    checkNeighbours(requested, succeeded(readPresent(ledger.path), ledger).header.terms.neighbours);
  }
  const asked = { entries: requested.entries, evidence };
  const { value, record, recovered } = succeeded(await launchIn(ledger.path, asked, options), ledger);
  await tellRecovery(recovered, ledger, flags, io);
  const written = record && { number: value.before.records + 1, hash: record.hash };
  return await tellAnswer(
    { command: 'spend', file, asked, ...value, record: written, recovered: recovered.kind },
    put,
    flags,
    context,
  );
}
