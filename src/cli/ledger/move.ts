import type { Located } from '../../ledger/move.ts';
import { copyOutput } from '../../output/ledger/copy.ts';
import { inGroup, switchOption, textOption } from '../kit/option.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { quote } from '../../document/core/quote.ts';
import { UsageError } from '../kit/usage-error.ts';
import { orThrow, type Named, LEDGER, LOCKS, storeOption } from './kit/store-option.ts';
import { NOTE, noteOptions } from './kit/write-options.ts';

const located = ({ store, file: name }: Named): Located => ({ store, name });

/** `dpcompose ledger move`: a ledger goes on in another store, or is copied there. */
export const moveCommand = ledgerCommand({
  name: 'move',
  summary: 'move or copy a ledger to another store',
  about:
    'Moves a ledger to another store, with the same records and the same id. With --keep, copies it and leaves the original active.',
  operands: [LEDGER],
  options: {
    ...inGroup('Location:', {
      from: storeOption('--from <STORE>', 'location of the ledger'),
      to: { ...textOption('--to <STORE>', 'target store'), isMandatory: true },
      as: textOption('--as <NAME>', 'name in the target store (default: the same)'),
      ...LOCKS,
      keep: switchOption('--keep', 'copy it and leave the original active'),
    }),
    ...inGroup('Recording:', NOTE),
  },
  examples: `
The original ends before the copy starts, so nobody can ever spend from both. If
the command stops in between, run it again to complete the move; until then the
ledger is closed.
A copy made by --keep is for reading and backup. It denies all requests, because
it does not know what the original grants. "ledger adopt" activates it, on your
responsibility.

Examples:
  dpcompose ledger move budget.jsonl --to sqlite:all.db --as budget
  dpcompose ledger move team --from budgets --to postgres://host/privacy
  dpcompose ledger move budget.jsonl --to backup --keep`,
  async run(run, file: string) {
    const { flags } = run;
    const { assumeLocks } = flags;
    run.check();
    const from = (await run.open({ flag: '--from' }, { assumeLocks, store: flags.from })).ledgerNamed(file);
    const to = (await run.open({ flag: '--to' }, { assumeLocks, store: flags.to })).ledgerNamed(flags.as ?? file);
    const obstacle = await to.store.obstacle(to.file);
    if (obstacle?.fault.code === 'no-such-directory') throw noFolder(flags.to ?? '');
    await run.openOutput([from, to]);
    const command = flags.keep ? ('copy' as const) : ('move' as const);
    const result = command === 'copy' ? await copied(from, to) : await moved(from, to, noteOptions(run));
    if (command === 'move') await run.noteAhead();
    const address = ({ store, file: name }: Named) => ({ store: store.address, name });
    const report = { command, from: address(from), to: address(to), ...result };
    return {
      ...copyOutput(report),
      recordNote: `the ledger WAS ${command === 'copy' ? 'copied' : 'moved'}.`,
    };
  },
});

/** The folder to which a ledger is to be moved does not exist. */
const noFolder = (folder: string): UsageError =>
  new UsageError([
    { code: 'no-such-directory', path: '--to', message: `no such folder ${quote(folder)}`, hint: 'Create it first.' },
  ]);

async function copied(from: Named, to: Named) {
  const { copyIn } = await import('../../ledger/move.ts');
  return { last: orThrow(await copyIn(located(from), located(to)), from).last, adopted: null };
}

async function moved(from: Named, to: Named, options: ReturnType<typeof noteOptions>) {
  const { moveIn } = await import('../../ledger/move.ts');
  const { departure, adopted } = orThrow(await moveIn(located(from), located(to), options), from);
  return { last: departure, adopted };
}
