import { describe, expect, it } from 'vitest';
import { audit, type AuditQuestion } from '../../../src/composition/audit/audit.ts';
import type { Scores } from '../../../src/composition/audit/thresholds.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';
import { dp, gaussian } from '../../mechanisms.ts';

const [confidence, delta] = [new Decimal('0.95'), new Decimal('1e-5')];

function audited(question: AuditQuestion, entries: readonly Entry[] | null) {
  const outcome = audit(question, entries && { entries, adaptivity: 'adaptive' });
  if (outcome.kind === 'refusal') throw new Error(outcome.refusal.code);
  return outcome.audit;
}

/** Scores at quantiles of a normal distribution, near enough, moved by mu for members. */
const normal = (n: number, mu: number): Scores => {
  const places = Float64Array.from({ length: n }, (_, i) => {
    const p = (i + 0.5) / n;
    return Math.log(p / (1 - p)) / 1.6;
  });
  return { members: places.map((place) => place + mu), others: places };
};

const byScores = (mu: number): AuditQuestion => ({
  method: 'thresholds',
  scores: normal(2000, mu),
  cut: { kind: 'ranks', ranks: [600] },
  confidence,
  delta,
});

const byGuesses = (method: 'one-run' | 'one-run-f-dp', correct: number): AuditQuestion => ({
  method,
  canaries: 200,
  guesses: 200,
  correct,
  confidence,
  delta,
});

describe('a claim beside an audit', () => {
  it('is contradicted where less than what is shown is claimed', () => {
    const question = byGuesses('one-run', 150);
    const { epsilon } = audited(question, null);
    expect(epsilon).toBeGreaterThan(0.8);
    for (const [claimed, expected] of [
      [epsilon! * 0.999, true],
      [epsilon! * 1.001, false],
    ] as const) {
      const { claim } = audited(question, [dp(claimed.toFixed(9))]);
      expect(claim!.isContradicted).toBe(expected);
    }
  });

  it('is contradicted by rates beyond its trade-off function, where its epsilon is above what is shown', () => {
    const question = byScores(1);
    const alone = audited(question, null);
    const weak = audited(question, [gaussian(1.5)]);
    expect(weak.claim!.answer.epsilon.lower).toBeGreaterThan(alone.epsilon!);
    expect(alone.mu).toBeGreaterThan(1 / 1.5);
    expect(weak.claim!.isContradicted).toBe(true);
    // Noise as small as what is shown.
    expect(audited(question, [gaussian(1 / (alone.mu! * 1.0001))]).claim!.isContradicted).toBe(false);
    expect(audited(question, [gaussian(1 / (alone.mu! * 0.9999))]).claim!.isContradicted).toBe(true);
  });

  it('is contradicted by guesses beyond its trade-off function', () => {
    const question = byGuesses('one-run-f-dp', 150);
    const { mu, epsilon } = audited(question, null);
    expect(epsilon).toBeNull();
    expect(mu).toBeGreaterThan(0.4);
    // Lines of the claim are fewer than those by which mu is found.
    expect(audited(question, [gaussian(1 / (mu! * 0.95))]).claim!.isContradicted).toBe(true);
    expect(audited(question, [gaussian(1 / (mu! * 1.0001))]).claim!.isContradicted).toBe(false);
  });

  it('is never contradicted where it is infinite, or nothing is shown', () => {
    const { claim } = audited(byScores(3), [dp('1', '0.1')]);
    expect(claim!.answer.epsilon.upper).toBe(Infinity);
    expect(claim!.isContradicted).toBe(false);
    expect(audited(byScores(0), [dp('1e-9')]).claim!.isContradicted).toBe(false);
  });

  it('is refused where no theorem covers it', () => {
    const outcome = audit(byGuesses('one-run', 150), { entries: [dp('1')], adaptivity: 'parameters' });
    expect(outcome.kind).toBe('refusal');
  });
});
