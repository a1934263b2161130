import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Io } from '../../../src/cli/kit/io.ts';
import { makeRun, openRun } from '../../../src/cli/lazy/run-file.ts';
import { takeLosses } from '../../../src/cli/lazy/run-losses.ts';
import { epsilonOfCapped, epsilonOfRun } from '../../../src/learning/run/run-guarantee.ts';
import { NO_ANSWERS, NOTHING_TAKEN, type RunHeader } from '../../../src/learning/run/run-state.ts';
import { Decimal } from '../../../src/numeric/decimal.ts';
import { answerText } from '../../../src/output/lazy/run.ts';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type Run, type World } from '../run.ts';

const folder = mkdtempSync(join(tmpdir(), 'dpcompose-run-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Status {
  readonly input: {
    readonly batch: number;
    readonly eta: number | null;
    readonly c: number | null;
    readonly learner: string;
    readonly cap: number | null;
  };
  readonly guarantee: { readonly epsilon: number; readonly delta: number } | null;
  readonly budget: { readonly epsilon: number };
  readonly round: number | null;
  readonly expert: number | null;
  readonly name: string | null;
  readonly resampled: number;
  readonly instead: { readonly id: string; readonly regret: { readonly upper: number } } | null;
  readonly beyondCap: { readonly lower: number; readonly upper: number } | null;
  readonly regret: { readonly safe: { readonly upper: number } };
  readonly ledger: { readonly name: string } | null;
}

interface Answer {
  readonly round: number;
  readonly expert: number | null;
  readonly name: string | null;
}

const typed = (line: string, world: World = {}): Promise<Run> => run(line.split(' '), { cwd: folder, ...world });
const lazyRun = (line: string, stdin = ''): Promise<Run> => typed(`lazy run ${line}`, { stdin });

async function done(line: string, stdin = ''): Promise<string> {
  const { code, stdout, stderr } = await lazyRun(line, stdin);
  expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
  return stdout;
}

async function status(file: string): Promise<Status> {
  const text = await done(`${file} --status --json`);
  expect(violations('lazy', text)).toEqual([]);
  return JSON.parse(text) as Status;
}

/** The answers to lines of losses. */
async function answers(line: string, stdin: string): Promise<Answer[]> {
  const text = await done(`${line} --json`, stdin);
  return text
    .trimEnd()
    .split('\n')
    .map((each) => {
      expect(violations('lazy-answer', each)).toEqual([]);
      return JSON.parse(each) as Answer;
    });
}

const MANNER = { file: 'lost.run', patience: 1, assumeLocks: false, adopt: false };

const SMALL = '--init --rounds 4 --experts 3 --batch 1 --eta 1 --c 0.1 --delta 1e-6';

describe('lazy run', () => {
  it('answers each line of losses with the expert of the next round, and then ends', async () => {
    await done(`a.run ${SMALL}`);
    const first = await status('a.run');
    expect(first).toMatchObject({ round: 1, resampled: 0, name: null });
    const found = await answers('a.run', '0,1,0.5\n1,1,0\n[0, 0, 1]\n');
    expect(found.map(({ round }) => round)).toEqual([2, 3, 4]);
    for (const { expert } of found) expect([1, 2, 3]).toContain(expert);
    expect(await status('a.run')).toMatchObject({ round: 4, expert: found[2]!.expert });
    expect(await done('a.run', '0,0,0\n')).toBe('-\n');
    expect(await status('a.run')).toMatchObject({ round: 5, expert: null });
    expect(mistakes(await lazyRun('a.run --json', '0,0,0\n'))).toEqual(['standard input:1: run-over']);
  });

  it('has the guarantee of exact accounting, and parameters of lazy plan where none are given', async () => {
    await done('p.run --init --learner l2p --rounds 1000 --experts 10 --epsilon 1 --delta 1e-6');
    const { input, guarantee, budget } = await status('p.run');
    const setting = {
      rounds: 1000,
      batch: input.batch,
      eta: new Decimal(String(input.eta)),
      switchRate: new Decimal(String(input.c)),
    };
    const delta = new Decimal('1e-6');
    expect(guarantee!.epsilon).toBeGreaterThanOrEqual(epsilonOfRun(setting, delta));
    expect(guarantee!.epsilon).toBeLessThanOrEqual(1);
    expect(budget.epsilon).toBe(guarantee!.epsilon);
    expect(await done('p.run --status')).toContain(
      `are together (${guarantee!.epsilon}, 0.000001)-differentially private`,
    );
  });

  it.each([
    ['--rounds 1000 --experts 3 --epsilon 1 --delta 1e-6', 'perturbed-leader'],
    ['--rounds 10000 --experts 10 --epsilon 1 --delta 1e-6', 'perturbed-leader'],
    ['--rounds 30 --experts 2 --epsilon 10 --delta 1e-9', 'perturbed-leader'],
    ['--rounds 2000 --experts 400 --epsilon 1 --delta 1e-6', 'l2p'],
    ['--rounds 8 --experts 100 --epsilon 1 --delta 1e-6', 'guessing'],
  ])('plays what lazy plan recommends: %s', async (asked, learner) => {
    interface Plan {
      readonly rows: readonly { readonly meetsTarget: boolean; readonly regret: { safe: { upper: number } } }[];
      readonly others: readonly { readonly meetsTarget: string; readonly regret: { readonly upper: number } | null }[];
    }
    const plan = JSON.parse((await typed(`lazy plan ope ${asked} --json`)).stdout) as Plan;
    const least = Math.min(
      ...plan.rows.filter(({ meetsTarget }) => meetsTarget).map(({ regret }) => regret.safe.upper),
      ...plan.others.flatMap(({ meetsTarget, regret }) => (meetsTarget === 'yes' ? (regret?.upper ?? []) : [])),
    );
    const file = `${asked.replaceAll(/[^0-9]/g, '')}.run`;
    await done(`${file} --init ${asked} -q`);
    const { input, regret, instead } = await status(file);
    expect([input.learner, instead]).toEqual([learner, null]);
    // Rounding of losses is not free.
    expect(regret.safe.upper).toBeLessThanOrEqual((least + Number(asked.split(' ')[1]) / 2 ** 20) * (1 + 1e-9));
  });

  it('plays the learner that is asked for, and says where another one has less regret', async () => {
    const words = async (line: string): Promise<string> => (await done(line)).replaceAll('\n', ' ');
    const three = '--rounds 1000 --experts 3 --epsilon 1 --delta 1e-6';
    expect(await words(`three.run --init --learner l2p ${three}`)).toContain(
      'perturbed-leader-square-root, at most 29.31; --init without parameters and learner of your own plays',
    );
    const { instead, regret } = await status('three.run');
    expect(instead!.regret.upper).toBeLessThan(regret.safe.upper);
    const led = '--init --learner perturbed-leader --rounds 20 --experts 100 --epsilon 0.01 --delta 1e-6';
    expect(await words(`led.run ${led}`)).toContain('has at most 19.81: this run is not proved to be better');
    const more = '--init --learner perturbed-leader --rounds 1e5 --experts 100 --epsilon 1 --delta 1e-6';
    expect(await words(`more.run ${more}`)).toContain('at most 817.2; it needs more noise than a run keeps');
    const bad = await words('bad.run --init --rounds 100 --experts 3 --batch 50 --eta 1e-3 --c 1 --delta 1e-6');
    expect(bad).toContain('has at most 66.67: this run is not proved to be better');
    const good = '--rounds 1000 --experts 10 --batch 167 --eta 0.006587 --c 12.29 --delta 1e-6';
    expect(await words(`good.run --init ${good}`)).toMatch(/fixed in advance\. $/);
    expect((await status('good.run')).instead).toBeNull();
  });

  it('is shown by a schema that documents from before there were several learners satisfy', async () => {
    await done(`old.run ${SMALL}`);
    const shown = JSON.parse(await done('old.run --status --json')) as { input: Record<string, unknown> };
    const { learner, ...input } = shown.input;
    expect(learner).toBe('l2p');
    expect(violations('lazy', JSON.stringify({ ...shown, input }))).toEqual([]);
  });

  it('guesses for nothing: no ledger is asked', async () => {
    const { stdout } = await typed('ledger init free.jsonl --rule basic --epsilon 0.01 --delta 1e-9');
    expect(stdout).not.toBe('');
    const shown = await done('gift.run --init --learner guessing --rounds 3 --experts 4 --ledger free.jsonl');
    expect(shown.replaceAll('\n', ' ')).toContain('No ledger is charged for it.');
    expect(readFileSync(join(folder, 'free.jsonl'), 'utf8')).not.toContain('"event":"spend"');
    const { expert, guarantee, regret, ledger } = await status('gift.run');
    expect([guarantee!.epsilon, guarantee!.delta, ledger, regret.safe.upper]).toEqual([0, 0, null, 2.25]);
    expect(await done('gift.run', '0,1,1,1\n1,0,0,0\n1,1,1,1\n')).toBe(`${expert}\n${expert}\n-\n`);
  });

  it('goes on with a perturbed leader from one command to the next as if it had not been stopped', async () => {
    const lines = Array.from({ length: 12 }, (_, t) => `${t % 2},${(t + 1) % 2},0.5`);
    const asked = '--init --learner perturbed-leader --rounds 12 --experts 3 --epsilon 40 --delta 1e-3 --simulate';
    for (const file of ['f1.run', 'f2.run']) await done(`${file} ${asked}`);
    let told = '';
    for (const line of lines) told += await done('f1.run', `${line}\n`);
    expect(await done('f2.run', `${lines.join('\n')}\n`)).toBe(told);
    expect(new Set(told.split('\n')).size).toBeGreaterThan(2);
    expect(await done('f1.run --status')).toContain('It is over, after 12 rounds.');
    expect(await done('f2.run --again')).toBe(told);
    expect(readFileSync(join(folder, 'f1.run'), 'utf8')).toContain('{"schema":"dpcompose.lazy-run/2"');
  });

  it('stops sampling at a cap that brings parameters within a budget', async () => {
    await done('c.run --init --rounds 1000 --experts 10 --batch 1 --eta 0.2 --c 0.5 --epsilon 4 --delta 1e-6');
    const { input, guarantee } = await status('c.run');
    const setting = { rounds: 1000, batch: 1, eta: new Decimal('0.2'), switchRate: new Decimal('0.5') };
    const delta = new Decimal('1e-6');
    expect(epsilonOfRun(setting, delta)).toBeGreaterThan(4);
    expect(epsilonOfCapped(setting, input.cap!, delta)).toBeLessThanOrEqual(guarantee!.epsilon);
    expect(epsilonOfCapped(setting, input.cap! + 1, delta)).toBeGreaterThan(4);
    await done('c.run --quiet', '0,1,0,1,0,1,0,1,0,1\n'.repeat(999));
    expect((await status('c.run')).resampled).toBe(input.cap);
    const wrong = await lazyRun(
      'd.run --init --rounds 9 --experts 2 --batch 1 --eta 1 --c 1 --cap 5 --epsilon 0.1 --delta 1e-6 --json',
    );
    expect(mistakes(wrong)).toEqual(['--cap: out-of-range']);
  });

  it('says how likely its cap is reached, and what the regret is with it', async () => {
    const own = '--init --rounds 1000 --experts 5 --batch 4 --eta 0.05 --c 0.1 --epsilon 1 --delta 1e-6';
    const shown = (await done(`frozen.run ${own}`)).replaceAll('\n', ' ');
    // Binomial: 249 batches, each with a chance of 1 - e^-0.1 at least and of 1 - e^-0.3 at most, are beyond 10.
    expect(shown).toContain('with a chance of at least 0.9991 and at most 1');
    expect(shown).toMatch(/Its expected regret is at most 999\.3 for losses/);
    expect(shown).toContain('without its cap at most 57.19');
    const { beyondCap, regret } = await status('frozen.run');
    expect(beyondCap!.lower).toBeGreaterThan(0.999);
    expect(regret.safe.upper).toBeGreaterThan(999.2);
    await done('free.run --init --rounds 1000 --experts 5 --batch 4 --eta 0.05 --c 0.1 --delta 1e-6');
    expect(await status('free.run')).toMatchObject({ beyondCap: null });
  });

  it('answers again with the same experts, and draws none anew', async () => {
    await done(`again.run ${SMALL}`);
    const { expert } = await status('again.run');
    expect(await done('again.run --again')).toBe(`${expert}\n`);
    const told = await done('again.run', '0,1,1\n1,0,1\n');
    for (let i = 0; i < 3; i++) expect(await done('again.run --again')).toBe(told);
  });

  it('answers all of the last input again, however often it paused, and the whole run from any round on', async () => {
    await done('pauses.run --init --rounds 9 --experts 3 --batch 1 --eta 1 --c 1 --delta 1e-6');
    const begun = await done('pauses.run --again');
    const before = await done('pauses.run', '1,0,1\n0,1,0\n');
    const told: string[] = [];
    let heard = (): void => undefined;
    async function* pieces(): AsyncGenerator<string> {
      for (const piece of ['0,1,0\n1,1,0\n', '1,0,0\n', '0,0,1\n']) {
        const answered = new Promise<void>((resolve) => (heard = resolve));
        yield piece;
        await answered;
      }
    }
    const open = await openRun({ ...MANNER, file: 'pauses.run', path: join(folder, 'pauses.run') });
    const { progress, ...state } = open.state;
    await takeLosses(
      { state: { ...state, progress: progress! }, keep: (next) => open.keep(next) },
      { source: '-', first: null, resume: false },
      { stdin: pieces() } as unknown as Io,
      (answers) => {
        told.push([...answerText(answers, null)].join(''));
        heard();
        return Promise.resolve(true);
      },
    );
    open[Symbol.dispose]();
    expect(told.map((text) => text.length / 2)).toEqual([2, 1, 1]);
    expect(await done('pauses.run --again')).toBe(told.join(''));
    const all = [begun, before, ...told].join('');
    expect(await done('pauses.run --again --round 1')).toBe(all);
    expect(await done('pauses.run --again --round 6')).toBe(all.slice(10));
    const json = await done('pauses.run --again --round 6 --json');
    expect(json.match(/"round":\d/g)).toEqual(['"round":6', '"round":7']);
    expect(mistakes(await lazyRun('pauses.run --again --round 8 --json'))).toEqual(['--round: wrong-round']);
  });

  it('answers again what nobody was there to read', async () => {
    await done(`gone.run ${SMALL}`);
    const broken = { code: 'EPIPE', message: 'broken pipe' };
    await typed('lazy run gone.run', { stdin: '0,1,0\n1,1,0\n', broken });
    const again = await done('gone.run --again');
    expect(again).toMatch(/^[123]\n[123]\n$/);
    expect(await status('gone.run')).toMatchObject({ round: 3, expert: Number(again[2]) });
  });

  it.each([
    ['a loss beyond 1', '0,1,2', 'standard input:2: out-of-range'],
    ['a missing expert', '0,1', 'standard input:2: unequal-lengths'],
    ['no number', '0,1,x', 'standard input:2: not-a-number'],
    ['a negative loss', '0,-1,0', 'standard input:2: out-of-range'],
    ['names in a run of numbers', '{"a":0,"b":1,"c":0}', 'standard input:2: unknown-name'],
    ['one name in a run of numbers', '{"a":0}', 'standard input:2: unknown-name'],
    ['an array of one', '[0]', 'standard input:2: unequal-lengths'],
    ['one loss', '0.5', 'standard input:2: unequal-lengths'],
  ])('takes the rounds before %s, and leaves the run as it is then', async (what, line, mistake) => {
    const file = `${what.replaceAll(' ', '-')}.run`;
    await done(`${file} ${SMALL}`);
    const { code, stdout, stderr } = await lazyRun(file, `0,1,0\n${line}\n0,0,0\n`);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^[123]\n$/);
    expect(stderr).toContain('standard input:2');
    const before = readFileSync(join(folder, file), 'utf8');
    expect(mistakes(await lazyRun(`${file} --json`, `${line}\n`))).toEqual([mistake.replace(':2', ':1')]);
    expect((await lazyRun(file, `${line}\n`)).stderr).not.toContain('commas');
    expect(readFileSync(join(folder, file), 'utf8')).toBe(before);
    expect((await status(file)).round).toBe(2);
  });

  it('answers a round once', async () => {
    await done(`once.run ${SMALL}`);
    await done('once.run --round 1', '0,1,0\n');
    const twice = await lazyRun('once.run --round 1 --json', '0,1,0\n');
    expect({ code: twice.code, wrong: mistakes(twice) }).toEqual({ code: 2, wrong: ['--round: wrong-round'] });
    expect(mistakes(await lazyRun('once.run --round 3 --json', '0,1,0\n'))).toEqual(['--round: wrong-round']);
    const rest = await answers('once.run --round 1 --resume', '0,1,0\n0,0,1\n1,1,0\n');
    expect(rest.map(({ round }) => round)).toEqual([3, 4]);
    expect((await status('once.run')).round).toBe(4);
  });

  it('passes over no lines but those that were taken', async () => {
    await done('same.run --init --rounds 99 --experts 3 --batch 1 --eta 1 --c 0.1 --delta 1e-6');
    const [one, two, three] = ['0,1,0\n', '1,0,0.5\n', '0,0,1\n'];
    await done('same.run', one);
    await done('same.run', `${two}${three}`);
    const before = readFileSync(join(folder, 'same.run'), 'utf8');
    for (const [lines, at] of [
      // Another order has the same sums.
      [`${two}${one}${three}`, 3],
      [`0,1,0\n1,0,0.25\n0,0,1\n`, 3],
      [`${one}${one}${two}${three}`, 3],
    ] as const) {
      const found = await lazyRun('same.run --round 1 --resume --json', `${lines}1,1,1\n`);
      expect({ code: found.code, wrong: mistakes(found) }).toEqual({
        code: 2,
        wrong: [`standard input:${at}: wrong-round`],
      });
    }
    const late = await lazyRun('same.run --round 2 --resume --json', `${three}${two}1,1,1\n`);
    expect(mistakes(late)).toEqual(['standard input:2: wrong-round']);
    // No input began with it, so that nothing is known of what was before.
    const unknown = await lazyRun('same.run --round 3 --resume --json', `${three}1,1,1\n`);
    expect(mistakes(unknown)).toEqual(['--round: wrong-round']);
    expect(readFileSync(join(folder, 'same.run'), 'utf8')).toBe(before);
    expect(await done('same.run --round 2 --resume', `${two}[0, 0.0, 1e0]\n1,1,1\n`)).toMatch(/^[123]\n$/);
    expect(await done('same.run --round 1 --resume', `${one}${two}${three}1,1,1\n0,0,0\n`)).toMatch(/^[123]\n$/);
    // Many inputs later the first one still begins the run, and the last ones are known.
    for (let i = 0; i < 3; i++) await done('same.run', one);
    expect(await done('same.run --round 7 --resume', `${one}${one}${three}`)).toMatch(/^[123]\n$/);
  });

  it('knows experts by names, in whatever order losses have them', async () => {
    const parameters = '--rounds 9 --batch 1 --eta 100 --c 100 --delta 0.1 --simulate --seed 3';
    const lines = '0,1,1\n'.repeat(8);
    for (const [file, input] of [
      ['n1.run', lines],
      ['n2.run', `c,a,b\n${'1,0,1\n'.repeat(8)}`],
      ['n3.run', '{"b":1,"c":1,"a":0}\n'.repeat(8)],
    ] as const) {
      await done(`${file} --init --names a,b,c ${parameters}`);
      const found = await answers(file, input);
      expect(found.slice(1).map(({ name, expert }) => [name, expert])).toEqual(Array(7).fill(['a', 1]));
    }
    expect(await done('n1.run --again')).toBe('a\n'.repeat(8));
    expect(mistakes(await lazyRun('n1.run --json', 'a,b,d\n0,1,0\n'))).toEqual(['standard input:2: unknown-name']);
  });

  it('repeats itself only as a simulation, which says that it is not private', async () => {
    const lines = '0,1,0.5\n1,0,0\n0.25,1,1\n';
    const told: string[] = [];
    for (const file of ['s1.run', 's2.run', 's3.run']) {
      const shown = await done(`${file} ${SMALL} --simulate --seed ${file === 's3.run' ? 8 : 7}`);
      expect(shown).toContain('it is not private');
      expect((await status(file)).guarantee).toBeNull();
      const all: string[] = [];
      // The state of the random numbers is kept from one command to the next.
      for (const line of lines.trimEnd().split('\n')) all.push(await done(file, `${line}\n`));
      told.push(`${(await status(file)).resampled} ${all.join('')}`);
    }
    expect(told[0]).toBe(told[1]);
    const seeded = await lazyRun(`x.run ${SMALL} --seed 3 --json`);
    expect(mistakes(seeded)).toEqual(['--seed: conflicting-options']);
    expect(existsSync(join(folder, 'x.run'))).toBe(false);
  });

  it('is paid by a ledger before its first round, once', async () => {
    const ledger = (line: string): Promise<Run> => typed(`ledger ${line}`);
    expect((await ledger('init l.jsonl --rule basic --epsilon 10 --delta 1e-5')).code).toBe(0);
    await done(`l.run ${SMALL} --ledger l.jsonl`);
    const { guarantee, ledger: paid } = await status('l.run');
    expect(paid).toMatchObject({ name: 'l.jsonl' });
    const shown = JSON.parse((await ledger('status l.jsonl --json')).stdout) as { spent: unknown; launched: number };
    expect(JSON.stringify(shown)).toContain(String(guarantee!.epsilon));
    await done('l.run', '0,1,0\n');
    expect(readFileSync(join(folder, 'l.jsonl'), 'utf8').match(/"event":"spend"/g)).toHaveLength(1);

    expect((await ledger('init poor.jsonl --rule basic --epsilon 0.01 --delta 1e-5')).code).toBe(0);
    const refused = await lazyRun(`poor.run ${SMALL} --ledger poor.jsonl`);
    expect(refused.code).toBe(1);
    expect(existsSync(join(folder, 'poor.run'))).toBe(false);

    expect((await ledger('init users.jsonl --rule basic --epsilon 10 --delta 1e-5 --neighbours add-remove')).code).toBe(
      0,
    );
    const other = await lazyRun(`o.run ${SMALL} --ledger users.jsonl --json`);
    expect(mistakes(other)).toEqual(['--neighbours: other-neighbours']);
    const missing = await lazyRun(`m.run ${SMALL} --ledger nowhere.jsonl --json`);
    expect(mistakes(missing)).toEqual(['nowhere.jsonl: no-such-file']);
    expect(['o.run', 'm.run'].filter((file) => existsSync(join(folder, file)))).toEqual([]);
  });

  it.each(['replace-one', 'add-remove', 'Add-Remove', 'one round'])(
    'is not paid by a ledger for records that are added or removed, with --neighbours %s',
    async (said) => {
      const [ledger, file] = [`ar-${said[0]}${said[1]}.jsonl`, `ar-${said[0]}${said[1]}.run`];
      const line = `ledger init ${ledger} --rule basic --epsilon 10 --delta 1e-3 --neighbours add-remove`;
      expect((await typed(line)).code).toBe(0);
      const before = readFileSync(join(folder, ledger), 'utf8');
      const asked = `lazy run ${file} ${SMALL} --ledger ${ledger} --json`;
      const { code, ...found } = await run([...asked.split(' '), '--neighbours', said], { cwd: folder });
      expect({ code, wrong: mistakes({ code, ...found }) }).toEqual({
        code: 2,
        wrong: ['--neighbours: other-neighbours'],
      });
      expect(readFileSync(join(folder, ledger), 'utf8')).toBe(before);
      expect(existsSync(join(folder, file))).toBe(false);
    },
  );

  it('is paid by a ledger that says what is replaced in its own words', async () => {
    await run('ledger init words.jsonl --rule basic --epsilon 10 --delta 1e-3 --neighbours one-user'.split(' '), {
      cwd: folder,
    });
    await done(`words.run ${SMALL} --ledger words.jsonl --neighbours one-user`);
    expect(readFileSync(join(folder, 'words.jsonl'), 'utf8').match(/"event":"spend"/g)).toHaveLength(1);
  });

  it('goes on with a run that its ledger has not yet paid for', async () => {
    // As a process leaves it that ends between the file and the ledger.
    const header: RunHeader = {
      id: 'a1b2',
      setting: { rounds: 4, batch: 1, eta: new Decimal(1), switchRate: new Decimal('0.1') },
      experts: 3,
      names: null,
      cap: null,
      epsilon: new Decimal(8),
      delta: new Decimal('1e-6'),
      ledger: { name: 'late.jsonl', store: null, neighbours: 'replace-one' },
    };
    const manner = { file: 'late.run', path: join(folder, 'late.run'), patience: 0, assumeLocks: false };
    makeRun({ header, progress: null, answered: NO_ANSWERS, taken: NOTHING_TAKEN, simulated: null }, manner);
    expect(mistakes(await lazyRun('late.run --json', '0,1,0\n'))).toEqual(['late.jsonl: no-such-file']);
    expect(await status('late.run')).toMatchObject({ round: null, expert: null });
    expect(await done('late.run --status')).toContain('nothing was drawn');
    expect((await typed('ledger init late.jsonl --rule basic --epsilon 10 --delta 1e-5')).code).toBe(0);
    for (let i = 0; i < 2; i++) expect(await done('late.run', '0,1,0\n')).toMatch(/^[123]\n$/);
    expect(readFileSync(join(folder, 'late.jsonl'), 'utf8').match(/"key":"lazy-run:a1b2"/g)).toHaveLength(1);
  });

  it('does not go on with a copy, with a file that was changed, or with none', async () => {
    await done(`home.run ${SMALL}`);
    const file = join(folder, 'home.run');
    copyFileSync(file, join(folder, 'copy.run'));
    expect(mistakes(await lazyRun('copy.run --json', '0,1,0\n'))).toEqual(['copy.run: moved-run']);
    const backup = readFileSync(file);
    await done('home.run', '0,1,0\n');
    writeFileSync(file, backup);
    expect(mistakes(await lazyRun('home.run --json', '0,1,0\n'))).toEqual(['home.run: moved-run']);
    expect(await done('home.run --adopt', '0,1,0\n')).toMatch(/^[123]\n$/);
    expect(await done('home.run', '0,1,0\n')).toMatch(/^[123]\n$/);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"round":3', '"round":2'));
    expect(mistakes(await lazyRun('home.run --json', '0,1,0\n'))).toEqual(['home.run: damaged-run']);
    writeFileSync(join(folder, 'other.run'), '{}\n');
    expect(mistakes(await lazyRun('other.run --json', '0,1,0\n'))).toEqual(['other.run: not-a-run']);
    expect(mistakes(await lazyRun('none.run --json', '0,1,0\n'))).toEqual(['none.run: no-such-file']);
    expect(mistakes(await lazyRun(`other.run ${SMALL} --json`))).toEqual(['other.run: file-exists']);
  });

  it('goes on with what earlier versions wrote without y, and with y says why not', async () => {
    const file = join(folder, 'before.run');
    const rewrite = (before: string, after: string): void => {
      const text = readFileSync(file, 'utf8').replace(before, after);
      const body = text.slice(0, text.indexOf(',"hash":'));
      writeFileSync(file, `${body},"hash":"${createHash('sha256').update(body).digest('hex')}"}\n`);
    };
    await done(`before.run ${SMALL}`);
    rewrite('"lossOfX":0', '"y":null,"lossOfX":0,"lossOfY":0');
    rewrite('"c":', '"p":null,"c":');
    expect(await done('before.run', '0,1,0\n')).toMatch(/^[123]\n$/);
    expect(readFileSync(file, 'utf8')).not.toContain('lossOfY');
    rewrite('"c":', '"p":"0.5","c":null,"former":');
    for (const line of ['before.run', 'before.run --status', 'before.run --again', 'before.run --adopt']) {
      const { code, stdout, stderr } = await lazyRun(line, '0,1,0\n');
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('needs the accounting that it began with');
    }
    expect(mistakes(await lazyRun('before.run --json', '0,1,0\n'))).toEqual(['before.run: run-with-y']);
  });

  it('says of options of its own what its ledger does not take', async () => {
    await typed('ledger init rule.jsonl --epsilon 10 -q');
    const line = (name: string): string => `${name}.run ${SMALL} --ledger ${name}.jsonl --json`;
    expect(mistakes(await lazyRun(line('rule')))).toEqual([expect.stringMatching(/^--ledger: /)]);
    await typed('ledger init proof.jsonl --rule basic --epsilon 10 --delta 1e-3 --terms evidence=required -q');
    expect(mistakes(await lazyRun(line('proof')))).toEqual(['--ledger: no-evidence']);
    await typed('ledger init user.jsonl --rule basic --epsilon 10 --delta 1e-3 --neighbours one-user -q');
    expect(mistakes(await lazyRun(line('user')))).toEqual(['--neighbours: other-neighbours']);
    expect([existsSync(join(folder, 'rule.run')), existsSync(join(folder, 'user.run'))]).toEqual([false, false]);
  });

  it('goes on under one name only, whatever other names the file has or had', async () => {
    const [file, other] = [join(folder, 'named.run'), join(folder, 'other-name.run')];
    const goesOn = async (name: string): Promise<void> => {
      expect(await done(name, '0,1,0\n')).toMatch(/^[123]\n$/);
    };
    await done('named.run --init --rounds 40 --experts 3 --batch 1 --eta 1 --c 0.1 --delta 1e-6');
    symlinkSync(file, join(folder, 'link.run'));
    await goesOn('link.run');
    await goesOn('named.run');
    expect((await status('link.run')).round).toBe(3);
    linkSync(file, other);
    await goesOn('named.run');
    expect(mistakes(await lazyRun('other-name.run --json', '0,1,0\n'))).toEqual(['other-name.run: moved-run']);
    expect(mistakes(await lazyRun('other-name.run --status --json'))).toEqual(['other-name.run: moved-run']);
    renameSync(other, file);
    expect(mistakes(await lazyRun('named.run --json', '0,1,0\n'))).toEqual(['named.run: moved-run']);
    await done('named.run --adopt', '0,1,0\n');
    renameSync(file, other);
    await goesOn('other-name.run');
  });

  it('takes no round under a name that it has lost while it went on', async () => {
    const [file, other] = [join(folder, 'lost.run'), join(folder, 'renamed.run')];
    await done('lost.run --init --rounds 40 --experts 3 --batch 1 --eta 1 --c 0.1 --delta 1e-6');
    const open = await openRun({ ...MANNER, path: file });
    renameSync(file, other);
    await expect(open.keep(open.state)).rejects.toMatchObject({ errors: [{ code: 'replaced' }] });
    open[Symbol.dispose]();
    expect(existsSync(file)).toBe(false);
    expect(await done('renamed.run', '0,1,0\n')).toMatch(/^[123]\n$/);
  });

  it('is completed where it was stopped between two files', async () => {
    const [file, copy] = [join(folder, 'between.run'), join(folder, 'between.old')];
    await done('between.run --init --rounds 40 --experts 3 --batch 1 --eta 1 --c 0.1 --delta 1e-6');
    linkSync(file, copy);
    await done('between.run', '0,1,0\n');
    const { id } = JSON.parse(readFileSync(file, 'utf8')) as { id: string };
    // As it is between the word in the former file and the new name of the later one.
    renameSync(file, join(folder, `.between.run.${id}.next`));
    renameSync(copy, file);
    expect((await status('between.run')).round).toBe(2);
    const again = await done('between.run --again');
    expect(await done('between.run --round 1 --resume', '0,1,0\n')).toBe('');
    expect(await done('between.run --again')).toBe(again);
    expect(await done('between.run --round 2', '0,1,0\n')).toMatch(/^[123]\n$/);
    // A line that was not finished says nothing.
    appendFileSync(file, '{"superse');
    expect(await done('between.run --round 3', '0,1,0\n')).toMatch(/^[123]\n$/);
  });

  it('keeps what experts have lost from others, and does not show it', async () => {
    await done(`mode.run ${SMALL}`);
    expect(statSync(join(folder, 'mode.run')).mode & 0o777).toBe(0o600);
    await done('mode.run', '0.123,1,0\n');
    expect(statSync(join(folder, 'mode.run')).mode & 0o777).toBe(0o600);
    const shown = `${await done('mode.run --status')}${await done('mode.run --status --json')}`;
    expect(shown).not.toContain('128975');
    expect(readFileSync(join(folder, 'mode.run'), 'utf8')).toContain('128975');
  });

  it.each([
    ['convex losses, which cannot be sampled', `${SMALL} --measure convex`, ['--measure: no-sampler']],
    ['two things at once', '--status --again', ['--again: conflicting-options']],
    ['other parameters for a run that is there', '--rounds 5', ['--rounds: conflicting-options']],
    ['--resume without a round', '--resume', ['--round: missing-option']],
    ['losses where none are taken', '--status --losses a.csv', ['--losses: conflicting-options']],
    ['a ledger for a simulation', `${SMALL} --simulate --ledger l.jsonl`, ['--simulate: conflicting-options']],
    ['names twice', '--init --names a,b,a --rounds 3 --epsilon 1 --delta 1e-6', ['--names: duplicate-name']],
    [
      'parameters without a guarantee',
      '--init --rounds 9 --experts 2 --batch 1 --eta 1 --c 0 --delta 1e-9',
      ['--delta: out-of-range'],
    ],
    [
      'parameters of L2P for another learner',
      '--init --learner perturbed-leader --rounds 9 --experts 2 --batch 1 --eta 1 --c 0 --epsilon 1 --delta 1e-9',
      ['--batch: conflicting-options', '--eta: conflicting-options', '--c: conflicting-options'],
    ],
    [
      'more experts than a perturbed leader has noise for',
      '--init --learner perturbed-leader --rounds 9 --experts 200000 --epsilon 1 --delta 1e-9',
      ['--learner: out-of-range'],
    ],
    [
      'a perturbed leader of one round',
      '--init --learner perturbed-leader --rounds 1 --experts 2 --epsilon 1 --delta 1e-9',
      ['--learner: out-of-range'],
    ],
    [
      'a learner that is none',
      '--init --learner lazy --rounds 9 --experts 2 --epsilon 1 --delta 1e-9',
      ['--learner: unknown-value'],
    ],
    [
      'nothing that says what is run',
      '--init',
      ['--experts: missing-option', '--delta: missing-option', '--rounds: missing-option', '--epsilon: missing-option'],
    ],
  ])('refuses %s', async (_, line, wrong) => {
    const found = await lazyRun(`refused.run ${line} --json`);
    expect({ code: found.code, wrong: mistakes(found) }).toEqual({ code: 2, wrong });
    expect(existsSync(join(folder, 'refused.run'))).toBe(false);
  });
});
