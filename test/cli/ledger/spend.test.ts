import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lock } from '../../../src/ledger/stores/file/lock-files.ts';
import { mistakes } from '../run.ts';
import { Desk, type DecisionDocument } from './desk.ts';

const desk = new Desk();
let made = 0;

/** The name of a new ledger. */
async function ledger(options: string): Promise<string> {
  const file = `${made++}.jsonl`;
  await desk.done(`init ${file} ${options}`);
  return file;
}

const asked = (command: string, file: string, rest: string, code = 0): Promise<DecisionDocument> =>
  desk.json<DecisionDocument>('ledger-decision', `${command} ${file} ${rest}`, code);

describe('dpcompose ledger spend', () => {
  it('records what fits, and says so', async () => {
    const file = await ledger('--epsilon 1 --id b');
    expect(await desk.done(`spend ${file} -m dp:epsilon=0.1,count=2 --label visits`)).toBe(
      'granted: mechanisms 1 to 2, in record 1. Used: epsilon 0.2 of 1 (20.0% of the budget).\n',
    );
    const answer = await asked('spend', file, '-m dp:epsilon=0.3');
    expect(answer).toMatchObject({
      granted: true,
      code: null,
      record: { number: 2 },
      mechanisms: { first: 3, last: 3 },
      after: { totals: { epsilon: 0.5 }, shares: { epsilon: 0.5 } },
    });
    const [header, first, second] = desk.lines(file);
    expect(first).toMatchObject({
      seq: 1,
      at: '2026-03-02T09:15:00Z',
      event: 'spend',
      mechanisms: [{ type: 'dp', epsilon: '0.1', count: 2, label: 'visits' }],
      totals: { launched: 2, spent: { epsilon: '0.2' }, halted: null },
      ledger: header?.hash,
      prev: header?.hash,
    });
    expect(second).toMatchObject({ seq: 2, prev: first?.hash, hash: answer.record?.hash });
  });

  it('refuses what does not, and leaves the file as it was', async () => {
    const file = await ledger('--epsilon 0.3');
    await desk.done(`spend ${file} -m dp:epsilon=0.1 -m dp:epsilon=0.1 -m dp:epsilon=0.1`);
    const before = desk.read(file);
    const { code, stdout, stderr } = await desk.type(`spend ${file} -m dp:epsilon=1e-9`);
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toBe(
      'denied: not enough budget: this would bring epsilon to 0.300000001; the limit is 0.3. Nothing remains for a mechanism of this kind.\n',
    );
    expect(await asked('spend', file, '-m dp:epsilon=1e-9', 1)).toMatchObject({
      granted: false,
      code: 'insufficient-budget',
      coordinate: 'epsilon',
      total: 0.300000001,
      limit: 0.3,
      record: null,
      mechanisms: null,
    });
    expect(desk.read(file)).toBe(before);
  });

  it('grants all mechanisms of one command, or none', async () => {
    const file = await ledger('--epsilon 1');
    expect(await desk.codes(`spend ${file} -m dp:epsilon=0.6 -m dp:epsilon=0.6`)).toEqual([1]);
    expect(desk.lines(file)).toHaveLength(1);
    expect(await asked('spend', file, '-m dp:epsilon=0.6 -m dp:epsilon=0.4')).toMatchObject({
      mechanisms: { first: 1, last: 2 },
    });
  });

  it('reads mechanisms from a document, whose labels are kept', async () => {
    const file = await ledger('--epsilon 1');
    const mechanisms = [
      { type: 'dp', epsilon: '0.1', label: 'own' },
      { type: 'dp', epsilon: '0.2' },
    ];
    desk.write('release.json', JSON.stringify({ dpcompose: 1, adaptivity: 'parameters', mechanisms }));
    await desk.done(`spend ${file} release.json --label common`);
    expect(desk.lines(file)[1]).toMatchObject({ mechanisms: [{ label: 'own' }, { label: 'common' }] });
    expect(await asked('check', file, 'release.json')).toMatchObject({ granted: true });
    const piped = await desk.type(`spend ${file} -`, { stdin: JSON.stringify({ dpcompose: 1, mechanisms }) });
    expect(piped.code).toBe(0);
  });

  it('takes guarantees for its own neighbours, against adversaries who choose along the way', async () => {
    const file = await ledger("--epsilon 1 --neighbours 'one patient'");
    const before = desk.read(file);
    const conversation = { type: 'dp', epsilon: '0.1', delta: 0, kind: 'interactive' };
    const write = (more: object, delta: number): void => {
      desk.write('said.json', JSON.stringify({ dpcompose: 1, mechanisms: [{ ...conversation, delta }], ...more }));
    };
    write({ neighbours: 'one visit' }, 0);
    for (const command of ['spend', 'check']) {
      expect(mistakes(await desk.type(`${command} ${file} said.json --json`))).toEqual([
        'neighbours: other-neighbours',
      ]);
    }
    for (const [more, delta, code] of [
      [{ adaptiveAdversary: false }, 1e-9, 'oblivious-guarantee'],
      [{ discrete: false }, 0, 'answers-not-discrete'],
      [
        { adaptivity: 'parameters', mechanisms: [{ type: 'group', mechanisms: [conversation] }] },
        0,
        'adaptive-parameters-in-parallel',
      ],
    ] as const) {
      write(more, delta);
      const refused = await desk.type(`spend ${file} said.json --json`);
      expect(refused.code).toBe(3);
      expect(JSON.parse(refused.stdout)).toMatchObject({ code });
    }
    expect(desk.read(file)).toBe(before);
    write({ neighbours: 'one patient', adaptiveAdversary: false }, 0);
    await desk.done(`spend ${file} said.json`);
  });

  it('takes no partition that leaves open how many parts a replaced record changes', async () => {
    const file = await ledger('--epsilon 3 --neighbours replace-one');
    const one = { type: 'dp', epsilon: '1' };
    const write = (more: object, sparsity: object = {}): void => {
      const mechanisms = [{ type: 'partition', of: [one, one, one], ...sparsity }];
      desk.write('rows.json', JSON.stringify({ dpcompose: 1, mechanisms, ...more }));
    };
    write({});
    for (const command of ['spend', 'check']) {
      expect(mistakes(await desk.type(`${command} ${file} rows.json --json`))).toEqual([
        'neighbours: other-neighbours',
      ]);
    }
    write({ neighbours: 'replace-one' });
    expect(await desk.done(`spend ${file} rows.json`)).toContain('Used: epsilon 2 of 3');
    write({}, { sparsity: 1 });
    expect(await desk.done(`spend ${file} rows.json`)).toContain('Used: epsilon 3 of 3');
  });

  it('charges a part as one continual mechanism, by its own theorem', async () => {
    const one = { type: 'dp', epsilon: '0.1', kind: 'continual' };
    const alarms = { type: 'parallel', sparsity: 2, instances: 'unbounded', of: one };
    const failing = { ...alarms, instances: 1000, of: { ...one, delta: '1e-9' } };
    const write = (more: object): void => {
      desk.write('parts.json', JSON.stringify({ dpcompose: 1, ...more }));
    };
    const file = await ledger('--rule basic --epsilon 1 --delta 1e-5');
    write({ mechanisms: [alarms, { type: 'group', mechanisms: [one, { ...one, count: 2 }] }] });
    expect((await asked('spend', file, 'parts.json')).after.totals).toMatchObject({ epsilon: 0.5, delta: 0 });
    expect(desk.lines(file).at(-1)).toMatchObject({
      mechanisms: [
        { type: 'dp', epsilon: '0.2', delta: '0', kind: 'continual', label: 'mechanisms[0]' },
        { count: 1 },
        { count: 2 },
      ],
    });
    write({ mechanisms: [failing] });
    expect(mistakes(await desk.type(`spend ${file} parts.json --json`))).toEqual(['mechanisms[0]: no-target']);
    write({ mechanisms: [failing], target: { delta: '1e-5' } });
    const { code, stdout } = await desk.type(`check ${file} parts.json --json`);
    expect([code, (JSON.parse(stdout) as { granted: boolean }).granted]).toEqual([0, true]);
    write({ mechanisms: [{ ...failing, instances: 'unbounded' }], target: { delta: '1e-5' } });
    const refused = await desk.type(`spend ${file} parts.json --json`);
    expect([refused.code, (JSON.parse(refused.stdout) as { code: string }).code]).toEqual([3, 'unbounded-approximate']);
    await desk.done(`verify ${file}`);
    const design = readFileSync('fixtures/designs/histogram.json', 'utf8');
    expect(mistakes(await desk.type(`spend ${file} - --json`, { stdin: design }))).toEqual([
      'design: conflicting-keys',
    ]);
  });

  it('ends a ledger that halts on excess', async () => {
    const file = await ledger('--rho 0.1 --terms on-excess=halt');
    await desk.done(`spend ${file} -m zcdp:rho=0.05`);
    const { code, stdout } = await desk.type(`spend ${file} -m zcdp:rho=1`);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^denied: not enough budget: .* The ledger has halted\.\n$/);
    expect(await asked('spend', file, '-m zcdp:rho=0', 1)).toMatchObject({
      code: 'halted',
      because: 'insufficient-budget',
    });
    expect(desk.lines(file).at(-1)).toMatchObject({ event: 'halt', mechanisms: [{ rho: '1' }] });
    await desk.done(`verify ${file}`);
  });

  it('counts mechanisms up to the limit, whatever budget there is', async () => {
    const file = await ledger('--epsilon 1 --terms max-mechanisms=2');
    expect(await desk.codes(...Array<string>(3).fill(`spend ${file} -m dp:epsilon=0`))).toEqual([0, 0, 1]);
    expect(await asked('spend', file, '-m dp:epsilon=0', 1)).toMatchObject({
      code: 'count-limit',
      limit: 2,
      launched: 2,
      wanted: 1,
    });
  });

  it('does not count what it cannot verify', async () => {
    const file = await ledger('--epsilon 1');
    const before = desk.read(file);
    for (const [mechanism, code] of [
      ['gaussian:sigma=1', 'wrong-measure'],
      ['dp:epsilon=0.1,delta=1e-9', 'positive-delta'],
    ]) {
      const wrong = await desk.type(`spend ${file} -m ${mechanism ?? ''} --json`);
      expect(wrong.code).toBe(2);
      expect(mistakes(wrong)).toEqual([`-m: ${code ?? ''}`]);
    }
    const unknown = await desk.type(`spend ${file} -m subsampled-gaussian:sigma=1 --json`);
    expect(unknown.code).toBe(3);
    expect(JSON.parse(unknown.stdout)).toMatchObject({ code: 'not-offered' });
    expect(mistakes(await desk.type(`spend ${file} -m dp:epsilo=1 --json`))).toEqual(['-m #1 epsilo: unknown-key']);
    expect(mistakes(await desk.type(`spend ${file} --json`))).toEqual(['SPEC: no-input']);
    expect(desk.read(file)).toBe(before);
  });

  it('goes on only from the record that was expected', async () => {
    const file = await ledger('--epsilon 1');
    const { hash } = desk.lines(file)[0] as { hash: string };
    await desk.done(`spend ${file} -m dp:epsilon=0.1 --expect ${hash.slice(0, 12)}`);
    const late = await desk.type(`spend ${file} -m dp:epsilon=0.1 --expect ${hash} --json`);
    expect(late.code).toBe(4);
    expect(mistakes(late)).toEqual([`${file}: changed`]);
    expect(desk.lines(file)).toHaveLength(2);
    expect(mistakes(await desk.type(`spend ${file} -m dp:epsilon=0.1 --expect abc --json`))).toEqual([
      '--expect: malformed-hash',
    ]);
  });

  it('waits for others, but not for ever', async () => {
    const file = await ledger('--epsilon 1');
    const held = openSync(join(desk.folder, file), 'a+');
    expect(await lock(held, 0)).toBeNull();
    const busy = await desk.type(`spend ${file} -m dp:epsilon=0.1 --wait 0 --json`);
    expect(busy.code).toBe(4);
    expect(mistakes(busy)).toEqual([`${file}: busy`]);
    // Who only reads waits for nobody.
    expect(await desk.codes(`check ${file} -m dp:epsilon=0.1`, `status ${file}`)).toEqual([0, 0]);
    const patient = desk.type(`spend ${file} -m dp:epsilon=0.1`);
    closeSync(held);
    expect((await patient).code).toBe(0);
  });

  it('notes the time that it is given, or none', async () => {
    const file = await ledger('--epsilon 1');
    await desk.done(`spend ${file} -m dp:epsilon=0.1 --at 2026-03-02T09:15+01:00`);
    await desk.done(`spend ${file} -m dp:epsilon=0.1 --at none`);
    await desk.done(`spend ${file} -m dp:epsilon=0.1`, { now: '2026-05-01T00:00:00.999Z' });
    expect(desk.lines(file).map(({ at }) => at)).toEqual([
      '2026-03-02T09:15:00Z',
      '2026-03-02T09:15+01:00',
      undefined,
      '2026-05-01T00:00:00Z',
    ]);
  });

  it('records nothing where the clock is years behind what the ledger has seen, unless that is said to be right', async () => {
    const file = await ledger('--epsilon 1');
    const ahead = { now: '2099-01-01T00:00:00Z' };
    const refused = await desk.type(`spend ${file} -m dp:epsilon=0.1 --json`, ahead);
    expect([refused.code, mistakes(refused)]).toEqual([4, [`${file}: clock-behind`]]);
    // A date is accepted as it is typed; whoever mistypes it learns what follows from that.
    const mistyped = await desk.type(`spend ${file} -m dp:epsilon=0.1 --at 2099-01-01`);
    expect([mistyped.code, mistyped.stderr]).toEqual([
      0,
      'warning: The record is dated 2099-01-01, more than a day ahead of the clock. Later commands without --at will be refused (clock-behind).\n',
    ]);
    for (const line of [
      `spend ${file} -m dp:epsilon=0.1`,
      `annotate ${file} --label x`,
      `reserve ${file} -m dp:epsilon=0.1`,
    ])
      expect(mistakes(await desk.type(`${line} --json`))).toEqual([`${file}: clock-behind`]);
    await desk.done(`spend ${file} -m dp:epsilon=0.1 --accept-clock -q`);
    await desk.done(`spend ${file} -m dp:epsilon=0.1 -q`);
    expect(desk.lines(file)).toHaveLength(4);
  });

  it('never writes its answer over a ledger, and has a place for it before it spends', async () => {
    const file = await ledger('--epsilon 1');
    expect(mistakes(await desk.type(`spend ${file} -m dp:epsilon=0.1 --json -o ${file}`))).toEqual([
      '--output: conflicting-options',
    ]);
    expect(mistakes(await desk.type(`export ${file} --json -o ./${file}`))).toEqual(['--output: conflicting-options']);
    expect(await desk.codes(`spend ${file} -m dp:epsilon=0.1 -o nowhere/answer.json`)).toEqual([74]);
    expect(desk.lines(file)).toHaveLength(1);
    await desk.done(`spend ${file} -m dp:epsilon=0.1 --json -o answer.json -q`);
    expect(JSON.parse(desk.read('answer.json'))).toMatchObject({ granted: true });
  });

  it('grants nothing after an unfinished record, until that was set aside', async () => {
    const file = await ledger('--epsilon 1');
    await desk.done(`spend ${file} -m dp:epsilon=0.1`);
    await desk.done(`spend ${file} -m dp:epsilon=0.2`);
    const torn = `${desk.read(file)}{"seq":3,"nonce":"`;
    desk.write(file, torn);
    expect(await desk.done(`verify ${file}`)).toMatch(/ or somebody truncated the ledger\./);
    const { code, stdout, stderr } = await desk.type(`spend ${file} -m dp:epsilon=0.4`);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toMatch(
      /^error: .*\.jsonl:4:1: record 3: the ledger ends with \d+ bytes of an incomplete record, .*"ledger recover"/s,
    );
    expect(desk.read(file)).toBe(torn);
    expect(await desk.done(`recover ${file} --label 'power cut'`)).toContain('record 3');
    expect(desk.lines(file)[3]).toMatchObject({ event: 'recover', label: 'power cut' });
    expect(await desk.done(`spend ${file} -m dp:epsilon=0.4`)).toContain('Used: epsilon 0.7 of 1');
    await desk.done(`verify ${file}`);
  });

  it('grants nothing after a record was cut from the end, also when the piece that is left was set aside, until that is adopted', async () => {
    const file = await ledger('--epsilon 1');
    await desk.done(`spend ${file} -m dp:epsilon=0.1`);
    await desk.done(`spend ${file} -m dp:epsilon=0.9`);
    desk.write(file, desk.read(file).slice(0, -50));
    const refuses = async (): Promise<void> => {
      for (const command of [`spend ${file} -m dp:epsilon=0.9`, `check ${file} -m dp:epsilon=0.9`, `status ${file}`]) {
        const { code, stdout, stderr } = await desk.type(command);
        expect([command, code, stdout, stderr]).toEqual([
          command,
          4,
          '',
          expect.stringContaining('records are missing'),
        ]);
      }
    };
    await refuses();
    await desk.done(`recover ${file}`);
    await refuses();
    expect((await desk.type(`verify ${file}`)).stderr).toContain('was recovered from fewer');
    await desk.done(`adopt ${file}`);
    expect(await desk.done(`spend ${file} -m dp:epsilon=0.2`)).toContain('Used: epsilon 0.3 of 1');
    expect(await desk.done(`verify ${file}`)).toContain('is intact');
  });

  it('finishes a whole record whose newline is missing, and says so', async () => {
    const file = await ledger('--epsilon 1');
    await desk.done(`spend ${file} -m dp:epsilon=0.1`);
    desk.write(file, desk.read(file).slice(0, -1));
    const { stdout, stderr } = await desk.type(`spend ${file} -m dp:epsilon=0.4`);
    expect(stderr).toMatch(/^note: .*\.jsonl ended with a record that its writer had not completed; it counts, /);
    expect(stdout).toContain('Used: epsilon 0.5 of 1');
  });

  it('charges nothing again under the same key, and nothing else under it', async () => {
    const file = await ledger('--epsilon 1');
    const line = `spend ${file} -m dp:epsilon=0.4 --key monday`;
    await desk.done(line);
    const before = desk.read(file);
    await desk.done(line);
    const other = `spend ${file} -m dp:epsilon=0.3 --key monday`;
    expect(await desk.codes(line, other)).toEqual([0, 2]);
    expect(desk.read(file)).toBe(before);
    expect(await desk.codes(line.replace('monday', 'tuesday'), line.replace('monday', 'friday'))).toEqual([0, 1]);
  });

  it('grants nothing from a copy, until somebody says that it goes on there', async () => {
    const [file, copy] = [await ledger('--epsilon 1'), 'copy.jsonl'];
    await desk.done(`spend ${file} -m dp:epsilon=0.4`);
    desk.write(copy, desk.read(file));
    const line = `spend ${copy} -m dp:epsilon=0.4`;
    const { code, stderr } = await desk.type(line);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error: copy\.jsonl: this is a copy: .*"ledger adopt"/);
    await desk.done(`adopt ${copy} --label 'moved to a new disk'`);
    expect(await desk.codes(line)).toEqual([0]);
    expect(desk.lines(copy)[2]).toMatchObject({ event: 'adopt', label: 'moved to a new disk' });
  });

  it('has nothing to be said of it where it is at home already', async () => {
    const file = await ledger('--epsilon 1');
    const before = desk.read(file);
    const { code, stdout } = await desk.type(`adopt ${file}`);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is already active here')]);
    expect(JSON.parse(await desk.done(`adopt ${file} --json`))).toMatchObject({ record: null });
    expect(desk.read(file)).toBe(before);
  });

  it('is colourless in a pipe and quiet when asked', async () => {
    const file = await ledger('--epsilon 1');
    expect(await desk.type(`spend ${file} -m dp:epsilon=0.1 -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await desk.type(`spend ${file} -m dp:epsilon=9 -q`)).toEqual({ code: 1, stdout: '', stderr: '' });
  });
});

describe('dpcompose ledger check', () => {
  it('says what spend would say, and records nothing', async () => {
    const file = await ledger('--epsilon 1 --terms on-excess=halt');
    const before = desk.read(file);
    expect(await desk.done(`check ${file} -m dp:epsilon=0.4`)).toBe(
      'fits: with mechanism 1, the ledger would have used epsilon 0.4 of 1 (40.0% of the budget).\nNothing was recorded. Only "ledger spend" authorizes.\n',
    );
    expect(await asked('check', file, '-m dp:epsilon=0.4')).toMatchObject({ granted: true, record: null });
    expect(await asked('check', file, '-m dp:epsilon=2', 1)).toMatchObject({
      granted: false,
      ledger: { halted: null },
    });
    expect(desk.read(file)).toBe(before);
  });

  it('A-30: two who both check may both be told yes, and one of them spends', async () => {
    const file = await ledger('--epsilon 1 --rule basic --delta 0');
    const line = `${file} -m dp:epsilon=0.6`;
    expect(await desk.codes(`check ${line}`, `check ${line}`, `spend ${line}`, `spend ${line}`)).toEqual([0, 0, 0, 1]);
  });
});

describe('the worked cases, through the file', () => {
  it('A-04: of launches of 0.01 within (1, 1e-6), 349 are granted and the 350th is not', async () => {
    const file = await ledger('--epsilon 1 --delta 1e-6 --rule approximate-dp');
    const line = `spend ${file} -m dp:epsilon=0.01 --at none`;
    const codes = await desk.codes(...Array<string>(350).fill(line));
    expect(codes).toEqual([...Array<number>(349).fill(0), 1]);
    expect(await desk.done(`verify ${file}`)).toMatch(/is intact: 349 records/);
  });

  it.each([
    ['refuse', [0, 0, 0, 0, 1, 0]],
    ['halt', [0, 0, 0, 0, 1, 1]],
  ])('A-10 and A-11: the trace within (2, 1e-5), where the ledger is to %s', async (onExcess, codes) => {
    const file = await ledger(
      `--epsilon 2 --delta 1e-5 --rule approximate-dp --terms delta-prime=5e-6 --terms on-excess=${onExcess}`,
    );
    const launches = ['0.1', '0.2,delta=1e-6', '0.3,delta=1e-6', '0.1,delta=3e-6', '0.05,delta=1e-6', '0.04'];
    const said: DecisionDocument[] = [];
    for (const [i, epsilon] of launches.entries()) {
      said.push(await asked('spend', file, `-m dp:epsilon=${epsilon}`, codes[i] ?? 0));
    }
    const readings = said.map(({ after }) => after.spent.epsilon!.toFixed(8));
    expect(readings.slice(0, 4)).toEqual(['0.49908648', '1.12981096', '1.91870234', '1.98858872']);
    expect(readings.at(-1)).toBe(onExcess === 'refuse' ? '1.99956746' : '1.98858872');
    expect(said.map(({ after }) => after.totals.delta).slice(0, 4)).toEqual([5e-6, 6e-6, 7e-6, 1e-5]);
    expect(said.at(-1)?.code).toBe(onExcess === 'refuse' ? null : 'halted');
  });
});

describe('an answer that cannot be written', () => {
  const broken = { code: 'ENOSPC', message: 'ENOSPC: no space left on device, write' };
  const full = 'dpcompose: standard output cannot be written: no space left on device';
  const told = (line: string) => desk.type(line, { broken });
  const lastHash = (file: string) => String(desk.lines(file).at(-1)?.hash);

  it('is said to have been recorded, if it was, with the record that says so', async () => {
    expect(await told('init unheard.jsonl --epsilon 1 --terms on-excess=halt')).toMatchObject({
      code: 74,
      stderr: `${full}; unheard.jsonl WAS created, with the hash ${lastHash('unheard.jsonl')}.\n`,
    });
    const recorded = (number: number): string =>
      `${full}; it WAS recorded, as record ${number}, hash ${lastHash('unheard.jsonl')}.\n`;
    const lines = [
      'spend unheard.jsonl -m dp:epsilon=0.1,kind=interactive',
      'spend unheard.jsonl -m dp:epsilon=0.1 --json',
      'nest unheard.jsonl heard.jsonl --epsilon 0.1',
      'annotate unheard.jsonl --label a',
      'annotate unheard.jsonl --label b --json',
    ];
    for (const [i, line] of lines.entries()) {
      const { code, stderr } = await told(line);
      expect({ line, code, stderr }).toEqual({ line, code: 74, stderr: recorded(i + 1) });
    }
    expect((await told('spend unheard.jsonl -m dp:epsilon=9')).stderr).toBe(
      recorded(6).replace('it WAS', 'the denial, which halted the ledger, WAS'),
    );
    await desk.done('verify unheard.jsonl');
  });

  it('is said to have ended the ledger, if it did', async () => {
    await desk.done('init ended.jsonl --rho 1 --terms conversions=allowed');
    expect((await told('convert ended.jsonl going.jsonl')).stderr).toBe(
      `${full}; it WAS recorded, as record 1, hash ${lastHash('ended.jsonl')}.\n`,
    );
    await desk.done('spend going.jsonl -m zcdp:rho=2');
  });

  it('is not said to have been recorded where nothing was', async () => {
    await desk.done('init nothing.jsonl --epsilon 1');
    for (const line of ['spend nothing.jsonl -m dp:epsilon=9', 'check nothing.jsonl -m dp:epsilon=0.1']) {
      expect(await told(line)).toMatchObject({ code: 74, stderr: `${full}\n` });
    }
    expect(desk.lines('nothing.jsonl')).toHaveLength(1);
  });
});
