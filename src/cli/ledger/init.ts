import { Argument } from 'commander';
import { USUAL_SETTING } from '../../composition/core/setting.ts';
import type { Refusal } from '../../ledger/rules/refusal.ts';
import { Decimal } from '../../numeric/decimal.ts';
import { decimalText } from '../../output/kit/number.ts';
import { EXIT } from '../kit/io.ts';
import { inGroup } from '../kit/option.ts';
import { MECHANISM } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { ledgerRefusal, requireCovered } from './answer.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { orThrow, LOCKS, WHERE } from './kit/store-option.ts';
import { checkNeighbours, readMechanisms } from './kit/mechanisms.ts';
import { AT, idOf, idOption, timeOf } from './kit/write-options.ts';
import { givenTerms, invalidTerm, readTerms, TERMS, termsHelp, type GivenTerms } from './kit/terms-flags.ts';

const EXAMPLES = `
Without --rule, --epsilon alone means pure, --rho zcdp, --mu gdp, the term alpha
rdp, and orders rdp-curve. You can never change the budget, the rule or the
limits: a filter is sound only if they do not depend on earlier results.

Examples:
  dpcompose ledger init b.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal
  dpcompose ledger init count.jsonl --mode odometer --rule zcdp
  dpcompose ledger init plan.jsonl --mode compositor --rule dp-optimal \\
      --epsilon 4 --delta 1e-6 -m dp:epsilon=0.1,count=40 -m dp:epsilon=0.5`;

/** A compositor whose budget is not certified is a no; everything else is a mistake, or what no theorem covers. */
function notOpened(refusal: Refusal, file: string, given: GivenTerms): Error {
  if (refusal.code === 'invalid-terms') return new UsageError([invalidTerm(refusal, given)]);
  if (refusal.code !== 'insufficient-budget') return ledgerRefusal(refusal, { file });
  const { coordinate, total, limit } = refusal;
  const [is, maximum] = [decimalText(new Decimal(total), 'up'), decimalText(new Decimal(limit), 'down')];
  const message = `the declared mechanisms exceed the budget: by this bound, ${coordinate} is ${is}; the limit is ${maximum}`;
  const error = {
    code: refusal.code,
    path: `--${coordinate}`,
    message,
    hint: 'Declare fewer mechanisms, or raise the budget.',
  };
  return new UsageError([error], { exit: EXIT.no });
}

/** `dpcompose ledger init`: a new ledger. */
export const initCommand = ledgerCommand({
  name: 'init',
  summary: 'create a ledger: budget and rule',
  about: 'Creates a ledger, which records privacy loss and denies requests that would exceed the budget.',
  operands: [
    new Argument('<FILE>', 'file to create; an existing file is never overwritten'),
    new Argument('[SPEC]', 'for a compositor: JSON, YAML or CSV file of its mechanisms; - for standard input'),
  ],
  options: {
    ...TERMS,
    ...inGroup('Description:', {
      mechanism: MECHANISM('for a compositor: declare a mechanism (repeatable)'),
    }),
    ...inGroup('Recording:', { id: idOption(), ...AT, ...LOCKS }),
    ...WHERE,
  },
  examples: termsHelp() + EXAMPLES,
  async run(run, file: string, source: string | undefined) {
    const { flags, errors, context } = run;
    const { version, io } = context;
    const declares = source !== undefined || flags.mechanism !== undefined;
    const declared = declares
      ? await readMechanisms(source, { mechanism: flags.mechanism }, errors, 'ledger init', io)
      : { entries: [], setting: USUAL_SETTING, neighbours: null };
    checkNeighbours(declared, flags.neighbours ?? null);
    const neighbours = flags.neighbours ?? declared.neighbours ?? undefined;
    const terms = readTerms({ ...givenTerms(flags), neighbours }, declared.entries, errors);
    run.check();
    const { open } = await import('../../ledger/open.ts');
    const opened = open(terms);
    if (opened.kind === 'refused') throw notOpened(opened.refusal, file, givenTerms(flags));
    const { state, caveats } = opened;
    await requireCovered(declared, [{ terms: state.terms, file }]);
    const ledger = await run.ledger(file);
    const at = timeOf(flags.at, context);
    const header = { version, at, id: idOf(flags.id), terms: state.terms, origin: null };
    const { hash } = orThrow(await ledger.store.create(file, header), ledger);
    await run.noteAhead();
    const { madeOutput } = await import('../../output/ledger/status.ts');
    const present = {
      ...{ kind: 'present' as const, header, ledger: hash, state, successor: null },
      ...{ records: 0, hash, at, rest: { kind: 'none' as const } },
    };
    const report = { command: 'init' as const, file, present, caveats };
    return {
      ...madeOutput(report),
      recordNote: `${file} WAS created, with the hash ${hash}.`,
    };
  },
});
