import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { chargedLedgers, makeAll, missingSoon } from '../../../src/ledger/budgets/make-missing.ts';
import { caveatsOfBudgets, canCoincide, readTemplate, type Template } from '../../../src/ledger/budgets/budgets.ts';
import { readBudgets } from '../../../src/ledger/budgets/read-budgets.ts';
import { impliedRule } from '../../../src/ledger/rules/terms.ts';
import { spendIn } from '../../../src/ledger/spend-in.ts';
import type { InputError } from '../../../src/document/core/specification.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { budgetsJsonSchema } from '../../../src/output/schema/schemas.ts';
import { memoryStore } from '../memory-store.ts';

const documentOf = (...ledgers: object[]): string => JSON.stringify({ dpcompose: 1, ledgers });

function budgetsOf(...ledgers: object[]) {
  const reading = readBudgets(documentOf(...ledgers));
  if (reading.kind === 'errors') throw new Error(JSON.stringify(reading.errors));
  return reading.budgets;
}

/** The codes and places of what is wrong. */
function mistakesOf(...ledgers: object[]): string[] {
  const reading = readBudgets(documentOf(...ledgers));
  return reading.kind === 'errors' ? reading.errors.map(({ code, path }) => `${code} ${path}`) : [];
}

const ALL = { name: 'all', epsilon: 3 };
const ANALYSTS = { name: 'analyst/{analyst}', of: 'people', epsilon: 1 };
const DAYS = { name: 'day/{day}', of: 'data', epsilon: '0.5' };

describe('budgets', () => {
  it('become the terms that ledger init would make of the same numbers', () => {
    const { lines } = budgetsOf(
      ALL,
      { ...DAYS, delta: '1e-6', rule: 'zcdp-optimal', 'delta-prime': '5e-7', 'max-mechanisms': 9, 'on-excess': 'halt' },
      { name: 'rho', rho: '0.1', 'require-evidence': true, neighbours: 'one visit' },
    );
    expect(lines.map(({ scope }) => scope)).toEqual(['all', 'data', 'all']);
    expect(lines.map(({ terms }) => terms)).toMatchObject([
      { mode: 'filter', rule: { id: 'pure' }, onExcess: 'refuse', concurrency: 'concurrent', neighbours: null },
      { rule: { id: 'zcdp-optimal', deltas: 'sum' }, maxMechanisms: 9, onExcess: 'halt' },
      { rule: { id: 'zcdp' }, evidence: 'required', neighbours: 'one visit' },
    ]);
    expect(lines.map(({ terms }) => JSON.stringify(terms.budget))).toEqual([
      '{"epsilon":"3"}',
      '{"epsilon":"0.5"}',
      '{"rho":"0.1"}',
    ]);
    expect(JSON.stringify(lines[1]?.terms.rule)).toContain('"deltaPrime":"5e-7"');
  });

  it.each([
    [['missing-key ledgers[0].name'], [{ epsilon: 1 }]],
    [['wrong-type ledgers[0].name'], [{ name: '../all', epsilon: 1 }]],
    [['wrong-type ledgers[0].name'], [{ name: 'All', epsilon: 1 }]],
    [['wrong-type ledgers[0].name'], [{ name: '/all', epsilon: 1 }]],
    [['wrong-type ledgers[0].name'], [{ name: '{a}/{b}', of: 'data', epsilon: 1 }]],
    [['missing-key ledgers[0]'], [{ name: 'day/{day}', epsilon: 1 }]],
    [['conflicting-keys ledgers[0].of'], [{ ...ALL, of: 'data' }]],
    [['missing-key ledgers[0]'], [{ name: 'all' }]],
    [['missing-key ledgers[0]'], [{ name: 'all', epsilon: 1, delta: '1e-6' }]],
    [['conflicting-keys ledgers[0].mu'], [{ ...ALL, rule: 'pure', mu: 1 }]],
    [['unknown-key ledgers[0].budget'], [{ ...ALL, budget: 1 }]],
    [['out-of-range ledgers[0].epsilon'], [{ name: 'all', epsilon: -1 }]],
    [['conflicting-keys ledgers[0]'], [{ name: 'all', rho: 1, delta: '1e-6' }]],
    [['conflicting-keys ledgers[0].neighbours'], [{ ...DAYS, neighbours: 'replace-one' }]],
    [['conflicting-keys ledgers[0].distance'], [{ ...DAYS, distance: 2 }]],
    [['duplicate-name ledgers[1].name'], [ALL, ALL]],
    [['duplicate-name ledgers[1].name'], [DAYS, { ...DAYS, name: 'day/{week}' }]],
    [['duplicate-name ledgers[1].name'], [DAYS, { ...ALL, name: 'day/one' }]],
    [['duplicate-name ledgers[1].of'], [DAYS, { ...DAYS, name: 'who/{day}', of: 'people' }]],
  ])('are wrong in their place: %j', (mistakes, ledgers) => {
    expect(mistakesOf(...ledgers)).toEqual(mistakes);
  });

  it('conform to the published schema', () => {
    const conforms = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false }).compile(
      budgetsJsonSchema(),
    );
    expect(conforms(JSON.parse(documentOf(ALL, ANALYSTS, DAYS)))).toBe(true);
    expect(conforms(JSON.parse(documentOf({ ...ALL, budget: 1 })))).toBe(false);
    expect(conforms(JSON.parse(documentOf({ ...ALL, of: 'days' })))).toBe(false);
    expect(conforms(JSON.parse(documentOf()))).toBe(false);
  });

  it('say what they do not guarantee', () => {
    expect(caveatsOfBudgets(budgetsOf(ALL))).toEqual([]);
    expect(caveatsOfBudgets(budgetsOf(DAYS))).toEqual(['one-record-one-part']);
    expect(caveatsOfBudgets(budgetsOf(ANALYSTS))).toEqual(['own-results-only', 'no-budget-over-all']);
    expect(caveatsOfBudgets(budgetsOf(ANALYSTS, DAYS))).toEqual(['one-record-one-part', 'own-results-only']);
  });
});

describe('the names of two lines', () => {
  it.each([
    ['all', 'all', true],
    ['all', 'al', false],
    ['{a}', '{b}', true],
    ['{a}', 'x/{b}', false],
    ['day-{day}', 'day/{day}', false],
    ['day-{day}', 'week-{week}', false],
    ['{a}-day', 'day-{b}', true],
    ['day/{day}', 'day/total', true],
    ['day/{day}', 'days/total', false],
  ])('%s and %s may be the same: %s', (a, b, expected) => {
    const [one, other] = [readTemplate(a) as Template, readTemplate(b) as Template];
    expect([canCoincide(one, other), canCoincide(other, one)]).toEqual([expected, expected]);
  });
});

describe('a rule that is not named', () => {
  it.each([
    [{ epsilon: 1 }, 'pure'],
    [{ epsilon: 1, delta: 1 }, null],
    [{ rho: 1 }, 'zcdp'],
    [{ rho: 1, delta: 1 }, 'approximate-zcdp'],
    [{ mu: 1 }, 'gdp'],
    [{ epsilon: 1, alpha: 2 }, 'rdp'],
    [{}, null],
  ])('follows from %j', (given, rule) => {
    expect(impliedRule(given)).toBe(rule);
  });
});

describe('ledgers that many ask for at once', () => {
  it('are made once, and grant no more than their budget', async () => {
    const store = memoryStore();
    const errors: InputError[] = [];
    const values = [
      { key: 'analyst', value: 'ann' },
      { key: 'day', value: '2026-03-02' },
    ];
    const ledgers = chargedLedgers(budgetsOf(ALL, ANALYSTS, DAYS), values, '--for', errors);
    expect(errors).toEqual([]);
    const mechanism = { type: 'dp', epsilon: new Decimal('0.1'), delta: new Decimal(0) } as const;
    const asked = { entries: [{ mechanism, count: 1, kind: 'noninteractive', label: null } as const] };
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const missing = await missingSoon(store, ledgers, 5);
        if ('kind' in missing) throw new Error(missing.fault.code);
        const absent = ledgers.filter(({ name }) => missing.includes(name));
        const there = await makeAll(store, absent, { version: '0', at: null });
        if (there.kind === 'failed') throw new Error(there.fault.code);
        const terms = ledgers.map(({ line }) => line.terms);
        const names = ledgers.map(({ name }) => name);
        const done = await spendIn(store, names, asked, { patience: 5, terms });
        if (done.kind === 'failed') throw new Error(done.fault.code);
        return { made: there.newNames, granted: done.value.every(({ decision }) => decision.kind === 'accepted') };
      }),
    );
    expect(answers.flatMap(({ made }) => made).sort()).toEqual(['all', 'analyst/ann', 'day/2026-03-02']);
    expect(answers.filter(({ granted }) => granted)).toHaveLength(5);
  });
});
