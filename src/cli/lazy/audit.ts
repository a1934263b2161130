import { quote } from '../../document/core/quote.ts';
import type { InputError } from '../../document/core/specification.ts';
import type { Audit, AuditQuestion } from '../../learning/accounting/audit.ts';
import {
  isWithoutY,
  shareOf,
  type Measure,
  type NamedSetting,
  type NoSetting,
  type WithoutY,
  type WithY,
} from '../../learning/core/setting.ts';
import {
  CONVEX_FORMULAS,
  delta0For,
  EXPERTS_FORMULAS,
  FORMULAS,
  namedForConvex,
  namedForExperts,
} from '../../learning/theorems/parameters.ts';
import { Decimal, ZERO } from '../../numeric/decimal.ts';
import { aboutText } from '../../output/lazy/words.ts';
import { commandOf, formsOf, type Invocation } from '../kit/command.ts';
import { inGroup, readOneOf, textOption } from '../kit/option.ts';
import { UsageError } from '../kit/usage-error.ts';
import {
  MEASURE,
  NumberReader,
  numberOptions,
  readConvexProblem,
  readExpertsProblem,
  readMeasure,
  readSetting,
} from './options.ts';

const BY_NAME = 'Parameters by formula:';
const OWN = 'Your own parameters:';

const OPTIONS = {
  ...inGroup(BY_NAME, {
    setting: textOption('--setting <NAME>', 'theorem-3.10, theorem-3.10-proof, theorem-3.12 or repaired'),
  }),
  ...numberOptions(BY_NAME, 'experts', ['dimension', 'dimension of convex losses'], ['epsilon', 'target epsilon']),
  ...numberOptions(OWN, 'batch', 'eta', 'p', 'c', 'delta1', 'delta0'),
  ...inGroup(OWN, { measure: MEASURE }),
  ...numberOptions(OWN, 'beta', 'lambda'),
  ...numberOptions(
    'Both:',
    'rounds',
    ['delta', 'delta of the accounting (default: that of the theorem)'],
    'lipschitz',
    'diameter',
  ),
};

/** An audit, with the epsilon that was asked for where parameters have a target. */
interface AuditTask {
  readonly question: AuditQuestion;
  readonly target: Decimal | null;
}

function taskOf(
  setting: NamedSetting | NoSetting,
  { epsilon, delta }: { readonly epsilon: Decimal; readonly delta: Decimal },
  errors: InputError[],
): AuditTask | undefined {
  if (!('reason' in setting)) return { question: { ...setting, delta }, target: epsilon };
  errors.push({
    code: 'out-of-range',
    path: '--setting',
    message: `${setting.id} gives p = ${aboutText(setting.fakeSwitch)} here, which is not below 1`,
    hint: 'Give more rounds, or your own parameters: there are too few rounds for this epsilon.',
  });
  return undefined;
}

/** The parameters of a formula. */
function byName(name: string, reader: NumberReader): AuditTask | undefined {
  const { errors } = reader;
  reader.refuse(
    ['batch', 'eta', 'p', 'c', 'delta1', 'delta0', 'beta', 'lambda'],
    'contradicts --setting, which gives it',
    'Keep one of them.',
  );
  const forConvex = CONVEX_FORMULAS.find((id) => id === name);
  const forExperts = EXPERTS_FORMULAS.find((id) => id === name);
  if (forConvex !== undefined && (forExperts === undefined || reader.isGiven('dimension'))) {
    const problem = readConvexProblem(reader);
    return problem && errors.length === 0 ? taskOf(namedForConvex(forConvex, problem), problem, errors) : undefined;
  }
  if (forExperts !== undefined) {
    const problem = readExpertsProblem(reader);
    return problem && errors.length === 0 ? taskOf(namedForExperts(forExperts, problem), problem, errors) : undefined;
  }
  readOneOf(name, { flag: '--setting', words: FORMULAS, hint: 'Or give --batch, --eta and --p.' }, errors);
  return undefined;
}

/** delta1: as given, or what --delta leaves to it. */
function readDelta1(reader: NumberReader, measure: Measure, rounds: number): Decimal | undefined {
  const delta1 = reader.optional('delta1');
  const delta = reader.optional('delta');
  if (delta1 === undefined) {
    if (delta !== undefined) {
      return shareOf(delta, measure.type === 'regularised-multiplicative-weights' ? 4 : 2, rounds);
    }
    if (reader.errors.length === 0)
      reader.required('delta1', 'delta1 of Theorem 3.2 (or --delta, of which it is a share)');
    return undefined;
  }
  if (delta1.times(2).times(rounds).lt(1)) return delta1;
  const message = `must be below 1/(2T), so that 2 T delta1 is below 1, got ${quote(delta1.toString())}`;
  reader.outOfRange('delta1', message, 'Give a smaller delta1, or --delta for the whole run.');
  return undefined;
}

/** delta0: as given; for convex losses, whose weights have none of 0, by default what costs as much as delta1. */
function readDelta0(reader: NumberReader, measure: Measure, setting: WithY, delta1: Decimal): Decimal {
  const typedDelta = reader.optional('delta0');
  if (measure.type === 'regularised-multiplicative-weights') {
    if (typedDelta?.isZero() === true) {
      const message = 'must be above 0 for convex losses: by Lemma 3.11 their weights move without bound otherwise';
      reader.outOfRange('delta0', message, 'Omit it for a share of delta.');
    }
    const input = { ...setting, batch: new Decimal(setting.batch), delta1 };
    return typedDelta ?? delta0For(delta1.times(4).times(setting.rounds), input);
  }
  if (measure.type === 'multiplicative-weights' && typedDelta?.isZero() === false) {
    const hint = 'Omit it, or give --measure any for a measure that has one.';
    reader.refuse(['delta0'], 'multiplicative weights have a delta0 of 0', hint);
  }
  return typedDelta ?? ZERO;
}

/** L2P without y, of which Theorem 3.2 says nothing: it is for experts, and needs the delta of the accounting. */
function withoutY(setting: WithoutY, measure: Measure, reader: NumberReader): AuditTask | undefined {
  reader.refuse(['delta1', 'delta0'], 'belongs to Theorem 3.2, which says nothing without y', 'Give --delta.');
  const delta = reader.required('delta', 'the delta of the accounting');
  if (measure.type !== 'multiplicative-weights') {
    const message = 'is for multiplicative weights on experts: other measures need y';
    reader.refuse(['c'], message, 'Give --p, or leave out --measure.');
  }
  if (delta === undefined || reader.errors.length > 0) return undefined;
  const delta1 = shareOf(delta, 2, setting.rounds);
  return { question: { id: null, setting, measure, delta1, delta0: ZERO, delta }, target: null };
}

/** Parameters of one's own. */
function byParameters({ flags }: Invocation<typeof OPTIONS>, reader: NumberReader): AuditTask | undefined {
  const setting = readSetting(reader);
  const measure = readMeasure(flags.measure, reader);
  reader.refuse(['experts', 'dimension', 'epsilon'], 'belongs to --setting', 'Omit it, or give --setting.');
  if (setting === undefined || measure === undefined) return undefined;
  if (isWithoutY(setting)) return withoutY(setting, measure, reader);
  const delta1 = readDelta1(reader, measure, setting.rounds);
  if (delta1 === undefined) return undefined;
  const delta0 = readDelta0(reader, measure, setting, delta1);
  const delta = reader.optional('delta');
  return { question: { id: null, setting, measure, delta1, delta0, ...(delta && { delta }) }, target: null };
}

const EXAMPLES = `
Settings: theorem-3.10 (statement) and theorem-3.10-proof (proof) need
--experts, theorem-3.12 needs --dimension, repaired needs one of them.

Examples:
  dpcompose lazy audit --setting theorem-3.10-proof --rounds 1e6 \\
    --experts 1000 --epsilon 0.1 --delta 1e-8
  dpcompose lazy audit --rounds 1e5 --batch 4 --eta 1e-4 --p 0.01 --delta1 1e-12
  dpcompose lazy audit --rounds 1e6 --batch 3 --eta 1.44e-5 --p 1.44e-3 \\
    --delta 1e-8 --measure convex --beta 2.7e-5 --lambda 2.6e6`;

/** `dpcompose lazy audit`: Theorem 3.2 and exact accounting of one setting, side by side. */
export const lazyAuditCommand = commandOf<{ readonly audit: Audit; readonly target: Decimal | null }, typeof OPTIONS>({
  name: 'audit',
  summary: 'Theorem 3.2 and exact accounting side by side',
  about:
    'Audits parameters of L2P. Prints what Theorem 3.2 claims, with every term and hypothesis, and what exact accounting guarantees at --delta.',
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async ({ audit, target }) => (await import('../../output/lazy/audit.ts')).lazyAuditOutput(audit, target),
    'table',
    'json',
  ),
  async read(invocation) {
    const { flags, errors } = invocation;
    const reader = new NumberReader(invocation);
    const task = flags.setting === undefined ? byParameters(invocation, reader) : byName(flags.setting, reader);
    if (errors.length > 0 || task === undefined) throw new UsageError(errors);
    const { audit } = await import('../../learning/accounting/audit.ts');
    return () => ({ result: { audit: audit(task.question), target: task.target } });
  },
});
