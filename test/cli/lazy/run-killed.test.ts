import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { clopperPearson } from '../../../src/numeric/binomial.ts';
import { lawOf } from '../../enumeration/law.ts';
import { SHARE } from '../../reference/share.ts';
import { Random } from '../../soundness/random.ts';

// The built program as its users run it; `npm test` builds it first.

const BINARY = join(import.meta.dirname, '../../../bin/dpcompose.js');
const RUNS = SHARE === 1 ? 200 : 5;
const LOSSES = [
  [0, 1],
  [1, 0],
  [0, 1],
  [0, 1],
];
const [ETA, C] = [1, 0.2];

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-killed-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function command(line: string): string {
  const { stdout } = spawnSync(process.execPath, [BINARY, 'lazy', 'run', ...line.split(' ')], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout;
}

interface Status {
  readonly round: number;
  readonly expert: number | null;
}

const statusOf = (file: string): Status => JSON.parse(command(`${file} --status --json`)) as Status;

/** Feeds round by round from `next` on, each when the one before was answered, and kills the process; the answers that it gave. */
async function fed(
  file: string,
  next: number,
  wanted: number,
  pause: number,
): Promise<[round: number, expert: number | null][]> {
  const child = spawn(process.execPath, [BINARY, 'lazy', 'run', file, '--json'], { cwd: folder });
  // What is fed to a process that was killed is lost.
  child.stdin.on('error', () => undefined);
  const told: [number, number | null][] = [];
  const feed = (): void => {
    const losses = LOSSES[next - 1 + told.length];
    if (losses !== undefined) child.stdin.write(`${losses.join(',')}\n`);
  };
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => {
    const { round, expert } = JSON.parse(line) as { round: number; expert: number | null };
    told.push([round, expert]);
    feed();
    if (told.length === wanted) void sleep(pause).then(() => child.kill('SIGKILL'));
  });
  feed();
  if (wanted === 0) void sleep(pause).then(() => child.kill('SIGKILL'));
  await once(child, 'close');
  return told;
}

describe('a run that is killed', () => {
  it('answers every round once, and with the chances that enumeration lists', async () => {
    const random = new Random(20261124);
    const counts = new Map<string, number>();
    let kills = 0;
    for (let i = 0; i < RUNS; i++) {
      const file = `${i}.run`;
      command(
        `${file} --init --rounds ${LOSSES.length} --experts 2 --batch 1 --eta ${ETA} --c ${C} --delta 1e-6 --quiet`,
      );
      const played = new Map<number, number | null>();
      const hear = (round: number, expert: number | null): void => {
        expect(played.get(round) ?? expert).toBe(expert);
        played.set(round, expert);
      };
      let status = statusOf(file);
      hear(status.round, status.expert);
      while (status.expert !== null) {
        // At first in the middle of anything, from before it has begun to read to after its last answer.
        const wanted = kills % 2 === 0 ? random.whole(0, 2) : LOSSES.length;
        const told = await fed(
          file,
          status.round,
          Math.min(wanted, LOSSES.length + 1 - status.round),
          random.whole(0, wanted === 0 ? 300 : 60),
        );
        kills++;
        for (const [round, expert] of told) hear(round, expert);
        const after = statusOf(file);
        expect(after.round).toBeGreaterThanOrEqual(status.round + told.length);
        // One round more may have been taken whose answer nobody heard: it is told again, and not drawn again.
        expect(after.round).toBeLessThanOrEqual(status.round + told.length + 1);
        hear(after.round, after.expert);
        status = after;
      }
      const key = LOSSES.map((_, t) => played.get(t + 1)).join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(kills).toBeGreaterThanOrEqual(RUNS);
    const law = new Map<string, number>();
    for (const [seen, chance] of lawOf({ eta: ETA, batch: 1, transform: { c: C } }, LOSSES)) {
      const key = seen
        .split('|')
        .map((state) => Number(state.replaceAll('*', '').split('/')[0]) + 1)
        .join('');
      law.set(key, (law.get(key) ?? 0) + chance);
    }
    for (const [key, chance] of law) {
      const { lower, upper } = clopperPearson(counts.get(key) ?? 0, RUNS, 1 - 1e-7);
      expect(lower).toBeLessThanOrEqual(chance * (1 + 1e-12));
      expect(upper).toBeGreaterThanOrEqual(chance * (1 - 1e-12));
    }
    expect([...counts.keys()].filter((key) => !law.has(key))).toEqual([]);
  });
});
