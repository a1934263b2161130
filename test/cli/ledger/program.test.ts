import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

// The built program, as many of it at once as people may start; `npm test` builds it first.

const BINARY = join(import.meta.dirname, '../../../bin/dpcompose.js');
const desk = new Desk();

async function program(line: string, options: { uid?: number; before?: string } = {}) {
  const words = [
    '-c',
    `${options.before ?? ''} exec "$@"`,
    'bash',
    process.execPath,
    BINARY,
    'ledger',
    ...line.split(' '),
  ];
  const child = spawn('bash', words, {
    cwd: desk.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr };
}

const SPEND = 'spend b.jsonl -m dp:epsilon=0.1 --at none';

describe('many programs at one ledger', () => {
  it('are told yes as often as the budget allows, and not once more', async () => {
    await desk.done('init b.jsonl --epsilon 1 --id b');
    const answers = await Promise.all(Array.from({ length: 16 }, () => program(SPEND)));
    expect(answers.map(({ code }) => code).sort()).toEqual([...Array<number>(10).fill(0), ...Array<number>(6).fill(1)]);
    const records = answers.flatMap(({ stdout }) => /in record (\d+)\./.exec(stdout)?.[1] ?? []);
    expect(records.map(Number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(await desk.done('verify b.jsonl')).toContain('10 records');
  });

  it('are not stopped by one that died with the lock', async () => {
    await desk.done('init l.jsonl --epsilon 1');
    const script = `const { tryLock } = require('fs-native-extensions'); const fd = require('fs').openSync(process.argv[1], 'a+');
      if (!tryLock(fd, 2 ** 50, 1)) process.exit(3); console.log('locked'); setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ['-e', script, join(desk.folder, 'l.jsonl')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(holder.stdout, 'data');
    expect(await program('spend l.jsonl -m dp:epsilon=0.1 --wait 0')).toMatchObject({ code: 4 });
    const waiting = program('spend l.jsonl -m dp:epsilon=0.1 --wait 60');
    holder.kill('SIGKILL');
    expect(await waiting).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('a ledger that cannot be written', () => {
  it('is left as it was where a file may not grow', async () => {
    await desk.done('init full.jsonl --epsilon 1 --id full --at none');
    const before = desk.read('full.jsonl');
    // The limit is in units of 1,024 bytes; without the trap, the system would stop the program.
    const limited = { before: "trap '' XFSZ; ulimit -f 1;" };
    const label = 'x'.repeat(900);
    const { code, stderr } = await program(`spend full.jsonl -m dp:epsilon=0.1 --label ${label}`, limited);
    expect(code).toBe(74);
    expect(stderr).toBe('error: full.jsonl: the disk is full: nothing was recorded. Free some space, then retry.\n');
    expect(desk.read('full.jsonl')).toBe(before);
    expect(await program(`init new.jsonl --epsilon 1 --neighbours ${label}`, limited)).toMatchObject({ code: 74 });
    expect(await desk.codes('status new.jsonl')).toEqual([2]);
  });

  // Root may write everywhere.
  const asRoot = process.getuid?.() === 0;
  const reachable = asRoot && spawnSync('bash', ['-c', `test -r ${BINARY}`], { uid: 65534, gid: 65534 }).status === 0;
  const uid = asRoot ? 65534 : undefined;

  it.skipIf(asRoot && !reachable)(
    'may be read where nobody may write, and needs no more than the file itself',
    async () => {
      const folder = join(desk.folder, 'shared');
      mkdirSync(folder);
      chmodSync(desk.folder, 0o755);
      await desk.done('init shared/r.jsonl --epsilon 1');
      const file = join(folder, 'r.jsonl');
      const before = desk.read('shared/r.jsonl');
      const as = uid === undefined ? {} : { uid };
      const spend = 'spend shared/r.jsonl -m dp:epsilon=0.1';
      chmodSync(file, 0o444);
      chmodSync(folder, 0o555);
      expect(await program(spend, as)).toMatchObject({
        code: 74,
        stderr:
          'error: shared/r.jsonl: writing is not permitted: nothing was recorded. Check the permissions and the owner.\n',
      });
      expect(await program('init shared/n.jsonl --epsilon 1', as)).toMatchObject({ code: 74 });
      expect(await program('check shared/r.jsonl -m dp:epsilon=0.1', as)).toMatchObject({ code: 0 });
      expect(desk.read('shared/r.jsonl')).toBe(before);
      chmodSync(file, 0o666);
      expect(await program(spend, as)).toMatchObject({ code: 0 });
      chmodSync(folder, 0o755);
    },
  );

  it('is said not to be one where it is a device', async () => {
    expect(await program('spend /dev/full -m dp:epsilon=1')).toMatchObject({ code: 2 });
    expect(await program('init /dev/full --epsilon 1')).toMatchObject({ code: 2 });
  });
});
