import { describe, expect, it } from 'vitest';
import { LITERATURE } from '../../src/bounds/core/exposition.ts';
import { RULE_EXPOSITIONS } from '../../src/ledger/rules/expositions.ts';
import { FILTER_RULES } from '../../src/ledger/rules/filter-rules.ts';
import { check } from '../../src/ledger/decide.ts';
import { RULE_IDS, type Rule } from '../../src/ledger/rules/terms.ts';
import type { LedgerState } from '../../src/ledger/state.ts';
import type { Mechanism } from '../../src/privacy/mechanism.ts';
import { decimal, dp, SAMPLES } from '../mechanisms.ts';
import { approximateDpRule, odometerTerms, opened, zcdpOptimalRule } from './helpers.ts';

const RULES: { readonly [Id in Rule['id']]: Extract<Rule, { id: Id }> } = {
  pure: { id: 'pure' },
  basic: { id: 'basic', deltas: 'sum' },
  'approximate-dp': approximateDpRule('1e-6', '5e-7'),
  'zcdp-optimal': zcdpOptimalRule('1e-6', '5e-7'),
  zcdp: { id: 'zcdp' },
  'approximate-zcdp': { id: 'approximate-zcdp', deltas: 'sum' },
  rdp: { id: 'rdp', alpha: decimal(4) },
  'approximate-rdp': { id: 'approximate-rdp', alpha: decimal(4), deltas: 'sum' },
  'rdp-curve': { id: 'rdp-curve', alphas: [decimal(2), decimal(4)] },
  gdp: { id: 'gdp' },
};

/** One of every type, without a delta. */
const MECHANISMS = Object.values({ ...SAMPLES, dp: dp('0.1') }).map(({ mechanism }) => mechanism);

const ledger = (id: Rule['id'], neighbours: string): LedgerState => {
  const concurrency = FILTER_RULES[id].concurrent === 'open' ? 'sequential' : 'concurrent';
  return opened(odometerTerms(RULES[id], { concurrency, neighbours }));
};

/** Reports are for neighbors that differ in the value of one user. */
const neighboursOf = ({ type }: Mechanism): string =>
  type === 'shuffled-reports' || type === 'randomized-response' ? 'replace-one' : 'add-remove';

const counts = (id: Rule['id'], mechanism: Mechanism): boolean =>
  check(ledger(id, neighboursOf(mechanism)), { mechanism, kind: 'noninteractive', count: 1, label: null }).kind ===
  'accepted';

describe.each(RULE_IDS)('what is said of the rule %s', (id) => {
  const { statement, formula, works, types, delta } = RULE_EXPOSITIONS[id];

  it('has a statement, a formula and a source', () => {
    expect(statement).toMatch(/^[A-Z].*\.$/s);
    expect(formula.length).toBeGreaterThan(0);
    expect(works.map((work) => LITERATURE[work]).every((text) => /\d{4}/.test(text))).toBe(true);
  });

  it('is true of every type of mechanism, and of those with a delta', () => {
    for (const mechanism of MECHANISMS) {
      expect([mechanism.type, counts(id, mechanism)]).toEqual([mechanism.type, types.includes(mechanism.type)]);
    }
    expect(counts(id, { type: 'dp', epsilon: decimal('0.1'), delta: decimal('1e-7') })).toBe(delta);
  });

  it('says it where a result is derived', () => {
    const { reference } = FILTER_RULES[id];
    if (reference.includes('derived')) expect(RULE_EXPOSITIONS[id].departures).not.toEqual([]);
  });
});
