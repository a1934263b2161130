import { fc } from '../properties.ts';
import { describe, expect, it } from 'vitest';
import { FiniteMechanism } from '../../../src/composition/attack/interaction/finite-mechanism.ts';
import { PairVerification } from '../../../src/composition/attack/interaction/pair-verification.ts';
import { total } from '../../../src/numeric/rational.ts';
import { EXAMPLES } from './examples/all.ts';
import type { VerifyQuestion } from './question.ts';
import { verify, type VerifiedCopies, type VerifyAnswer } from './verify.ts';
import { fraction } from '../../composition/attack/interaction/mechanisms.ts';
import { mechanisms, verifications } from './arbitraries.ts';

const answer = (name: string, changes: Partial<VerifyQuestion> = {}): VerifyAnswer =>
  verify({ ...EXAMPLES.get(name)!, ...changes });

const optima = ({ together }: VerifyAnswer): string[] => (together ?? []).map(({ delta }) => delta.toString());

const boundsOf = ({ bounds }: VerifiedCopies): Record<string, string> =>
  Object.fromEntries(bounds.map(({ id, delta, applies }) => [id, applies ? String(delta) : `(${String(delta)})`]));

describe('an example', () => {
  it.each([...EXAMPLES])('%s has laws that sum to 1, for all that may be sent', (_, { mechanism, verification }) => {
    const described = new FiniteMechanism(mechanism);
    expect(new PairVerification(verification).unanswered(described)).toEqual([]);
    for (const { from, messages } of mechanism.transitions) {
      for (const message of messages) {
        expect(String(total(described.law(from, message).map(({ probability }) => probability)))).toBe('1');
      }
    }
  });
});

describe('the product form of Thm 5.4', () => {
  it.each([
    [3, 1, 'product', ['1271/2000', '1813/4000', '271/1000']],
    [2, 2, 'fixed', ['119/200', '871/1600', '79/160']],
  ] as const)(
    'is exactly what %i mechanisms reveal of which %i may differ (TC-13)',
    (copies, sparsity, id, expected) => {
      const result = answer('universal', { copies, sparsity });
      expect(optima(result)).toEqual(expected);
      expect(result.together!.map((row) => boundsOf(row)[id])).toEqual(expected);
    },
  );

  it('holds at every e^epsilon, exactly, for up to six mechanisms', () => {
    for (let copies = 2; copies <= 6; copies++) {
      for (let sparsity = 1; sparsity < copies; sparsity++) {
        const [row] = answer('universal', { copies, sparsity, factors: [fraction('3/2')] }).together!;
        expect(boundsOf(row!).product).toBe(String(row!.delta));
      }
    }
  });

  it('is too small where pairs differ in one direction only, and twice delta is not (TC-22)', () => {
    const result = answer('asymmetric');
    expect(result.properties).toEqual({ closedUnderSwapping: false, firstPairConsistent: false, longest: 2 });
    expect(optima(result)).toEqual(['3/4']);
    const [row] = result.together!;
    expect(boundsOf(row!)).toEqual({ product: '(23/32)', doubled: '11/12', fixed: '25/32' });
    for (const { applies, delta } of row!.bounds) {
      expect(delta.compare(row!.delta) >= 0).toBe(applies);
    }
  });

  it('is about mechanisms that are (ln 2, 1/4)-DP in one direction, and (ln 2, 1/2)-DP in both (TC-22)', () => {
    const { guarantee } = answer('asymmetric');
    expect([guarantee.factor, guarantee.exact, guarantee.swapped].map(String)).toEqual(['2', '1/4', '1/2']);
    expect(guarantee.holds).toBe(true);
  });
});

describe('first-pair consistent mechanisms', () => {
  it('cost as much as those that differ, however many others there are (TC-19)', () => {
    const [row] = answer('interactive').together!;
    expect(boundsOf(row!)).toEqual({ 'first-pair': '1/10', product: '19/100', fixed: '19/100' });
    expect([2, 3, 4].map((copies) => optima(answer('interactive', { copies }))[0])).toEqual(['1/10', '1/10', '1/10']);
    expect(optima(answer('interactive', { copies: 3, sparsity: 2 }))).toEqual(['19/100']);
  });
});

describe('copies of M_delta', () => {
  it('fail together with 1 - (1 - delta)^l at every epsilon (TC-39)', () => {
    expect(optima(answer('m-delta'))).toEqual(['271/1000', '271/1000', '271/1000']);
    expect(optima(answer('m-delta', { copies: 2 }))).toEqual(['19/100', '19/100', '19/100']);
    expect(answer('m-delta', { copies: 1 }).together).toBeNull();
  });

  it('fail as if all might differ, though one does', () => {
    for (const { bounds, delta } of answer('m-delta').together!) {
      expect(bounds.map((bound) => String(bound.delta))).toEqual([String(delta), String(delta)]);
    }
  });
});

describe('adversaries who fix all messages in advance', () => {
  it('learn 1/10 where adaptive ones learn everything (TC-42)', () => {
    const [row] = answer('oblivious').alone;
    expect([String(row!.oblivious), String(row!.delta)]).toEqual(['1/10', '1']);
  });

  it('never learn more than adaptive ones', () => {
    for (const name of EXAMPLES.keys()) {
      for (const { oblivious, delta } of answer(name).alone) {
        expect(oblivious.compare(delta)).toBeLessThanOrEqual(0);
      }
    }
  });
});

describe('a claimed guarantee', () => {
  const claims = (delta: string | null, factor = '1'): VerifyAnswer['guarantee'] =>
    answer('m-delta', { guarantee: { factor: fraction(factor), delta: delta === null ? null : fraction(delta) } })
      .guarantee;

  it('holds from the smallest delta on', () => {
    expect(['1/11', '1/10', '1/9'].map((delta) => claims(delta).holds)).toEqual([false, true, true]);
    expect(claims(null)).toMatchObject({ claimed: null, holds: true });
  });

  it('decides the bounds on several copies; without a claim the smallest delta does', () => {
    const bound = (delta: string | null): string => {
      const guarantee = { factor: fraction('1'), delta: delta === null ? null : fraction(delta) };
      return boundsOf(answer('m-delta', { guarantee, copies: 2 }).together![0]!).product!;
    };
    expect([bound('1/5'), bound(null)]).toEqual(['9/25', '19/100']);
  });
});

describe('theorems that apply', () => {
  it('hold for every mechanism and every verification function', () => {
    fc.assert(
      fc.property(
        mechanisms,
        verifications,
        fc.constantFrom('1', '3/2', '3'),
        fc.constantFrom('2/3', '1', '2'),
        fc.constantFrom([2, 1], [3, 1], [3, 2]),
        (mechanism, verification, factor, asked, [copies, sparsity]) => {
          const guarantee = { factor: fraction(factor), delta: null };
          const factors = [fraction(asked)];
          const question = { mechanism, verification, guarantee, factors, rounds: null, copies, sparsity };
          for (const { delta, bounds } of verify(question).together!) {
            for (const bound of bounds.filter(({ applies }) => applies)) {
              expect(bound.delta.compare(delta)).toBeGreaterThanOrEqual(0);
            }
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('speak of the smallest delta where a claim is too small', () => {
    const guarantee = { factor: fraction('1'), delta: fraction('1/20') };
    const [row] = answer('m-delta', { guarantee }).together!;
    expect(boundsOf(row!)).toEqual({ product: '271/1000', fixed: '271/1000' });
  });
});

describe('a limit of messages', () => {
  it('counts those to all copies together', () => {
    const limited = (rounds: number): string => optima(answer('m-delta', { rounds, factors: [fraction('1')] }))[0]!;
    expect([1, 2, 3, 4, 5, 6].map(limited)).toEqual(['0', '1/10', '19/100', '271/1000', '271/1000', '271/1000']);
  });
});
