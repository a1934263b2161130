import { Command } from 'commander';
import { USUAL_SETTING } from '../../composition/core/setting.ts';
import type { Refusal } from '../../ledger/core/refusal.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { amountText } from '../../report/ledger/amounts.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal, tellDenied } from './answer.ts';
import { deliver, openBeside, succeeded } from './kit/named-ledger.ts';
import { checkNeighbours, readMechanisms, withMechanisms, type MechanismFlags } from './kit/mechanisms.ts';
import { readId, readTime } from './kit/write-options.ts';
import { withPrintOptions, openStoreOf, withLocksOption, type StoreFlags } from './kit/store-option.ts';
import { givenTerms, readTerms, termsHelp, withTermsOptions, type TermsFlags } from './kit/terms-flags.ts';

interface InitFlags extends TermsFlags, MechanismFlags, PrintFlags, StoreFlags {
  readonly id?: string;
  readonly at?: string;
}

const EXAMPLES = `
Without --rule, --epsilon alone means pure, --rho zcdp, --mu gdp, the term alpha
rdp, and orders rdp-curve. The budget, the rule and the limits can never be
changed: that they do not depend on what was seen is what makes a filter sound.

Examples:
  dpcompose ledger init budget.jsonl --epsilon 1
  dpcompose ledger init b.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal
  dpcompose ledger init budget.jsonl --rho 0.05 --terms on-excess=halt
  dpcompose ledger init count.jsonl --mode odometer --rule zcdp
  dpcompose ledger init plan.jsonl --mode compositor --rule dp-optimal \\
      --epsilon 4 --delta 1e-6 -m dp:epsilon=0.1,count=40 -m dp:epsilon=0.5`;

/** `dpcompose ledger init`: a new ledger. */
export function initCommand(context: Context): Command {
  const command = new Command('init')
    .summary('make a ledger')
    .description('Makes a ledger, which records what is spent and refuses what would exceed the budget.')
    .argument('<FILE>', 'the file to make; one that is there is never overwritten')
    .argument('[SPEC]', 'for a compositor: JSON, YAML or CSV file that lists its mechanisms; - for what is piped in');
  withTermsOptions(command);
  withMechanisms(command, 'for a compositor: a mechanism that may be launched (repeatable)')
    .optionsGroup('How it is recorded:')
    .option('--id <TEXT>', 'a name that no other ledger has (a random one)')
    .option('--at <TIME>', 'the time that is noted, such as 2026-03-02T09:15Z, or none (now)');
  withLocksOption(command);
  return withPrintOptions(command)
    .addHelpText('after', termsHelp() + EXAMPLES)
    .action(async (file: string, source: string | undefined, flags: InitFlags) => {
      context.ends(await init(file, source, flags, context));
    });
}

/** A compositor whose budget is not certified is a no; everything else is a mistake, or what no theorem covers. */
async function tellNotOpened(refusal: Refusal, file: string, flags: InitFlags, context: Context): Promise<number> {
  if (refusal.code !== 'insufficient-budget') return await tellLedgerRefusal(refusal, flags, context, { file });
  const { coordinate, total, limit } = refusal;
  const [is, most] = [amountText(new Decimal(total), 'up'), amountText(new Decimal(limit), 'down')];
  const message = `what is declared does not fit: its ${coordinate} is ${is} by this bound, and at most ${most} is allowed`;
  const error = { code: refusal.code, path: `--${coordinate}`, message, hint: 'Declare less, or allow more.' };
  throw new UsageError([error], { exit: EXIT.no });
}

async function init(file: string, source: string | undefined, flags: InitFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const errors: InputError[] = [];
  const declares = source !== undefined || flags.mechanism !== undefined;
  const none = { entries: [], setting: USUAL_SETTING, neighbours: null };
  const declared = declares ? await readMechanisms(source, flags, errors, 'ledger init', io) : none;
  if (typeof declared === 'number') return declared;
  checkNeighbours(declared, flags.neighbours ?? null);
  const neighbours = flags.neighbours ?? declared.neighbours;
  const given = { ...flags, ...(neighbours !== null && { neighbours }) };
  const terms = readTerms(givenTerms(given, errors), declared.entries, errors);
  const at = readTime(flags.at, context, errors);
  const id = readId(flags.id, errors);
  if (errors.length > 0) throw new UsageError(errors);
  const { open } = await import('../../ledger/open.ts');
  const opened = open(terms);
  if (opened.kind === 'refused') return await tellNotOpened(opened.refusal, file, flags, context);
  const { state, caveats } = opened;
  const refused = await tellDenied(declared, [{ terms: state.terms, file }], flags, context);
  if (refused !== null) return refused;
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const put = await openBeside([ledger], flags, io);
  const header = { version, at, id, terms: state.terms, origin: null };
  const { hash } = succeeded(await ledger.store.create(file, header), ledger);
  if (put !== null) {
    const rest = { kind: 'none' } as const;
    const present = {
      kind: 'present' as const,
      header,
      ledger: hash,
      state,
      successor: null,
      records: 0,
      hash,
      at,
      rest,
    };
    const { madeJson, madeText } = await import('../../report/ledger/status.ts');
    const made = { command: 'init' as const, file, present, caveats };
    const text = flags.json === true ? madeJson(made, version) : madeText(made, (await layoutFor(flags, io)).width);
    await deliver(put, text, `${file} WAS made, with the hash ${hash}.`);
  }
  return EXIT.done;
}
