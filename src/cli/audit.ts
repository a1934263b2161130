import { Argument } from 'commander';
import type { AuditQuestion, Observed } from '../composition/audit/audit.ts';
import { AUDIT_METHODS, CONFIDENCES, MOST_CANARIES, MOST_GUESSES } from '../composition/audit/methods.ts';
import type { Cut } from '../composition/audit/thresholds.ts';
import { auditFault } from '../document/audit-fault.ts';
import type { InputError, Specification } from '../document/core/specification.ts';
import { Decimal, ZERO } from '../numeric/decimal.ts';
import type { AuditReport } from '../output/audit.ts';
import { commandOf, formsOf, type Invocation } from './kit/command.ts';
import { EXIT } from './kit/io.ts';
import { loadSpecification } from './kit/load-specification.ts';
import { anyNumber, probability, ranged, wholeNumber } from './kit/number-option.ts';
import {
  inGroup,
  numberOption,
  seriesOption,
  switchOption,
  textOption,
  wholeOption,
  wordOption,
} from './kit/option.ts';
import { covered, warned } from './kit/refusal.ts';
import { COMPOSED, composedFlags, STRICT, WORK, workOf } from './kit/shared-options.ts';
import { readSource, unreadableText } from './kit/source.ts';
import { lacking, UsageError } from './kit/usage-error.ts';

const HOW = inGroup('Audit:', {
  method: wordOption(
    '--method <METHOD>',
    'thresholds, one-run or one-run-f-dp; has no default',
    AUDIT_METHODS,
    'Name the method before you see the result.',
  ),
  confidence: numberOption(
    '--confidence <C>',
    'probability with which the bounds hold (default: 0.95)',
    ranged(CONFIDENCES),
    '0.95',
  ),
  delta: numberOption('--delta <D>', 'delta of epsilon (default: that of the claim, else 0)', probability, '1e-5'),
});

const BY_SCORES = inGroup('Scores of independent runs (--method thresholds):', {
  scores: textOption('--scores <FILE>', 'CSV file with columns member and score'),
  ranks: seriesOption('--ranks <K,...>', 'above the K-th largest score without the canary', wholeNumber, {
    example: '1,10,100',
    step: 'sum',
  }),
  thresholds: seriesOption('--thresholds <T,...>', 'from these scores on', anyNumber, { example: '0.5', step: 'sum' }),
  split: switchOption('--split', 'choose the rank on one half, use it on the other'),
});

const BY_GUESSES = inGroup('Guesses in one run (--method one-run, one-run-f-dp):', {
  canaries: wholeOption('--canaries <M>', 'canaries, each in with probability 1/2', '1000', 1, MOST_CANARIES),
  guesses: wholeOption('--guesses <R>', 'guesses in or out, fixed in advance', '100', 1, MOST_GUESSES),
  correct: wholeOption('--correct <V>', 'how many guesses are right', '75', 0, MOST_GUESSES),
});

const OPTIONS = { ...COMPOSED, ...HOW, ...BY_SCORES, ...BY_GUESSES, ...WORK(), ...STRICT };

type AuditInvocation = Invocation<typeof OPTIONS>;

const SCORE_OPTIONS = Object.keys(BY_SCORES) as (keyof typeof BY_SCORES)[];
const GUESS_OPTIONS = Object.keys(BY_GUESSES) as (keyof typeof BY_GUESSES)[];
const CLAIM_OPTIONS = (Object.keys(COMPOSED) as (keyof typeof COMPOSED)[]).filter((name) => name !== 'mechanism');

const SCORE_HINTS = { directory: 'Give a CSV file of scores.', large: 'Give the columns member and score only.' };

const CUT_HINT = 'Give --split, --ranks 1,10,100 or --thresholds 0.5.';

/** Where "member" is said, of which there is one way. */
function cutOf({ flags, isTyped, errors }: AuditInvocation): Cut {
  const typed = (['ranks', 'thresholds', 'split'] as const).filter(isTyped);
  if (typed.length !== 1) {
    const message = typed.length === 0 ? 'the thresholds are not given' : 'only one way to choose thresholds is taken';
    errors.push(lacking(`--${typed[1] ?? 'ranks'}`, message, CUT_HINT));
  }
  if (flags.ranks !== undefined) return { kind: 'ranks', ranks: flags.ranks.map((rank) => rank.toNumber()) };
  if (flags.thresholds === undefined) return { kind: 'split' };
  return { kind: 'thresholds', thresholds: flags.thresholds.map((threshold) => threshold.toNumber()) };
}

/** What was observed, if its numbers go together; what is wrong is told with what was wrong before. */
function consistent(observed: Observed, errors: readonly InputError[]): Observed {
  const fault = auditFault(observed);
  if (fault === null && errors.length === 0) return observed;
  throw new UsageError([...errors, ...(fault === null ? [] : [{ ...fault, path: `--${fault.name}` }])]);
}

/** Reads the scores of a file, and where they are cut. */
async function byScores(invocation: AuditInvocation): Promise<Observed> {
  const { flags, operands, errors, io, refuse } = invocation;
  refuse(GUESS_OPTIONS, 'belongs to one-run, not to thresholds', 'Omit it, or change --method.');
  const cut = cutOf(invocation);
  if (flags.scores === undefined) {
    const claim = operands[0] === undefined ? '' : ' The file that is given is read as the claim.';
    errors.push(
      lacking('--scores', 'the scores are not given', `Give --scores with a table of member and score.${claim}`),
    );
  }
  if (flags.scores === undefined || errors.length > 0) throw new UsageError(errors);
  const { readScores } = await import('../document/scores-read.ts');
  const scores = readScores(await readSource(flags.scores, io, SCORE_HINTS));
  if ('problem' in scores) throw unreadableText(scores, flags.scores);
  return consistent({ method: 'thresholds', scores, cut }, errors);
}

/** Reads how many guesses were right. */
function byGuesses(method: 'one-run' | 'one-run-f-dp', { flags, errors, refuse }: AuditInvocation): Observed {
  refuse(SCORE_OPTIONS, `belongs to thresholds, not to ${method}`, 'Count the guesses of one run instead.');
  const { canaries, guesses, correct } = flags;
  for (const name of GUESS_OPTIONS) {
    if (flags[name] === undefined && !errors.some(({ path }) => path === `--${name}`)) {
      errors.push(lacking(`--${name}`, 'is not given', 'For example: --canaries 1000 --guesses 100 --correct 75'));
    }
  }
  if (canaries === undefined || guesses === undefined || correct === undefined) throw new UsageError(errors);
  return consistent({ method, canaries, guesses, correct }, errors);
}

/** The specification of the claim; null where none is given. */
async function claimOf({ operands, flags, errors, io, refuse }: AuditInvocation): Promise<Specification | null> {
  const [source] = operands;
  if (source === undefined && flags.mechanism === undefined) {
    refuse(CLAIM_OPTIONS, 'there is no claim that it is about', 'Give a specification, or -m.');
    return null;
  }
  return loadSpecification({ command: 'audit', source, flags: composedFlags(flags), errors, io });
}

/** The delta of the audit: the one that is given, else that of the claim, else 0 where there is no claim. */
function deltaOf({ delta }: AuditInvocation['flags'], claim: Specification | null): Decimal {
  if (delta !== undefined) return delta;
  if (claim === null) return ZERO;
  if (claim.target?.solveFor === 'epsilon') return claim.target.delta;
  throw new UsageError([
    lacking('--delta', 'the claim has no delta at which epsilon is compared', 'Give --delta 1e-5.'),
  ]);
}

const EXAMPLES = `
An audit attacks an implementation and shows how private it is at most. A claim
that is smaller than what is shown is contradicted (exit code 1). No audit
verifies a claim: it shows at least what its attack found.
  thresholds    scores of independent runs, each with one canary or without it:
                a table with columns member (1 or 0) and score. Higher scores
                say "member": negate losses. Prints epsilon and mu.
  one-run       one run, each canary in with probability 1/2; count how many
                guesses are right. Prints epsilon.
  one-run-f-dp  the same for mu of Gaussian DP, and the trade-off function of
                the claim.
Method, ranks and number of guesses must be fixed before the scores are seen.

Examples:
  dpcompose audit --scores scores.csv --method thresholds --split --delta 1e-5
  dpcompose audit privacy.json --scores scores.csv --method thresholds \\
    --ranks 1,10,100
  dpcompose audit -m gaussian:sigma=1 --method one-run --delta 1e-5 \\
    --canaries 1000 --guesses 100 --correct 75`;

/** `dpcompose audit`: what attacks show of an implementation, beside what is claimed of it. */
export const auditCommand = commandOf<AuditReport, typeof OPTIONS>({
  name: 'audit',
  about:
    'Certified lower bounds of epsilon and mu from membership attacks on an implementation, beside the claim of a specification.',
  operands: [new Argument('[SPEC]', 'the claim: JSON, YAML or CSV file (default: no claim)')],
  options: OPTIONS,
  examples: EXAMPLES,
  forms: formsOf(
    async (report) => (await import('../output/audit.ts')).auditOutput(report),
    'table',
    'json',
    'csv',
    'markdown',
  ),
  async read(invocation) {
    const { flags, errors, isTyped } = invocation;
    const { method, confidence = new Decimal('0.95') } = flags;
    if (method === undefined && !isTyped('method')) {
      errors.push(lacking('--method', 'the method is not given', `Give one of ${AUDIT_METHODS.join(', ')}.`));
    }
    if (method === undefined) throw new UsageError(errors);
    const work = workOf(flags);
    const observed = method === 'thresholds' ? await byScores(invocation) : byGuesses(method, invocation);
    const specification = await claimOf(invocation);
    if (errors.length > 0) throw new UsageError(errors);
    const question: AuditQuestion = { ...observed, confidence, delta: deltaOf(flags, specification) };
    const { audit } = await import('../composition/audit/audit.ts');
    return () => {
      const outcome = covered(audit(question, specification, work), specification ?? undefined);
      if (outcome.audit.claim === null || specification === null) return { result: { ...outcome, specification } };
      const { answer, isContradicted } = outcome.audit.claim;
      const claim = { answer: warned(answer, specification), isContradicted };
      const result = { audit: { ...outcome.audit, claim }, specification };
      return { result, warnings: claim.answer.warnings, ...(isContradicted && { exit: EXIT.no }) };
    };
  },
});
