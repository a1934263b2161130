import { closeSync, fsyncSync, linkSync, openSync, unlinkSync } from 'node:fs';
import { failed, Interrupted, type Failed } from '../records/fault.ts';
import { restorable, type LastLine } from '../records/restorable.ts';
import type { Restored } from '../journal/store.ts';
import { obstacle, syncDirectory } from './create.ts';
import { NEWLINE, writeAll, type Disk } from './disk.ts';
import { incomingPathOf } from './hidden.ts';
import { homeOfNewFile } from './home.ts';
import { createFault, reasonOf, writeFault } from './system-error.ts';

/**
 * Makes a ledger file of lines that were written elsewhere. They are written into a hidden file beside it, which gets the name
 * of the ledger when all of them are durable, and only if nothing has that name: there is no moment at which the ledger is there in part.
 */
export async function restore(
  path: string,
  lines: AsyncIterable<readonly Buffer[]>,
  disk: Disk,
): Promise<Restored | Failed> {
  const inTheWay = obstacle(path);
  if (inTheWay !== null) return failed(inTheWay);
  const beside = incomingPathOf(path);
  let fd;
  try {
    fd = openSync(beside, 'ax');
  } catch (error) {
    return failed(createFault(error));
  }
  const last: LastLine = {};
  let named = false;
  try {
    for await (const batch of restorable(lines, homeOfNewFile(fd), last)) {
      writeAll(disk, fd, Buffer.concat(batch.flatMap((line) => [line, NEWLINE])));
    }
    fsyncSync(fd);
    linkSync(beside, path);
    named = true;
    syncDirectory(path);
    return { kind: 'restored', last: last.record! };
  } catch (error) {
    if (error instanceof Interrupted) return error.failed;
    if (named) return failed({ code: 'outcome-unknown', reason: reasonOf(error) });
    const fault = createFault(error);
    return failed(fault.code === 'file-exists' ? fault : writeFault(error));
  } finally {
    closeSync(fd);
    unlinkSync(beside);
  }
}
