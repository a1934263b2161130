import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes } from '../run.ts';
import { Desk } from './desk.ts';

const desk = new Desk();

/** A ledger that some people have used for a week. */
beforeAll(async () => {
  const world = { now: '2026-03-06T12:00:00Z' };
  await desk.done('init week.jsonl --epsilon 1 --delta 1e-6 --rule zcdp-optimal --id week --at 2026-03-02', world);
  await desk.done('spend week.jsonl -m dp:epsilon=0.1,count=2 --label visits --at 2026-03-02T09:15Z', world);
  await desk.done(
    "spend week.jsonl -m dp:epsilon=0.05,kind=interactive --label 'sparse vector' --at 2026-03-03",
    world,
  );
  await desk.done('annotate week.jsonl --label above-100? --at 2026-03-03', world);
  await desk.done('spend week.jsonl -m dp:epsilon=0.1 --label visits --at 2026-03-04', world);
  await desk.done('spend week.jsonl -m laplace:scale=25 --at 2026-03-05', world);
  await desk.done('annotate week.jsonl --label reviewed --at 2026-03-06', world);
});

const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

describe('dpcompose ledger status', () => {
  it('shows the budget as a bar, what was spent on what, and what is left', async () => {
    const text = await desk.done('status week.jsonl');
    expect(text).toMatch(/^week\.jsonl: a filter of \(1, 1e-6\)-DP by zcdp-optimal: /);
    expect(text).toMatch(/\nid week, 6 records, last 2026-03-06, hash [0-9a-f]{12}\n/);
    expect(text).toMatch(/\nrho {2}\[#+\.+\] {2,4}\d+\.\d%\n/);
    expect(text).toMatch(/\nUsed: epsilon 0\.8\d+ of 1 at delta 1e-6\.\n/);
    expect(text).toMatch(
      /\nused for +mechanisms +share of budget +last\nvisits +3 +61\.\d% +2026-03-04\nsparse vector +1 +5\.\d% +2026-03-03\nlaplace:scale=25,sensitivity=1 +1 +3\.\d% +2026-03-05\n/,
    );
    expect(text).toMatch(
      /\nRemaining: one mechanism of epsilon up to 0\.1\d+, or 9 more like the last \(laplace:scale=25,sensitivity=1\)\.\n/,
    );
  });

  it('tells a program the same', async () => {
    expect(await desk.json('ledger-status', 'status week.jsonl')).toMatchObject({
      ledger: { id: 'week', records: 6, madeAt: '2026-03-02', lastAt: '2026-03-06', unfinished: 0 },
      launched: 5,
      guarantee: { type: 'dp', epsilon: 1, delta: 1e-6 },
      items: [{ what: 'visits', mechanisms: 3 }, { what: 'sparse vector' }, { what: 'laplace:scale=25,sensitivity=1' }],
      caveats: [{ code: 'budget-is-the-guarantee' }, { code: 'adaptive-adversaries' }],
    });
  });

  it('is asked for as JSON like everything else', async () => {
    const { stdout } = await desk.type('status week.jsonl --json');
    expect((await desk.type('status week.jsonl --format json')).stdout).toBe(stdout);
    expect((await desk.type('status week.jsonl --format text')).stdout).toBe(await desk.done('status week.jsonl'));
    expect(mistakes(await desk.type('status week.jsonl --json --format text'))).toEqual([
      '--format: conflicting-options',
    ]);
    expect((await desk.type('status week.jsonl --format xml')).code).toBe(2);
  });

  it.each([120, 80, 60, 40])('fits a terminal of %d columns', async (columns) => {
    const { stdout } = await desk.type('status week.jsonl', { terminal: true, columns, env: { NO_COLOR: '1' } });
    expect(widest(stdout)).toBeLessThanOrEqual(columns);
    expect(stdout).toContain('visits');
  });

  it('draws with blocks and in colour where the terminal has them, and in ASCII elsewhere', async () => {
    const shown = async (env: Record<string, string>, terminal = true) =>
      (await desk.type('status week.jsonl', { terminal, columns: 80, env })).stdout;
    const utf8 = { LANG: 'en_GB.UTF-8' };
    expect((await shown(utf8)).replaceAll('\u001b', '^')).toMatch(/\^\[32m█+.?\^\[39m\^\[2m░+\^\[22m/);
    expect(await shown({ ...utf8, NO_COLOR: '1' })).toMatch(/rho {2}█+.?░+ /);
    expect(await shown({ LANG: 'C', NO_COLOR: '1' })).toMatch(/rho {2}\[#+\.+\] /);
    expect(await shown({ ...utf8, LC_ALL: 'C', TERM: 'dumb' })).toMatch(/rho {2}\[#+\.+\] /);
    expect(await shown(utf8, false)).toMatch(/rho {2}\[#+\.+\] /);
  });

  it('does not let a label drive the terminal', async () => {
    await desk.done('init label.jsonl --epsilon 1');
    desk.write(
      'label.json',
      JSON.stringify({
        dpcompose: 1,
        mechanisms: [{ type: 'dp', epsilon: '0.1', label: '\u001b[31mred\nand long'.padEnd(300, '!') }],
      }),
    );
    await desk.done('spend label.jsonl label.json');
    const text = await desk.done('status label.jsonl');
    expect(text).not.toContain('\u001b');
    expect(text).toContain('\\u001b[31mred\\u000aand long!!!');
    expect(widest(text.split('mechanism')[1] ?? '')).toBeLessThan(130);
  });

  it('says of a new ledger that nothing was launched', async () => {
    await desk.done('init new.jsonl --rho 0.1');
    expect(await desk.done('status new.jsonl')).toMatch(
      /No mechanism has been launched\.\n\nRemaining: one mechanism of rho up to 0\.1\.\n/,
    );
  });
});

describe('dpcompose ledger loss', () => {
  it('tells the loss in the measure of the rule, and as what it is (epsilon, delta)-DP', async () => {
    await desk.done('init loss.jsonl --rho 0.1');
    await desk.done('spend loss.jsonl -m zcdp:rho=0.02 -m zcdp:rho=0.03');
    expect(await desk.done('status loss.jsonl --at-delta 1e-6')).toContain(
      'Loss so far: rho 0.05, which is (1.471594751, 1e-6)-DP.\nGuarantee: 0.1-zCDP, which is (2.141938929, 1e-6)-DP.\n\nThe guarantee is the full budget, even if less has been spent.\nAssumed of interactive and continual mechanisms: guarantees hold against adaptive adversaries.\n',
    );
    expect(await desk.json('ledger-status', 'status loss.jsonl --at-epsilon 1')).toMatchObject({
      loss: {
        spent: { type: 'zcdp', rho: 0.05 },
        converted: { guarantee: { epsilon: 1, delta: { upper: expect.any(Number) as number } } },
      },
    });
  });

  it('of several numbers is not converted along the path that was taken, but the budget is', async () => {
    await desk.done('init curve.jsonl --mode odometer --rule rdp-curve --terms orders=3;33');
    await desk.done('spend curve.jsonl -m gaussian:sigma=4');
    for (const asked of ['--at-delta 1e-6', '--at-epsilon 1']) {
      const { code, stdout } = await desk.type(`status curve.jsonl ${asked} --json`);
      expect(code).toBe(3);
      expect(violations('refusal', stdout)).toEqual([]);
      expect(JSON.parse(stdout)).toMatchObject({ code: 'several-coordinates' });
    }
    expect(await desk.done('status curve.jsonl --distance 1')).toContain('\nLoss so far: ');
    await desk.done('init two.jsonl --rule basic --epsilon 1 --delta 1e-6');
    await desk.done('spend two.jsonl -m dp:epsilon=0.1');
    expect(await desk.done('status two.jsonl --at-delta 1e-5')).toMatch(
      /\nLoss so far: epsilon 0\.1\.\nGuarantee: \(1, 1e-6\)-DP, which is \(0\.\d+, 1e-5\)-DP\.\n/,
    );
    expect(await desk.json('ledger-status', 'status two.jsonl --at-delta 1e-5')).toMatchObject({
      loss: {
        converted: { spent: null, guarantee: { delta: 1e-5 } },
        caveats: expect.arrayContaining([expect.objectContaining({ code: 'spent-not-converted' })]) as unknown[],
      },
    });
    expect((await desk.type('status two.jsonl --at-delta 1e-5 --distance 2')).code).toBe(3);
  });

  it('tells it at deltas below that of the ledger, by the rho that was recorded', async () => {
    const text = await desk.done('status week.jsonl --at-delta 1e-8');
    expect(text).toMatch(/\nLoss so far: epsilon 0\.8\d+ and delta 1e-6, which is \(0\.99\d+, 1e-8\)-DP\.\n/);
    expect(text).toMatch(/\nGuarantee: \(1, 1e-6\)-DP, which is \(1\.2\d+, 1e-8\)-DP\.\n/);
    await desk.done(
      'init many.jsonl --mode compositor --rule dp-optimal --epsilon 5 --delta 1e-6 -m dp:epsilon=0.1,count=100',
    );
    expect(await desk.done('status many.jsonl --at-delta 1e-8')).toMatch(
      /Guarantee: \(5, 1e-6\)-DP, which is \(5\.\d+, 1e-8\)-DP\./,
    );
  });

  it('says why no epsilon follows at a delta that its mechanisms may use up', async () => {
    await desk.done('init share.jsonl --rule zcdp-optimal --epsilon 1 --delta 1e-6 --terms delta-prime=5e-7');
    expect(await desk.done('status share.jsonl --at-delta 1e-8')).toMatch(
      /which is \(infinity, 1e-8\)-DP\.\n[^]*\nNo finite epsilon follows at this delta: /,
    );
    expect(await desk.json('ledger-status', 'status share.jsonl --at-delta 1e-8')).toMatchObject({
      loss: {
        converted: { spent: { epsilon: { lower: null, upper: 'Infinity' } } },
        caveats: expect.arrayContaining([expect.objectContaining({ code: 'no-finite-epsilon' })]) as unknown[],
      },
    });
  });

  it.each([
    ['A-17, pure', '--epsilon 9', 'dp:epsilon=0.5', 'epsilon 1'],
    ['A-17, zCDP', '--rho 9', 'gaussian:sigma=2', 'rho 0.5'],
    ['A-17, Renyi', '--epsilon 9 --terms alpha=3', 'gaussian:sigma=1', 'Renyi epsilon 6 at order 3'],
  ])('takes every map at the distance that is asked for: %s', async (_, options, mechanism, expected) => {
    const file = `map-${expected.length}.jsonl`;
    await desk.done(`init ${file} ${options}`);
    await desk.done(`spend ${file} -m ${mechanism}`);
    expect(await desk.done(`status ${file} --distance 2`)).toMatch(`Loss so far at distance 2: ${expected}.\n`);
  });

  it('does not guess', async () => {
    expect(mistakes(await desk.type('status week.jsonl --distance 0 --json'))).toEqual(['--distance: out-of-range']);
    expect(mistakes(await desk.type('status week.jsonl --at-delta 2 --json'))).toEqual(['--at-delta: out-of-range']);
    await desk.done('init renyi.jsonl --epsilon 9 --terms alpha=3');
    await desk.done('spend renyi.jsonl -m rdp:alpha=3,epsilon=1');
    const { code, stdout } = await desk.type('status renyi.jsonl --distance 2 --json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'no-map' });
  });

  it('refuses another distance where a ledger is nested, and in a compositor', async () => {
    await desk.done('init parent.jsonl --rho 0.1');
    await desk.done('nest parent.jsonl child.jsonl --rho 0.01');
    await desk.done('init declared.jsonl --mode compositor --rule basic --epsilon 1 --delta 0 -m dp:epsilon=0.5');
    await desk.done('spend declared.jsonl -m dp:epsilon=0.5');
    const reasons: readonly (readonly [string, RegExp])[] = [
      [
        'parent.jsonl',
        /^refused: no guarantee is known .* nested in this one: .* create ledgers with that --terms distance\.\n/,
      ],
      [
        'declared.jsonl',
        /^refused: no guarantee is known .* compositor: .* create a compositor with that --terms distance\.\n/,
      ],
    ];
    for (const [file, reason] of reasons) {
      const { code, stderr } = await desk.type(`status ${file} --distance 2`);
      expect(code).toBe(3);
      expect(stderr).toMatch(reason);
      expect(violations('refusal', (await desk.type(`status ${file} --distance 2 --json`)).stdout)).toEqual([]);
      expect(await desk.done(`status ${file} --distance 1`)).toContain('\nLoss so far: ');
    }
  });
});

describe('dpcompose ledger remaining', () => {
  it('A-06: tells the largest next epsilon, rounded down', async () => {
    await desk.done('init next.jsonl --epsilon 1 --delta 1e-6 --rule approximate-dp');
    await desk.done('spend next.jsonl -m dp:epsilon=0.1');
    expect(await desk.done('status next.jsonl --next dp')).toContain('\nNext dp: epsilon at most 0.157917097.\n');
    const { remaining } = await desk.json<{ remaining: { value: number; exact: string }[] }>(
      'ledger-status',
      'status next.jsonl --next dp',
    );
    const { value, exact } = remaining[0]!;
    expect(value).toBeCloseTo(0.1579170970422356, 15);
    const checks = [value, exact, '0.157917098'].map((epsilon) => `check next.jsonl -m dp:epsilon=${epsilon}`);
    expect(await desk.codes(...checks)).toEqual([0, 0, 1]);
  });

  it('tells how many more of a size fit, and the least noise', async () => {
    const line = 'status week.jsonl -m dp:epsilon=0.01 --next laplace:sensitivity=2 --next gaussian';
    const text = await desk.done(line);
    expect(text).toMatch(
      /\nNext laplace with sensitivity 2: scale at least \d+\.\d+\.\nNext gaussian: sigma at least \d+\.\d+\.\n\d+ more of dp:epsilon=0\.01\.\n/,
    );
    const count = / ?(\d+) more of/.exec(text)?.[1] ?? '';
    const checked = [Number(count), Number(count) + 1].map((each) =>
      desk.type(`check week.jsonl -m dp:epsilon=0.01,count=${each}`, { now: '2026-03-31T12:00:00Z' }),
    );
    expect((await Promise.all(checked)).map(({ code }) => code)).toEqual([0, 1]);
    expect(await desk.json('ledger-status', line)).toMatchObject({
      remaining: [
        { form: 'next', parameter: 'scale' },
        { form: 'next', parameter: 'sigma' },
        { form: 'how-many', count: Number(count), exact: count },
      ],
    });
  });

  it.each([
    ['--next foo', '--next: unknown-type'],
    ['--next dp:epsilon=1', '--next: conflicting-keys'],
    ['--next laplace:sensitivity=-1', '--next sensitivity: out-of-range'],
    ['-m dp:epsilon=x', '-m #1 epsilon: not-a-number'],
    ['--next zcdp:rh=1', '--next rh: unknown-key'],
  ])('does not understand %s', async (question, mistake) => {
    const wrong = await desk.type(`status week.jsonl ${question} --json`);
    expect(wrong.code).toBe(2);
    expect(mistakes(wrong)).toEqual([mistake]);
  });

  it('is not for odometers', async () => {
    await desk.done('init count.jsonl --mode odometer --rule zcdp');
    expect(mistakes(await desk.type('status count.jsonl --next dp --json'))).toEqual(['count.jsonl: no-budget']);
  });
});

describe('dpcompose ledger verify and replay', () => {
  it('find nothing wrong with what this program wrote', async () => {
    expect(await desk.done('verify week.jsonl')).toMatch(
      /^week\.jsonl is intact: 6 records, unchanged; every grant was allowed by the rule\. Hash [0-9a-f]{64}\.\n$/,
    );
    expect(await desk.json('ledger-verify', 'verify week.jsonl')).toMatchObject({ sound: true, records: 6, flaws: [] });
    expect(await desk.done('verify --replay week.jsonl')).toMatch(
      /\nweek\.jsonl: 6 records decided again, as recorded\. In the end: epsilon 0\.8\d+ of 1 at delta 1e-6\.\n$/,
    );
    const { steps } = await desk.json<{ steps: { what: string }[] }>('ledger-replay', 'verify --replay week.jsonl');
    expect(steps.map(({ what }) => what)).toEqual([
      'visits',
      'sparse vector',
      'above-100?',
      'visits',
      'laplace:scale=25,sensitivity=1',
      'reviewed',
    ]);
    expect(await desk.done('verify --replay week.jsonl')).toMatch(
      /\n3 +2026-03-03 +note +3 +epsilon 0\.\d+ at delta 1e-6 +above-100\?\n/,
    );
  });

  it('tell the line, the record and what is wrong with it', async () => {
    desk.write('cheap.jsonl', desk.read('week.jsonl').replace('"epsilon":"0.05"', '"epsilon":"0.01"'));
    const { code, stdout, stderr } = await desk.type('verify cheap.jsonl');
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^error: cheap\.jsonl:3:1: record 2: the content of the record was changed: the next record confirms its hash/,
    );
    expect(await desk.json('ledger-verify', 'verify cheap.jsonl', 4)).toMatchObject({
      sound: false,
      flaws: [{ code: 'damaged-record', what: 'wrong-hash', record: 2, line: 3 }],
    });
    const replay = await desk.type('verify --replay cheap.jsonl --json');
    expect(replay.code).toBe(4);
    expect(mistakes(replay)).toEqual(['record 2: damaged-record']);
    expect(await desk.codes('status cheap.jsonl', 'export cheap.jsonl')).toEqual([4, 4]);
  });

  it('find that the end was cut off where a hash was noted before', async () => {
    const hash = String(desk.lines('week.jsonl').at(-1)?.hash);
    await desk.done(`verify week.jsonl --contains ${hash.slice(0, 16)}`);
    desk.write('short.jsonl', `${desk.read('week.jsonl').split('\n').slice(0, -2).join('\n')}\n`);
    await desk.done('verify short.jsonl --copy');
    expect((await desk.type(`verify short.jsonl --copy --contains ${hash}`)).stderr).toMatch(
      /^error: short\.jsonl: no record has the hash /,
    );
    expect(await desk.json('ledger-verify', `verify short.jsonl --copy --contains ${hash}`, 4)).toMatchObject({
      sound: false,
      contains: { hash, found: false },
    });
  });
});

describe('dpcompose ledger export', () => {
  it('is comma-separated values for a spreadsheet, with nothing that one would run', async () => {
    await desk.done('init csv.jsonl --epsilon 1 --id csv');
    desk.write(
      'csv.json',
      JSON.stringify({
        dpcompose: 1,
        mechanisms: [
          { type: 'dp', epsilon: '0.1', label: '=1+1,"x"' },
          { type: 'dp', epsilon: '0.2', count: 3 },
        ],
      }),
    );
    await desk.done('spend csv.jsonl csv.json --at none');
    const [header, first, second, end] = (await desk.done('export csv.jsonl --format csv')).split('\r\n');
    expect(header).toBe(
      'record,at,event,code,actor,key,label,type,parameters,kind,count,first,last,evidence,totals.launched,totals.spent.epsilon,totals.halted,hash',
    );
    expect(first).toMatch(/^1,,spend,,,,"'=1\+1,""x""",dp,epsilon=0\.1,noninteractive,1,1,1,,4,0\.7,,[0-9a-f]{64}$/);
    expect(second).toMatch(/^1,,spend,,,,,dp,epsilon=0\.2,noninteractive,3,2,4,,4,0\.7,,[0-9a-f]{64}$/);
    expect(end).toBe('');
  });

  it('is one JSON document of all records', async () => {
    const { rows } = await desk.json<{ rows: { event: string }[] }>('ledger-export', 'export week.jsonl');
    expect(rows.map(({ event }) => event)).toEqual(['spend', 'spend', 'note', 'spend', 'spend', 'note']);
    expect(mistakes(await desk.type('export week.jsonl --format csv --json'))).toEqual([
      '--format: conflicting-options',
    ]);
    expect(mistakes(await desk.type('export week.jsonl --format xml --json'))).toEqual(['--format: unknown-value']);
  });
});

describe('a ledger to which nothing was added', () => {
  it('is exported in every format', async () => {
    await desk.done('init empty.jsonl --epsilon 1 --at 2026-03-02');
    for (const format of ['csv', 'json']) {
      expect(await desk.codes(`export empty.jsonl --format ${format}`)).toEqual([0]);
    }
  });
});
