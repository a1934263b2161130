import type { Rest } from './ends.ts';
import { failed, type Failed, type Flaw, type Place } from './fault.ts';
import type { Sealed } from './line.ts';
import { reading } from './open-file.ts';
import { stateAtStart } from './present.ts';
import { readHeader, readRecord, type Header } from './record.ts';
import { Replay } from './replay.ts';
import { walk } from './walk.ts';

/** The findings in a file that was read from its beginning to its end. */
export interface Verified {
  readonly kind: 'verified';
  readonly header: Header | null;
  /** How many records are in their place, the header not counted. */
  readonly records: number;
  /** The hash of the last record that is in its place. */
  readonly hash: string | null;
  /** The first flaws. */
  readonly flaws: readonly Flaw[];
  /** How many more there are. */
  readonly more: number;
  readonly rest: Rest;
  /** Whether a record has the hash that was asked for; null where none was. */
  readonly holds: boolean | null;
}

/** The most flaws that are listed. */
const MAX_FLAWS = 20;

/** Decides records again as long as nothing is wrong: after a flaw, the state is not known. */
class Check {
  header: Header | null = null;
  #replay: Replay | null = null;

  take(record: Sealed, place: Place): Flaw | null {
    return place.record === 0 ? this.#begin(record) : this.#go(record, place);
  }

  /** From here on records are not decided again. */
  stop(): void {
    this.#replay = null;
  }

  #begin(record: Sealed): Flaw | null {
    const header = readHeader(record);
    if ('kind' in header) return header.fault;
    this.header = header;
    const state = stateAtStart(header);
    if (state === null) return { code: 'malformed-record', line: 1, record: 0, path: 'terms' };
    this.#replay = new Replay(state);
    return null;
  }

  #go(record: Sealed, place: Place): Flaw | null {
    const recorded = readRecord(record, place);
    if ('kind' in recorded) return recorded.fault;
    const found = this.#replay?.take(recorded) ?? null;
    return found === null ? null : { ...found, ...place };
  }
}

/** Reads all of an open ledger file: whether every record is as it was written, in its place, and allowed by the rule. */
function verifyOpen(fd: number, contains: string | null): Verified | Failed {
  const check = new Check();
  const flaws: Flaw[] = [];
  let [records, more, hash, holds] = [0, 0, null as string | null, false];
  let rest: Rest = { kind: 'none' };
  const add = (flaw: Flaw): void => {
    check.stop();
    if (flaws.length < MAX_FLAWS) flaws.push(flaw);
    else more++;
  };
  for (const found of walk(fd, true)) {
    switch (found.kind) {
      case 'other':
        return failed(found.fault);
      case 'flaw':
        add(found.flaw);
        break;
      case 'rest':
        ({ rest } = found);
        break;
      case 'record': {
        const { record, place } = found;
        const flaw = check.take(record, place);
        if (flaw !== null) add(flaw);
        if (place.record > 0) records++;
        ({ hash } = record);
        holds ||= contains !== null && hash.startsWith(contains);
      }
    }
  }
  return {
    kind: 'verified',
    header: check.header,
    records,
    hash,
    flaws,
    more,
    rest,
    holds: contains === null ? null : holds,
  };
}

/**
 * Reads all of a ledger file. `contains`: a hash, or its first digits, that some record should have: one that was noted
 * before shows that nothing was taken from the end since.
 */
export const verify = (path: string, contains: string | null = null): Verified | Failed =>
  reading(path, (fd) => verifyOpen(fd, contains));
