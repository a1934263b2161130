import { Command } from 'commander';
import type { Present } from '../../ledger/journal/present.ts';
import type { Asked } from '../../ledger/records/record.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { AnsweredPart } from '../../report/ledger/decisions.ts';
import type { Context } from '../kit/context.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { tellAnswer, tellAnswers, tellDenied } from './answer.ts';
import { readCharged, withBudgets, type BudgetsFlags, type Charged } from './kit/budgets-option.ts';
import {
  readEvidence,
  withEvidence,
  type EvidenceFlags,
  checkNeighbours,
  readMechanisms,
  withDocument,
  type MechanismFlags,
  placesArgument,
  placesOf,
} from './kit/mechanisms.ts';
import { faultFailure, openBeside, succeeded } from './kit/named-ledger.ts';
import { withPrintOptions, openStoreOf, storeToName, type OpenStore, type StoreFlags } from './kit/store-option.ts';

type CheckFlags = MechanismFlags & EvidenceFlags & BudgetsFlags & PrintFlags & StoreFlags;

const EXAMPLES = `
Nothing is recorded, and nothing is authorised: two who both check may both be
told yes where only one may go on. Use "ledger spend" before you run anything.
With --budgets a ledger that is missing counts as unspent, and is not made.

Examples:
  dpcompose ledger check budget.jsonl -m dp:epsilon=0.1,count=5
  dpcompose ledger check budget.jsonl release.json --json
  dpcompose ledger check team.jsonl clinic.jsonl -m dp:epsilon=0.1`;

/** `dpcompose ledger check`: what `spend` would say now. */
export function checkCommand(context: Context): Command {
  const command = new Command('check')
    .summary('what spend would say: records and authorises nothing')
    .description('Says what spend would say as things stand. Records and authorises nothing.')
    .addArgument(placesArgument())
    .optionsGroup('What would be launched:');
  return withPrintOptions(withBudgets(withEvidence(withDocument(command, 'a mechanism (repeatable)'))))
    .addHelpText('after', EXAMPLES)
    .action(async (operands: readonly string[], flags: CheckFlags) => {
      context.ends(await check(operands, flags, context));
    });
}

/** A ledger in its own place: elsewhere nothing would be granted. */
async function presentAtHome(name: string, desk: OpenStore): Promise<Present> {
  const [{ presentOf }, { notAtHome }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/journal/whereabouts.ts'),
  ]);
  const ledger = desk.named(name);
  const ends = succeeded(await desk.store.ends(name), ledger);
  const away = await notAtHome(desk.store, name, ends);
  if (away !== null) throw faultFailure(away.fault, name);
  return succeeded(presentOf(ends), ledger);
}

/** The ledgers of budgets as they are; one that is missing as it would be made. */
async function presentOfCharged({ ledgers }: Charged, desk: OpenStore, version: string) {
  const [{ missingOf }, { presentOfNew }, { otherTerms }] = await Promise.all([
    import('../../ledger/budgets/make-missing.ts'),
    import('../../ledger/journal/present.ts'),
    import('../../ledger/records/terms-codec.ts'),
  ]);
  const missing = await missingOf(desk.store, ledgers);
  if ('kind' in missing) throw faultFailure(missing.fault, missing.ledger ?? '--budgets');
  const all: Present[] = [];
  for (const { name, line } of ledgers) {
    if (missing.includes(name)) {
      all.push(presentOfNew({ version, at: null, id: name, terms: line.terms, origin: null }));
      continue;
    }
    const present = await presentAtHome(name, desk);
    const other = otherTerms(present.header.terms, line.terms);
    if (other !== null) throw faultFailure(other, name);
    all.push(present);
  }
  return { all, missing };
}

/** Several ledgers as they are, no two of them the same. */
async function presentOfNamed(names: readonly string[], desk: OpenStore): Promise<readonly Present[]> {
  const all: Present[] = [];
  for (const name of names) {
    const present = await presentAtHome(name, desk);
    const same = all.findIndex(({ hash }) => hash === present.hash);
    if (same >= 0) throw faultFailure({ code: 'same-ledger', other: names[same] ?? '' }, name);
    all.push(present);
  }
  return all;
}

/** What a ledger would say; a dry run halts nothing. */
async function dryRun(file: string, before: Present, asked: Asked, now: string): Promise<AnsweredPart> {
  const { decideIn } = await import('../../ledger/journal/launch.ts');
  const decision = decideIn(before, asked, now);
  const dry = decision.kind === 'refused' ? { ...decision, state: before.state, halts: false } : decision;
  return { file, before, decision: dry, record: null, again: false };
}

async function check(operands: readonly string[], flags: CheckFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const { files, source } = placesOf(operands, flags, errors);
  const charged = await readCharged(flags, errors, io);
  const evidence = await readEvidence(flags, errors, io);
  const requested = await readMechanisms(source, flags, errors, 'ledger check', io);
  if (typeof requested === 'number') return requested;
  await using desk = await openStoreOf(flags, io, charged === null ? {} : { otherwise: '.' });
  const names = charged === null ? files : charged.ledgers.map(({ name }) => name);
  const put = await openBeside(names.map(desk.named), flags, io);
  const found =
    charged === null
      ? { all: await presentOfNamed(names, desk), missing: [] }
      : await presentOfCharged(charged, desk, version);
  const asked = { entries: requested.entries, evidence };
  const parts: AnsweredPart[] = [];
  for (const [i, before] of found.all.entries()) {
    const name = names[i] ?? '';
    const { terms } = before.header;
    const isOneOf = names.length > 1;
    checkNeighbours(requested, terms.neighbours, isOneOf ? name : undefined);
    const refused = await tellDenied(requested, [{ terms, file: name, isOneOf }], flags, context);
    if (refused !== null) return refused;
    parts.push(await dryRun(name, before, asked, context.now().toISOString()));
  }
  const [part, ...others] = parts;
  if (part === undefined) throw new Error('A ledger was asked, and none has answered.');
  if (charged === null && others.length === 0) {
    return await tellAnswer({ command: 'check', asked, ...part, settled: 'none' }, put, flags, context);
  }
  const caveats =
    charged === null ? [] : (await import('../../ledger/budgets/budgets.ts')).caveatsOfBudgets(charged.budgets);
  const store = charged === null ? null : storeToName(flags, io);
  const known = { command: 'check' as const, settled: 'none' as const, made: found.missing };
  const together = { ...known, asked, parts, caveats, store };
  return await tellAnswers(together, put, flags, context);
}
