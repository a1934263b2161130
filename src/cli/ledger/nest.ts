import { Command } from 'commander';
import type { Terms } from '../../ledger/core/terms.ts';
import type { Nested } from '../../ledger/records/record.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellAnswer, tellLedgerRefusal } from './answer.ts';
import { AMOUNT_NAMES, optionOf } from './kit/amount-flags.ts';
import { answeredPart, openBeside, succeeded, tellSettled } from './kit/named-ledger.ts';
import { readId, readWriteOptions, withWriteOptions, type WriteFlags } from './kit/write-options.ts';
import { withPrintOptions, openStoreOf, type StoreFlags } from './kit/store-option.ts';
import {
  givenTerms,
  readTerms,
  termsHelp,
  withTermsOptions,
  type GivenTerms,
  type TermsFlags,
} from './kit/terms-flags.ts';

interface NestFlags extends TermsFlags, WriteFlags, PrintFlags, StoreFlags {
  readonly label?: string;
  readonly id?: string;
}

const EXAMPLES = `
The nested ledger's whole budget is paid at once, whatever is spent in it.
Several files are ledgers for disjoint parts of the data, where neighbours
differ in one part only: together they cost what one of them does. Neighbours,
distance and evidence are as in the ledger they are nested in.

Examples:
  dpcompose ledger nest budget.jsonl team-a.jsonl --epsilon 0.3 --label "team A"
  dpcompose ledger nest year.jsonl q1.jsonl --rho 0.01
  dpcompose ledger nest budget.jsonl north.jsonl south.jsonl --epsilon 0.5`;

/** `dpcompose ledger nest`: ledgers inside a ledger. */
export function nestCommand(context: Context): Command {
  const command = new Command('nest')
    .summary('make a ledger with a part of the budget of another')
    .description('Makes a ledger whose budget is a part of that of another, which pays for it at once.')
    .argument('<FILE>', 'the ledger that pays')
    .argument('<CHILD...>', 'the file to make; several for disjoint parts of the data');
  withTermsOptions(command)
    .option('--id <TEXT>', 'a name that no other ledger has (a random one); several get -1, -2, ... after it')
    .option('--label <TEXT>', 'what it is for');
  return withPrintOptions(withWriteOptions(command))
    .addHelpText('after', termsHelp() + EXAMPLES)
    .action(async (file: string, children: readonly string[], flags: NestFlags) => {
      context.ends(await nest(file, children, flags, context));
    });
}

async function nest(file: string, children: readonly string[], flags: NestFlags, context: Context): Promise<number> {
  const { io } = context;
  const errors: InputError[] = [];
  const options = readWriteOptions(flags, context, errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const typed = givenTerms(flags, errors);
  const given = readTerms(typed, [], errors);
  const id = readId(flags.id, errors);
  const ids = children.map((_, i) => (children.length === 1 ? id : `${id}-${i + 1}`));
  if (new Set(children.map((child) => ledger.store.reference(file, child))).size < children.length) {
    const hint = 'Name a file for each part of the data.';
    errors.push({ code: 'conflicting-options', path: 'CHILD', message: 'the same file stands twice', hint });
  }
  if (errors.length > 0) throw new UsageError(errors);
  const put = await openBeside([ledger, ...children.map(desk.named)], flags, io);
  const [{ readPresent }, { nestIn }, { open }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/journal/succession.ts'),
    import('../../ledger/open.ts'),
  ]);
  const parent = succeeded(await readPresent(ledger.store, file), ledger).header.terms;
  const opened = open('distance' in given ? inherited(given, typed, parent) : given);
  if (opened.kind === 'refused') return await tellLedgerRefusal(opened.refusal, flags, context, { file });
  const { terms } = opened.state;
  const heirs = children.map((name, i) => ({ name, id: ids[i] ?? '' }));
  const label = flags.label ?? null;
  const result = succeeded(await nestIn(ledger.store, file, { heirs, terms, label }, options), ledger);
  const { value, records, settled } = result;
  const [record = null] = records;
  await tellSettled(settled, ledger, flags, io);
  // What the parent is to count is what the budget was given by.
  const budget = AMOUNT_NAMES.find((name) => typed[name] !== undefined);
  const launch = budget && optionOf(budget);
  const answered = answeredPart(file, value, record);
  const made = value.again?.fields.nested as Pick<Nested, 'ids'> | undefined;
  const names = children.map((child) => ledger.store.reference(file, child));
  const asked = { nested: { ids: made?.ids ?? ids, names, terms }, label };
  return await tellAnswer({ command: 'nest', asked, ...answered, settled }, put, flags, context, launch);
}

/** The terms, with the distance, neighbours and evidence of the ledger that pays where no flag is given. */
const inherited = (terms: Terms, given: GivenTerms, parent: Terms): Terms => ({
  ...terms,
  ...(given.distance === undefined ? { distance: parent.distance } : {}),
  ...(given.neighbours === undefined ? { neighbours: parent.neighbours } : {}),
  ...(given.evidence === undefined && parent.evidence ? { evidence: parent.evidence } : {}),
});
