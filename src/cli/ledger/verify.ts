import { Command } from 'commander';
import type { Verified } from '../../ledger/journal/verify.ts';
import {
  besides,
  isSound,
  MISSING_HASH,
  verifyJson,
  verifyText,
  type Anchored,
  type Whereabouts,
} from '../../report/ledger/verify.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';
import { faultError } from './kit/failure.ts';
import { openBeside, succeeded, type Named } from './kit/named-ledger.ts';
import { readHash } from './kit/write-options.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { ALL_OF_STORE, openStoreOf, requireLedgers, type StoreFlags } from './kit/store-option.ts';

interface VerifyFlags extends PrintFlags, StoreFlags {
  readonly contains?: string;
  readonly from?: string;
  readonly anchors?: string;
  readonly copy?: boolean;
}

const EXAMPLES = `
Every byte of every record is covered by its hash, and every record names the
hash of the one before. What was cut off at the end leaves no trace in the file:
note the hash now and then, and later ask for it with --contains. That a nested
ledger was paid for, and that one which was made by to-filter or to-odometer
goes on from what was spent, stands in another file: name it with --from.
A ledger that was last written in another place is a copy, which lacks what was
granted there since, and is sound only as such (--copy). Anchors ("ledger
anchor") show that nothing was cut off since they were written. Several ledgers
are verified with the transactions that they have in common.

Examples:
  dpcompose ledger verify budget.jsonl
  dpcompose ledger verify budget.jsonl --contains 3fa9c1d2e4b5 --json
  dpcompose ledger verify team-a.jsonl --from budget.jsonl
  dpcompose ledger verify budget.jsonl --anchors /mnt/audit/anchors.jsonl
  dpcompose ledger verify --store budgets --anchors anchors.jsonl`;

/** `dpcompose ledger verify`: whether the file is as it was written. */
export function verifyCommand(context: Context): Command {
  const command = new Command('verify')
    .summary('whether every record is as it was written, in its place, and allowed')
    .description(
      'Reads all of a ledger: whether every record is as it was written, in its place, and allowed by the rule.',
    )
    .argument('[FILE...]', ALL_OF_STORE)
    .optionsGroup('What is asked:')
    .option('--anchors <ANCHORS>', 'also whether the records that this file names are there: nothing was cut off')
    .option('--copy', 'it may be a copy of a ledger that is written to elsewhere')
    .option('--contains <HASH>', 'also whether some record has this hash, or one that begins with it')
    .option('--from <OLD>', 'also whether the ledger that it is nested in, or goes on from, says the same of it');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: VerifyFlags) => {
      const [file] = files;
      const isOne = file !== undefined && files.length === 1;
      context.ends(isOne ? await verify(file, flags, context) : await verifySeveral(files, flags, context));
    });
}

/** Adds to the result of verifying a file the check against the ledger that it comes from. */
async function withOrigin(verified: Verified, source: Named): Promise<Verified> {
  const { header, flaws } = verified;
  const { verifyOrigin } = await import('../../ledger/journal/origin.ts');
  const found = header && (await verifyOrigin(header, source.store, source.file));
  if (found === null) return verified;
  return { ...verified, flaws: [...flaws, succeeded(found, source).flaw] };
}

const ONE_ONLY = ['contains', 'from'] as const;

/** Verifies several ledgers, or all of a store. */
async function verifySeveral(files: readonly string[], flags: VerifyFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = ONE_ONLY.flatMap((name) => {
    const hint = 'Verify that ledger by itself.';
    const conflict = { code: 'conflicting-options', message: 'is asked of one ledger', hint } as const;
    return flags[name] === undefined ? [] : [{ ...conflict, path: `--${name}` }];
  });
  requireLedgers(files, flags, io, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const { verifyAllOf } = await import('./verify-all.ts');
  return await verifyAllOf(desk, files.length === 0 ? null : files, flags, context);
}

/** What anchors say of a ledger: the first that does not hold; `no-anchor` where none is of it. */
async function compared(
  file: string,
  { store, file: name }: Pick<Named, 'store' | 'file'>,
  { header }: Verified,
  io: Context['io'],
): Promise<Anchored> {
  const [{ compareAnchors, isAnchorOf, lastShared }, { probe }, { readAnchorFile }] = await Promise.all([
    import('../../ledger/journal/anchor.ts'),
    import('../../ledger/journal/probe.ts'),
    import('./kit/read-anchors.ts'),
  ]);
  const own = (await readAnchorFile(file, io)).filter(({ ledger }) => ledger === header?.id);
  const ends = succeeded(await store.ends(name), { file: name });
  const { hashes } = succeeded(await probe(store, name, new Set(own.map(({ seq }) => seq))), { file: name });
  const { held, slipped } = compareAnchors(own, hashes, {
    last: lastShared(ends),
    isEnded: (await placeOf({ store, file: name })) !== 'here',
    isOfThis: (anchor) => isAnchorOf(anchor, store, name),
  });
  return { file, compared: held.length + (slipped === null ? 0 : 1), slipped };
}

/** Whether the ledger is in its place; null where its end says nothing of that. */
async function placeOf({ store, file }: Pick<Named, 'store' | 'file'>): Promise<Whereabouts> {
  const ends = await store.ends(file);
  if (ends.kind === 'failed') return 'here';
  const { notAtHome } = await import('../../ledger/journal/whereabouts.ts');
  const code = (await notAtHome(store, file, ends))?.fault.code;
  return code === 'moved' ? 'copy' : code === 'moved-away' ? 'away' : 'here';
}

/** How many mechanisms were counted that had not been granted; 0 where its end does not say. */
async function incurredIn({ store, file }: Named): Promise<number> {
  const { readPresent } = await import('../../ledger/journal/present.ts');
  const present = await readPresent(store, file);
  return present.kind === 'failed' ? 0 : present.state.incurred;
}

async function verify(file: string, flags: VerifyFlags, { io, version, installation }: Context): Promise<number> {
  const errors: InputError[] = [];
  const contains = readHash('--contains', flags.contains, errors) ?? null;
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const { verify } = await import('../../ledger/journal/verify.ts');
  const path = ledger.store.fileOf?.(file);
  const quick =
    path === undefined
      ? null
      : await (await import('./verify-threads.ts')).verifyInThreads(path, contains, installation.verifyWorker);
  const alone = quick ?? succeeded(await verify(ledger.store, file, contains), ledger);
  const from = flags.from ?? null;
  const verified = from === null ? alone : await withOrigin(alone, desk.named(from));
  const anchored = flags.anchors === undefined ? null : await compared(flags.anchors, ledger, verified, io);
  const place = await placeOf(ledger);
  const incurred = await incurredIn(ledger);
  const report = { file, verified, contains, from, anchored, place, mayBeCopy: flags.copy === true, incurred };
  const put = await openBeside(from === null ? [ledger] : [ledger, desk.named(from)], flags, io);
  if (flags.json === true) {
    await put?.(verifyJson(report, version));
    return isSound(report) ? EXIT.done : EXIT.conflict;
  }
  if (isSound(report)) {
    await put?.(verifyText(report));
    return EXIT.done;
  }
  const found: UsageMistake[] = verified.flaws.map((flaw) => faultError(flaw, file));
  if (verified.holds === false) {
    const { message, hint } = MISSING_HASH;
    found.push({ code: 'hash-not-found', path: 'document', message: message(contains ?? ''), hint });
  }
  found.push(...besides(report).map(({ code, message, hint }) => ({ code, path: file, message, hint })));
  throw new UsageError(found, { source: file, more: verified.more, exit: EXIT.conflict });
}
