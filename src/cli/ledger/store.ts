import { Command } from 'commander';
import type { Store } from '../../ledger/journal/store.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { openDestination } from '../kit/destination.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import type { StoreReport } from '../../report/ledger/copy.ts';
import { eachListed, succeeded } from './kit/named-ledger.ts';
import { withFormats, openStoreOf } from './kit/store-option.ts';

const ADDRESS = 'a folder, sqlite:FILE, or postgres://...';

async function tell(report: StoreReport, flags: PrintFlags, { io, version }: Context): Promise<void> {
  const put = await openDestination(flags, io);
  const { storeJson, storeText } = await import('../../report/ledger/copy.ts');
  await put?.(flags.json === true ? storeJson(report, version) : storeText(report));
}

async function namesIn(store: Store): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of eachListed(store)) names.push(name);
  return names;
}

function initCommand(context: Context): Command {
  const command = new Command('init')
    .summary('make a place for ledgers')
    .description('Makes a place for ledgers; one that is there already stays as it is.')
    .argument('<ADDRESS>', ADDRESS)
    .option('--assume-locks', 'also on a file system whose locks other machines need not see');
  return withFormats(command)
    .addHelpText(
      'after',
      '\nExamples:\n  dpcompose ledger store init budgets\n  dpcompose ledger store init sqlite:all.db',
    )
    .action(async (address: string, flags: PrintFlags & { readonly assumeLocks?: boolean }) => {
      const { io } = context;
      const { initStore } = await import('../../ledger/stores/open-store.ts');
      const made = await initStore(address, io.cwd(), { assumeLocks: flags.assumeLocks === true });
      // What is no address may have a password in it.
      const isAddress = made.kind !== 'failed' || made.fault.code !== 'bad-address';
      const { store } = succeeded(made, { file: isAddress ? address : 'ADDRESS' });
      const names = flags.json === true ? await namesIn(store) : [];
      await store.close();
      await tell({ command: 'init', store: address, names }, flags, context);
      context.ends(EXIT.done);
    });
}

function listCommand(context: Context): Command {
  const command = new Command('list')
    .summary('the names of all ledgers of a store')
    .description('Lists the names of all ledgers of a store, one on each line; "ledger status --store" says more.')
    .argument('[ADDRESS]', `${ADDRESS} (DPCOMPOSE_STORE, or the current folder)`);
  return withFormats(command)
    .addHelpText('after', '\nExample:\n  dpcompose ledger store list sqlite:all.db')
    .action(async (address: string | undefined, flags: PrintFlags) => {
      const { io } = context;
      await using desk = await openStoreOf(address === undefined ? {} : { store: address }, io, { flag: 'ADDRESS' });
      await tell({ command: 'list', store: desk.store.address, names: await namesIn(desk.store) }, flags, context);
      context.ends(EXIT.done);
    });
}

/** `dpcompose ledger store`: the places where ledgers are kept. */
export const storeCommand = (context: Context): Command =>
  new Command('store')
    .summary('make a place for ledgers, or list what is in one')
    .description('Makes a place for ledgers, or lists the ledgers of one.')
    .addCommand(initCommand(context))
    .addCommand(listCommand(context));
