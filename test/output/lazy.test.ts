import { describe, expect, it } from 'vitest';
import type { AuditNote } from '../../src/learning/accounting/audit.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { enclosure } from '../../src/numeric/enclosure.ts';
import { csvText } from '../../src/output/kit/table.ts';
import {
  aboutText,
  claimText,
  countText,
  leastText,
  measureText,
  mostText,
  parameterText,
  probabilityText,
  settingText,
  auditNoteMessage,
} from '../../src/output/lazy/words.ts';

const d = (x: string): Decimal => new Decimal(x);

describe('numbers of lazy reports', () => {
  it('are rounded to the side on which they stay true', () => {
    expect(mostText(0.03422261)).toBe('0.03423');
    expect(leastText(0.03422261)).toBe('0.03422');
    expect(mostText(103_442.2)).toBe('103,443');
    expect(mostText(Infinity)).toBe('infinity');
    expect(mostText(0)).toBe('0');
  });

  it('are to the nearest where they are no bounds', () => {
    expect(aboutText(0.03422261)).toBe('0.03422');
    expect(aboutText(22_260.6)).toBe('22,261');
    expect(aboutText(-Infinity)).toBe('-infinity');
    expect(claimText(enclosure(0.02, 0.020000000000000004))).toBe('0.02');
    expect(claimText(enclosure(-5e-324, 5e-324))).toBe('0');
    expect(countText(1e6)).toBe('1,000,000');
    expect(countText(1e17)).toBe('1e17');
    expect(parameterText(d('0.00006683279267'))).toBe('6.68328e-5');
    expect(parameterText(d('0.125'))).toBe('0.125');
    expect(probabilityText(d('1'))).toBe('1');
    expect(probabilityText(d('0.99'))).toBe('0.99');
    expect(probabilityText(d('0.99999999999999999999999'))).toBe('1 - 1e-23');
    expect(probabilityText(d('0.9999999'))).toBe('1 - 1e-7');
  });
});

describe('comma-separated values of lazy reports', () => {
  it('quote what needs it', () => {
    expect(
      csvText(
        [
          ['x,y', 'say "no"'],
          [null, true],
          [1.5, ' blank'],
        ] as const,
        [
          ['a', ([first]) => first],
          ['b', ([, second]) => second],
        ],
      ),
    ).toBe('a,b\r\n"x,y","say ""no"""\r\n,true\r\n1.5," blank"\r\n');
  });
});

describe('settings in words', () => {
  it('name the measure with its parameters', () => {
    const setting = { rounds: 1_000_000, batch: 10, eta: d('1e-4'), fakeSwitch: d('0.01') };
    expect(settingText(setting, { type: 'any' })).toBe(
      'L2P with any measure of Assumption 3.1: T 1,000,000, B 10, eta 0.0001, p 0.01',
    );
    const weights = { type: 'regularised-multiplicative-weights', beta: d('2'), lambda: d('3') } as const;
    expect(measureText({ ...weights, lipschitz: d('1'), diameter: d('1') })).toBe(
      'regularized weights with beta 2, lambda 3',
    );
    expect(measureText({ ...weights, lipschitz: d('4'), diameter: d('0.5') })).toBe(
      'regularized weights with beta 2, lambda 3, L 4, D 0.5',
    );
  });
});

describe('notes on an audit', () => {
  it.each<[AuditNote, string]>([
    [
      { code: 'batch-rounded', printed: d('2.714340512'), batch: 3 },
      'B = 2.714, which is not a whole number: 3 is used',
    ],
    [
      { code: 'hypothesis-fails', hypotheses: ['whole-batch', 'batch-drift'] },
      'B must be whole and eta B ln(1/delta1) / p must be at most 1',
    ],
    [{ code: 'claim-only' }, 'is only a claim'],
    [{ code: 'claim-above-target', target: d('0.1') }, 'above the target 0.1'],
    [{ code: 'flag-of-any-measure' }, 'it is 4 eta, since Lemma 3.6'],
    [{ code: 'measure-moves-further', eta: 6.33e-5 }, 'move by 6.33e-5'],
    [{ code: 'guarantee-above-target', target: d('0.1') }, 'does not reach the target 0.1'],
    [{ code: 'no-accounting' }, 'needs to know the measure'],
    [{ code: 'switch-reveals', chance: 0.03125, helps: 'eta' }, 'Give a p above 0, a larger eta or a delta above that'],
    [{ code: 'switch-reveals', chance: 0.03125, helps: null }, 'up to 0.03125. Give a p above 0 or a delta above that'],
    [{ code: 'no-finite-epsilon', delta: d('1e-300') }, 'at delta 1e-300: give a larger delta'],
    [{ code: 'never-covered', rounds: 11_013 }, 'once T is above 11,013'],
  ])('say what is so and what would fix it: %o', (note, words) => {
    const message = auditNoteMessage(note);
    expect(message).toContain(words);
    expect(message).toMatch(/^[A-Z].*\.$/);
  });
});
