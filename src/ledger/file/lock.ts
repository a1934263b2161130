import { setTimeout as sleep } from 'node:timers/promises';
import { failed, type Failed } from '../records/fault.ts';

/** The byte that is locked: one that no ledger is long enough to have, so that locks keep nobody from reading. */
const LOCKED_BYTE = 2 ** 50;

/** Milliseconds between two attempts: growing, and not the same for all who wait. */
const FIRST_PAUSE = 1;
const LONGEST_PAUSE = 40;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Waits until this open file is locked for its owner alone; null when it is. `told`: the seconds that a fault names.
 *
 * The lock is the system's own, on the file itself: it ends when the file is closed, which the system sees to however
 * a process ends. There is no lock file that could be left behind, and nobody has to guess whether its owner is alive.
 */
export async function lock(fd: number, patience: number, told = patience): Promise<Failed | null> {
  let tryLock;
  try {
    ({ tryLock } = await import('fs-native-extensions'));
  } catch (error) {
    return failed({ code: 'no-locks', reason: error instanceof Error ? (error.message.split('\n')[0] ?? '') : '' });
  }
  const end = performance.now() + 1000 * patience;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(LONGEST_PAUSE, 2 * pause)) {
    try {
      if (tryLock(fd, LOCKED_BYTE, 1)) return null;
    } catch (error) {
      return failed({ code: 'no-locks', reason: String(codeOf(error) ?? error) });
    }
    const left = end - performance.now();
    if (left <= 0) return failed({ code: 'busy', seconds: told });
    await sleep(Math.min(left, pause * (0.5 + Math.random())));
  }
}
