import { audit as auditOf, type AuditOutcome, type AuditQuestion } from '../composition/audit/audit.ts';
import { CONFIDENCES, MOST_CANARIES, MOST_GUESSES } from '../composition/audit/methods.ts';
import type { Cut, Scores } from '../composition/audit/thresholds.ts';
import type { ComposeOptions, Problem } from '../composition/compose/compose.ts';
import * as take from './arguments.ts';
import { Arguments, decimal, kinds, listOf, orNull, record, refined, whole } from './arguments.ts';
import { probability } from './read-mechanism.ts';
import { auditFault } from '../document/audit-fault.ts';
import { composeOptions, optionsOf, problem as problemOf } from './read-problem.ts';

const scoresOf = refined(
  take.typed('a Float64Array', 'Write Float64Array.of(...).', (value) => value instanceof Float64Array),
  (scores: Float64Array, at) => {
    const remedy = 'Give a score for each run.';
    if (scores.length === 0) throw at.outOfRange('scores, at least one', scores, remedy);
    if (scores.includes(NaN)) throw at.outOfRange('scores without NaN', NaN, remedy);
  },
);

const cut = kinds<Cut, 'kind'>('kind', 'a cut', {
  ranks: ['a cut at ranks', { ranks: listOf(whole(1), 'ranks') }],
  thresholds: [
    'a cut at thresholds',
    {
      thresholds: listOf(
        take.number('a number', '0.5', (value) => !Number.isNaN(value)),
        'thresholds',
      ),
    },
  ],
  split: ['a cut by a split', {}],
});

const level = { confidence: decimal({ ...CONFIDENCES, example: '0.95' }), delta: probability };
const guesses = {
  ...level,
  canaries: whole(1, MOST_CANARIES),
  guesses: whole(1, MOST_GUESSES),
  correct: whole(0, MOST_GUESSES),
};

const readQuestion = refined(
  kinds<AuditQuestion, 'method'>('method', 'a question about an audit', {
    thresholds: [
      'an audit by thresholds',
      { ...level, scores: record<Scores>('scores', { members: scoresOf, others: scoresOf }), cut },
    ],
    'one-run': ['an audit of one run', guesses],
    'one-run-f-dp': ['an audit of one run', guesses],
  }),
  (question: AuditQuestion, at) => {
    const fault = auditFault(question);
    if (fault !== null) throw (fault.name in question ? at.key(fault.name) : at.key('cut')).inDocument(fault);
  },
);

/**
 * What an audit of an implementation shows, beside the claim of a problem (null: none): lower ends of epsilon at a delta and of mu that hold
 * with the confidence, whatever the implementation is, and whether they contradict the claim.
 *
 * The method assumes how the scores or guesses came about: `thresholds` independent runs, each with one canary or without it; `one-run`
 * and `one-run-f-dp` one run, each canary in with probability 1/2 on its own. Ranks, thresholds and the number of guesses are fixed before the scores are seen.
 *
 * @example
 * ```js
 * import { audit, Decimal } from 'dpcompose';
 *
 * const [confidence, delta] = [new Decimal('0.95'), new Decimal('1e-5')];
 * const guesses = { canaries: 1000, guesses: 100, correct: 75 };
 * const outcome = audit({ method: 'one-run', ...guesses, confidence, delta }, null);
 * console.log(Math.floor(outcome.audit.epsilon * 1e6) / 1e6); // 0.701517
 * ```
 *
 * @throws TypeError or RangeError where an argument is not what it must be
 */
export function audit(
  question: AuditQuestion,
  problem: Problem | null = null,
  options: ComposeOptions = {},
): AuditOutcome {
  const args = new Arguments('audit');
  return auditOf(
    args.read('question', question, readQuestion),
    args.read('problem', problem, orNull(problemOf)),
    optionsOf(args, options, composeOptions),
  );
}
