import { fc } from '../../reference/properties.ts';
import { describe, expect, it } from 'vitest';
import { Decimal, decimalFromDouble } from '../../../src/numeric/decimal.ts';
import { Rational } from '../../../src/numeric/rational.ts';
import {
  boundText,
  jsonBound,
  jsonDecimal,
  jsonDocument,
  jsonForm,
  jsonLine,
  jsonRounded,
  type Json,
} from '../../../src/output/kit/json-value.ts';
import { REMAINDER } from '../../../src/output/ledger/facts-json.ts';
import type { NumberText } from '../../../src/document/core/number-text.ts';
import { readJson } from '../../../src/document/syntax/json-read.ts';

/** Decimals of up to 40 digits and many magnitudes. */
const decimals = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: -340, max: 260 }))
  .map(([digits, exponent]) => new Decimal(`${digits}e${exponent}`));

const read = (side: 'up' | 'down', value: Decimal): { number: number; text: Decimal } => {
  const text = jsonLine([jsonRounded(value, side)]).slice(1, -1);
  return { number: Number(text), text: new Decimal(text) };
};

describe('an end of an enclosure', () => {
  it('is read as its double, and beyond 15 digits is on its side as a decimal too', () => {
    const doubles = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -1074, max: 1023 }).map((power) => 2 ** power),
    );
    fc.assert(
      fc.property(doubles, (x) => {
        const [up, down] = [boundText(x, 'up'), boundText(x, 'down')];
        expect([Number(up), Number(down)]).toEqual([x + 0, x + 0]);
        const exact = decimalFromDouble(x);
        const isShort = new Decimal(String(x)).precision() <= 15;
        expect(isShort ? [up, down].every((text) => Number(text) === x) : new Decimal(up).gte(exact)).toBe(true);
        expect(isShort || new Decimal(down).lte(exact)).toBe(true);
        expect(jsonLine([jsonBound(x, 'up'), jsonBound(x, 'down')])).toBe(`[${up},${down}]`);
      }),
      { numRuns: 2000 },
    );
  });

  it('has the shortest text where that is on its side, or has no more than 15 digits', () => {
    expect([boundText(0.1, 'down'), boundText(0.1, 'up')]).toEqual(['0.1', '0.1']);
    expect(boundText(5.459732558343815, 'up')).toBe('5.4597325583438155');
    expect(boundText(5.459732558343815, 'down')).toBe('5.459732558343815');
    expect([boundText(Infinity, 'up'), boundText(-0, 'down')]).toEqual(['Infinity', '0']);
  });
});

describe('an amount as a number', () => {
  it('is on its side of the exact decimal as it is written, and as a double beyond 15 digits, and next to it', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const [up, down] = [read('up', value), read('down', value)];
        expect(up.text.gte(value) && down.text.lte(value)).toBe(true);
        if (value.precision() > 15) {
          expect(decimalFromDouble(up.number).gte(value) && decimalFromDouble(down.number).lte(value)).toBe(true);
        }
        const slack = Math.max(Number.MIN_VALUE * 8, Number(value) * 2 ** -49);
        expect(up.number - Number(value)).toBeLessThanOrEqual(slack);
        expect(Number(value) - down.number).toBeLessThanOrEqual(slack);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps short decimals, so that a program may compare them with what it writes itself', () => {
    for (const text of ['0.3', '1e-6', '0.1', '123456789012345', '5e-300', '0']) {
      for (const side of ['up', 'down'] as const) expect(read(side, new Decimal(text)).number).toBe(Number(text));
    }
  });

  it('orders amounts as their decimals are ordered', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        const [less, more] = a.lte(b) ? [a, b] : [b, a];
        expect(read('down', less).number).toBeLessThanOrEqual(read('up', more).number);
      }),
    );
  });

  it('has its exact decimal beside it, and spells infinity out', () => {
    const amounts = { epsilon: new Decimal('0.12345678901234567890'), delta: new Decimal(Infinity) };
    expect(JSON.parse(jsonLine(REMAINDER.encode({ type: 'dp', ...amounts })))).toEqual({
      type: 'dp',
      epsilon: 0.12345678901234566,
      delta: 'Infinity',
      exact: { epsilon: '0.1234567890123456789', delta: 'Infinity' },
    });
  });
});

describe('a number that was given', () => {
  it('has all its digits, which the reader of documents keeps', () => {
    fc.assert(
      fc.property(decimals, (value) => {
        const again = readJson(jsonLine([jsonDecimal(value)])).value as unknown as readonly [NumberText];
        expect(new Decimal(again[0].text).eq(value)).toBe(true);
      }),
    );
  });

  it('is a decimal where a decimal says the quotient, and else text', () => {
    const quotients = [Rational.of(3, 4), Rational.of(2), Rational.of(1, 3), Rational.of(1n, 2n ** 2000n)];
    expect(JSON.parse(jsonLine([jsonForm(quotients)]))).toEqual([[0.75, 2, '1/3', String(quotients[3])]]);
  });
});

describe('a document', () => {
  it('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(
        fc.object({ values: [fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null)] }),
        (value) => {
          const plain = JSON.parse(JSON.stringify(value)) as Json;
          expect(jsonDocument(plain)).toBe(`${JSON.stringify(plain, null, 2)}\n`);
          expect(jsonLine(plain)).toBe(JSON.stringify(plain));
        },
      ),
    );
  });
});
