import { conflict } from '../kit/usage-error.ts';
import { closeSync, fstatSync, fsyncSync, openSync, readSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Anchor } from '../../ledger/anchor.ts';
import { counted } from '../../output/kit/prose.ts';
import { OutputError, systemReason, type Io } from '../kit/io.ts';
import { inGroup, PRINTED, textOption } from '../kit/option.ts';
import { checkWritten } from '../kit/output-file.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { listedLedgers, namedLedgers, ledgerError, LEDGERS, requireLedgers, WHERE } from './kit/store-option.ts';
import { AT, timeOf } from './kit/write-options.ts';

const EXAMPLES = `
An anchor is a line of JSON: the store, the id of the ledger, and the number and
hash of its last record. Store it where writers of the ledger cannot change it.
Later, "ledger verify --anchors" shows that no record was cut off.

Examples:
  dpcompose ledger anchor budget.jsonl --append /mnt/audit/anchors.jsonl
  dpcompose ledger anchor --store budgets -o anchors.jsonl`;

/** Whether the end of a file is that of a line: after a loss of power it may be the beginning of one. */
function endsInLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last.toString() === '\n';
}

/** Adds text to the end of a file, in lines of its own; returns when it would survive the loss of power. */
function appendDurably(file: string, text: string, io: Io): void {
  try {
    const fd = openSync(resolve(io.cwd(), file), 'a+');
    try {
      writeFileSync(fd, endsInLine(fd) ? text : `\n${text}`);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    throw new OutputError(`${file} cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

/** `dpcompose ledger anchor`: the heads of ledgers, to be kept elsewhere. */
export const anchorCommand = ledgerCommand({
  name: 'anchor',
  summary: 'print last hashes, to store elsewhere',
  about: 'Prints the number and the hash of the last record of each ledger, to store elsewhere.',
  operands: [LEDGERS],
  options: {
    ...AT,
    ...WHERE,
    ...inGroup(PRINTED, { append: textOption('--append <FILE>', 'append durably to a file') }),
  },
  formats: null,
  examples: EXAMPLES,
  async run(run, files: readonly string[]) {
    const { flags, errors, context } = run;
    const { io } = context;
    const { append } = flags;
    if (append !== undefined && flags.output !== undefined) {
      errors.push(conflict('--append', 'conflicts with --output', 'Give one of them.'));
    }
    requireLedgers(files, flags, io, errors);
    run.check();
    const { store, ledgerNamed } = await run.open();
    const { anchorLine, anchorOf } = await import('../../ledger/anchor.ts');
    const at = timeOf(flags.at, context);
    const anchors: Anchor[] = [];
    for await (const { name, ends } of files.length === 0 ? listedLedgers(store) : namedLedgers(store, files)) {
      if (ends.kind === 'failed') throw ledgerError(ends.fault, name);
      const anchor = anchorOf(ends, { store: store.address, name, at });
      if ('kind' in anchor) throw ledgerError(anchor.fault, name);
      anchors.push(anchor);
    }
    await run.openOutput(anchors.map(({ name }) => ledgerNamed(name)));
    const lines = anchors.map(anchorLine).join('');
    if (append !== undefined) {
      checkWritten(append, { flag: '--append', force: false, adds: 'a file of anchors' }, io);
      appendDurably(append, lines, io);
    }
    const text = (): string => (append === undefined ? lines : `anchored: ${counted(anchors.length, 'ledger')}.\n`);
    return { json: text, text };
  },
});
