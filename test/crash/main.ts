import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { campaign } from './campaign.ts';
import { STORE_KINDS, type StoreKindName } from './stores.ts';

const USAGE = `npm run crash -- [--store ${Object.keys(STORE_KINDS).join('|')}] [--rounds N] [--seed S] [--writers N] [--folder PATH]`;

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`not a whole number from 1: ${text}`);
  return value;
}

const isStoreKind = (text: string): text is StoreKindName => text in STORE_KINDS;

function storeKind(text: string): StoreKindName {
  if (!isStoreKind(text)) throw new Error(`no store of the campaign: ${text}`);
  return text;
}

async function run(): Promise<number> {
  const { values } = parseArgs({
    options: {
      store: { type: 'string', default: 'file' },
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
    store: storeKind(values.store),
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
  const { rounds, killed, acknowledged, together, unacknowledged, refused, failed, problems } = report;
  const { spend, nest, convert } = acknowledged;
  print(`${rounds} rounds in ${seconds()} s, ${killed} writers killed`);
  print(`${spend} spends acknowledged (${together} from several ledgers), ${nest} nests, ${convert} conversions`);
  print(`${unacknowledged} requests that count without, ${refused} refused, ${failed} failed`);
  const disturbed = Object.entries(report.disturbed).filter(([, times]) => times > 0);
  for (const [what, times] of disturbed) print(`${what} in ${times} rounds`);
  print(`ends that were left: ${report.finished} finished, ${report.removed} removed, ${report.setAside} set aside`);
  for (const problem of problems) print(`PROBLEM ${problem}`);
  if (problems.length > 0) {
    print(`The ledgers are kept in ${folder}.`);
    return 1;
  }
  rmSync(folder, { recursive: true });
  print('nothing acknowledged lost or counted twice, all or none, no budget exceeded, every ledger sound');
  return 0;
}

try {
  process.exitCode = await run();
} catch (error) {
  complain(error instanceof Error ? error.message : String(error));
  complain(USAGE);
  process.exitCode = 2;
}
