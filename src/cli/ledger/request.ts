import { Command } from 'commander';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { specArgument } from '../kit/document-options.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { printOptions } from '../kit/print-options.ts';
import { tellDenied } from './denied.ts';
import { readEvidence, withEvidence, type EvidenceFlags } from './kit/evidence.ts';
import { checkNeighbours, readMechanisms, withDocument, type MechanismFlags } from './kit/mechanisms.ts';
import { openBeside, succeeded } from './kit/named-ledger.ts';
import { openStoreOf, withStoreOption, type StoreFlags } from './kit/store-option.ts';
import { unnamedRequest } from './kit/write-options.ts';

type RequestFlags = MechanismFlags & EvidenceFlags & PrintFlags & StoreFlags & { readonly key?: string };

const EXAMPLES = `
The request names the ledger, the mechanisms, the evidence and a key: it can be
launched once, and never again. Each approver signs it with "ledger approve".

Examples:
  dpcompose ledger request team.jsonl -m dp:epsilon=0.1 --key march -o req.json
  dpcompose ledger approve req.json --with ann-private.pem
  dpcompose ledger spend team.jsonl --request req.json`;

/** `dpcompose ledger request`: a request for others to approve. */
export function requestCommand(context: Context): Command {
  const command = new Command('request')
    .summary('write a request for others to approve: records nothing')
    .description('Writes what is to be launched as a request that approvers sign. Records and authorises nothing.')
    .argument('<FILE>', 'the ledger')
    .addArgument(specArgument())
    .optionsGroup('What would be launched:');
  withEvidence(withDocument(command, 'a mechanism (repeatable)').option('--label <TEXT>', 'what it is for')).option(
    '--key <TEXT>',
    'a name for this request, which no other has',
  );
  return printOptions(withStoreOption(command), ['json'])
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, source: string | undefined, flags: RequestFlags) => {
      context.ends(await request(file, source, flags, context));
    });
}

async function request(
  file: string,
  source: string | undefined,
  flags: RequestFlags,
  context: Context,
): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const { key = '' } = flags;
  if (key.trim() === '') errors.push(unnamedRequest());
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger spend', io);
  if (typeof requested === 'number') return requested;
  await using desk = await openStoreOf(flags, io);
  const named = desk.named(file);
  const put = await openBeside([named], flags, io);
  const [{ readPresent }, { requestText }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/records/request.ts'),
  ]);
  const { ledger, header } = succeeded(await readPresent(named.store, file), named);
  checkNeighbours(requested, header.terms.neighbours);
  const refused = await tellDenied(requested, [{ terms: header.terms, file }], flags, context);
  if (refused !== null) return refused;
  await put?.(requestText({ ledger, key, entries: requested.entries, evidence, approvals: [] }));
  return EXIT.done;
}
