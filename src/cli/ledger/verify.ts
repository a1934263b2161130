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
  NO_ANCHOR,
  toldOf,
  verifyAllJson,
  verifyAllText,
} from '../../report/ledger/verify.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Step } from '../../report/ledger/replay.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';
import { faultError, openBeside, succeeded, type Named, eachListed } from './kit/named-ledger.ts';
import { readHash } from './kit/write-options.ts';
import {
  withPrintOptions,
  ALL_OF_STORE,
  openStoreOf,
  requireLedgers,
  type StoreFlags,
  type OpenStore,
} from './kit/store-option.ts';
import { readAnchors, type Anchor } from '../../ledger/journal/anchor.ts';
import type { Io } from '../kit/io.ts';
import { readSource } from '../kit/source.ts';
import { FAULT_CODES } from '../../report/codes/faults.ts';
import { isSameStore } from '../../ledger/journal/store.ts';
import type { Finding } from '../../ledger/journal/verify-all.ts';

/** What is asked of several ledgers. */
export interface AskedOfAll extends PrintFlags {
  readonly anchors?: string;
  readonly copy?: boolean;
}

/** The most ledgers of which it is said what is wrong. */
const MOST = 20;

function mistake(finding: Finding): UsageMistake {
  const { code, record, message, hint } = toldOf(finding);
  const place = record === null ? '' : record === 0 ? ', the header' : `, record ${record}`;
  return { code, path: `${finding.name}${place}`, message, hint };
}

async function* names({ store }: OpenStore): AsyncGenerator<string> {
  for await (const { name } of eachListed(store)) yield name;
}

/** Verifies several ledgers, or all of a store where `files` is null. */
export async function verifyAllOf(
  desk: OpenStore,
  files: readonly string[] | null,
  flags: AskedOfAll,
  context: Context,
): Promise<number> {
  const { io, version } = context;
  const anchors = flags.anchors === undefined ? [] : await readAnchorFile(flags.anchors, io);
  const { address } = desk.store;
  const { verifyAll } = await import('../../ledger/journal/verify-all.ts');
  // Of ledgers that are not among those named nothing is known.
  const isExpected = ({ store, name }: Anchor): boolean =>
    isSameStore(store, address) && (files === null || files.includes(name));
  const copies = flags.copy === true;
  const verified = await verifyAll(desk.store, files ?? names(desk), { anchors, isExpected, copies });
  if (flags.anchors !== undefined && verified.anchors === 0 && verified.findings.length === 0) {
    throw new UsageError([{ code: 'no-anchor', path: address, ...NO_ANCHOR }], {
      source: flags.anchors,
      exit: EXIT.conflict,
    });
  }
  const put = await openBeside((files ?? []).map(desk.named), flags, io);
  const report = { verified, store: desk.store.address, anchors: flags.anchors ?? null };
  const { findings } = verified;
  if (flags.json === true) await put?.(verifyAllJson(report, version));
  else if (findings.length === 0) await put?.(verifyAllText(report));
  if (findings.length === 0) return EXIT.done;
  // A name that leads to no ledger is a mistake of who typed it, and so is the exit code.
  const exits = findings.map((finding) => FAULT_CODES[toldOf(finding).code].exit);
  const exit = files !== null && exits.every((each) => each === EXIT.usage) ? EXIT.usage : EXIT.conflict;
  if (flags.json === true) return exit;
  const more = Math.max(0, findings.length - MOST);
  throw new UsageError(findings.slice(0, MOST).map(mistake), { source: desk.store.address, more, exit });
}

const HINTS = {
  directory: 'Name the file that "ledger anchor" wrote.',
  large: 'Give the anchors of fewer ledgers.',
};

/** The anchors in a file. */
export async function readAnchorFile(file: string, io: Io): Promise<readonly Anchor[]> {
  const bytes = await readSource(file, io, HINTS);
  const anchors = readAnchors(Buffer.from(bytes).toString('utf8'));
  if (!('line' in anchors)) return anchors;
  const error = {
    code: 'malformed-anchor',
    path: '--anchors',
    message: 'this line is no anchor',
    hint: HINTS.directory,
    line: anchors.line,
    column: 1,
  } as const;
  throw new UsageError([error], { source: file });
}

interface VerifyFlags extends PrintFlags, StoreFlags {
  readonly contains?: string;
  readonly from?: string;
  readonly anchors?: string;
  readonly copy?: boolean;
  readonly replay?: boolean;
}

const EXAMPLES = `
Every byte of every record is covered by its hash, and every record names the
hash of the one before. What was cut off at the end leaves no trace in the file:
note the hash now and then, and later ask for it with --contains. That a nested
ledger was paid for, and that one which another one became goes on from what was
spent, stands in another file: name it with --from.
A ledger that was last written in another place is a copy, which lacks what was
granted there since, and is sound only as such (--copy). Anchors ("ledger
anchor") show that nothing was cut off since they were written. Several ledgers
are verified with the transactions that they have in common.

Examples:
  dpcompose ledger verify budget.jsonl
  dpcompose ledger verify budget.jsonl --contains 3fa9c1d2e4b5 --json
  dpcompose ledger verify team-a.jsonl --from budget.jsonl
  dpcompose ledger verify budget.jsonl --replay
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
    .option('--from <OLD>', 'also whether the ledger that it is nested in, or goes on from, says the same of it')
    .option('--replay', 'every record, with the loss after it');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: VerifyFlags) => {
      const [file] = files;
      const isOne = file !== undefined && files.length === 1;
      context.ends(
        isOne
          ? await (flags.replay === true ? replay : verify)(file, flags, context)
          : await verifySeveral(files, flags, context),
      );
    });
}

/** Adds to the result of verifying a file the check against the ledger that it comes from. */
async function withOrigin(verified: Verified, source: Named): Promise<Verified> {
  const { header, flaws } = verified;
  const { verifyOrigin } = await import('../../ledger/journal/replay.ts');
  const found = header && (await verifyOrigin(header, source.store, source.file));
  if (found === null) return verified;
  return { ...verified, flaws: [...flaws, succeeded(found, source).flaw] };
}

const ONE_ONLY = ['contains', 'from', 'replay'] as const;
const NOT_REPLAYED = ['contains', 'from', 'anchors', 'copy'] as const;

/** Shows every record of a ledger, each decided again, with the loss after it. */
async function replay(file: string, flags: VerifyFlags, { io, version }: Context): Promise<number> {
  const beside = NOT_REPLAYED.find((name) => flags[name] !== undefined);
  if (beside !== undefined) {
    const hint = 'Ask for them one after the other.';
    throw new UsageError([{ code: 'conflicting-options', path: `--${beside}`, message: 'is not for --replay', hint }]);
  }
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const { replayOf } = await import('../../ledger/journal/replay.ts');
  const steps: Step[] = [];
  const replayed = await replayOf(ledger.store, file, (kept, after) => steps.push({ kept, after }));
  const { scanned, replay: made } = succeeded(replayed, ledger);
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { replayJson, replayText } = await import('../../report/ledger/replay.ts');
  const report = { file, scanned, end: made.state, steps };
  await put(flags.json === true ? replayJson(report, version) : replayText(report, await layoutFor(flags, io)));
  return EXIT.done;
}

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
  return await verifyAllOf(desk, files.length === 0 ? null : files, flags, context);
}

/** What anchors say of a ledger: the first that does not hold; `no-anchor` where none is of it. */
async function compared(
  file: string,
  { store, file: name }: Pick<Named, 'store' | 'file'>,
  { header }: Verified,
  io: Context['io'],
): Promise<Anchored> {
  const [{ compareAnchors, isAnchorOf, lastShared }, { probe }] = await Promise.all([
    import('../../ledger/journal/anchor.ts'),
    import('../../ledger/journal/verify-all.ts'),
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

async function verify(file: string, flags: VerifyFlags, { io, version }: Context): Promise<number> {
  const errors: InputError[] = [];
  const contains = readHash('--contains', flags.contains, errors) ?? null;
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const { verify } = await import('../../ledger/journal/verify.ts');
  const alone = succeeded(await verify(ledger.store, file, contains), ledger);
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
