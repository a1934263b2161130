import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import { type BudgetLine, type Budgets, nameFor, unsafeName, unsafePart, fits } from './budgets.ts';
import { setTimeout } from 'node:timers/promises';
import { failed, Interrupted, type Failed, type FaultCode } from '../fault.ts';
import { unseal, type Sealed, LINK_MARK, linkOf } from '../line.ts';
import type { Header } from '../record.ts';
import type { Store } from '../store.ts';

/** A ledger that a request is charged to, by budgets. */
export interface ChargedLedger {
  readonly name: string;
  readonly line: BudgetLine;
}

/** A value of a key, such as the day whose data a mechanism reads. */
export interface KeyValue {
  readonly key: string;
  readonly value: string;
}

const keysOf = ({ lines }: Budgets): readonly string[] => [
  ...new Set(lines.flatMap(({ name: { key } }) => (key === null ? [] : [key]))),
];

function mistakesIn(budgets: Budgets, values: readonly KeyValue[], flag: string): InputError[] {
  const keys = keysOf(budgets);
  const hint = keys.length === 0 ? 'The budgets have no keys.' : `The keys are ${keys.join(', ')}.`;
  const ofValues = values.flatMap(({ key, value }, i): InputError[] => {
    if (!keys.includes(key)) {
      return [{ code: 'unknown-name', path: flag, message: `unknown key ${quote(key)} in the budgets`, hint }];
    }
    if (values.slice(0, i).some((earlier) => earlier.key === key && earlier.value === value)) {
      const message = `${key}=${value} is given twice`;
      return [{ code: 'duplicate-name', path: flag, message, hint: 'Give each once.' }];
    }
    const reason = unsafePart(value);
    if (reason === null) return [];
    const message = `${quote(value)} is not a valid value of ${key}: ${reason}`;
    return [
      {
        code: 'unknown-value',
        path: flag,
        message,
        hint: `Write ${flag} ${key}=NAME, with a valid file name.`,
      },
    ];
  });
  const missing = keys
    .filter((key) => !values.some((pair) => pair.key === key))
    .map((key): InputError => ({
      code: 'missing-option',
      path: flag,
      message: `no value is given for ${key}`,
      hint: `Add ${flag} ${key}=NAME, once for each ${key} to charge.`,
    }));
  return [...ofValues, ...missing];
}

/**
 * The ledgers that a request is charged to: of each line without a key its one, of each other line one for each value of its
 * key. Every key of the budgets needs a value; what is wrong goes to `errors`.
 */
export function chargedLedgers(
  budgets: Budgets,
  values: readonly KeyValue[],
  flag: string,
  errors: InputError[],
): readonly ChargedLedger[] {
  const wrong = mistakesIn(budgets, values, flag);
  errors.push(...wrong);
  if (wrong.length > 0) return [];
  const ledgers = budgets.lines.flatMap((line) =>
    line.name.key === null
      ? [{ name: nameFor(line.name, ''), line }]
      : values
          .filter(({ key }) => key === line.name.key)
          .map(({ value }) => ({ name: nameFor(line.name, value), line })),
  );
  for (const { name } of ledgers) {
    const reason = unsafeName(name);
    if (reason === null) continue;
    const message = `${quote(name)} is not a valid ledger name: ${reason}`;
    errors.push({ code: 'unknown-value', path: flag, message, hint: 'Write another value.' });
  }
  return ledgers;
}

/** The ledgers of a request, all of which are there. */
export interface AllThere {
  readonly kind: 'all-there';
  /** Those that were made, by their names. */
  readonly newNames: readonly string[];
}

const MISSING: readonly FaultCode[] = ['no-such-file', 'no-such-directory', 'no-such-ledger'];
const THERE: readonly FaultCode[] = ['file-exists', 'ledger-exists'];
const IN_THE_MAKING: readonly FaultCode[] = ['empty-ledger', 'unfinished-header'];

/** How long to wait before looking again at a ledger that somebody else is making, in milliseconds. */
const PAUSE = 20;

/** Whether a record of a ledger was written together with one of another, by its id or by its name. */
function isTogetherWith(store: Store, name: string, other: string, record: Sealed): boolean {
  const { ids, names } = linkOf(record) ?? { ids: [] as string[], names: [] as string[] };
  return ids.includes(other) || names.some((sibling) => store.resolve(name, sibling) === other);
}

/** The number of the record of a ledger that was written together with one of another, which is not there; null where there is none. */
async function recordTogetherWith(store: Store, name: string, other: string): Promise<number | null | Failed> {
  const batches = await store.records(name);
  if ('fault' in batches) return { ...batches, ledger: name };
  try {
    for await (const lines of batches) {
      for (const { bytes } of lines) {
        if (!bytes.includes(LINK_MARK)) continue;
        const record = unseal(bytes, false);
        if (record.kind === 'record' && isTogetherWith(store, name, other, record)) return Number(record.fields.seq);
      }
    }
  } catch (error) {
    if (error instanceof Interrupted) return { ...error.failed, ledger: name };
    throw error;
  }
  return null;
}

const lostFault = (missing: string, record: number, witness: string): Failed =>
  failed({ code: 'lost-ledger', record, with: witness }, missing);

/** A ledger that is missing, and was spent from before, as a record of another ledger of the request says. */
async function lostByRequest(store: Store, missing: string, ledgers: readonly ChargedLedger[]): Promise<Failed | null> {
  for (const { name } of ledgers) {
    if (name === missing) continue;
    const record = await recordTogetherWith(store, name, missing);
    if (typeof record === 'number') return lostFault(missing, record, name);
    if (record !== null && !MISSING.includes(record.fault.code)) return record;
  }
  return null;
}

/**
 * A ledger that is missing, and was spent from before, as a record of any ledger of the store says. One that cannot be read is a fault
 * where these lines may have made it; other files that are no ledgers may stand beside them.
 */
async function lostByStore(store: Store, missing: string, ledgers: readonly ChargedLedger[]): Promise<Failed | null> {
  const listed = await store.list();
  if ('fault' in listed) return MISSING.includes(listed.fault.code) ? null : listed;
  try {
    for await (const batch of listed) {
      for (const { name, ends } of batch) {
        if (name === missing) continue;
        const isOfLine = ledgers.some(({ line }) => fits(line.name, name));
        if (ends.kind === 'failed' && !isOfLine) continue;
        const record = await recordTogetherWith(store, name, missing);
        if (typeof record === 'number') return lostFault(missing, record, name);
        if (record !== null && !MISSING.includes(record.fault.code)) return record;
      }
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    // There is no folder yet.
    return MISSING.includes(error.failed.fault.code) && error.failed.ledger === store.address ? null : error.failed;
  }
  return null;
}

/**
 * A ledger that is missing, and was spent from before. A ledger of a line without a key is charged with every request, so that one that
 * is there tells of all; where none is there, each ledger of the store is asked.
 */
async function lostBefore(
  store: Store,
  missing: string,
  ledgers: readonly ChargedLedger[],
  hasWitness: boolean,
): Promise<Failed | null> {
  const lost = await lostByRequest(store, missing, ledgers);
  return lost !== null || hasWitness ? lost : await lostByStore(store, missing, ledgers);
}

/** The ledgers that are not there yet; a fault where one cannot be looked at, or was there before. */
export async function missingOf(store: Store, ledgers: readonly ChargedLedger[]): Promise<readonly string[] | Failed> {
  const absent: string[] = [];
  for (const { name } of ledgers) {
    const ends = await store.ends(name);
    if (ends.kind !== 'failed') continue;
    if (!MISSING.includes(ends.fault.code)) return { ...ends, ledger: name };
    absent.push(name);
  }
  const hasWitness = ledgers.some(({ name, line }) => line.name.key === null && !absent.includes(name));
  const missing: string[] = [];
  for (const name of absent) {
    const remnant = store.leftOf?.(name) ?? null;
    if (remnant !== null) return failed({ code: 'lost-ledger', left: remnant }, name);
    const lost = await lostBefore(store, name, ledgers, hasWitness);
    // It may have been made, and spent from, while that was looked for.
    if (lost !== null && (await store.ends(name)).kind === 'failed') return lost;
    if (lost === null) missing.push(name);
  }
  return missing;
}

/** The same, once nobody else is making one of them, as far as there is patience. */
export async function missingSoon(
  store: Store,
  ledgers: readonly ChargedLedger[],
  patience: number,
): Promise<readonly string[] | Failed> {
  const end = performance.now() + 1000 * patience;
  for (;;) {
    const missing = await missingOf(store, ledgers);
    if (!('kind' in missing) || !IN_THE_MAKING.includes(missing.fault.code) || performance.now() >= end) return missing;
    await setTimeout(PAUSE);
  }
}

/** A ledger of budgets that is to be made: with the terms of its line, and its name as its id. */
export const headerFor = ({ name, line: { terms } }: ChargedLedger, noted: Pick<Header, 'version' | 'at'>): Header => ({
  ...noted,
  id: name,
  terms,
  origin: null,
});

/**
 * Makes ledgers that are missing. One that somebody else makes at the same time is taken as it is: that it has the right terms is
 * for the transaction to see.
 */
export async function makeAll(
  store: Store,
  missing: readonly ChargedLedger[],
  noted: Pick<Header, 'version' | 'at'>,
): Promise<AllThere | Failed> {
  const newNames: string[] = [];
  for (const ledger of missing) {
    const { name } = ledger;
    const created = await store.create(name, headerFor(ledger, noted));
    if (created.kind !== 'failed') newNames.push(name);
    else if (!THERE.includes(created.fault.code)) return { ...created, ledger: name };
  }
  return { kind: 'all-there', newNames };
}
