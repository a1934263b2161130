import { describe, expect, it } from 'vitest';
import { compose } from '../../src/composition/compose.ts';
import { mechanismKey } from '../../src/privacy/mechanism-key.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { parameterOf } from '../../src/composition/vary/parameter.ts';
import { sigmaForm } from '../../src/privacy/sigma-form.ts';
import { entryText } from '../../src/report/guarantee-text.ts';
import { entryForm, normalForm } from '../../src/spec/normal-form.ts';
import { documentOf, entriesOf, errorsOf, errorsOfFlags, specificationOf, specificationOfFlags } from './helpers.ts';

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
    expect(errors.map(({ hint }) => hint).join(' ')).toContain('Did you mean "noise-multiplier"?');
  });
});
