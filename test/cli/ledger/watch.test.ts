import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Desk } from './desk.ts';

const desk = new Desk();

beforeAll(async () => {
  await desk.done('store init team');
  await desk.done('init budget --store team --epsilon 1 --id b --at 2026-03-01 -q');
  await desk.done('spend budget --store team -m dp:epsilon=0.2 --at 2026-03-02 -q');
  await desk.done('nest budget child --store team --epsilon 0.3 --id c --at 2026-03-03 -q');
  await desk.done('spend child --store team -m dp:epsilon=0.15,count=2 --at 2026-03-04 -q');
  await desk.done(`init 'a"b\\c' --store team --rho 0.1 --on-excess halt --at none -q`);
  await desk.type(`spend 'a"b\\c' --store team -m zcdp:rho=1 --at none -q`);
});

interface Row {
  readonly file: string;
  readonly state: string;
  readonly parent: string | null;
  readonly below: object | null;
  readonly shares?: object;
}

describe('the status of a store', () => {
  it('shows what a ledger paid for under it, and what was used of that', async () => {
    const { ledgers } = await desk.json<{ ledgers: Row[] }>('ledger-list', 'status --store team');
    expect(ledgers.map(({ file, parent, state }) => [file, parent, state])).toEqual([
      ['a"b\\c', null, 'halted'],
      ['budget', null, 'open'],
      ['child', 'budget', 'open'],
    ]);
    expect(ledgers[1]).toMatchObject({
      shares: { epsilon: 0.5 },
      below: { ledgers: 1, launched: 2, lastAt: '2026-03-04' },
    });
    expect(ledgers[2]).toMatchObject({ shares: { epsilon: 1 }, below: null, origin: 'nested' });
    const table = await desk.done('status --store team');
    expect(table).toMatch(/^budget +1-DP +50\.0% +2 +2 mechanisms in 1 ledger +2026-03-04 +open +epsilon 0\.5$/m);
    expect(table).toMatch(/^ {2}child +0\.3-DP +100\.0% +2 +2026-03-04 +open +epsilon 0\.3$/m);
    expect(await desk.done('status --store team --format markdown')).toContain('| budget | 1-DP | 50.0% |');
  });

  it('shows a ledger that cannot be read as such, and not what is no ledger', async () => {
    mkdirSync(join(desk.folder, 'mixed'));
    desk.write('mixed/note.jsonl', '{"hello":1}\n');
    desk.write('mixed/good.jsonl', desk.read('team/budget.jsonl'));
    desk.write(
      'mixed/bad.jsonl',
      desk.read('team/budget.jsonl').replace('"at":"2026-03-03","event"', '"at":"2026-03-09","event"'),
    );
    const { ledgers } = await desk.json<{ ledgers: Row[] }>('ledger-list', 'status --store mixed');
    expect(ledgers.map(({ file }) => file)).toEqual(['bad', 'good']);
    expect(ledgers[0]!.state).toBe('damaged-record');
    expect(await desk.done('store list mixed')).toBe('bad\ngood\n');
  });
});

// The grammar of https://prometheus.io/docs/instrumenting/exposition_formats/, line by line.
const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\[\\\\"n])*"';
const VALUE = '(?:[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?|[+-]Inf|NaN)';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{((?:${LABEL})(?:,${LABEL})*)?\\})? (${VALUE})$`);

describe('the metrics', () => {
  it('are in the text format, each family once with its type before its values', async () => {
    const text = await desk.done('status --store team --format prometheus');
    expect(text.endsWith('\n')).toBe(true);
    const types = new Map<string, string>();
    const samples = new Map<string, string>();
    let family = '';
    for (const line of text.trimEnd().split('\n')) {
      const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
      if (kind === 'HELP') {
        expect(types.has(name)).toBe(false);
        family = name;
      } else if (kind === 'TYPE') {
        expect([family, rest]).toEqual([name, expect.stringMatching(/^(gauge|counter)$/)]);
        types.set(name, rest);
      } else {
        const [, metric, labels = '', value = ''] = SAMPLE.exec(line) ?? [line];
        expect([line, metric]).toEqual([line, family]);
        expect(samples.has(`${metric}{${labels}}`)).toBe(false);
        samples.set(`${metric}{${labels}}`, value);
      }
    }
    expect(samples.get('dpcompose_ledger_spent_ratio{ledger="budget",coordinate="epsilon"}')).toBe('0.5');
    expect(samples.get('dpcompose_ledger_epsilon_spent{ledger="child"}')).toBe('0.3');
    expect(samples.get('dpcompose_ledger_epsilon_budget{ledger="budget"}')).toBe('1');
    expect(samples.get('dpcompose_ledger_records_total{ledger="budget"}')).toBe('2');
    expect(samples.get('dpcompose_ledger_halted{ledger="a\\"b\\\\c"}')).toBe('1');
    expect(samples.get('dpcompose_ledger_last_record_timestamp_seconds{ledger="budget"}')).toBe(
      String(Date.UTC(2026, 2, 3) / 1000),
    );
    expect(samples.has('dpcompose_ledger_last_record_timestamp_seconds{ledger="a\\"b\\\\c"}')).toBe(false);
  });
});

describe('the drawing of a ledger', () => {
  it('has a line for each total, and a cross where it halted', async () => {
    const drawn = await desk.done('status budget --store team --format svg');
    expect(drawn).toMatch(/^<svg /);
    expect(drawn).toContain('>time (UTC)</text>');
    expect(drawn.match(/<path class="line c\d"/g)?.length).toBeGreaterThanOrEqual(1);
    const halted = await desk.done(`status 'a"b\\c' --store team --format svg`);
    expect(halted).toContain('A cross marks a request that did not fit');
    expect(halted).toContain('>record</text>');
    expect(await desk.codes('status --store team --format svg', 'status')).toEqual([2, 2]);
  });
});
