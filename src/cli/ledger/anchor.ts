import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Anchor } from '../../ledger/journal/anchor.ts';
import { counted } from '../../report/kit/prose.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { EXIT } from '../kit/exit.ts';
import { OutputError, print, systemReason, type Io } from '../kit/io.ts';
import { SHARED, type PrintFlags } from '../kit/shared-options.ts';
import { checkWritten } from '../kit/written-file.ts';
import { UsageError } from '../kit/usage-error.ts';
import { eachListed, faultFailure, noteLedgers, openBeside, succeeded } from './kit/named-ledger.ts';
import {
  ALL_OF_STORE,
  openStoreOf,
  requireLedgers,
  withStoreOption,
  type OpenStore,
  type StoreFlags,
} from './kit/store-option.ts';
import { readTime } from './kit/write-options.ts';

interface AnchorFlags extends PrintFlags, StoreFlags {
  readonly append?: string;
  readonly at?: string;
}

const EXAMPLES = `
An anchor is a line of JSON: the store, the id of the ledger, the number and the
hash of its last record. Kept where who writes to the ledger cannot change it,
it shows later that nothing was taken from the end: "ledger verify --anchors".

Examples:
  dpcompose ledger anchor budget.jsonl --append /mnt/audit/anchors.jsonl
  dpcompose ledger anchor --store budgets -o anchors.jsonl`;

/** `dpcompose ledger anchor`: the heads of ledgers, to be kept elsewhere. */
export function anchorCommand(context: Context): Command {
  const command = new Command('anchor')
    .summary('write down the last records of ledgers, to be kept elsewhere')
    .description('Writes the number and the hash of the last record of each ledger, to be kept elsewhere.')
    .argument('[FILE...]', ALL_OF_STORE)
    .option('--at <TIME>', 'the time that is noted, such as 2026-03-02T09:15Z, or none (now)');
  return withStoreOption(command)
    .optionsGroup('What is printed:')
    .addOption(SHARED.output())
    .option('--append <FILE>', 'add to the end of a file, durably')
    .addOption(SHARED.quiet())
    .addOption(SHARED.noColor())
    .optionsGroup('Other:')
    .addOption(SHARED.debug())
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: AnchorFlags) => {
      context.ends(await anchor(files, flags, context));
    });
}

/** Adds text to the end of a file; returns when it would survive the loss of power. */
function appendDurably(file: string, text: string, io: Io): void {
  try {
    const fd = openSync(resolve(io.cwd(), file), 'a');
    try {
      writeFileSync(fd, text);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new OutputError(`${file} cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

async function anchorsOf(
  desk: OpenStore,
  files: readonly string[],
  at: string | null,
  isWhole: boolean,
): Promise<readonly Anchor[]> {
  const { anchorOf } = await import('../../ledger/journal/anchor.ts');
  const anchors: Anchor[] = [];
  const { store } = desk;
  for await (const { name, ends } of isWhole ? eachListed(store) : eachNamed(desk, files)) {
    if (ends.kind === 'failed') throw faultFailure(ends.fault, name);
    const anchor = anchorOf(ends, { store: store.address, name, at });
    if ('kind' in anchor) throw faultFailure(anchor.fault, name);
    anchors.push(anchor);
  }
  return anchors;
}

async function* eachNamed({ store, named }: OpenStore, files: readonly string[]) {
  for (const name of files) yield { name, ends: succeeded(await store.ends(name), named(name)) };
}

async function anchor(files: readonly string[], flags: AnchorFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const at = readTime(flags.at, context, errors);
  if (flags.append !== undefined && flags.output !== undefined) {
    const hint = 'Give one of them.';
    errors.push({ code: 'conflicting-options', path: '--append', message: 'is not for --output', hint });
  }
  requireLedgers(files, flags, io, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const { append } = flags;
  const anchors = await anchorsOf(desk, files, at, files.length === 0);
  const ledgers = anchors.map(({ name }) => desk.named(name));
  const { anchorLine } = await import('../../ledger/journal/anchor.ts');
  const text = anchors.map(anchorLine).join('');
  if (append === undefined) {
    const put = await openBeside(ledgers, flags, io);
    await put?.(text);
    return EXIT.done;
  }
  noteLedgers(ledgers, io);
  checkWritten(append, { flag: '--append', force: false }, io);
  appendDurably(append, text, io);
  if (flags.quiet !== true) await print(io, `anchored: ${counted(anchors.length, 'ledger')}.\n`);
  return EXIT.done;
}
