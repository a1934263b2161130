import { Command } from 'commander';
import type { Verified } from '../../ledger/file/verify.ts';
import { isSound, MISSING_HASH, verifyJson, verifyText } from '../../report/ledger/verify.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';
import { faultError } from './failure.ts';
import { named, openBeside, succeeded, type Named } from './named-ledger.ts';
import { readHash } from './write-options.ts';
import { withPrintOptions } from './print-options.ts';

interface VerifyFlags extends PrintFlags {
  readonly contains?: string;
  readonly from?: string;
}

const EXAMPLES = `
Every byte of every record is covered by its hash, and every record names the
hash of the one before. What was cut off at the end leaves no trace in the file:
note the hash now and then, and later ask for it with --contains. That a nested
ledger was paid for, and that one which was made by to-filter or to-odometer
goes on from what was spent, stands in another file: name it with --from.

Examples:
  dpcompose ledger verify budget.jsonl
  dpcompose ledger verify budget.jsonl --contains 3fa9c1d2e4b5 --json
  dpcompose ledger verify team-a.jsonl --from budget.jsonl`;

/** `dpcompose ledger verify`: whether the file is as it was written. */
export function verifyCommand(context: Context): Command {
  const command = new Command('verify')
    .summary('whether every record is as it was written, in its place, and allowed')
    .description(
      'Reads all of a ledger: whether every record is as it was written, in its place, and allowed by the rule.',
    )
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What is asked:')
    .option('--contains <HASH>', 'also whether some record has this hash, or one that begins with it')
    .option('--from <OLD>', 'also whether the ledger that it is nested in, or goes on from, says the same of it');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: VerifyFlags) => {
      context.ends(await verify(file, flags, context));
    });
}

/** Adds to the result of verifying a file the check against the ledger that it comes from. */
async function withOrigin(verified: Verified, source: Named): Promise<Verified> {
  const { header, flaws } = verified;
  const { verifyOrigin } = await import('../../ledger/file/origin.ts');
  const found = header && verifyOrigin(header, source.path);
  if (found === null) return verified;
  return { ...verified, flaws: [...flaws, succeeded(found, source).flaw] };
}

async function verify(file: string, flags: VerifyFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const contains = readHash('--contains', flags.contains, errors) ?? null;
  if (errors.length > 0) throw new UsageError(errors);
  const ledger = named(file, io);
  const { verify } = await import('../../ledger/file/verify.ts');
  const alone = succeeded(verify(ledger.path, contains), ledger);
  const from = flags.from ?? null;
  const verified = from === null ? alone : await withOrigin(alone, named(from, io));
  const report = { file, verified, contains, from };
  const put = await openBeside(from === null ? [ledger] : [ledger, named(from, io)], flags, io);
  if (flags.json === true) {
    await put?.(verifyJson(report, version));
    return isSound(verified) ? EXIT.done : EXIT.conflict;
  }
  if (isSound(verified)) {
    await put?.(verifyText(report));
    return EXIT.done;
  }
  const found: UsageMistake[] = verified.flaws.map((flaw) => faultError(flaw, file));
  if (verified.holds === false) {
    const { message, hint } = MISSING_HASH;
    found.push({ code: 'hash-not-found', path: 'document', message: message(contains ?? ''), hint });
  }
  throw new UsageError(found, { source: file, more: verified.more, exit: EXIT.conflict });
}
