import { describe, expect, it } from 'vitest';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import type { Mechanism } from '../../../src/privacy/mechanism.ts';
import { varianceOf } from '../../../src/privacy/gaussian.ts';
import { entryText } from '../../../src/output/kit/statement.ts';
import { specificationFromFlags } from '../../../src/document/flags/command-line.ts';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { documentOf, entriesOf, errorsOfFlags, specificationOf, specificationOfFlags } from '../helpers.ts';

const read = (flag: string) => specificationOfFlags({ mechanisms: [flag] });
const first = (flag: string) => entriesOf(read(flag))[0]!;
const variance = (mechanism: Mechanism): string =>
  mechanism.type === 'gaussian' ? varianceOf(mechanism).toString() : mechanism.type;
const mistakes = (flag: string): string[] =>
  errorsOfFlags({ mechanisms: [flag] }).map(({ code, path }) => `${path}: ${code}`);
const refused = (flag: string): unknown => {
  const result = specificationFromFlags({ mechanisms: [flag] });
  return result.kind === 'refusal' ? JSON.stringify(result.refusal) : result.kind;
};

describe('tree aggregation', () => {
  it.each([
    // floor(log2 1000) + 1 nodes hold the first leaf, and one more where the whole tree of 1,024 is released.
    ['noise-multiplier=10,steps=1000,participations=1,nodes=completed', '10'],
    ['noise-multiplier=10,steps=1000,participations=1', '100/11'],
    // 10 trees of 100 leaves, once in each.
    ['noise-multiplier=2.1,steps=1000,participations=10,separation=100,restart-every=100,nodes=completed', '63/1000'],
    // 143 by the recursion of Kairouz et al. 2021, App. D.2, with 99 leaves between two participations.
    ['noise-multiplier=10,steps=1000,participations=10,separation=100,nodes=completed', '100/143'],
    // More participations than fit in, and restarts that never come.
    ['noise-multiplier=10,steps=4,participations=1000,separation=4,restart-every=9', '100/3'],
  ])('of %s is Gaussian noise of variance %s', (keys, expected) => {
    const { mechanism, count } = first(`tree-aggregation:${keys}`);
    expect(variance(mechanism)).toBe(expected);
    expect(count).toBe(1);
  });

  it('is read in a document as in a flag, and its normal form is the noise it is', () => {
    const flag = 'tree-aggregation:noise-multiplier=10,steps=1000,participations=1,label=run,count=2';
    const written = documentOf(
      '{"type":"tree-aggregation","noise-multiplier":10,"steps":1000,"participations":1,"label":"run","count":2}',
    );
    expect(entriesOf(specificationOf(written))).toEqual([first(flag)]);
    const form = normalForm(read(flag));
    expect(form.mechanisms).toEqual([
      { type: 'gaussian', variance: '100/11', sensitivity: '1', count: 2, kind: 'noninteractive', label: 'run' },
    ]);
    expect(specificationOf(JSON.stringify(form))).toEqual(read(flag));
    expect(entryText(first(flag))).toBe('2 x Gaussian noise of variance 100/11 "run"');
  });

  it('is a guarantee where its sensitivity is known from above only', () => {
    const { mechanism } = first('tree-aggregation:noise-multiplier=10,steps=102300,participations=100,separation=1023');
    // 22,674 is reached by participations that are equally far apart.
    const mu = mechanism.type === 'gdp' ? mechanism.mu : new Decimal(0);
    expect(mu.gte(new Decimal(22_674).sqrt().div(10))).toBe(true);
    expect(mu.lt(new Decimal(22_674).sqrt().div(10).times(1.005))).toBe(true);
  });

  it.each([
    ['noise-multiplier=10,steps=1000', '-m #1 participations: missing-key'],
    ['noise-multiplier=10,participations=1', '-m #1 steps: missing-key'],
    ['steps=10,participations=1', '-m #1 noise-multiplier: missing-key'],
    ['noise-multiplier=10,steps=0,participations=1', '-m #1 steps: out-of-range'],
    ['noise-multiplier=10,steps=1.5,participations=1', '-m #1 steps: not-whole'],
    ['noise-multiplier=10,steps=1e16,participations=1', '-m #1 steps: out-of-range'],
    ['noise-multiplier=10,steps=1e6,participations=1e6', '-m #1 participations: out-of-range'],
    ['noise-multiplier=1e200,steps=10,participations=1', '-m #1 noise-multiplier: out-of-range'],
    ['noise-multiplier=10,steps=10,participations=1,nodes=some', '-m #1 nodes: unknown-value'],
    ['noise-multiplier=10,steps=10,participations=1,sigma=1', '-m #1 sigma: unknown-key'],
  ])('refuses %s', (keys, mistake) => {
    expect(mistakes(`tree-aggregation:${keys}`)).toContain(mistake);
  });

  it('is not amplified by sampling', () => {
    expect(refused('tree-aggregation:noise-multiplier=1,steps=9,participations=1,sampling=poisson,rate=0.1')).toContain(
      'sampling of tree aggregation',
    );
  });
});

describe('a banded matrix', () => {
  it.each([
    ['noise-multiplier=2,steps=2000,bands=16,participations=10,separation=200', '2/5'],
    ['noise-multiplier=2,steps=2000,bands=16,column-norm=0.5,participations=10,separation=200', '8/5'],
    ['noise-multiplier=2,steps=2000,bands=2000,participations=1', '4'],
    ['noise-multiplier=2,steps=100,coefficients=1;-0.5;0.25,participations=3,separation=3', '64/63'],
    // Prefix sums: rows 1, 2, 3.
    ['noise-multiplier=14,steps=3,coefficients=1;1;1,participations=3', '14'],
  ])('of %s is Gaussian noise of variance %s', (keys, expected) => {
    const { mechanism, count } = first(`banded-matrix:${keys}`);
    expect(variance(mechanism)).toBe(expected);
    expect(count).toBe(1);
  });

  it('on Poisson samples of its parts is as many rounds as bands go into the steps', () => {
    const sampled = first('banded-matrix:noise-multiplier=2,steps=2001,bands=16,sampling=poisson,rate=0.01,count=3');
    const rounds = first('gaussian:variance=4,sampling=poisson,rate=0.01,count=378');
    expect(sampled).toEqual(rounds);
    const coefficients = first(
      'banded-matrix:noise-multiplier=1,steps=10,coefficients=1;0.5,sampling=poisson,rate=0.01',
    );
    expect(coefficients).toEqual(first('gaussian:variance=4/5,sampling=poisson,rate=0.01,count=5'));
  });

  it('has a normal form that says the same', () => {
    const flag = 'banded-matrix:noise-multiplier=2,steps=2001,bands=16,sampling=poisson,rate=256/60000';
    expect(specificationOf(JSON.stringify(normalForm(read(flag))))).toEqual(read(flag));
  });

  it('has no smaller variance with fewer participations or fewer steps', () => {
    const of = (participations: number, steps: number): Rational => {
      const keys = `coefficients=1;0.75;0.5,participations=${participations},steps=${steps},separation=2`;
      const { mechanism } = first(`banded-matrix:noise-multiplier=1,${keys}`);
      return mechanism.type === 'gaussian' ? varianceOf(mechanism) : Rational.ZERO;
    };
    for (let participations = 1; participations < 6; participations++) {
      for (let steps = 1; steps < 12; steps++) {
        expect(of(participations, steps).compare(of(participations + 1, steps))).toBeGreaterThanOrEqual(0);
        expect(of(participations, steps).compare(of(participations, steps + 1))).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it.each([
    ['bands=16,participations=10', '-m #1 separation: out-of-range'],
    ['bands=16', '-m #1 participations: missing-key'],
    ['participations=1', '-m #1: missing-key'],
    ['bands=16,coefficients=1;1,participations=1', '-m #1: conflicting-keys'],
    ['coefficients=1;1,column-norm=1,participations=1', '-m #1 column-norm: conflicting-keys'],
    ['coefficients=0;1,participations=1', '-m #1 coefficients: out-of-range'],
    ['coefficients=1;x,participations=1', '-m #1 coefficients[1]: not-a-number'],
    ['coefficients=1;2,participations=2', '-m #1 separation: out-of-range'],
    ['coefficients=1;-1,participations=2', '-m #1 separation: out-of-range'],
    ['bands=16,sampling=poisson,rate=0.1,participations=10', '-m #1 participations: conflicting-keys'],
    ['bands=16,sampling=poisson,rate=0.1,separation=20', '-m #1 separation: conflicting-keys'],
    ['bands=16,sampling=poisson', '-m #1 rate: missing-key'],
    ['bands=1,sampling=poisson,rate=0.1,count=9007199254740991', '-m #1 count: out-of-range'],
  ])('refuses %s', (keys, mistake) => {
    expect(mistakes(`banded-matrix:noise-multiplier=1,steps=100,${keys}`)).toContain(mistake);
  });

  it.each(['shuffled', 'without-replacement', 'balls-in-bins'])('has no rounds by %s', (scheme) => {
    const flag = `banded-matrix:noise-multiplier=1,steps=100,bands=4,sampling=${scheme},rate=0.1`;
    expect(refused(flag)).toContain('sampling of a banded matrix otherwise than by Poisson');
  });
});

describe('a sample of what is not fully written', () => {
  it('is a mistake, and no error of the program', () => {
    expect(mistakes('gaussian:sampling=poisson,rate=0.1')).toContain('-m #1: missing-key');
  });
});
