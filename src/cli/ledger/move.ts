import { Command } from 'commander';
import type { Located } from '../../ledger/journal/move.ts';
import { copyJson, copyText, type CopyReport } from '../../report/ledger/copy.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { deliver, faultFailure, openBeside, succeeded, type Named } from './kit/named-ledger.ts';
import { withFormats, openStoreOf } from './kit/store-option.ts';
import { readTime, readWait, type WriteFlags } from './kit/write-options.ts';

interface CopyFlags extends PrintFlags, Pick<WriteFlags, 'at' | 'wait' | 'actor'> {
  readonly from?: string;
  readonly to: string;
  readonly as?: string;
  readonly assumeLocks?: boolean;
  readonly keep?: boolean;
}

const withPlaces = (command: Command): Command =>
  command
    .argument('<FILE>', 'the ledger')
    .optionsGroup('Where it is:')
    .option(
      '--from <STORE>',
      'where it is kept: a folder, sqlite:FILE, or postgres://... (DPCOMPOSE_STORE, or the current folder)',
    )
    .requiredOption('--to <STORE>', 'where it goes')
    .option('--as <NAME>', 'its name there (the same)')
    .option('--assume-locks', 'write to a file system whose locks other machines need not see');

/** `dpcompose ledger move`: a ledger goes on in another store, or is copied there. */
export function moveCommand(context: Context): Command {
  const command = new Command('move')
    .summary('let a ledger go on in another store, or copy it there')
    .description(
      'Ends a ledger where it is, and lets it go on in another store: the same lines, and the same id. With --keep it is copied, line for line, and goes on where it is.',
    );
  withPlaces(command)
    .option('--keep', 'copy it: it goes on where it is')
    .optionsGroup('How it is recorded:')
    .option('--at <TIME>', 'the time that is noted, such as 2026-03-02T09:15Z, or none (now)')
    .option('--wait <SECONDS>', 'how long to wait for others who write (10)')
    .option('--actor <NAME>', 'who asks for it, noted with the record');
  return withFormats(command)
    .addHelpText(
      'after',
      `
The ledger ends first, then it is copied, then the copy goes on: at no moment
can it be spent from in both places. If the command is stopped in between, the
same command completes the move; until then the ledger is closed.
What --keep makes is for people to read and to keep. Nothing is granted from
it, as it knows nothing of what is granted by the ledger itself from then on;
"ledger adopt" lets it go on, for who answers for that.

Examples:
  dpcompose ledger move budget.jsonl --to sqlite:all.db --as budget
  dpcompose ledger move team --from budgets --to postgres://host/privacy
  dpcompose ledger move budget.jsonl --to backup --keep`,
    )
    .action(async (file: string, flags: CopyFlags) => {
      context.ends(await copy(flags.keep === true ? 'copy' : 'move', file, flags, context));
    });
}

/** What is copied or moved, and where to. */
interface Task {
  readonly command: 'copy' | 'move';
  readonly source: Named;
  readonly target: Named;
}

async function done({ command, source, target }: Task, flags: CopyFlags, context: Context) {
  const errors: InputError[] = [];
  const { actor = null } = flags;
  const options = { patience: readWait(flags.wait, errors), at: readTime(flags.at, context, errors), actor };
  if (errors.length > 0) throw new UsageError(errors);
  const [from, to] = [source, target].map(({ store, file: name }) => ({ store, name })) as [Located, Located];
  if (command === 'copy') {
    const { copyIn } = await import('../../ledger/journal/move.ts');
    return { last: succeeded(await copyIn(from, to), source).last, adopted: null };
  }
  const { moveIn } = await import('../../ledger/journal/move.ts');
  const { left, adopted } = succeeded(await moveIn(from, to, options), source);
  return { last: left, adopted };
}

/** Throws where the place that it goes to is not there. */
async function requirePlace({ store, file }: Named): Promise<void> {
  const obstacle = await store.obstacle(file);
  if (obstacle?.fault.code === 'no-such-directory') throw faultFailure(obstacle.fault, '--to');
}

async function copy(command: CopyReport['command'], file: string, flags: CopyFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const locks = flags.assumeLocks === true ? { assumeLocks: true } : {};
  await using source = await openStoreOf({ ...locks, ...(flags.from !== undefined && { store: flags.from }) }, io, {
    flag: '--from',
  });
  await using target = await openStoreOf({ ...locks, store: flags.to }, io, { flag: '--to' });
  const [from, to] = [source.named(file), target.named(flags.as ?? file)];
  await requirePlace(to);
  const put = await openBeside([from, to], flags, io);
  const result = await done({ command, source: from, target: to }, flags, context);
  const address = (named: Named) => ({ store: named.store.address, name: named.file });
  const report = { command, from: address(from), to: address(to), ...result };
  const text = flags.json === true ? copyJson(report, version) : copyText(report);
  await deliver(put, text, `the ledger WAS ${command === 'copy' ? 'copied' : 'moved'}.`);
  return EXIT.done;
}
