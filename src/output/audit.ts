import type { Audit, AuditQuestion } from '../composition/audit/audit.ts';
import { AUDIT_METHODS, type AuditMethod } from '../composition/audit/methods.ts';
import type { AuditedThreshold, Cut } from '../composition/audit/thresholds.ts';
import type { Specification } from '../document/core/specification.ts';
import { exactForm } from '../document/structure/normal-form.ts';
import type { LowerBound, UpperBound } from '../numeric/enclosure.ts';
import * as json from './kit/codec.ts';
import { COUNT, FLAG, GIVEN, INPUT, LOWER, NUMBER, TEXT, UPPER, whole } from './kit/codecs.ts';
import { exactGivenText, lowerText, upperText } from './kit/number.ts';
import { heading, label, list, paragraph, stack, type Output } from './kit/page.ts';
import { counted, grouped } from './kit/prose.ts';
import { neighboursOf } from './kit/statement.ts';
import { csvText, endText, table } from './kit/table.ts';
import { ROW_ID, WARNING } from './refusal/refusal.ts';

/** An audit, and the specification of the claim beside it. */
export interface AuditReport {
  readonly audit: Audit;
  readonly specification: Specification | null;
}

const THRESHOLD = json.object({
  rank: json.described(
    'k if the threshold is the k-th largest score without the canary; null if the threshold was fixed.',
    json.orNull(whole(1)),
  ),
  threshold: NUMBER,
  falsePositives: COUNT,
  truePositives: COUNT,
  falsePositiveRate: UPPER,
  truePositiveRate: LOWER,
  epsilon: LOWER,
  mu: LOWER,
});

/** An audit. */
export const AUDIT = json.document(
  'audit',
  'What an audit of an implementation shows, as audit --json prints it. All lower bounds hold together with the probability `confidence`.',
  {
    input: json.described('The specification of the claim; null without one.', json.orNull(INPUT)),
    method: json.choice(...AUDIT_METHODS),
    reference: TEXT,
    confidence: GIVEN,
    delta: GIVEN,
    assumptions: json.list(TEXT),
    observed: json.described(
      'The numbers of scores with and without the canary, or of canaries and guesses.',
      json.oneOf(
        json.object({ members: COUNT, others: COUNT }),
        json.object({ canaries: COUNT, guesses: COUNT, correct: COUNT }),
      ),
    ),
    epsilon: json.described('No smaller epsilon holds at delta; null if the method shows none.', json.orNull(LOWER)),
    mu: json.described('No smaller mu of Gaussian DP holds; null if the method shows none.', json.orNull(LOWER)),
    thresholds: json.described('Bounds at each threshold; empty for guesses.', json.list(THRESHOLD)),
    claim: json.described(
      'The claim beside them; null without one.',
      json.orNull(json.object({ epsilon: UPPER, bound: ROW_ID, contradicted: FLAG })),
    ),
    meaning: TEXT,
    warnings: json.list(WARNING),
  },
);

const REFERENCES: Readonly<Record<AuditMethod, string>> = {
  thresholds: 'order statistics with the bounds of Clopper, Pearson 1934; derived',
  'one-run': 'Steinke, Nasr, Jagielski 2023, Thm 5.2, with a smaller term in delta; derived',
  'one-run-f-dp': 'Mahloujifar, Melis, Chaudhuri 2024, the recursion for f-DP; its proof is derived',
};

const CUTS: Readonly<Record<Cut['kind'], string>> = {
  ranks: 'the ranks were fixed before the scores were seen',
  thresholds: 'the thresholds were fixed before the scores were seen',
  split: 'one half of the scores, drawn at random, chose the rank; the other half shows the bounds',
};

/** What the bounds take for granted. */
function assumptionsOf(question: AuditQuestion, specification: Specification | null): string[] {
  const { neighbours = null, entries = [] } = specification ?? {};
  const relation = 'data with a canary and data without it are neighbors in the sense of the guarantee';
  return [
    ...(question.method === 'thresholds'
      ? [
          'the runs are independent: each score comes from a run of its own, with one canary or without it',
          CUTS[question.cut.kind],
        ]
      : [
          'one run; each canary was in the data with probability 1/2, independently of all else',
          'the number of guesses was fixed in advance, and guesses use only the output of the run',
        ]),
    neighbours === null ? relation : `${relation}. ${neighboursOf(neighbours, entries)}`,
    'method, numbers and confidence were fixed before the result was seen',
  ];
}

const upper = (value: UpperBound): string => upperText({ lower: null, upper: value });

/** What is shown, after "at least". */
function shownText({ question, epsilon, mu }: Audit): string {
  const ofEpsilon = (value: LowerBound): string =>
    `epsilon at least ${lowerText(value)} at delta ${exactGivenText(question.delta)}`;
  const parts = [
    ...(epsilon === null ? [] : [ofEpsilon(epsilon)]),
    ...(mu === null ? [] : [`mu at least ${lowerText(mu)}`]),
  ];
  return `Shown with ${exactGivenText(question.confidence.times(100))}% confidence: ${parts.join(', and ')}.`;
}

/** What is claimed, what is shown, and what follows. */
function meaningOf(audit: Audit): string {
  const { question, claim, epsilon, mu } = audit;
  const shown = shownText(audit);
  if (claim === null) return epsilon || mu ? shown : `${shown} That says nothing: a better attack may show more.`;
  const claimed = `Claimed: epsilon at most ${upper(claim.answer.epsilon.upper)} at delta ${exactGivenText(question.delta)}.`;
  if (!claim.isContradicted) {
    return `${claimed} ${shown} The audit does not contradict the claim. That does not verify it: a better attack may show more.`;
  }
  const chance = exactGivenText(question.confidence.negated().plus(1).times(100));
  const how =
    epsilon !== null && epsilon > claim.answer.epsilon.upper
      ? ''
      : ` The ${question.method === 'thresholds' ? 'rates' : 'guesses'} are beyond the trade-off function of the claim.`;
  return `${claimed} ${shown}${how} The audit contradicts the claim: the implementation has a bug, or the mechanisms are declared wrongly, or the audit errs. At most ${chance}% of audits contradict a correct claim.`;
}

const observedText = (question: AuditQuestion): string =>
  question.method === 'thresholds'
    ? `${counted(question.scores.members.length, 'run')} with the canary, ${grouped(question.scores.others.length)} without it`
    : `${grouped(question.correct)} of ${grouped(question.guesses)} guesses right, in one run with canaries (${grouped(question.canaries)})`;

/** A threshold, or what guesses show. */
type Row = { readonly [Key in keyof AuditedThreshold]?: AuditedThreshold[Key] | null };

/** What an audit shows beside what is claimed, with everything that it assumes. Numbers are rounded so that they stay true. */
export function auditOutput({ audit, specification }: AuditReport): Output {
  const { question, epsilon, mu, thresholds, claim } = audit;
  const assumptions = assumptionsOf(question, specification);
  return {
    page: () => [
      heading(`Audit by ${question.method}: ${observedText(question)}`),
      paragraph(meaningOf(audit)),
      table(thresholds, [
        [
          'threshold',
          ({ rank, threshold }) => `${rank === null ? 'from' : 'above'} ${threshold}`,
          { inBlock: 'threshold' },
        ],
        ['rank', ({ rank }) => (rank === null ? '' : grouped(rank))],
        ['FPR at most', ({ falsePositiveRate }) => upper(falsePositiveRate)],
        ['TPR at least', ({ truePositiveRate }) => lowerText(truePositiveRate)],
        ['epsilon', ({ epsilon: least }) => lowerText(least)],
        ['mu', ({ mu: least }) => lowerText(least)],
      ]),
      paragraph(`By: ${REFERENCES[question.method]}.`),
      stack([label('Assumptions'), list(assumptions, 2)]),
    ],
    json: (version) =>
      json.documentText(AUDIT, {
        version,
        input: specification && exactForm({ ...specification, target: null }),
        method: question.method,
        reference: REFERENCES[question.method],
        confidence: question.confidence,
        delta: question.delta,
        assumptions,
        observed:
          question.method === 'thresholds'
            ? { members: question.scores.members.length, others: question.scores.others.length }
            : question,
        epsilon,
        mu,
        thresholds,
        claim: claim && {
          epsilon: claim.answer.epsilon.upper,
          bound: claim.answer.bound,
          contradicted: claim.isContradicted,
        },
        meaning: meaningOf(audit),
        warnings: claim?.answer.warnings ?? [],
      }),
    csv: () =>
      csvText<Row>(thresholds.length > 0 ? thresholds : [{ epsilon, mu }], [
        ['rank', ({ rank }) => rank ?? null],
        ['threshold', ({ threshold }) => threshold ?? null],
        ['falsePositives', ({ falsePositives }) => falsePositives ?? null],
        ['truePositives', ({ truePositives }) => truePositives ?? null],
        ['falsePositiveRate', ({ falsePositiveRate }) => endText(falsePositiveRate, 'up')],
        ['truePositiveRate', ({ truePositiveRate }) => endText(truePositiveRate, 'down')],
        ['epsilon', (row) => endText(row.epsilon, 'down')],
        ['mu', (row) => endText(row.mu, 'down')],
      ]),
  };
}
