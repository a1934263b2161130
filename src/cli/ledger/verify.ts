import { quote } from '../../document/core/quote.ts';
import type { Verified } from '../../ledger/verify.ts';
import {
  otherFaults,
  isSound,
  verifyOutput,
  type Anchored,
  type VerifyReport,
  type Whereabouts,
  findingMessage,
  verifyAllOutput,
} from '../../output/ledger/verify.ts';
import type { Step } from '../../output/ledger/replay.ts';
import { EXIT, type Io } from '../kit/io.ts';
import { inGroup, switchOption, textOption } from '../kit/option.ts';
import { UsageError, type UsageMistake, conflict } from '../kit/usage-error.ts';
import { ledgerCommand, type Run, type CommandResult } from './kit/ledger-command.ts';
import {
  listedLedgers,
  faultError,
  orThrow,
  type Named,
  LEDGERS,
  requireLedgers,
  WHERE,
  type OpenStore,
} from './kit/store-option.ts';
import { hashOption } from './kit/write-options.ts';
import { readAnchors, type Anchor } from '../../ledger/anchor.ts';
import { readSource } from '../kit/source.ts';
import { faultExit, faultMessage } from '../../output/ledger/faults.ts';
import { isSameStore } from '../../ledger/store.ts';
import type { Finding } from '../../ledger/verify-all.ts';

const EXAMPLES = `
A hash covers every byte of every record, and every record contains the hash of
the one before. A file truncated, or rewritten to its end, is detected only with
--anchors or --contains: store anchors ("ledger anchor") or hashes elsewhere.
An intact ledger may exceed its budget: verify reports that, with exit code 0.
With --from, verify also checks the parent of a nested ledger, or the ledger
that this one continues.
A copy lacks what the original granted since; verify it with --copy. Several
ledgers are verified with their common transactions.

Examples:
  dpcompose ledger verify budget.jsonl --replay
  dpcompose ledger verify team-a.jsonl --from budget.jsonl
  dpcompose ledger verify --store budgets --anchors anchors.jsonl`;

const OPTIONS = {
  ...inGroup('Target:', {
    anchors: textOption('--anchors <ANCHORS>', 'check that the records of these anchors exist'),
    copy: switchOption('--copy', 'accept a copy of a ledger that is active elsewhere'),
    contains: hashOption('--contains', 'check that a record has this hash (or prefix)'),
    from: textOption('--from <OLD>', 'check against its parent, or the ledger it continues'),
    replay: switchOption('--replay', 'recompute the loss after every record'),
  }),
  ...WHERE,
};

/** The most ledgers of which it is said what is wrong. */
const MOST = 20;

function mistake(finding: Finding): UsageMistake {
  const { code, record, message, hint } = findingMessage(finding);
  const place = record === null ? '' : record === 0 ? ', the header' : `, record ${record}`;
  return { code, path: `${finding.name}${place}`, message, hint };
}

const HINTS = {
  directory: 'Name the file that "ledger anchor" wrote.',
  large: 'Use a file with the anchors of fewer ledgers.',
};

/** The anchors in a file. */
async function readAnchorFile(file: string, io: Io): Promise<readonly Anchor[]> {
  const bytes = await readSource(file, io, HINTS);
  const anchors = readAnchors(Buffer.from(bytes).toString('utf8'));
  if (!('line' in anchors)) return anchors;
  const error = {
    code: 'malformed-anchor',
    path: '--anchors',
    message: `line ${anchors.line} of ${quote(file)} is not an anchor`,
    hint: HINTS.directory,
    line: anchors.line,
    column: 1,
  } as const;
  throw new UsageError([error], { source: file });
}

async function* names({ store }: OpenStore): AsyncGenerator<string> {
  for await (const { name } of listedLedgers(store)) yield name;
}

/** Verifies several ledgers, or all of a store where `files` is null. */
async function verifyAllOf(files: readonly string[] | null, run: Run<typeof OPTIONS>): Promise<CommandResult> {
  const { flags, context } = run;
  const { json, copy: copies } = flags;
  const location = await run.open();
  const anchors = flags.anchors === undefined ? [] : await readAnchorFile(flags.anchors, context.io);
  const { address } = location.store;
  const { verifyAll } = await import('../../ledger/verify-all.ts');
  // Of ledgers that are not among those named nothing is known.
  const isExpected = ({ store, name }: Anchor): boolean =>
    isSameStore(store, address) && (files === null || files.includes(name));
  const verified = await verifyAll(location.store, files ?? names(location), { anchors, isExpected, copies });
  const { findings } = verified;
  if (flags.anchors !== undefined && verified.anchors === 0 && findings.length === 0) {
    throw new UsageError([{ code: 'no-anchor', path: address, ...faultMessage({ code: 'no-anchor' }) }], {
      source: flags.anchors,
      exit: EXIT.conflict,
    });
  }
  await run.openOutput((files ?? []).map(location.ledgerNamed));
  // A name that leads to no ledger is a mistake of who typed it, and so is the exit code.
  const exits = findings.map((finding) => faultExit(findingMessage(finding).code));
  const isMistake = files !== null && exits.every((code) => code === EXIT.usage);
  const exit = findings.length === 0 ? EXIT.done : isMistake ? EXIT.usage : EXIT.conflict;
  if (findings.length > 0 && json !== true) {
    const more = Math.max(0, findings.length - MOST);
    throw new UsageError(findings.slice(0, MOST).map(mistake), { source: address, more, exit });
  }
  const report = { verified, store: address, anchors: flags.anchors ?? null };
  return { ...verifyAllOutput(report), exit };
}

/** Adds to the result of verifying a file the check against the ledger that it comes from. */
async function withOrigin(verified: Verified, source: Named): Promise<Verified> {
  const { header, flaws } = verified;
  const { verifyOrigin } = await import('../../ledger/replay.ts');
  const mismatch = header && (await verifyOrigin(header, source.store, source.file));
  if (mismatch === null) return verified;
  return { ...verified, flaws: [...flaws, orThrow(mismatch, source).flaw] };
}

/** What anchors say of a ledger: the first that does not hold; `no-anchor` where none is of it. */
async function compared(
  file: string,
  { store, file: name }: Pick<Named, 'store' | 'file'>,
  { header }: Verified,
  io: Io,
): Promise<Anchored> {
  const [{ compareAnchors, isAnchorOf, lastShared }, { probe }] = await Promise.all([
    import('../../ledger/anchor.ts'),
    import('../../ledger/verify-all.ts'),
  ]);
  const own = (await readAnchorFile(file, io)).filter(({ ledger }) => ledger === header?.id);
  const ends = orThrow(await store.ends(name), { file: name });
  const { hashes } = orThrow(await probe(store, name, new Set(own.map(({ seq }) => seq))), { file: name });
  const { matches, mismatch } = compareAnchors(own, hashes, {
    last: lastShared(ends),
    isEnded: (await placeOf({ store, file: name })) !== 'here',
    isOfThis: (anchor) => isAnchorOf(anchor, store, name),
  });
  return { file, compared: matches.length + (mismatch === null ? 0 : 1), mismatch };
}

/** Whether the ledger is in its place; null where its end says nothing of that. */
async function placeOf({ store, file }: Pick<Named, 'store' | 'file'>): Promise<Whereabouts> {
  const ends = await store.ends(file);
  if (ends.kind === 'failed') return 'here';
  const { notWrittenHere } = await import('../../ledger/verify.ts');
  const code = (await notWrittenHere(store, file, ends))?.fault.code;
  return code === 'moved' ? 'copy' : code === 'moved-away' ? 'away' : 'here';
}

/** How many mechanisms were counted that had not been granted, and the budget that they exceed; none where its end does not say. */
async function incurredIn({ store, file }: Named): Promise<Pick<VerifyReport, 'incurred' | 'exceeded'>> {
  const { readPresent } = await import('../../ledger/present.ts');
  const present = await readPresent(store, file);
  if (present.kind === 'failed') return { incurred: 0, exceeded: null };
  const { exceededText } = await import('../../output/ledger/ledger-text.ts');
  return { incurred: present.state.incurred, exceeded: exceededText(present.state) };
}

/** Shows every record of a ledger, each decided again, with the loss after it. */
async function replayed(ledger: Named): Promise<CommandResult> {
  const { file, store } = ledger;
  const [{ replayOf }, { replayOutput }] = await Promise.all([
    import('../../ledger/replay.ts'),
    import('../../output/ledger/replay.ts'),
  ]);
  const steps: Step[] = [];
  const result = await replayOf(store, file, (record, after) => steps.push({ record, after }));
  const { scanned, replay } = orThrow(result, ledger);
  return replayOutput({ file, scanned, end: replay.state, steps });
}

/** Verifies one ledger. */
async function verifyOne(file: string, run: Run<typeof OPTIONS>): Promise<CommandResult> {
  const { flags, context } = run;
  const location = await run.open();
  const ledger = location.ledgerNamed(file);
  const { contains = null, from = null } = flags;
  const { verify } = await import('../../ledger/verify.ts');
  const alone = orThrow(await verify(ledger.store, file, contains), ledger);
  const verified = from === null ? alone : await withOrigin(alone, location.ledgerNamed(from));
  const anchored = flags.anchors === undefined ? null : await compared(flags.anchors, ledger, verified, context.io);
  const place = await placeOf(ledger);
  const ungranted = await incurredIn(ledger);
  const report = { file, verified, contains, from, anchored, place, mayBeCopy: flags.copy, ...ungranted };
  await run.openOutput(from === null ? [ledger] : [ledger, location.ledgerNamed(from)]);
  const exit = isSound(report) ? EXIT.done : EXIT.conflict;
  if (exit === EXIT.done || flags.json === true) {
    return { ...verifyOutput(report), exit };
  }
  const others = otherFaults(report).map((message) => ({
    ...message,
    path: message.code === 'hash-not-found' ? 'document' : file,
  }));
  throw new UsageError([...verified.flaws.map((flaw) => faultError(flaw, file)), ...others], {
    source: file,
    more: verified.more,
    exit,
  });
}

const ONE_ONLY = ['contains', 'from', 'replay'] as const;
const NOT_REPLAYED = ['contains', 'from', 'anchors', 'copy'] as const;

/** `dpcompose ledger verify`: whether the file is as it was written. */
export const verifyCommand = ledgerCommand({
  name: 'verify',
  summary: 'check the integrity of all records',
  about: 'Checks a ledger: every record is unchanged, in its place, and every grant allowed by the rule.',
  operands: [LEDGERS],
  options: OPTIONS,
  examples: EXAMPLES,
  async run(run, files: readonly string[]) {
    const { flags, errors, context } = run;
    const [file] = files;
    if (file === undefined || files.length > 1) {
      const refuse = { code: 'conflicting-options', message: 'is for one ledger' } as const;
      for (const name of ONE_ONLY.filter((option) => run.isTyped(option))) {
        errors.push({ ...refuse, path: `--${name}`, hint: 'Verify that ledger by itself.' });
      }
      requireLedgers(files, flags, context.io, errors);
      run.check();
      return await verifyAllOf(files.length === 0 ? null : files, run);
    }
    const beside = flags.replay ? NOT_REPLAYED.find((name) => run.isTyped(name)) : undefined;
    if (beside !== undefined) {
      errors.push(conflict(`--${beside}`, 'is not for --replay', 'Use one command for each.'));
    }
    run.check();
    return flags.replay ? await replayed(await run.ledger(file)) : await verifyOne(file, run);
  },
});
