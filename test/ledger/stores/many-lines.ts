import { annotateIn } from '../../../src/ledger/succession.ts';
import { foldOf } from '../../../src/ledger/history.ts';
import { seal, unseal } from '../../../src/ledger/line.ts';
import { spendIn } from '../../../src/ledger/spend-in.ts';
import type { Store } from '../../../src/ledger/store.ts';
import { ITEMS } from '../../../src/output/ledger/items.ts';
import { dp } from '../../mechanisms.ts';
import { headerOf, sound } from '../store-contract.ts';
import { OPTIONS } from './file/files.ts';

const MANY = 1200;

export async function spend(store: Store, label: string): Promise<void> {
  sound(await spendIn(store, ['a'], { entries: [{ ...dp('0.1'), label }] }, OPTIONS));
}

/** What was launched, by its labels; or the code of the fault. */
export async function summed(store: Store): Promise<Readonly<Record<string, number>> | string> {
  const folded = await foldOf(store, 'a', ITEMS);
  if (folded.kind === 'failed') return folded.fault.code;
  return Object.fromEntries([...folded.sum.items.values()].map(({ what, mechanisms }) => [what, mechanisms]));
}

/** The lines of a ledger with one launch and many notes, which begins in an empty store. */
export async function manyLines(store: Store): Promise<Buffer[]> {
  sound(await store.create('a', headerOf('a')));
  await spend(store, 'first');
  sound(await annotateIn(store, 'a', { event: 'note', label: 'n' }, OPTIONS));
  const lines: Buffer[] = [];
  const batches = await store.records('a');
  if ('kind' in batches) throw new Error(batches.fault.code);
  for await (const batch of batches) lines.push(...batch.map(({ bytes }) => bytes));
  const note = unseal(lines.at(-1)!);
  if (note.kind !== 'record') throw new Error('a line is no record');
  for (let prev = note.hash; lines.length <= MANY;) {
    const { text, hash } = seal({ ...note.fields, seq: lines.length, prev });
    lines.push(Buffer.from(text));
    prev = hash;
  }
  return lines;
}

export async function* batchesOf(lines: readonly Buffer[]): AsyncGenerator<readonly Buffer[]> {
  yield await Promise.resolve(lines);
}
