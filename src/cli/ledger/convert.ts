import { Argument } from 'commander';
import type { Refused, LedgerState } from '../../ledger/state.ts';
import type { Opened } from '../../ledger/open.ts';
import type { Budgets, RuleId } from '../../ledger/rules/terms.ts';
import { madeOutput } from '../../output/ledger/status.ts';
import { refusalText } from '../../output/ledger/refusals.ts';
import type { InputError } from '../../document/core/specification.ts';
import { EXIT } from '../kit/io.ts';
import { inGroup } from '../kit/option.ts';
import { UsageError, conflict } from '../kit/usage-error.ts';
import { ledgerRefusal } from './answer.ts';
import { ledgerCommand } from './kit/ledger-command.ts';
import { ledgerError, recordedText, orThrow, WHERE } from './kit/store-option.ts';
import { idOf, idOption, RECORD, recordOptions } from './kit/write-options.ts';
import { AMOUNT_NAMES, BUDGET, optionOf, readBudget } from './kit/budget-flags.ts';
import {
  camelCase,
  givenTerms,
  readConversions,
  readOnExcess,
  termsHelp,
  termsOption,
  type GivenTerms,
} from './kit/terms-flags.ts';

const KEYS = ['on-excess', 'conversions', 'orders'] as const;

const EXAMPLES = `${termsHelp(KEYS)}
A budget is a guarantee only if you fix it before the first launch, or if it is
independent of earlier results. A filter becomes an odometer only if its terms
allow it. "ledger init" forbids it by default. A line of a budgets file allows
it unless it says fixed-budget: true.

Examples:
  dpcompose ledger convert count.jsonl budget.jsonl --rho 0.05
  dpcompose ledger convert budget.jsonl count.jsonl`;

type Become = (state: LedgerState) => Opened | Refused;

/** The conversion of a ledger: of an odometer to a filter, with a budget of its rule; of anything else to an odometer. */
async function becomeOf({ terms }: LedgerState, typed: GivenTerms, errors: InputError[]): Promise<Become> {
  if (terms.mode !== 'odometer') {
    const amount = AMOUNT_NAMES.find((name) => typed[name] !== undefined);
    const term = KEYS.find((key) => Object.hasOwn(typed, camelCase(key)));
    const flag = amount === undefined ? term && `--terms ${term}` : optionOf(amount);
    if (flag !== undefined) {
      errors.push(conflict(flag, 'is for odometers', `Omit it: a ${terms.mode} is not given a budget.`));
    }
    return (await import('../../ledger/conversions.ts')).toOdometer;
  }
  const { toFilter } = await import('../../ledger/conversions.ts');
  const onExcess = readOnExcess(typed, errors);
  const { conversions } = readConversions(typed, errors);
  const { rule } = terms;
  const budget = readBudget(rule, typed, errors) as Budgets[RuleId];
  return (state) => toFilter(state, rule.id, budget, onExcess, conversions);
}

/** The spending is beyond the budget, or the ledger cannot be converted as asked. */
function notConverted({ refusal }: Refused, file: string): Error {
  if (refusal.code !== 'insufficient-budget' && refusal.code !== 'halted') return ledgerRefusal(refusal, { file });
  const { message } = refusalText(refusal);
  const hint = 'See the loss so far with "ledger status", and give a budget of at least that.';
  return new UsageError([{ code: refusal.code, path: file, message, hint }], { exit: EXIT.no });
}

/** `dpcompose ledger convert`: an odometer with a budget from now on, or a filter whose budget is not enforced any more. */
export const convertCommand = ledgerCommand({
  name: 'convert',
  summary: 'turn an odometer into a filter',
  about:
    'Converts an odometer to a filter with a budget, or a filter to an odometer. Ends the old ledger; the new one has the same rule and the same usage.',
  operands: [new Argument('<FILE>', 'odometer or filter'), new Argument('<NEW>', 'ledger to create')],
  options: {
    ...inGroup('Budget for an odometer:', { ...BUDGET, terms: termsOption(KEYS), id: idOption() }),
    ...RECORD,
    ...WHERE,
  },
  examples: EXAMPLES,
  async run(run, file: string, target: string) {
    const { flags, errors } = run;
    const location = await run.open();
    const [ledger, successorLedger] = [location.ledgerNamed(file), location.ledgerNamed(target)];
    const [{ readPresent }, { convertIn }] = await Promise.all([
      import('../../ledger/present.ts'),
      import('../../ledger/succession.ts'),
    ]);
    const { state } = orThrow(await readPresent(ledger.store, file), ledger);
    const become = await becomeOf(state, givenTerms(flags), errors);
    run.check();
    const inTheWay = await successorLedger.store.obstacle(target);
    if (inTheWay !== null) throw ledgerError(inTheWay.fault, target);
    await run.openOutput([ledger, successorLedger]);
    const successor = { name: target, id: idOf(flags.id) };
    const options = recordOptions(run);
    const converted = await convertIn(ledger.store, file, successor, become, options);
    const { value, records } = await run.settled(converted, ledger);
    const [record = null] = records;
    const { decision } = value;
    if (decision.kind === 'ended') throw ledgerError({ code: 'converted', successor: decision.successor }, file);
    if (decision.kind === 'refused') throw notConverted(decision, file);
    const report = {
      command: 'convert' as const,
      file: target,
      present: orThrow(await readPresent(successorLedger.store, target), successorLedger),
      caveats: decision.caveats,
    };
    return {
      ...madeOutput(report),
      recordNote: record && recordedText({ number: value.before.records + 1, hash: record.hash }),
    };
  },
});
