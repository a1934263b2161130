import { describe, expect, it } from 'vitest';
import { normalForm } from '../../../src/document/structure/normal-form.ts';
import { mechanismKey } from '../../../src/privacy/mechanism-key.ts';
import { entryText } from '../../../src/output/kit/statement.ts';
import { entryText as flagText } from '../../../src/output/ledger/amounts.ts';
import {
  documentOf,
  entriesOf,
  errorsOf,
  errorsOfFlags,
  sentence,
  specificationOf,
  specificationOfFlags,
} from '../helpers.ts';

const first = (flag: string) => entriesOf(specificationOfFlags({ mechanisms: [flag] }))[0]!;
const wrong = (points: string): string[] =>
  errorsOfFlags({ mechanisms: [`trade-off:points=${points}`] }).map((error) => sentence(error).replace('-m #1 ', ''));

describe('a trade-off function', () => {
  it('reads in a document as in a flag, with its ends or without them', () => {
    const text = documentOf('{"type":"trade-off","points":[["0.1",0.5],[0.5,"2e-1"]],"count":3}');
    expect(entriesOf(specificationOf(text))).toEqual([first('trade-off:points=0.1:0.5;0.5:0.2,count=3')]);
    const [bare, ended] = ['0.25:0.25', '0:1;0.25:0.25;1:0'].map((points) => first(`trade-off:points=${points}`));
    expect(mechanismKey(ended!.mechanism)).toBe(mechanismKey(bare!.mechanism));
  });

  it('keeps its points in a normal form, on a sample too', () => {
    const specification = specificationOfFlags({
      mechanisms: ['trade-off:points=0.1:0.50;0.5:0.2', 'trade-off:points=0.25:0.25,sampling=poisson,rate=1/3'],
    });
    const form = normalForm(specification);
    expect(form.mechanisms).toMatchObject([
      {
        type: 'trade-off',
        points: [
          ['0.1', '0.5'],
          ['0.5', '0.2'],
        ],
      },
      { type: 'trade-off', points: [['0.25', '0.25']], sampling: { scheme: 'poisson', rate: '1/3' } },
    ]);
    expect(specificationOf(JSON.stringify(form))).toEqual(specification);
  });

  it('is told by its points', () => {
    expect(entryText(first('trade-off:points=0.25:0.25,count=3'))).toBe('3 x trade-off function of 1 point');
    expect(entryText(first('trade-off:points=0:1;0.25:0.25;1:0'))).toBe('trade-off function of 3 points');
    expect(flagText(first('trade-off:points=0:1;0.25:0.25;1:0'))).toBe('trade-off:points=0:1;0.25:0.25;1:0');
  });

  it.each([
    [
      '0.5:0.6',
      'points[0][1]: beta must be at most 1 - alpha, got 0.6 at alpha 0.5. Lower one of them: a guess that looks at nothing has beta = 1 - alpha.',
    ],
    ['0.5:0.2;0.1:0.5', 'points[1][0]: points must stand by ascending alpha, got 0.1 after 0.5. Sort them.'],
    [
      '0.1:0.5;0.1:0.4',
      'points[1][0]: every alpha must stand once, got 0.1 again. Keep the point with the smaller beta.',
    ],
    [
      '0.1:0.2;0.3:0.25',
      'points[1][1]: beta must be at most that of the point before, got 0.25 after 0.2. Lower it: tests that may err more often one way need not err more often the other way.',
    ],
    [
      '0.25:0.25;0.5:0.17',
      'points[1][1]: points must be convex: beta at alpha 0.5 must be at most 0.16666666666666666666, as on the line from (0.25, 0.25) to (1, 0), got 0.17. Lower it, or leave this point out.',
    ],
    [
      '0.25',
      'points[0]: each item must be a pair [alpha, beta], got a list of 1. Write a pair such as ["0.25", "0.25"].',
    ],
  ])('through %s is none', (points, message) => {
    expect(wrong(points)).toEqual([message]);
  });

  it('is not convex by 1e-30, and then it is none', () => {
    expect(wrong('0.25:0.25;0.4:0.200000000000000000000000000001')).toHaveLength(1);
    expect(first('trade-off:points=0.25:0.25;0.4:0.2').count).toBe(1);
  });

  it('of very many points is refused unread', () => {
    const points = Array.from({ length: 10_000 }, (_, i) => `[${i}e-4,"x"]`).join();
    expect(errorsOf(documentOf(`{"type":"trade-off","points":[${points}]}`)).map(sentence)).toEqual([
      'mechanisms[0].points: points must hold at most 200 pairs, got 10000. Write the crossings of fewer lines below the function.',
    ]);
  });

  it('that is missing is asked for', () => {
    expect(errorsOf(documentOf('{"type":"trade-off"}')).map(sentence)).toEqual([
      'mechanisms[0].points: points is missing; it must be a list of pairs [alpha, beta]. Add points, a list such as [[0, 1], ["0.25", "0.25"], [1, 0]].',
    ]);
    expect(errorsOfFlags({ mechanisms: ['trade-off', 'trade-off:0.25:0.25'] }).map(sentence)).toEqual([
      '-m #1 points: points is missing; it must be a list of pairs [alpha, beta]. Add points=0:1;0.25:0.25;1:0 or the like; a shell needs quotes around semicolons.',
      '-m #2: each part after the colon must be key=value, got "0.25:0.25". Write -m trade-off:points=0.25:0.25.',
    ]);
  });
});
