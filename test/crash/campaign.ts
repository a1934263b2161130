import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '../../src/ledger/file/create.ts';
import { readHistory } from '../../src/ledger/file/history.ts';
import { verify } from '../../src/ledger/file/verify.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { Random } from '../soundness/random.ts';

const ROOT = join(import.meta.dirname, '../..');

/** What a writer said before it was killed. */
interface Said {
  readonly label: string;
  /** The epsilon asked for, in millionths. */
  readonly units: number;
  readonly granted: boolean;
  readonly fault: { readonly code: string } | null;
  readonly recovered: string;
}

export interface CampaignOptions {
  readonly rounds: number;
  readonly seed: number;
  /** How many write at once. */
  readonly writers: number;
  /** Where ledgers are made. */
  readonly folder: string;
  readonly onRound?: (round: number) => void;
}

/** What was seen; `problems` is what must not happen. */
export interface CampaignReport {
  rounds: number;
  killed: number;
  acknowledged: number;
  /** Records that nobody was told of, and that count. */
  unacknowledged: number;
  refused: number;
  /** Unfinished records that were found and removed, or finished. */
  recovered: number;
  readonly problems: string[];
}

/** One ledger, and all that its writers said. */
interface Ledger {
  readonly path: string;
  readonly budget: number;
  readonly granted: Map<string, number>;
  readonly refused: number[];
  readonly asked: Set<string>;
}

class Writer {
  readonly #child: ChildProcess;
  readonly said: Said[] = [];
  readonly ready: Promise<void>;
  readonly #ended: Promise<unknown>;

  constructor() {
    this.#child = spawn(process.execPath, [join(ROOT, 'test/crash/writer.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#ended = once(this.#child, 'close');
    this.ready = new Promise((resolve) => {
      createInterface({ input: this.#child.stdout! }).on('line', (line) => {
        if (line === 'ready') resolve();
        // A line that the knife cut in two was never heard.
        else if (line.endsWith('}')) this.said.push(JSON.parse(line) as Said);
      });
    });
  }

  start(task: object): void {
    this.#child.stdin!.on('error', () => undefined);
    this.#child.stdin!.write(`${JSON.stringify(task)}\n`);
  }

  /** Kills it, and returns when nothing more can be heard of it. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}

/** The whole program, asked once, and killed or not. */
async function runProgram(path: string, label: string, units: number, life: number): Promise<Said | null> {
  const words = ['ledger', 'spend', path, '-m', `dp:epsilon=${units}e-6`, '--label', label, '--at', 'none', '--json'];
  const child = spawn(process.execPath, [join(ROOT, 'bin/dpcompose.js'), ...words], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = once(child, 'close');
  await Promise.race([ended, sleep(life)]);
  child.kill('SIGKILL');
  await ended;
  if (!text.endsWith('}\n')) return null;
  const answer = JSON.parse(text) as { granted?: boolean; errors?: { code: string }[]; recovered: string };
  const fault = answer.errors?.[0] ?? null;
  return { label, units, granted: answer.granted === true, fault, recovered: answer.recovered };
}

const MILLIONTH = new Decimal('1e-6');

function newLedger(folder: string, index: number, budget: number): Ledger {
  const path = join(folder, `${index}.jsonl`);
  const made = create(path, {
    version: 'test',
    at: null,
    id: `crash ${index}`,
    terms: {
      mode: 'filter',
      rule: { id: 'pure' },
      budget: { epsilon: MILLIONTH.times(budget) },
      onExcess: 'refuse',
      concurrency: 'concurrent',
      maxMechanisms: null,
      distance: new Decimal(1),
      neighbours: null,
    },
    origin: null,
  });
  if (made.kind === 'failed') throw new Error(JSON.stringify(made.fault));
  return { path, budget, granted: new Map(), refused: [], asked: new Set() };
}

/** What is in the file: the millionths of each label. */
function recordedIn({ path }: Ledger, problems: string[]): Map<string, number> {
  const history = readHistory(path);
  if (history.kind === 'failed') {
    problems.push(`${path} cannot be read: ${JSON.stringify(history.fault)}`);
    return new Map();
  }
  const recorded = new Map<string, number>();
  for (const { recorded: event } of history.records) {
    const entry = event.event === 'spend' ? event.entries[0] : undefined;
    if (entry?.mechanism.type !== 'dp') continue;
    const label = entry.label ?? '';
    if (recorded.has(label)) problems.push(`${path}: ${label} counts twice`);
    recorded.set(label, Math.round(entry.mechanism.epsilon.times(1e6).toNumber()));
  }
  return recorded;
}

/** Everything that must hold of a ledger after its writers were killed. */
function examine(ledger: Ledger, report: CampaignReport): void {
  const { path, budget, granted, refused, asked } = ledger;
  const { problems } = report;
  const verified = verify(path);
  if (verified.kind === 'failed') problems.push(`${path}: ${verified.fault.code}`);
  else for (const flaw of verified.flaws) problems.push(`${path}: ${JSON.stringify(flaw)}`);
  const recorded = recordedIn(ledger, problems);
  for (const [label, units] of granted) {
    if (recorded.get(label) !== units)
      problems.push(`${path}: ${label} was granted ${units}, the file has ${recorded.get(label) ?? 'nothing'}`);
  }
  for (const label of recorded.keys()) if (!asked.has(label)) problems.push(`${path}: nobody asked for ${label}`);
  const total = [...recorded.values()].reduce((sum, units) => sum + units, 0);
  if (total > budget) problems.push(`${path}: ${total} of ${budget} was spent`);
  // Totals only grow: what did not fit then does not fit now.
  for (const units of refused)
    if (total + units <= budget) problems.push(`${path}: ${units} was refused at ${total} of ${budget}`);
}

const LARGEST = 40;
const MOST_REQUESTS = 400;

/** One round: writers at one ledger, each killed at a moment of its own. */
async function round(
  ledger: Ledger,
  name: string,
  random: Random,
  pool: Writer[],
  report: CampaignReport,
): Promise<void> {
  const torn = random.chance(0.5);
  const heard: Said[] = [];
  await Promise.all(
    pool.map(async (writer, i) => {
      const units = random.times(MOST_REQUESTS, () => random.whole(1, LARGEST));
      const own = `${name}.${i}`;
      units.forEach((_, n) => ledger.asked.add(`${own}.${n}`));
      const moment = random.logBetween(5, 250);
      await writer.ready;
      writer.start({ path: ledger.path, name: own, units, torn });
      await sleep(moment);
      await writer.kill();
      report.killed++;
      heard.push(...writer.said);
    }),
  );
  note(ledger, heard, report);
}

/** A round in which the whole program is the writer. */
async function programRound(
  ledger: Ledger,
  name: string,
  random: Random,
  writers: number,
  report: CampaignReport,
): Promise<void> {
  const heard = await Promise.all(
    Array.from({ length: writers }, (_, i) => {
      const label = `${name}.${i}`;
      ledger.asked.add(label);
      return runProgram(ledger.path, label, random.whole(1, LARGEST), random.between(40, 400));
    }),
  );
  report.killed += heard.filter((said) => said === null).length;
  note(
    ledger,
    heard.filter((said) => said !== null),
    report,
  );
}

function note(ledger: Ledger, heard: readonly Said[], report: CampaignReport): void {
  for (const { label, units, granted, fault, recovered } of heard) {
    if (fault !== null) report.problems.push(`${ledger.path}: ${label} failed with ${JSON.stringify(fault)}`);
    else if (granted) ledger.granted.set(label, units);
    else ledger.refused.push(units);
    if (recovered !== 'none') report.recovered++;
    if (granted) report.acknowledged++;
    else report.refused++;
  }
}

/** Every so many rounds the writers are the whole program. */
const PROGRAM_EVERY = 10;
const ROUNDS_PER_LEDGER = 10;

/**
 * Rounds of writers that are killed at random moments, and what must hold after each: what was acknowledged is there, once,
 * the budget is not exceeded, and the file is sound. The choices follow from the seed; when a process is killed does not.
 */
export async function campaign({ rounds, seed, writers, folder, onRound }: CampaignOptions): Promise<CampaignReport> {
  const report: CampaignReport = {
    rounds: 0,
    killed: 0,
    acknowledged: 0,
    unacknowledged: 0,
    refused: 0,
    recovered: 0,
    problems: [],
  };
  let ledger: Ledger | null = null;
  const newPool = (): Writer[] => Array.from({ length: writers }, () => new Writer());
  let next = newPool();
  for (let index = 0; index < rounds; index++) {
    const random = new Random(seed, index);
    // Some budgets are soon used up, some never.
    if (ledger === null || index % ROUNDS_PER_LEDGER === 0)
      ledger = newLedger(folder, index, random.logWhole(200, 200_000));
    if (index % PROGRAM_EVERY === PROGRAM_EVERY - 1) {
      await programRound(ledger, `round ${index}`, random, writers, report);
    } else {
      const pool = next;
      // The writers of the next round start while those of this one work.
      next = newPool();
      await round(ledger, `round ${index}`, random, pool, report);
    }
    examine(ledger, report);
    report.rounds++;
    onRound?.(index + 1);
    if (report.problems.length > 0) break;
    const isLast = index % ROUNDS_PER_LEDGER === ROUNDS_PER_LEDGER - 1 || index === rounds - 1;
    if (isLast) report.unacknowledged += recordedIn(ledger, report.problems).size - ledger.granted.size;
  }
  await Promise.all(next.map((writer) => writer.kill()));
  return report;
}
