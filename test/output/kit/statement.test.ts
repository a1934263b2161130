import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { statement } from '../../../src/output/kit/statement.ts';
import { answer, bracket, deltaAnswer, entry, hundred, infeasible } from '../answers.ts';

describe('the statement', () => {
  it('says what holds, how the mechanisms are chosen and below what nothing can be claimed', () => {
    expect(statement(answer, hundred)).toBe(
      'The composition of these 100 mechanisms, adaptively chosen with parameters fixed in advance, is (4.774567589, 1e-6)-differentially private. No epsilon below 4.774567588 holds for this class of mechanisms.',
    );
  });

  it('solves for delta the same way', () => {
    expect(statement(deltaAnswer, { ...hundred, adaptivity: 'nonadaptive' })).toBe(
      'The composition of these 100 mechanisms, all fixed in advance, is (3, 0.001361398695)-differentially private. No delta below 0.001361398694 holds for this class of mechanisms.',
    );
  });

  it('says that the order is declared, where the mechanisms are not fixed in advance', () => {
    expect(statement(answer, { ...hundred, order: 'declared' })).toMatch(
      /^The composition of these 100 mechanisms, adaptively chosen in the declared order with parameters fixed in advance, is /,
    );
    const fixed = { ...hundred, adaptivity: 'nonadaptive' } as const;
    expect(statement(answer, { ...fixed, order: 'declared' })).toBe(statement(answer, fixed));
  });

  it('says what cannot be undercut where the bounds do not meet', () => {
    const loose = { ...answer, epsilon: bracket(2.2460262, 2.40019879), tight: false };
    expect(statement(loose, hundred)).toMatch(
      /private\. No epsilon below 2\.2460262 holds for this class of mechanisms\.$/,
    );
  });

  it('admits that no lower bound is known', () => {
    const open = { ...answer, epsilon: bracket(null, 2.4), tight: false };
    expect(statement(open, hundred)).toMatch(/private\. No lower bound on epsilon is known\.$/);
  });

  it('says that nothing smaller can be claimed only where the claim and the lower bound are the same in every digit', () => {
    const exact = { ...answer, epsilon: bracket(0.5, 0.5, '0.5') };
    expect(statement(exact, { ...hundred, entries: [entry(1)] })).toBe(
      'This mechanism is (0.5, 1e-6)-differentially private, and no smaller epsilon holds for this class of mechanisms.',
    );
    const apart = { ...answer, epsilon: bracket(0.5, 0.5 + 1e-12) };
    expect(statement(apart, { ...hundred, entries: [entry(1)] })).toMatch(
      /is \(0\.5000000001, 1e-6\)-differentially private\. No epsilon below 0\.5 holds for this class of mechanisms\.$/,
    );
  });

  it('says that conversations run concurrently', () => {
    const entries = [entry(2), entry(3, 'interactive')];
    expect(statement(answer, { ...hundred, entries })).toContain('these 5 mechanisms, adaptively chosen with');
    expect(statement(answer, { ...hundred, entries })).toContain('and run concurrently, is');
  });

  it('tells an impossible target from one that no bound here reaches', () => {
    const unreached = { ...infeasible, epsilon: bracket(null, Infinity) };
    expect(statement(infeasible, hundred)).toMatch(
      /no finite epsilon at delta 0\.02, and no theorem could give one\.$/,
    );
    expect(statement(unreached, hundred)).toMatch(/no finite epsilon at delta 0\.02, by the bounds that apply\.$/);
  });

  it('says that delta 1 promises nothing', () => {
    const empty = { ...deltaAnswer, delta: bracket(null, 1) };
    expect(statement(empty, hundred)).toMatch(/\(3, 1\)-differentially private, which is no guarantee at all\.$/);
  });

  it('counts beyond the whole numbers a double can hold', () => {
    const entries = [entry(Number.MAX_SAFE_INTEGER), entry(Number.MAX_SAFE_INTEGER)];
    expect(statement(answer, { ...hundred, entries })).toContain('these 18,014,398,509,481,982 mechanisms');
  });

  it('never shows a claim below what is certified, nor a lower bound above it', () => {
    const upper = 1.0000000000000002;
    const text = statement({ ...answer, epsilon: bracket(0.9999999999999999, upper) }, hundred);
    expect(text).toContain('(1.000000001, 1e-6)');
    expect(text).toContain('No epsilon below 0.9999999999');
  });

  it('keeps a long target from flooding the line, on the safe side', () => {
    const query = { solveFor: 'epsilon', delta: new Decimal(`0.1${'0'.repeat(40)}1`) } as const;
    expect(statement({ ...answer, query }, hundred)).toContain('(4.774567589, 0.1000000001)');
  });
});
