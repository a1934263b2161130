import type { Answer, BoundRow } from '../../src/composition/core/outcome.ts';
import { Decimal } from '../../src/numeric/decimal.ts';
import { asLower, asUpper, type Bracket } from '../../src/numeric/enclosure.ts';
import type { Entry } from '../../src/privacy/mechanism.ts';
import type { Composed } from '../../src/output/kit/statement.ts';

/** Hand-made answers, so that reports are tested without any composition. */

export const bracket = (lower: number | null, upper: number, exact?: string): Bracket => ({
  lower: lower === null ? null : asLower(lower),
  upper: asUpper(upper),
  ...(exact === undefined ? {} : { exact }),
});

const target = bracket(1e-6, 1e-6, '0.000001');

export const dpOptimal: BoundRow = {
  id: 'dp-optimal',
  name: 'Optimal composition',
  reference: 'Murtagh and Vadhan 2016, Thm 1.5',
  applies: true,
  epsilon: bracket(4.774567588107, 4.774567588109),
  delta: target,
};

export const zcdp: BoundRow = {
  id: 'zcdp',
  name: 'Zero-concentrated DP',
  reference: 'Bun and Steinke 2016',
  applies: true,
  epsilon: bracket(null, 5.0731532),
  delta: target,
};

export const basic: BoundRow = {
  id: 'basic',
  name: 'Basic composition',
  reference: 'Dwork et al. 2006',
  applies: true,
  epsilon: bracket(null, 10, '10'),
  delta: target,
};

export const brNonadaptive: BoundRow = {
  id: 'br-nonadaptive',
  name: 'Nonadaptive bounded range',
  reference: 'Dong, Durfee and Rogers 2020, Thm 3',
  applies: false,
  reason: { code: 'needs-types', needs: ['bounded-range'], found: ['dp'] },
};

export const entry = (count: number, kind: Entry['kind'] = 'noninteractive'): Entry => ({
  mechanism: { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) },
  count,
  kind,
  label: null,
});

export const hundred: Composed = {
  name: null,
  adaptivity: 'adaptive',
  order: 'any',
  entries: [entry(40), entry(60)],
};

export const answer: Answer = {
  query: { solveFor: 'epsilon', delta: new Decimal('1e-6') },
  epsilon: bracket(4.774567588107, 4.774567588109),
  delta: target,
  bound: 'dp-optimal',
  tight: true,
  bounds: [dpOptimal, zcdp, basic, brNonadaptive],
  warnings: [],
};

export const deltaAnswer: Answer = {
  query: { solveFor: 'delta', epsilon: new Decimal(3) },
  epsilon: bracket(3, 3, '3'),
  delta: bracket(1.36139869483e-3, 1.36139869484e-3),
  bound: 'dp-optimal',
  tight: true,
  bounds: [
    { ...dpOptimal, epsilon: bracket(3, 3, '3'), delta: bracket(1.36139869483e-3, 1.36139869484e-3) },
    { ...basic, epsilon: bracket(3, 3, '3'), delta: bracket(null, 1) },
  ],
  warnings: [],
};

export const infeasible: Answer = {
  query: { solveFor: 'epsilon', delta: new Decimal('0.02') },
  epsilon: bracket(Infinity, Infinity),
  delta: bracket(0.02, 0.02, '0.02'),
  bound: 'dp-optimal',
  tight: true,
  bounds: [{ ...dpOptimal, epsilon: bracket(Infinity, Infinity), delta: bracket(0.02, 0.02, '0.02') }],
  warnings: [{ code: 'delta-infeasible', failure: '0.029569863', smallestDelta: '0.029569863' }],
};
