import { unlinkSync } from 'node:fs';
import { failed, type Failed } from '../records/fault.ts';
import type { Birth } from '../journal/births.ts';
import { readHeader } from '../records/record.ts';
import { create } from './create.ts';
import type { Disk } from './disk.ts';
import { reading } from './open-file.ts';
import { readEnds, readFirstLine } from './ends.ts';

/** Whether the file is the one that a birth asks for; null where it is the unfinished beginning of a ledger. */
function isBorn({ name, header }: Birth): boolean | null {
  const found = reading(name, readFirstLine);
  if (found.kind === 'failed')
    return found.fault.code === 'empty-ledger' || found.fault.code === 'unfinished-header' ? null : false;
  const read = readHeader(found);
  if ('kind' in read) return false;
  return read.id === header.id && read.origin?.hash === header.origin?.hash && read.origin?.id === header.origin?.id;
}

type Borne = 'made' | 'found' | Failed;

function bear(birth: Birth, disk: Disk | undefined): Borne {
  const made = create(birth.name, birth.header, disk && { disk });
  if (made.kind !== 'failed') return 'made';
  if (made.fault.code === 'file-exists') {
    const born = isBorn(birth);
    if (born === true) return 'found';
    if (born === null) {
      // Nobody was ever told of it: its maker was stopped before its first line had an end.
      unlinkSync(birth.name);
      return bear(birth, disk);
    }
  }
  return failed({ code: 'not-made', path: birth.name, because: made.fault });
}

/** Makes the files of ledgers that come into being with a record that counts, as far as they are not there. */
export function bearMissing(births: readonly Birth[], disk: Disk): Failed | null {
  for (const birth of births) {
    const borne = bear(birth, disk);
    if (typeof borne === 'object') return borne;
  }
  return null;
}

/** Makes the files of ledgers that come into being with a record that is being written: all of them, or none is left. */
export function bearAll(births: readonly Birth[], disk: Disk): Failed | null {
  const made: Birth[] = [];
  for (const birth of births) {
    const borne = bear(birth, disk);
    if (borne === 'made') {
      made.push(birth);
      continue;
    }
    undoBirths(made);
    // A file of this name was not there a moment ago; it belongs to somebody else, whatever it says.
    return borne === 'found' ? failed({ code: 'not-made', path: birth.name, because: { code: 'file-exists' } }) : borne;
  }
  return null;
}

/** Whether nothing was ever recorded in the ledger that a birth made. */
function isUntouched({ name }: Birth): boolean {
  const ends = reading(name, readEnds);
  return ends.kind === 'ends' && ends.rest.kind === 'none' && ends.last === ends.header;
}

/**
 * Removes what `bearAll` has made, where the record that they belong to is taken back; not what somebody has spent from since, which
 * is false then.
 */
export function undoBirths(births: readonly Birth[]): boolean {
  let isUndone = true;
  for (const birth of births) {
    if (isBorn(birth) !== true) continue;
    if (isUntouched(birth)) unlinkSync(birth.name);
    else isUndone = false;
  }
  return isUndone;
}
