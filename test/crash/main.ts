import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { campaign } from './campaign.ts';

const USAGE = 'npm run crash -- [--rounds N] [--seed S] [--writers N] [--folder PATH]';

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`not a whole number from 1: ${text}`);
  return value;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '1000' },
      seed: { type: 'string', default: '1' },
      writers: { type: 'string', default: '4' },
      folder: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    print(USAGE);
    return 0;
  }
  const begin = performance.now();
  const seconds = (): string => ((performance.now() - begin) / 1000).toFixed(0);
  const folder = mkdtempSync(join(values.folder ?? tmpdir(), 'dpcompose-crash-'));
  let last = begin;
  const report = await campaign({
    rounds: wholeNumber(values.rounds),
    seed: wholeNumber(values.seed),
    writers: wholeNumber(values.writers),
    folder,
    onRound(done) {
      const now = performance.now();
      if (now - last < 30_000) return;
      last = now;
      complain(`${done} rounds, ${seconds()} s`);
    },
  });
  const { rounds, killed, acknowledged, unacknowledged, refused, recovered, problems } = report;
  print(`${rounds} rounds in ${seconds()} s, ${killed} writers killed`);
  print(`${acknowledged} records acknowledged, ${unacknowledged} that count without, ${refused} requests refused`);
  print(`${recovered} unfinished records removed or finished`);
  for (const problem of problems) print(`PROBLEM ${problem}`);
  if (problems.length > 0) {
    print(`The ledgers are kept in ${folder}.`);
    return 1;
  }
  rmSync(folder, { recursive: true });
  print('no acknowledged record lost, none counted twice, no budget exceeded, every file sound');
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  complain(USAGE);
  process.exitCode = 2;
}
