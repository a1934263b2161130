import { describe, expect, it } from 'vitest';
import { audit, Decimal, readSpecification, type AuditQuestion } from '../../src/index.ts';

const level = { confidence: new Decimal('0.95'), delta: new Decimal('1e-5') };
const scores = {
  members: Float64Array.from({ length: 300 }, (_, i) => i + 150),
  others: Float64Array.from({ length: 300 }, (_, i) => i),
};
const byScores: AuditQuestion = { method: 'thresholds', scores, cut: { kind: 'ranks', ranks: [1, 10] }, ...level };
const byGuesses: AuditQuestion = { method: 'one-run', canaries: 100, guesses: 50, correct: 45, ...level };

describe('audit', () => {
  it('sets what is shown beside a claim, or alone', () => {
    const read = readSpecification('{"dpcompose": 1, "mechanisms": [{"type": "dp", "epsilon": "0.5"}]}');
    if (read.kind !== 'specification') throw new Error(read.kind);
    const outcome = audit(byScores, read.specification);
    expect(outcome).toMatchObject({ kind: 'audit', audit: { claim: { isContradicted: true } } });
    expect(audit(byGuesses)).toMatchObject({ kind: 'audit', audit: { claim: null, mu: null, thresholds: [] } });
  });

  it.each<[question: object, trouble: RegExp]>([
    [{ ...byGuesses, method: 'many-runs' }, /question\.method must be .*"thresholds"/],
    [{ ...byGuesses, correct: 51 }, /question\.correct: must be at most 50, the number of guesses, got 51/],
    [{ ...byGuesses, canaries: 49 }, /question\.guesses: must be at most 49/],
    [{ ...byGuesses, confidence: new Decimal('0.3') }, /question\.confidence must be a Decimal/],
    [{ ...byGuesses, scores }, /question\.scores means nothing/],
    [{ ...byScores, cut: { kind: 'ranks', ranks: [301] } }, /question\.cut: must be at most 300/],
    [{ ...byScores, cut: { kind: 'ranks', ranks: [] } }, /ranks must be a list of ranks, at least one/],
    [{ ...byScores, cut: { kind: 'thresholds', thresholds: [NaN] } }, /thresholds\[0\] must be a number/],
    [
      { ...byScores, scores: { ...scores, others: Float64Array.of(1, NaN) } },
      /scores\.others must be scores without NaN/,
    ],
    [{ ...byScores, scores: { ...scores, members: [1, 2] } }, /scores\.members must be a Float64Array/],
    [{ ...byScores, scores: { ...scores, others: Float64Array.of(1) }, cut: { kind: 'split' } }, /needs two scores/],
  ])('of a wrong question says what is wrong: %#', (question, trouble) => {
    expect(() => audit(question as AuditQuestion)).toThrow(trouble);
  });
});
