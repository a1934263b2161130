import { setTimeout as sleep } from 'node:timers/promises';
import { Random } from '../soundness/random.ts';
import { Arena } from './arena.ts';
import { examine } from './examine.ts';
import { requestsOf, type Request } from './requests.ts';
import { STORE_KINDS, type Disturbance, type StoreKind, type StoreKindName } from './stores.ts';
import { runProgram, Writer, type Said } from './writers.ts';

export interface CampaignOptions {
  readonly store: StoreKindName;
  readonly rounds: number;
  readonly seed: number;
  /** How many write at once. */
  readonly writers: number;
  /** Where stores are made. */
  readonly folder: string;
  readonly onRound?: (round: number) => void;
}

/** What was seen; `problems` is what must not happen. */
export interface CampaignReport {
  rounds: number;
  killed: number;
  /** Acknowledged requests, by their kinds. */
  readonly acknowledged: Record<Request['kind'], number>;
  /** Acknowledged spends from several ledgers. */
  together: number;
  /** Requests that nobody was told of, and that count. */
  unacknowledged: number;
  refused: number;
  /** Requests that failed, as they may, and of which nothing was kept. */
  failed: number;
  /** Ends that an earlier writer had left, and what became of them. */
  finished: number;
  removed: number;
  setAside: number;
  /** How often the store itself was disturbed. */
  readonly disturbed: Record<Exclude<Disturbance, 'none'>, number>;
  readonly problems: string[];
}

const LASTING = ['a', 'b', 'c'] as const;
const SPARE = 2;
const MOST_REQUESTS = 200;
const MOST_ANSWERS = 20;

/** What a writer asks for in a round. */
interface Task {
  readonly requests: readonly Request[];
  /** It is killed so long, in milliseconds, after it has given so many answers: however slow the machine is. */
  readonly answers: number;
  readonly moment: number;
}

const FAULTS_OF_KILLED: ReadonlySet<string> = new Set(['unfinished-record', 'unsettled']);
/** Where the store itself was disturbed too. */
const FAULTS_OF_DISTURBED: ReadonlySet<string> = new Set(['unreachable', 'connection-lost', 'outcome-unknown']);

function hear(arena: Arena, heard: readonly Said[], disturbed: Disturbance, report: CampaignReport): void {
  const mayFail = (code: string): boolean =>
    FAULTS_OF_KILLED.has(code) || (disturbed !== 'none' && FAULTS_OF_DISTURBED.has(code));
  for (const said of heard) {
    const { id, outcome, fault, settled = 'none' } = said;
    arena.hear(said);
    const request = arena.requests.get(id);
    if (request === undefined) report.problems.push(`${id} was never asked for`);
    else if (outcome === 'granted') {
      report.acknowledged[request.kind]++;
      if (request.kind === 'spend' && request.ledgers.length > 1) report.together++;
    } else if (outcome === 'recovered') report.setAside++;
    else if (outcome === 'failed') {
      if (mayFail(fault!.code)) report.failed++;
      else report.problems.push(`${id} failed with ${JSON.stringify(fault)}`);
    } else report.refused++;
    if (settled !== 'none') report[settled]++;
  }
}

/** A round of writers, each killed at a moment of its own. */
async function workerRound(
  arena: Arena,
  { tasks, torn, kind }: { readonly tasks: readonly Task[]; readonly torn: boolean; readonly kind: StoreKindName },
  pool: readonly Writer[],
): Promise<Said[]> {
  const heard = await Promise.all(
    pool.map(async (writer, i) => {
      const { requests, answers, moment } = tasks[i]!;
      await writer.ready;
      writer.start({ kind, address: arena.place.address, requests, torn });
      await writer.hasSaid(answers);
      await sleep(moment);
      await writer.kill();
      return writer.said;
    }),
  );
  return heard.flat();
}

/** A round in which the whole program is the writer, once each. */
async function programRound(arena: Arena, tasks: readonly Task[]): Promise<Said[]> {
  const heard = await Promise.all(
    tasks.map(({ requests: [request], moment }) => runProgram(arena.place.address, request!, 100 + 20 * moment)),
  );
  return heard.filter((said) => said !== null);
}

/** Every so many rounds the writers are the whole program. */
const PROGRAM_EVERY = 10;
const ROUNDS_PER_ARENA = 10;

/** What the program is asked for at once: nothing that has to wait for another answer. */
const asWhole = (request: Request): Request =>
  request.kind === 'spend' ? { ...request, ledgers: request.ledgers.slice(0, 1) } : request;

async function newArena(kind: StoreKind, folder: string, index: number, random: Random): Promise<Arena> {
  const arena = new Arena(await kind.make(folder, index), folder);
  // Some budgets are soon used up, some never.
  for (const name of LASTING) await arena.make(name, random.logWhole(200, 200_000));
  return arena;
}

/** One round, and what must hold after it. */
async function round(
  arena: Arena,
  index: number,
  { store, seed, writers }: CampaignOptions,
  pool: readonly Writer[],
  report: CampaignReport,
): Promise<number> {
  const random = new Random(seed, index);
  const spare = Array.from({ length: SPARE }, (_, i) => `spare-${index}-${i}`);
  for (const name of spare) await arena.make(name, random.logWhole(200, 20_000));
  const isProgram = pool.length === 0;
  const tasks = Array.from({ length: writers }, (_, i): Task => {
    const requests = requestsOf(`round ${index}.${i}`, MOST_REQUESTS, { lasting: LASTING, spare }, random);
    return {
      requests: isProgram ? requests.slice(0, 1).map(asWhole) : requests,
      answers: random.logWhole(1, MOST_ANSWERS + 1) - 1,
      moment: random.logBetween(0.5, 50),
    };
  });
  for (const { requests } of tasks) arena.ask(requests);
  const torn = STORE_KINDS[store].canTear && random.chance(0.5);
  const [heard, disturbed = 'none'] = await Promise.all([
    isProgram ? programRound(arena, tasks) : workerRound(arena, { tasks, torn, kind: store }, pool),
    STORE_KINDS[store].disturb?.(random),
  ]);
  if (disturbed !== 'none') report.disturbed[disturbed]++;
  report.killed += isProgram ? writers - heard.length : writers;
  hear(arena, heard, disturbed, report);
  const { problems, found, unacknowledged } = await examine(arena);
  report.problems.push(...problems);
  report.finished += found.finished;
  report.removed += found.removed;
  report.setAside += found.setAside;
  return unacknowledged;
}

/**
 * Rounds of writers that are killed at random moments, and what must hold after each: what was acknowledged is there, once; of a
 * request for several ledgers all is recorded or nothing; ledgers that were paid for are there, and no others; no budget is
 * exceeded, and every ledger is sound. The choices follow from the seed; when a process is killed does not.
 */
export async function campaign(options: CampaignOptions): Promise<CampaignReport> {
  const { store, rounds, seed, writers, folder, onRound } = options;
  const report: CampaignReport = {
    rounds: 0,
    killed: 0,
    acknowledged: { spend: 0, nest: 0, convert: 0 },
    together: 0,
    unacknowledged: 0,
    refused: 0,
    failed: 0,
    finished: 0,
    removed: 0,
    setAside: 0,
    disturbed: { 'server killed': 0, 'connections cut': 0 },
    problems: [],
  };
  const newPool = (): Writer[] => Array.from({ length: writers }, () => new Writer());
  let arena: Arena | null = null;
  let next = newPool();
  for (let index = 0; index < rounds; index++) {
    if (arena === null || index % ROUNDS_PER_ARENA === 0) {
      await arena?.place.store.close();
      arena = await newArena(STORE_KINDS[store], folder, index, new Random(seed, rounds + index));
    }
    const isProgram = index % PROGRAM_EVERY === PROGRAM_EVERY - 1;
    const pool = isProgram ? [] : next;
    // The writers of the next round start while those of this one work.
    if (!isProgram) next = newPool();
    const unacknowledged = await round(arena, index, options, pool, report);
    report.rounds++;
    onRound?.(index + 1);
    if (report.problems.length > 0) break;
    if (index % ROUNDS_PER_ARENA === ROUNDS_PER_ARENA - 1 || index === rounds - 1) {
      report.unacknowledged += unacknowledged;
    }
  }
  await arena?.place.store.close();
  await Promise.all(next.map((writer) => writer.kill()));
  return report;
}
