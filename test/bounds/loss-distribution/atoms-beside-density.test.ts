import { describe, expect, it } from 'vitest';
import { contourCurve } from '../../../src/bounds/loss-distribution/contour-curve.ts';
import { DOMINATING, pairsOf, type WithPair } from '../../../src/bounds/loss-distribution/pair-entries.ts';
import { contourFor } from '../../../src/numeric/contour/contour.ts';
import { linesOf } from '../../../src/numeric/contour/line.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { fromDecimal } from '../../../src/numeric/double-double.ts';
import type { Entry } from '../../../src/privacy/mechanism.ts';

const laplace = (scale: string, count: number): Entry<WithPair> => ({
  mechanism: { type: 'laplace', scale: new Decimal(scale), sensitivity: new Decimal(1) },
  count,
  kind: 'noninteractive',
  label: null,
});

/** ln delta at epsilons, by residues of the exact rational functions in arithmetic of 120 digits (mpmath). */
const CASES = {
  'of scales whose epsilons do not end': {
    entries: [laplace('3', 1), laplace('7', 2)],
    known: {
      '0': -1.847493353881079,
      '0.1': -2.123938969162493,
      '0.3': -2.997720352195054,
      '0.5': -4.179476201181605,
    },
  },
  'of many equal scales': {
    entries: [laplace('20', 20)],
    known: {
      '0': -2.433096175467967,
      '0.1': -3.01556582024109,
      '0.3': -4.619804343876934,
      '0.5': -6.97427277621058,
    },
  },
} as const;

const TOLERANCE = 1e-7;
/** With normal noise in the place of the density's own decline they were 100,000 and more. */
const FEW = 60_000;

describe.each(Object.entries(CASES))('the curve of Laplace noise %s', (_, { entries, known }) => {
  const { loss, maximum } = pairsOf(entries, DOMINATING);

  it.each(Object.entries(known))('encloses the exact one at %s', (epsilon, exact) => {
    const curve = contourCurve(loss(), maximum, TOLERANCE, { exhausted: () => false });
    const found = curve.logDelta(fromDecimal(new Decimal(epsilon)));
    expect(found.lower).toBeLessThanOrEqual(exact);
    expect(found.upper).toBeGreaterThanOrEqual(exact);
    expect(found.upper - found.lower).toBeLessThanOrEqual(TOLERANCE);
  });

  it('takes few nodes', () => {
    const all = loss();
    const lines = linesOf(all);
    for (const epsilon of Object.keys(known).map(Number)) {
      const line = lines.lineOf(epsilon, lines.sideOf(epsilon));
      expect(contourFor(all, { line, width: TOLERANCE }).size).toBeLessThan(FEW);
    }
  });
});
