import { spendIn } from '../../ledger/spend-in.ts';
import { readPresent } from '../../ledger/present.ts';
import type { RunHeader, RunLedger } from '../../learning/run/run-state.ts';
import type { Entry } from '../../privacy/mechanism.ts';
import type { Context } from '../kit/io.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError, type UsageMistake } from '../kit/usage-error.ts';
import { writeDecision } from '../ledger/answer.ts';
import { ledgerDecision, orThrow, noteSettled, openStoreOf } from '../ledger/kit/store-option.ts';
import { checkNeighbours } from '../ledger/kit/mechanisms.ts';

/** How a ledger is asked. */
export interface LedgerOptions {
  readonly patience: number;
  readonly at: string | null;
  readonly flags: PrintFlags & { readonly assumeLocks?: boolean };
}

const entryOf = ({ epsilon, delta }: RunHeader): Entry => ({
  mechanism: { type: 'dp', epsilon, delta },
  count: 1,
  kind: 'interactive',
  label: 'lazy run',
});

/**
 * Lets the ledger of a run pay for it, once: asked again it is the same request, by the id of the run. Null where it has; else the
 * exit code of a refusal, which was printed.
 */
export async function launchRun(
  header: RunHeader & { readonly ledger: RunLedger },
  manner: LedgerOptions,
  context: Context,
): Promise<number | null> {
  try {
    return await launched(header, manner, context);
  } catch (error) {
    throw error instanceof UsageError ? ofRun(error) : error;
  }
}

/** What was typed of a request is here what the run asks of its ledger. */
const OF_RUN: Readonly<Record<string, Partial<UsageMistake>>> = {
  '--evidence': { path: '--ledger', hint: 'Charge a ledger that was made without evidence=required.' },
  neighbours: { path: '--neighbours' },
};

const ofRun = ({ errors, about }: UsageError): UsageError =>
  new UsageError(
    errors.map((mistake) => ({ ...mistake, ...OF_RUN[mistake.path] })),
    about,
  );

/** A run is private for replacing the losses of a round, which a ledger for records that are added or removed does not count. */
function checkRelation({ neighbours }: RunLedger): void {
  if (neighbours.trim().toLowerCase() !== 'add-remove') return;
  const message = 'a run is private for replacing the losses of one round, not for adding or removing a record';
  const hint = 'Charge a ledger whose neighbors are replace-one.';
  throw new UsageError([{ code: 'other-neighbours', path: 'neighbours', message, hint }]);
}

async function launched(
  header: RunHeader & { readonly ledger: RunLedger },
  { patience, at, flags }: LedgerOptions,
  context: Context,
): Promise<number | null> {
  const { id, ledger } = header;
  const { name } = ledger;
  checkRelation(ledger);
  const store = { ...(ledger.store !== null && { store: ledger.store }), assumeLocks: flags.assumeLocks === true };
  await using desk = await openStoreOf(store, { ...context.io, cwd: () => context.io.cwd(), env: {} });
  const payer = desk.ledgerNamed(name);
  const present = orThrow(await readPresent(desk.store, name), payer);
  checkNeighbours({ entries: [], neighbours: ledger.neighbours }, present.header.terms.neighbours);
  const request = { entries: [entryOf(header)], evidence: null };
  const answered = await spendIn(desk.store, [name], request, { patience, at, key: `lazy-run:${id}` });
  const { value, records, settled } = orThrow(answered, payer);
  await noteSettled(settled, payer, flags, context.io);
  const [answer] = value;
  if (answer?.decision.kind === 'accepted') return null;
  if (answer === undefined) throw new Error('A ledger was asked, and none has answered.');
  const { openDestination } = await import('../kit/destination.ts');
  const put = await openDestination(flags, context.io);
  const part = ledgerDecision(name, answer, records[0]);
  return await writeDecision({ command: 'spend', request, ...part, settled }, put, flags, context, '--ledger');
}
