import { readHistory, type History } from '../../src/ledger/history.ts';
import { verifyOrigin } from '../../src/ledger/replay.ts';
import type { LedgerRecord } from '../../src/ledger/record.ts';
import { verify } from '../../src/ledger/verify.ts';
import type { Arena } from './arena.ts';
import { bornOf, ledgersOf, type Request } from './requests.ts';
import { settleAll, type Settling } from './settle.ts';

/** What is in a store after its ledgers were settled. */
export interface Examined {
  readonly problems: readonly string[];
  readonly found: Settling;
  /** How many requests count that nobody was told of. */
  readonly unacknowledged: number;
}

/** What is recorded: for every request its ledgers, for every ledger what was spent of it, in millionths. */
interface Contents {
  readonly recorded: Map<string, string[]>;
  readonly spent: Map<string, number>;
  readonly converted: Set<string>;
}

/** The millionths that a record charges; null where it charges nothing. */
function unitsOf(recorded: LedgerRecord): number | null {
  if (recorded.event === 'nest') {
    const { terms } = recorded.nested;
    return terms.mode === 'filter' && terms.rule.id === 'pure' && 'epsilon' in terms.budget
      ? Math.round(terms.budget.epsilon.times(1e6).toNumber())
      : null;
  }
  const entry = recorded.event === 'spend' ? recorded.entries[0] : undefined;
  return entry?.mechanism.type === 'dp' ? Math.round(entry.mechanism.epsilon.times(1e6).toNumber()) : null;
}

function isOf(request: Request, recorded: LedgerRecord): boolean {
  if (recorded.event !== request.kind) return false;
  return request.kind === 'convert' || unitsOf(recorded) === request.units;
}

/** Looks at one ledger by itself, and adds what it has to `contents`. */
async function readInto(contents: Contents, arena: Arena, name: string, problems: string[]): Promise<void> {
  const { store } = arena.place;
  const verified = await verify(store, name);
  if (verified.kind === 'failed') return void problems.push(`${name}: ${verified.fault.code}`);
  for (const flaw of verified.flaws) problems.push(`${name}: ${JSON.stringify(flaw)}`);
  const history = await readHistory(store, name);
  if (history.kind === 'failed') return void problems.push(`${name}: ${JSON.stringify(history.fault)}`);
  let spent = 0;
  for (const { recorded } of (history satisfies History).records) {
    spent += unitsOf(recorded) ?? 0;
    if (recorded.event === 'convert') contents.converted.add(name);
    if (recorded.event === 'recover') noteAside(recorded.aside.text, arena, name, problems);
    if (recorded.key === null) continue;
    const request = arena.requests.get(recorded.key);
    if (request === undefined || !isOf(request, recorded) || !ledgersOf(request).includes(name)) {
      problems.push(`${name}: nobody asked for ${recorded.key}`);
    }
    const ledgers = contents.recorded.get(recorded.key) ?? [];
    if (ledgers.includes(name)) problems.push(`${name}: ${recorded.key} counts twice`);
    contents.recorded.set(recorded.key, [...ledgers, name]);
  }
  contents.spent.set(name, spent);
}

/** What was set aside must not have been acknowledged. */
function noteAside(text: string | null, { granted }: Arena, name: string, problems: string[]): void {
  const key = /"key":"([^"]*)"/.exec(text ?? '')?.[1];
  if (key !== undefined && granted.has(key)) problems.push(`${name}: ${key} was granted, and set aside`);
}

/** Every ledger that comes into being with a record is there, and no other one is. */
async function examineBirths(arena: Arena, contents: Contents, names: ReadonlySet<string>): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    if (arena.budgets.has(name)) continue;
    const request = arena.births.get(name);
    if (request === undefined || !contents.recorded.has(request.id)) problems.push(`${name} is there, unpaid`);
  }
  for (const id of contents.recorded.keys()) {
    const request = arena.requests.get(id);
    for (const name of request === undefined ? [] : bornOf(request)) {
      if (names.has(name)) problems.push(...(await originProblem(arena, name, ledgersOf(request!)[0]!)));
      else problems.push(`${name} is not there, and was paid for`);
    }
  }
  return problems;
}

async function originProblem({ place: { store } }: Arena, name: string, from: string): Promise<string[]> {
  const verified = await verify(store, name);
  if (verified.kind === 'failed' || verified.header === null) return [`${name} has no header`];
  const wrong = await verifyOrigin(verified.header, store, from);
  if (wrong === null) return [];
  return [`${name}: ${JSON.stringify(wrong)}`];
}

/** Everything that must hold of requests. */
function examineRequests(arena: Arena, { recorded, spent, converted }: Contents): string[] {
  const problems: string[] = [];
  for (const id of arena.granted) if (!recorded.has(id)) problems.push(`${id} was granted, and is nowhere`);
  for (const [id, where] of recorded) {
    const request = arena.requests.get(id);
    const all = request === undefined ? [] : ledgersOf(request);
    if (where.length !== all.length) problems.push(`${id} is in ${where.join(', ')} of ${all.join(', ')}`);
    if (arena.refused.has(id) || arena.ended.has(id)) problems.push(`${id} was refused, and counts`);
    if (arena.undone.has(id)) problems.push(`${id} failed, and counts`);
  }
  for (const [name, budget] of arena.budgets) {
    const total = spent.get(name) ?? 0;
    if (total > budget) problems.push(`${name}: ${total} of ${budget} was spent`);
  }
  // Totals only grow: what did not fit then does not fit now.
  const budgetOf = (name: string): number => {
    const request = arena.births.get(name);
    return arena.budgets.get(name) ?? (request?.kind === 'nest' ? request.units : Infinity);
  };
  for (const id of arena.refused) {
    const request = arena.requests.get(id)!;
    if (request.kind === 'convert') problems.push(`${id} was refused`);
    else if (!ledgersOf(request).some((name) => (spent.get(name) ?? 0) + request.units > budgetOf(name))) {
      problems.push(`${id} was refused, and fits`);
    }
  }
  for (const id of arena.ended) {
    if (!ledgersOf(arena.requests.get(id)!).some((name) => converted.has(name))) problems.push(`${id}: nothing ended`);
  }
  return problems;
}

/** Everything that must hold after writers were killed: settles what they left, and looks at all of it. */
export async function examine(arena: Arena): Promise<Examined> {
  const { place } = arena;
  const rank = (name: string): number => (arena.budgets.has(name) ? 0 : 1);
  const inOrder = (names: readonly string[]): string[] => names.toSorted((a, b) => rank(a) - rank(b));
  const { found, problems: unsettled } = await settleAll(place.store, inOrder(await place.names()));
  const problems = [...unsettled];
  const names = new Set(await place.names());
  const contents: Contents = { recorded: new Map(), spent: new Map(), converted: new Set() };
  for (const name of names) await readInto(contents, arena, name, problems);
  problems.push(...examineRequests(arena, contents), ...(await examineBirths(arena, contents, names)));
  const unacknowledged = [...contents.recorded.keys()].filter((id) => !arena.granted.has(id)).length;
  return { problems: problems.map((problem) => `${place.address}: ${problem}`), found, unacknowledged };
}
