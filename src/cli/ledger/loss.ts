import { Command } from 'commander';
import type { Entry } from '../../privacy/mechanism.ts';
import { parseTargetFlags } from '../../document/flags/command-line.ts';
import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Context } from '../kit/context.ts';
import { layoutFor } from '../kit/destination.ts';
import { EXIT } from '../kit/exit.ts';
import { readNumberOption, aboveZero } from '../kit/number-option.ts';
import type { PrintFlags } from '../kit/shared-options.ts';
import { UsageError } from '../kit/usage-error.ts';
import { tellLedgerRefusal } from './answer.ts';
import { openBeside, succeeded, type Named } from './kit/named-ledger.ts';
import { withPrintOptions } from './kit/print-options.ts';
import { openStoreOf, type StoreFlags } from './kit/store-option.ts';

interface LossFlags extends PrintFlags, StoreFlags {
  readonly distance?: string;
  readonly delta?: string;
  readonly epsilon?: string;
}

const EXAMPLES = `
The loss changes when a mechanism is launched, not when it is asked. What a
filter guarantees is its budget; the loss of an odometer means something only
against a threshold that was fixed before the first launch. At other deltas than
that of the ledger both are told by what the rule adds up (rho, or epsilon
squared), and in a compositor by its bound. A loss of several numbers, as of
rdp-curve or a rule with a delta that grows, is told as it is: only the budget
of a filter can be converted then.

Examples:
  dpcompose ledger loss budget.jsonl
  dpcompose ledger loss budget.jsonl --delta 1e-6    as (epsilon, 1e-6)-DP
  dpcompose ledger loss count.jsonl --distance 3     for data 3 times as far`;

/** `dpcompose ledger loss`: the privacy loss so far. */
export function lossCommand(context: Context): Command {
  const command = new Command('loss')
    .summary('the privacy loss so far')
    .description('Tells the privacy loss so far, by the rule of the ledger.')
    .argument('<FILE>', 'the ledger')
    .optionsGroup('What is asked:')
    .option('--distance <D>', 'the loss between data at this distance, from the maps of all mechanisms')
    .option('--delta <D>', 'also the smallest epsilon at this delta')
    .option('--epsilon <E>', 'also the smallest delta at this epsilon');
  return withPrintOptions(command)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: LossFlags) => {
      context.ends(await loss(file, flags, context));
    });
}

const DISTANCE = aboveZero('--distance', '2');

/** All that was launched, one after the other. */
async function launchedIn(ledger: Named): Promise<readonly (Entry | 'nested-ledger')[]> {
  const { readHistory } = await import('../../ledger/journal/history.ts');
  const { header, records } = succeeded(await readHistory(ledger.store, ledger.file), ledger);
  if (header.origin?.kind === 'converted') {
    const message = `the ledger goes on from ${quote(header.origin.id)}, whose mechanisms are not in this file`;
    const hint = 'Leave --distance out for the loss at the distance of the ledger.';
    throw new UsageError([{ code: 'earlier-ledger', path: '--distance', message, hint }]);
  }
  return records.flatMap(({ recorded }): readonly (Entry | 'nested-ledger')[] => {
    if (recorded.event === 'nest') return ['nested-ledger'];
    const { event } = recorded;
    return event === 'spend' || event === 'commit' || event === 'incurred' ? recorded.entries : [];
  });
}

async function loss(file: string, flags: LossFlags, context: Context): Promise<number> {
  const { io, version } = context;
  const target = parseTargetFlags({ delta: flags.delta, epsilon: flags.epsilon });
  const errors: InputError[] = [...target.errors];
  const distance = readNumberOption(flags.distance, DISTANCE, errors);
  if (errors.length > 0) throw new UsageError(errors);
  await using desk = await openStoreOf(flags, io);
  const ledger = desk.named(file);
  const [{ readPresent }, { loss, lossAtDistance }, { convertSpent }] = await Promise.all([
    import('../../ledger/journal/present.ts'),
    import('../../ledger/loss.ts'),
    import('../../ledger/convert-loss.ts'),
  ]);
  const present = succeeded(await readPresent(ledger.store, file), ledger);
  const { header, state } = present;
  const { terms } = header;
  const isElsewhere = distance?.eq(terms.distance) === false;
  const launches = isElsewhere && terms.mode !== 'compositor' ? await launchedIn(ledger) : [];
  const found = isElsewhere ? lossAtDistance(terms, launches, distance) : loss(state);
  if ('refusal' in found) return await tellLedgerRefusal(found.refusal, flags, context, { file });
  if (target.value !== null && found.guarantee === null) {
    const converted = convertSpent(terms, found, target.value);
    if ('refusal' in converted) return await tellLedgerRefusal(converted.refusal, flags, context, { file });
  }
  const put = await openBeside([ledger], flags, io);
  if (put === null) return EXIT.done;
  const { lossJson, lossText } = await import('../../report/ledger/loss.ts');
  const report = { file, present, loss: found, distance: distance ?? terms.distance, query: target.value };
  await put(flags.json === true ? lossJson(report, version) : lossText(report, (await layoutFor(flags, io)).width));
  return EXIT.done;
}
