import { Command } from 'commander';
import { entryText } from '../../report/ledger/entry-text.ts';
import { counted, printable } from '../../report/kit/prose.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { openFile } from '../kit/output-file.ts';
import { print } from '../kit/io.ts';
import { UsageError } from '../kit/usage-error.ts';
import { PASSPHRASE, readPrivateKey } from './kit/key-file.ts';
import { readRequestFile } from './kit/request-file.ts';

interface ApproveFlags {
  readonly with?: string;
  readonly output?: string;
}

const EXAMPLES = `
Look at the request before you sign it. The passphrase of a private key is read
from the environment variable ${PASSPHRASE}, and from nowhere else.
Keys are made with:
  openssl genpkey -algorithm ed25519 -aes256 -out private.pem
  openssl pkey -in private.pem -pubout -out public.pem

Examples:
  dpcompose ledger approve req.json --with private.pem
  dpcompose ledger approve req.json --with private.pem -o signed.json`;

/** `dpcompose ledger approve`: adds a signature to a request. */
export const approveCommand = (context: Context): Command =>
  new Command('approve')
    .summary('sign a request')
    .description('Adds your signature to a request that "ledger request" has written.')
    .argument('<REQUEST>', 'the request; the signature is added to this file')
    .optionsGroup('How it is signed:')
    .option('--with <FILE>', 'your private key of Ed25519, in PEM')
    .option('-o, --output <FILE>', 'write the signed request to this file; - for standard output')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: ApproveFlags) => {
      context.ends(await approve(file, flags, context));
    });

async function approve(file: string, flags: ApproveFlags, { io }: Context): Promise<number> {
  const errors: InputError[] = [];
  const request = readRequestFile(file, 'REQUEST', errors, io);
  if (flags.with === undefined) {
    const hint = 'Name your private key: --with private.pem';
    errors.push({ code: 'missing-option', path: '--with', message: 'nothing to sign with', hint });
  }
  const key = flags.with === undefined ? null : readPrivateKey(flags.with, '--with', errors, io);
  if (request === null || key === null || errors.length > 0) throw new UsageError(errors);
  const { approve, isApproval } = await import('../../ledger/records/approval.ts');
  const { requestText } = await import('../../ledger/records/request.ts');
  const own = approve(request, key);
  const others = request.approvals.filter((each) => each.key !== own.key && isApproval(request, each));
  const approved = requestText({ ...request, approvals: [...others, own] });
  if (flags.output === '-') {
    await print(io, approved);
    return EXIT.done;
  }
  const put = await openFile(flags.output ?? file, { flag: '--output', force: false }, io);
  await put(approved);
  const what = request.entries.map(entryText).join(', ');
  const signatures = counted(others.length + 1, 'signature');
  await print(
    io,
    `${printable(`signed: ${what}, key ${quote(request.key)}, ledger ${request.ledger.slice(0, 12)}; ${signatures}.`)}\n`,
  );
  return EXIT.done;
}
