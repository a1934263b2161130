import { Command } from 'commander';
import type { Terms } from '../../ledger/core/terms.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellAnswer, tellLedgerRefusal } from './answer.ts';
import { faultFailure } from './failure.ts';
import { named, openBeside, succeeded, tellRecovery } from './named-ledger.ts';
import { readId, readWriteOptions, withWriteOptions, type WriteFlags } from './write-options.ts';
import { withPrintOptions } from './print-options.ts';
import { readTerms, withTermsOptions, type TermsFlags } from './terms-flags.ts';

interface NestFlags extends TermsFlags, WriteFlags, PrintFlags {
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
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, children: readonly string[], flags: NestFlags) => {
      context.ends(await nest(file, children, flags, context));
    });
}

async function nest(file: string, children: readonly string[], flags: NestFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const options = { ...readWriteOptions(flags, context, errors), version };
  const given = readTerms(flags, [], errors);
  const id = readId(flags.id, errors);
  const ids = children.map((_, i) => (children.length === 1 ? id : `${id}-${i + 1}`));
  if (new Set(children.map((child) => named(child, io).path)).size < children.length) {
    const hint = 'Name a file for each part of the data.';
    errors.push({ code: 'conflicting-options', path: 'CHILD', message: 'the same file stands twice', hint });
  }
  if (errors.length > 0) throw new UsageError(errors);
  const ledger = named(file, io);
  const put = await openBeside([ledger, ...children.map((child) => named(child, io))], flags, io);
  const [{ readPresent }, { nestIn }, { obstacle }, { open }] = await Promise.all([
    import('../../ledger/file/present.ts'),
    import('../../ledger/file/succession.ts'),
    import('../../ledger/file/create.ts'),
    import('../../ledger/open.ts'),
  ]);
  const parent = succeeded(readPresent(ledger.path), ledger).header.terms;
  const opened = open('distance' in given ? inherited(given, flags, parent) : given);
  if (opened.kind === 'refused') return await tellLedgerRefusal(opened.refusal, flags, context);
  const { terms } = opened.state;
  const heirs = children.map((child, i) => ({ path: named(child, io).path, id: ids[i] ?? '' }));
  for (const child of children) {
    const fault = obstacle(named(child, io).path);
    if (fault !== null) throw faultFailure(fault, child);
  }
  const label = flags.label ?? null;
  const result = succeeded(await nestIn(ledger.path, { heirs, terms, label }, options), ledger);
  const { value, record, recovered } = result;
  await tellRecovery(recovered, ledger, flags, io);
  const written = record && { number: value.before.records + 1, hash: record.hash };
  const asked = { nested: { ids, terms }, label };
  return await tellAnswer(
    { command: 'nest', file, asked, ...value, record: written, recovered: recovered.kind },
    put,
    flags,
    context,
  );
}

/** The terms, with the distance, neighbours and evidence of the ledger that pays where no flag is given. */
const inherited = (terms: Terms, flags: TermsFlags, parent: Terms): Terms => ({
  ...terms,
  ...(flags.distance === undefined ? { distance: parent.distance } : {}),
  ...(flags.neighbours === undefined ? { neighbours: parent.neighbours } : {}),
  ...(flags.requireEvidence === undefined && parent.evidence ? { evidence: parent.evidence } : {}),
});
