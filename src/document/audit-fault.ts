import type { Observed } from '../composition/audit/audit.ts';
import type { Problem } from './core/input-error.ts';

/** What is wrong between the numbers of an audit, and at which of them. */
export interface AuditFault extends Problem {
  readonly name: 'ranks' | 'split' | 'guesses' | 'correct';
}

const atMost = (name: AuditFault['name'], value: number, most: number, of: string, hint: string): AuditFault | null =>
  value <= most
    ? null
    : { name, code: 'out-of-range', message: `must be at most ${most}, the number of ${of}, got ${value}`, hint };

/** What is wrong between numbers each of which may be; null if nothing is. */
export function auditFault(observed: Observed): AuditFault | null {
  if (observed.method !== 'thresholds') {
    const { canaries, guesses, correct } = observed;
    const hint = 'Correct one of them.';
    return (
      atMost('guesses', guesses, canaries, 'canaries', hint) ?? atMost('correct', correct, guesses, 'guesses', hint)
    );
  }
  const { members, others } = observed.scores;
  if (observed.cut.kind === 'ranks') {
    const hint = 'Give smaller ranks, or more runs.';
    return atMost(
      'ranks',
      observed.cut.ranks.reduce((a, b) => Math.max(a, b)),
      others.length,
      'scores without the canary',
      hint,
    );
  }
  if (observed.cut.kind === 'thresholds' || Math.min(members.length, others.length) >= 2) return null;
  const message = 'needs two scores with the canary and two without it';
  return { name: 'split', code: 'out-of-range', message, hint: 'Give more runs.' };
}
