import { Argument, Command } from 'commander';
import type { Store } from '../../ledger/store.ts';
import type { Context } from '../kit/io.ts';
import { switchOption } from '../kit/option.ts';
import type { StoreReport } from '../../output/ledger/copy.ts';
import { ledgerCommand, type CommandResult } from './kit/ledger-command.ts';
import { listedLedgers, orThrow } from './kit/store-option.ts';

const ADDRESS = 'a folder, sqlite:FILE, or postgres://...';

/** Says what became of a store, or what is in it. */
const storeResult = async (report: StoreReport): Promise<CommandResult> =>
  (await import('../../output/ledger/copy.ts')).storeOutput(report);

async function namesIn(store: Store): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of listedLedgers(store)) names.push(name);
  return names;
}

const initCommand = ledgerCommand({
  name: 'init',
  summary: 'create a store',
  about: 'Creates a store of ledgers. An existing store does not change.',
  operands: [new Argument('<ADDRESS>', ADDRESS)],
  options: {
    assumeLocks: switchOption('--assume-locks', 'allow a file system whose locks other machines may not see'),
  },
  examples: '\nExamples:\n  dpcompose ledger store init budgets\n  dpcompose ledger store init sqlite:all.db',
  async run(run, address: string) {
    const { flags, context } = run;
    run.check();
    const { initStore } = await import('../../ledger/stores/open-store.ts');
    const result = await initStore(address, context.io.cwd(), { assumeLocks: flags.assumeLocks });
    // What is no address may have a password in it.
    const isAddress = result.kind !== 'failed' || result.fault.code !== 'bad-address';
    const { store } = orThrow(result, { file: isAddress ? address : 'ADDRESS' });
    const names = flags.json === true ? await namesIn(store) : [];
    await store.close();
    return await storeResult({ command: 'init', store: address, names });
  },
});

const listCommand = ledgerCommand({
  name: 'list',
  summary: 'list the ledgers of a store',
  about: 'Lists the ledgers of a store, one a line. For details, run "ledger status --store".',
  operands: [new Argument('[ADDRESS]', `${ADDRESS} (default: DPCOMPOSE_STORE, or the current folder)`)],
  options: {},
  examples: '\nExample:\n  dpcompose ledger store list sqlite:all.db',
  async run(run, address: string | undefined) {
    run.check();
    const { store } = await run.open({ flag: 'ADDRESS' }, { store: address });
    return await storeResult({ command: 'list', store: store.address, names: await namesIn(store) });
  },
});

/** `dpcompose ledger store`: the places where ledgers are kept. */
export const storeCommand = (context: Context): Command =>
  new Command('store')
    .summary('create a store, or list its ledgers')
    .description('Creates a store of ledgers, or lists its ledgers.')
    .addCommand(initCommand(context))
    .addCommand(listCommand(context));
