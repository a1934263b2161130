import type { Refusal } from '../../ledger/rules/refusal.ts';
import type { Present } from '../../ledger/present.ts';
import type { Entry, MechanismKind } from '../../privacy/mechanism.ts';
import type { Query } from '../../privacy/curve.ts';
import type { Decimal } from '../../numeric/decimal.ts';
import type { LossReport, RemainingRow } from '../../output/ledger/status-questions.ts';
import { parseTargetFlags, parseMechanismFlags } from '../../document/flags/command-line.ts';
import { quote, either } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Io, Context } from '../kit/io.ts';
import { inGroup, numberOption, repeatedOption, textOption, type ValuesOf } from '../kit/option.ts';
import { aboveZero } from '../kit/number-option.ts';
import { MECHANISM, type PrintFlags } from '../kit/shared-options.ts';
import { UsageError, conflict } from '../kit/usage-error.ts';
import { ledgerRefusal } from './answer.ts';
import { readMechanisms } from './kit/mechanisms.ts';
import {
  orThrow,
  type Named,
  listedLedgers,
  namedLedgers,
  LEDGERS,
  requireLedgers,
  WHERE,
} from './kit/store-option.ts';
import type { OpenMechanism } from '../../ledger/loss.ts';
import type { ErrorCode } from '../../document/core/error-codes.ts';
import { didYouMean } from '../../document/core/suggest.ts';
import type { LedgerSummary } from '../../ledger/ledger-tree.ts';
import type { Store } from '../../ledger/store.ts';
import { notWrittenHere } from '../../ledger/verify.ts';
import { charactersFor } from '../kit/destination.ts';
import { loadBudgets } from './kit/budgets-option.ts';
import { ledgerCommand, type Run, type CommandResult } from './kit/ledger-command.ts';

/** The parameter that is open in each type, and a value with which the rest of a flag can be read. */
const OPEN = {
  dp: ['epsilon', '0'],
  'bounded-range': ['epsilon', '0'],
  exponential: ['epsilon', '0'],
  rdp: ['epsilon', '0'],
  zcdp: ['rho', '0'],
  gdp: ['mu', '0'],
  laplace: ['scale', '1'],
  'discrete-laplace': ['scale', '1'],
  gaussian: ['sigma', '1'],
  'discrete-gaussian': ['sigma', '1'],
} as const;

const TYPES = Object.keys(OPEN);
const isOpen = (type: string): type is keyof typeof OPEN => Object.hasOwn(OPEN, type);

/** The question of --next: a mechanism with one parameter left open, and its kind. */
interface NextQuestion {
  readonly mechanism: OpenMechanism;
  readonly kind: MechanismKind;
}

function openOf({ mechanism, kind }: Entry): NextQuestion | null {
  const { type } = mechanism;
  if (type === 'dp') return { mechanism: { type, delta: mechanism.delta }, kind };
  if (type === 'zcdp') return { mechanism: { type, ...('delta' in mechanism && { delta: mechanism.delta }) }, kind };
  if (type === 'bounded-range' || type === 'gdp') return { mechanism: { type }, kind };
  if ('sensitivity' in mechanism)
    return { mechanism: { type: mechanism.type, sensitivity: mechanism.sensitivity }, kind };
  const [order] = type === 'rdp' ? mechanism.orders : [];
  return order === undefined ? null : { mechanism: { type: 'rdp', alpha: order.alpha }, kind };
}

/**
 * Reads `TYPE:key=value,...`, a mechanism one parameter of which is left open: the epsilon of dp, the scale of laplace and
 * so on. What is wrong goes to `errors`.
 */
export function readOpenMechanism(text: string, errors: InputError[]): NextQuestion | null {
  const colon = text.indexOf(':');
  const type = (colon < 0 ? text : text.slice(0, colon)).trim();
  const fail = (code: ErrorCode, message: string, hint: string): null => {
    errors.push({ code, path: '--next', message, hint });
    return null;
  };
  if (!isOpen(type)) {
    const hint = `${didYouMean(type, TYPES)}For example: --next dp, --next laplace:sensitivity=2.`;
    return fail('unknown-type', `must begin with ${either(TYPES)}, got ${quote(type)}`, hint);
  }
  const [parameter, placeholder] = OPEN[type];
  const rest = colon < 0 ? '' : text.slice(colon + 1).trim();
  if (rest.split(',').some((part) => part.split('=')[0]?.trim() === parameter)) {
    return fail('conflicting-keys', `${parameter} is the parameter to find, got ${quote(text)}`, `Omit ${parameter}.`);
  }
  const filled = `${type}:${parameter}=${placeholder}${rest === '' ? '' : `,${rest}`}`;
  const { value, errors: mistakes } = parseMechanismFlags([filled]);
  errors.push(...mistakes.map((error) => ({ ...error, path: error.path.replace(/^-m #1/, '--next') })));
  const [entry] = value;
  if (mistakes.length > 0 || entry === undefined) return null;
  return openOf(entry) ?? fail('unknown-type', `${type} has no parameter to find`, 'Use another type.');
}

/** The options of what is asked of one ledger. */
const QUESTIONS = inGroup('Questions about one ledger:', {
  mechanism: MECHANISM('how many more of this mechanism fit (repeatable)'),
  next: repeatedOption(
    '--next <TYPE[:key=value,...]>',
    'largest next epsilon, or smallest next noise (repeatable)',
    readOpenMechanism,
  ),
  atDelta: textOption('--at-delta <D>', 'convert used and budget to epsilon at this delta'),
  atEpsilon: textOption('--at-epsilon <E>', 'find the smallest delta at this epsilon'),
  distance: numberOption('--distance <D>', 'privacy loss at this distance between data sets', aboveZero, '2'),
  certificate: textOption('--certificate <FILE>', 'write a proof, for docs/checker.py, that a filter is in its budget'),
});

/** What is asked of one ledger. */
export interface Questions {
  readonly next: readonly NextQuestion[];
  readonly sizes: readonly Entry[];
  readonly distance: Decimal | undefined;
  readonly query: Query | null;
  readonly certificate: string | undefined;
}

/** The first option by which something is asked of one ledger, as it is typed. */
function firstQuestion(isTyped: (name: keyof typeof QUESTIONS) => boolean): string | undefined {
  const names = Object.keys(QUESTIONS) as (keyof typeof QUESTIONS)[];
  const first = names.find(isTyped);
  return first && /^--?[\w-]+/.exec(QUESTIONS[first].flags)?.[0];
}

/** What is asked of one ledger; a refusal ends the command. */
async function readQuestions(
  { next, mechanism, atDelta, atEpsilon, distance, certificate }: ValuesOf<typeof QUESTIONS>,
  errors: InputError[],
  io: Io,
): Promise<Questions> {
  const target = parseTargetFlags({ delta: atDelta, epsilon: atEpsilon });
  const renamed = (text: string): string => text.replace(/--(delta|epsilon)\b/g, '--at-$1');
  errors.push(
    ...target.errors.map((error) => ({ ...error, path: renamed(error.path), message: renamed(error.message) })),
  );
  const { entries } =
    mechanism === undefined
      ? { entries: [] }
      : await readMechanisms(undefined, { mechanism }, errors, 'ledger check', io);
  return { next, sizes: entries, distance, query: target.value, certificate };
}

const isUsedUp = ({ code }: Refusal): boolean =>
  code === 'insufficient-budget' || code === 'count-limit' || code === 'halted';

/** What remains of what is asked: for each mechanism with an open parameter its largest, for the others how many more. */
async function remainingOf(
  { file }: Named,
  { state }: Present,
  { next, sizes }: Questions,
): Promise<readonly RemainingRow[]> {
  const { remaining } = await import('../../ledger/loss.ts');
  const rows: RemainingRow[] = [];
  for (const { mechanism: question, kind } of next) {
    const capacity = remaining(state, { form: 'next', mechanism: question, kind });
    if ('value' in capacity) rows.push({ question, capacity });
    else if ('refusal' in capacity && isUsedUp(capacity.refusal)) rows.push({ question, capacity: null });
    else if ('refusal' in capacity) throw ledgerRefusal(capacity.refusal, { file, launch: '--next' });
  }
  for (const question of sizes) {
    const capacity = remaining(state, { form: 'how-many', entry: question });
    if ('count' in capacity) rows.push({ question, capacity });
    else if ('refusal' in capacity) throw ledgerRefusal(capacity.refusal, { file, launch: '-m' });
  }
  return rows;
}

/** All that was launched, one after the other. */
async function launchedIn(ledger: Named, flag: string): Promise<readonly (Entry | 'nested-ledger')[]> {
  const { readHistory } = await import('../../ledger/history.ts');
  const { header, records } = orThrow(await readHistory(ledger.store, ledger.file), ledger);
  if (header.origin?.kind === 'converted') {
    const message = `the ledger continues ${quote(header.origin.id)}, whose mechanisms are not in this file`;
    const hint = `Omit ${flag}.`;
    throw new UsageError([{ code: 'earlier-ledger', path: flag, message, hint }]);
  }
  return records.flatMap(({ recorded }): readonly (Entry | 'nested-ledger')[] => {
    if (recorded.event === 'nest') return ['nested-ledger'];
    const { event } = recorded;
    return event === 'spend' || event === 'commit' || event === 'incurred' ? recorded.entries : [];
  });
}

/** The loss at the distance, and at the delta or epsilon, that is asked for. */
async function lossOf(
  ledger: Named,
  { header: { terms }, state }: Present,
  { distance = terms.distance, query }: Questions,
): Promise<LossReport> {
  const [{ loss, lossAtDistance }, { convertSpent }] = await Promise.all([
    import('../../ledger/loss.ts'),
    import('../../ledger/conversions.ts'),
  ]);
  const isElsewhere = !distance.eq(terms.distance);
  const launches = isElsewhere && terms.mode !== 'compositor' ? await launchedIn(ledger, '--distance') : [];
  const total = isElsewhere ? lossAtDistance(terms, launches, distance) : loss(state);
  if ('refusal' in total) throw ledgerRefusal(total.refusal, ledger);
  if (query !== null && total.guarantee === null) {
    const converted = convertSpent(terms, total, query);
    if ('refusal' in converted) throw ledgerRefusal(converted.refusal, ledger);
  }
  return { terms, loss: total, distance, query };
}

const EXAMPLES = `
For several ledgers, or a whole store, status prints one line each, with nested
ledgers below their parents.
--next takes a mechanism without the parameter to find: epsilon of dp,
bounded-range or rdp, rho of zcdp, mu of gdp, scale of laplace or
discrete-laplace, sigma of gaussian or discrete-gaussian.
The guarantee of a filter is its full budget, even if less has been spent. The
loss of an odometer is meaningful only against a threshold fixed before the
first launch. A loss of several numbers (rdp-curve, or a rule with a growing
delta) is not converted; only the budget is.

Examples:
  dpcompose ledger status budget.jsonl --at-delta 1e-6
  dpcompose ledger status budget.jsonl --next dp --next laplace:sensitivity=2
  dpcompose ledger status --budgets budgets.yaml`;

/** Whether block characters are shown: on a terminal whose locale is in UTF-8. */
function showsBlocks({ stdout, env }: Io, { output }: PrintFlags): boolean {
  const toTerminal = stdout.isTTY === true && (output === undefined || output === '-');
  return toTerminal && charactersFor(env) === 'unicode';
}

/** Whether the last record of a ledger was written in another place. */
async function isCopy(ledger: Named): Promise<boolean> {
  const { store, file } = ledger;
  const away = await notWrittenHere(store, file, orThrow(await store.ends(file), ledger));
  return away?.fault.code === 'moved';
}

/** Says of each line of a file of budgets what it guarantees, by which theorem, and what is not guaranteed. */
async function statusOfBudgets(file: string, io: Io): Promise<CommandResult> {
  const budgets = await loadBudgets(file, [], io);
  return (await import('../../output/ledger/budgets.ts')).budgetsOutput(budgets, file);
}

async function statusOfOne(
  ledger: Named,
  questions: Questions,
  flags: PrintFlags,
  { io, now }: Context,
): Promise<CommandResult> {
  const { file } = ledger;
  const [{ foldOf }, { presentAt }, { ITEMS }, { standstillText }, { statusOutput }] = await Promise.all([
    import('../../ledger/history.ts'),
    import('../../ledger/present.ts'),
    import('../../output/ledger/items.ts'),
    import('../../output/ledger/ledger-text.ts'),
    import('../../output/ledger/status.ts'),
  ]);
  const folded = orThrow(await foldOf(ledger.store, file, ITEMS), ledger);
  const present = presentAt(folded.present, now().toISOString());
  const rows = await remainingOf(ledger, present, questions);
  const isLossAsked = questions.query !== null || questions.distance !== undefined;
  const loss = isLossAsked ? await lossOf(ledger, present, questions) : undefined;
  if (questions.certificate !== undefined) {
    const { openFile } = await import('../kit/output-file.ts');
    const put = await openFile(questions.certificate, { flag: '--certificate', force: flags.force ?? false }, io);
    const { filterCertificate } = await import('./kit/filter-certificate.ts');
    await put(await filterCertificate(present, await launchedIn(ledger, '--certificate'), questions.query));
  }
  const standstill = standstillText(present, await isCopy(ledger));
  const answers = { standstill, ...(rows.length > 0 && { remaining: rows }), ...(loss && { loss }) };
  return statusOutput({ ...folded, present }, file, answers, showsBlocks(io, flags));
}

/** Where ledgers stand, by their two ends. */
async function summariesOf(store: Store, files: readonly string[] | null): Promise<readonly LedgerSummary[]> {
  const [{ presentOf }, { resumingMany }] = await Promise.all([
    import('../../ledger/present.ts'),
    import('../../ledger/open.ts'),
  ]);
  const resuming = resumingMany();
  const summaries: LedgerSummary[] = [];
  for await (const { name, ends } of files === null ? listedLedgers(store) : namedLedgers(store, files)) {
    if (ends.kind === 'failed') {
      summaries.push({ name, kind: 'fault', fault: ends.fault });
      continue;
    }
    const present = presentOf(ends, resuming);
    if (present.kind === 'failed') {
      summaries.push({ name, kind: 'fault', fault: present.fault });
      continue;
    }
    const away = await notWrittenHere(store, name, ends);
    summaries.push({ name, kind: 'readable', present, isCopy: away?.fault.code === 'moved' });
  }
  return summaries;
}

/** Where ledgers stand; all of the store where `files` is null. */
async function statusOfAll(
  files: readonly string[] | null,
  run: Pick<Run, 'open' | 'openOutput'>,
): Promise<CommandResult> {
  const { store, ledgerNamed } = await run.open();
  const summaries = await summariesOf(store, files);
  const [{ ledgerTree }, { standingOutput }] = await Promise.all([
    import('../../ledger/ledger-tree.ts'),
    import('../../output/ledger/ledger-list.ts'),
  ]);
  const report = { store: store.address, placed: ledgerTree(summaries) };
  await run.openOutput(summaries.map(({ name }) => ledgerNamed(name)));
  return standingOutput(report);
}

/** `dpcompose ledger status`: the budget of ledgers, used and remaining. */
export const statusCommand = ledgerCommand({
  name: 'status',
  summary: 'budget used and remaining',
  about: 'Prints the budget, how much is used and for what, and how much remains.',
  operands: [LEDGERS],
  options: {
    ...QUESTIONS,
    ...inGroup('In place of ledgers:', {
      budgets: textOption('--budgets <FILE>', 'guarantees of a file of budgets, and their theorems'),
    }),
    ...WHERE,
  },
  examples: EXAMPLES,
  async run(run, files: readonly string[]) {
    const { flags, errors, context } = run;
    const { io } = context;
    const [file] = files;
    const isOne = file !== undefined && files.length === 1;
    const question = firstQuestion((name) => run.isTyped(name));
    if (flags.budgets !== undefined && (file ?? question) !== undefined) {
      errors.push(conflict('--budgets', 'conflicts with named ledgers', 'Use one command for each.'));
    } else if (question !== undefined && !isOne) {
      errors.push(conflict(question, 'is for one ledger', 'Name one ledger.'));
    }
    if (flags.budgets === undefined) requireLedgers(files, flags, io, errors);
    else if (errors.length === 0) return await statusOfBudgets(flags.budgets, io);
    const questions = await readQuestions(flags, errors, io);
    if (isOne) return await statusOfOne(await run.ledger(file), questions, flags, context);
    run.check();
    return await statusOfAll(files.length === 0 ? null : files, run);
  },
});
