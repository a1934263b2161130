import { describe, expect, it } from 'vitest';
import { compose } from '../../../src/composition/compose/compose.ts';
import { mechanismKey } from '../../../src/privacy/mechanism-key.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import { compareQuotients } from '../../../src/privacy/mechanisms/record.ts';
import { parameterOf, recordOf } from '../../../src/privacy/mechanisms/records.ts';
import { sigmaForm, varianceOf } from '../../../src/privacy/gaussian.ts';
import { entryText } from '../../../src/output/kit/statement.ts';
import { entryForm, normalForm } from '../../../src/document/structure/normal-form.ts';
import { documentOf, entriesOf, errorsOf, errorsOfFlags, specificationOf, specificationOfFlags } from '../helpers.ts';

const first = (flag: string) => entriesOf(specificationOfFlags({ mechanisms: [flag] }))[0]!;
const sigmaIn = (flag: string): string => {
  const { mechanism } = first(flag);
  return 'sigma' in mechanism ? mechanism.sigma.toString() : 'none';
};
const mistakes = (flag: string): string[] =>
  errorsOfFlags({ mechanisms: [flag] }).map(({ code, path }) => `${path}: ${code}`);

describe('Gaussian noise that is written otherwise than by sigma', () => {
  it.each([
    ['gaussian:noise-multiplier=1.1', '1.1'],
    ['gaussian:noise-multiplier=1.1,sensitivity=20', '22'],
    ['discrete-gaussian:noise-multiplier=1.5,sensitivity=4', '6'],
    ['gaussian:epsilon=1,delta=1e-5', '3.73063163482'],
    ['gaussian:epsilon=1,delta=1e-5,sensitivity=2', '7.46126326964'],
    ['gaussian:epsilon=0,delta=0.5', '0.741301109253'],
  ])('%s has sigma %s', (flag, sigma) => {
    expect(sigmaIn(flag)).toBe(sigma);
  });

  it('reads in a document as in a flag', () => {
    const text = documentOf(
      '{"type":"gaussian","noise-multiplier":1.1,"sensitivity":20}',
      '{"type":"gaussian","epsilon":1,"delta":"1e-5"}',
    );
    expect(entriesOf(specificationOf(text))).toEqual([
      first('gaussian:noise-multiplier=1.1,sensitivity=20'),
      first('gaussian:epsilon=1,delta=1e-5'),
    ]);
  });

  it('is within its own guarantee', () => {
    for (const [epsilon, delta] of [
      ['1', '1e-6'],
      ['0.1', '1e-9'],
      ['8', '1e-5'],
      ['0', '0.01'],
      ['0.37', '1e-30'],
      ['2', '0.3'],
    ] as const) {
      const specification = specificationOfFlags({ mechanisms: [`gaussian:epsilon=${epsilon},delta=${delta}`] });
      const outcome = compose(specification, { solveFor: 'delta', epsilon: new Decimal(epsilon) });
      expect(outcome.kind === 'answer' && outcome.answer.delta.upper).toBeLessThanOrEqual(Number(delta));
      expect(outcome.kind === 'answer' && outcome.answer.delta.lower).toBeGreaterThan(Number(delta) * (1 - 1e-8));
    }
  });

  it('keeps its form in a normal form, and has a form by sigma', () => {
    const specification = specificationOfFlags({
      mechanisms: ['gaussian:epsilon=1,delta=1e-5', 'gaussian:noise-multiplier=1.1,sensitivity=20'],
    });
    const form = normalForm(specification);
    expect(form.mechanisms).toEqual([
      { type: 'gaussian', epsilon: '1', delta: '0.00001', sensitivity: '1', count: 1, kind: 'noninteractive' },
      { type: 'gaussian', 'noise-multiplier': '1.1', sensitivity: '20', count: 1, kind: 'noninteractive' },
    ]);
    expect(specificationOf(JSON.stringify(form))).toEqual(specification);
    expect(entriesOf(specification).map(entryForm)).toMatchObject([
      { sigma: '3.73063163482', sensitivity: '1' },
      { sigma: '22', sensitivity: '20' },
    ]);
  });

  it('is told with what it was written by', () => {
    expect(entryText(first('gaussian:epsilon=1,delta=1e-5,count=3'))).toBe(
      '3 x Gaussian noise of sigma 3.73063163482 (alone (1, 1e-5)-DP)',
    );
    expect(entryText(first('gaussian:noise-multiplier=1.1,sensitivity=20'))).toBe(
      'Gaussian noise of sigma 22 and sensitivity 20 (noise multiplier 1.1)',
    );
  });

  it('is the same mechanism as one of that sigma', () => {
    const [a, b] = [first('gaussian:noise-multiplier=2,sensitivity=2'), first('gaussian:sigma=4,sensitivity=2')];
    expect(mechanismKey(a.mechanism)).toBe(mechanismKey(b.mechanism));
  });

  it('loses its form where its sigma is varied', () => {
    const { mechanism } = first('gaussian:noise-multiplier=2');
    const varied = parameterOf(mechanism)?.replaced(new Decimal(3));
    expect(varied?.type === 'gaussian' && sigmaForm(varied)).toBeNull();
    expect(mechanism.type === 'gaussian' && sigmaForm(mechanism)).not.toBeNull();
  });

  it.each([
    ['gaussian:', ['-m #1: missing-key']],
    ['gaussian:epsilon=1', ['-m #1 delta: missing-key']],
    ['gaussian:delta=1e-6', ['-m #1 epsilon: missing-key']],
    ['gaussian:sigma=1,noise-multiplier=2', ['-m #1: conflicting-keys']],
    ['gaussian:sigma=1,epsilon=1,delta=1e-6', ['-m #1: conflicting-keys']],
    ['gaussian:epsilon=1,delta=0', ['-m #1 delta: out-of-range']],
    ['gaussian:epsilon=1,delta=1', ['-m #1 delta: out-of-range']],
    ['gaussian:epsilon=-1,delta=1e-6', ['-m #1 epsilon: out-of-range']],
    ['gaussian:noise-multiplier=0', ['-m #1 noise-multiplier: out-of-range']],
    ['gaussian:noise-multiplier=1,sensitivity=0', ['-m #1 sensitivity: out-of-range']],
    ['gaussian:epsilon=1,delta=1e-6,sensitivity=0', ['-m #1 sensitivity: out-of-range']],
    ['gaussian:noise-multiplier=1e200,sensitivity=1e200', ['-m #1: out-of-range']],
    ['gaussian:epsilon=0,delta=1e-150,sensitivity=1e200', ['-m #1: out-of-range']],
    ['discrete-gaussian:noise-multiplier=1000,sensitivity=1000', ['-m #1 noise-multiplier: out-of-range']],
    [
      'discrete-gaussian:epsilon=1,delta=1e-6',
      ['-m #1 epsilon: unknown-key', '-m #1 delta: unknown-key', '-m #1: missing-key'],
    ],
  ])('%s is told what is wrong', (flag, expected) => {
    expect(mistakes(flag)).toEqual(expected);
  });

  it('is told the keys that there are', () => {
    const errors = errorsOf(documentOf('{"type":"gaussian","noise_multiplier":2}'));
    expect(errors.map(({ hint }) => hint).join(' ')).toBe('Write "noise-multiplier".');
  });
});

describe('Gaussian noise that is written by its variance', () => {
  it('has the root of it for its sigma, never more', () => {
    expect(sigmaIn('discrete-gaussian:variance=2.25,sensitivity=3')).toBe('1.5');
    expect(sigmaIn('discrete-gaussian:variance=100/25')).toBe('2');
    const root = new Decimal(sigmaIn('discrete-gaussian:variance=10000/11'));
    const Wide = Decimal.clone({ precision: 200 });
    expect(new Wide(root).pow(2).times(11).lt(10000)).toBe(true);
    expect(
      new Wide(root).times('1.0000000000000000000000000000000000000000000000000000000001').pow(2).times(11).gt(10000),
    ).toBe(true);
  });

  it('keeps it, as it is in lowest terms', () => {
    const specification = specificationOfFlags({
      mechanisms: ['discrete-gaussian:variance=20000/22,sensitivity=2,count=3', 'discrete-gaussian:variance=2.50'],
    });
    const form = normalForm(specification);
    expect(form.mechanisms).toMatchObject([{ variance: '10000/11', sensitivity: '2', count: 3 }, { variance: '5/2' }]);
    expect(specificationOf(JSON.stringify(form))).toEqual(specification);
    expect(entriesOf(specification).map(entryText)).toEqual([
      '3 x discrete Gaussian noise of variance 10000/11 and sensitivity 2',
      'discrete Gaussian noise of variance 2.5',
    ]);
  });

  it('is another mechanism than one of the rounded root', () => {
    const by = first('discrete-gaussian:variance=2').mechanism;
    expect(mechanismKey(by)).not.toBe(
      mechanismKey(first(`discrete-gaussian:sigma=${sigmaIn('discrete-gaussian:variance=2')}`).mechanism),
    );
    expect(mechanismKey(by)).toBe(mechanismKey(first('discrete-gaussian:variance=4/2').mechanism));
  });

  it('loses it where its sigma is varied', () => {
    const { mechanism } = first('discrete-gaussian:variance=2');
    const varied = parameterOf(mechanism)?.replaced(new Decimal(3));
    expect(varied?.type === 'discrete-gaussian' && varianceOf(varied).toString()).toBe('9');
  });

  it.each([
    ['discrete-gaussian:variance=0', '-m #1 variance: out-of-range'],
    ['discrete-gaussian:variance=1/0', '-m #1 variance: not-a-number'],
    ['discrete-gaussian:variance=2,sigma=1', '-m #1: conflicting-keys'],
    ['gaussian:variance=2,sigma=1', '-m #1: conflicting-keys'],
    ['gaussian:variance=1e-200/1', '-m #1 variance: not-a-number'],
    ['gaussian:variance=0', '-m #1 variance: out-of-range'],
  ])('refuses %s', (flag, mistake) => {
    expect(mistakes(flag)).toContain(mistake);
  });

  it('is that of a sigma whose square it is, on a sample too', () => {
    const epsilon = (flag: string) => {
      const outcome = compose(specificationOfFlags({ mechanisms: [flag] }), {
        solveFor: 'epsilon',
        delta: new Decimal('1e-6'),
      });
      return outcome.kind === 'answer' ? outcome.answer.epsilon : outcome.kind;
    };
    for (const more of ['', ',sensitivity=3,count=2', ',sampling=poisson,rate=0.01,count=9']) {
      expect(epsilon(`gaussian:variance=2.25${more}`)).toEqual(epsilon(`gaussian:sigma=1.5${more}`));
    }
  });

  it('is compared by its square: no decimal is the root of 2', () => {
    const noise = first('gaussian:variance=2').mechanism;
    const strengthOf = (mechanism: Mechanism) => recordOf(mechanism).strength!(mechanism);
    const against = (sigma: string): number =>
      compareQuotients(strengthOf(noise), strengthOf(first(`gaussian:sigma=${sigma}`).mechanism));
    const below = sigmaIn('gaussian:variance=2');
    expect(against(below)).toBeLessThan(0);
    expect(against(new Decimal(below).plus('1e-59').toString())).toBeGreaterThan(0);
    const four = first('gaussian:variance=4').mechanism;
    expect(compareQuotients(strengthOf(four), strengthOf(first('gaussian:sigma=2').mechanism))).toBe(0);
  });

  it('composes the 2020 census exactly: its first geographic path, against a transform of 2^23 cells', () => {
    const parts = [
      ['10000/11', 20],
      ['10000/73', 18],
      ['2500/73', 2],
      ['1000/31', 16],
      ['5000/239', 36],
      ['10000/999', 18],
      ['40000/4547', 16],
      ['250/31', 4],
      ['1250/239', 4],
      ['2500/999', 2],
      ['10000/4547', 4],
    ] as const;
    const specification = specificationOfFlags({
      mechanisms: parts.map(([variance, count]) => `discrete-gaussian:variance=${variance},count=${count}`),
    });
    for (const [epsilon, delta] of [
      ['16.671625817753', 4.389935853317e-5],
      ['20.0790037286', 3.04893036995e-7],
      ['30.2574508174', 1.35420815531e-16],
    ] as const) {
      const query = { solveFor: 'delta', epsilon: new Decimal(epsilon) } as const;
      const outcome = compose(specification, query, { tolerance: 1e-9 });
      if (outcome.kind !== 'answer') throw new Error(outcome.kind);
      expect(outcome.answer.delta.lower! / delta).toBeLessThan(1 + 1e-10);
      expect(outcome.answer.delta.upper / delta).toBeGreaterThan(1 - 1e-10);
      expect(outcome.answer.delta.upper / outcome.answer.delta.lower!).toBeLessThan(1 + 1e-9);
    }
  });
});
