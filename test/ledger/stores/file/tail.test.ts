import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { create } from '../../../../src/ledger/stores/file/create.ts';
import { readPresent } from '../../../../src/ledger/present.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import { dp } from '../../../mechanisms.ts';
import { FILES, fileOf, HEADER, launch, linesIn, newPath, OPTIONS } from './files.ts';

const spend = (path: string, epsilon: string, label = 'counts') =>
  launch(path, { entries: [dp(epsilon, '0', { label })] }, { ...OPTIONS, adopt: true });

/** A ledger of epsilon 1 with these launches. */
async function ledgerWith(...epsilons: string[]): Promise<string> {
  const path = newPath();
  create(path, HEADER);
  for (const epsilon of epsilons) await spend(path, epsilon);
  return path;
}

const joined = (...lines: (string | undefined)[]): string => lines.map((line) => `${line ?? ''}\n`).join('');

/** What keeps 0.5 from being spent from a file of this content, and leaves it as it was. */
async function refusedIn(content: string): Promise<string> {
  const path = fileOf(content);
  const result = await spend(path, '0.5');
  expect(readFileSync(path, 'utf8')).toBe(content);
  if (result.kind !== 'failed' || !('line' in result.fault)) return 'granted';
  const { code, line, record } = result.fault;
  const whole = await verify(FILES, path);
  expect(whole.kind === 'verified' && whole.flaws[0]).toMatchObject({ code, line, record });
  return `line ${line}, record ${record}: ${code}`;
}

describe('a ledger whose last lines are not one chain', () => {
  let lines: string[] = [];
  beforeAll(async () => {
    lines = linesIn(await ledgerWith('0.1', '0.2', '0.3', '0.3'));
  });

  it('grants nothing where a line was doubled, taken out or moved', async () => {
    expect(await refusedIn(joined(...lines, lines[1]))).toBe('line 6, record 1: duplicate-record');
    expect(await refusedIn(joined(...lines, lines[4]))).toBe('line 6, record 4: duplicate-record');
    expect(await refusedIn(joined(...lines, lines[0]))).toBe('line 6, record 0: duplicate-record');
    expect(await refusedIn(joined(...lines.slice(0, 3), lines[4]))).toBe('line 4, record 4: missing-records');
    expect(await refusedIn(joined(lines[0], lines[2]))).toBe('line 2, record 2: missing-records');
    expect(await refusedIn(joined(...lines.slice(0, 3), lines[4], lines[3]))).toBe('line 4, record 4: missing-records');
  });

  it('grants nothing where two ledgers were joined', async () => {
    const [ours, theirs] = [newPath(), newPath()];
    for (const path of [ours, theirs]) writeFileSync(path, joined(...lines.slice(0, 2)));
    for (const epsilon of ['0.2', '0.3']) await spend(ours, epsilon, 'ours');
    await spend(theirs, '0.1', 'theirs');
    expect(await refusedIn(joined(...linesIn(ours), linesIn(theirs)[2]))).toBe('line 5, record 2: fork');
  });

  it('grants nothing where a line among the last is damaged', async () => {
    expect(await refusedIn(joined(lines[0], lines[1], '', lines[2]))).toBe('line 3, record 2: damaged-record');
    expect(await refusedIn(joined(...lines.slice(0, 3), '<<<<<<< HEAD', ...lines.slice(3)))).toBe(
      'line 4, record 3: damaged-record',
    );
  });

  it('is found by whoever reads its two ends', async () => {
    expect(await readPresent(FILES, fileOf(joined(...lines, lines[1])))).toMatchObject({
      fault: { code: 'duplicate-record' },
    });
  });

  it('is found where the lines are many or long', async () => {
    const label = 'x'.repeat(150_000);
    const path = await ledgerWith('0.1');
    for (let n = 0; n < 3; n++) await spend(path, '0.1', `${n}${label}`);
    const long = linesIn(path);
    expect(await refusedIn(joined(...long, long[3]))).toBe('line 6, record 3: duplicate-record');
    expect(await refusedIn(joined(...long.slice(0, 3), long[4]))).toBe('line 4, record 4: missing-records');
    const many = await ledgerWith(...Array<string>(400).fill('0.001'));
    const all = linesIn(many);
    expect(await refusedIn(joined(...all, all[399]))).toBe('line 402, record 399: duplicate-record');
    const broken = fileOf(joined(...all, all[1]));
    expect(await spend(broken, '0.5')).toMatchObject({ fault: { code: 'duplicate-record', line: 402, record: 1 } });
  });
});

const git = (folder: string, ...words: string[]) =>
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', '-c', 'commit.gpgsign=false', ...words], {
    cwd: folder,
    encoding: 'utf8',
  });

describe.skipIf(spawnSync('git', ['--version']).status !== 0)('two branches of a ledger', () => {
  it('that git joined line by line grant nothing', async () => {
    const folder = newPath();
    mkdirSync(folder);
    const path = join(folder, 'budget.jsonl');
    copyFileSync(await ledgerWith('0.1'), path);
    writeFileSync(join(folder, '.gitattributes'), '*.jsonl merge=union\n');
    writeFileSync(join(folder, '.gitignore'), '.*.stamp\n');
    const commit = (message: string): void => {
      git(folder, 'add', '.');
      git(folder, 'commit', '-m', message);
    };
    git(folder, 'init', '-q', '-b', 'main');
    commit('base');
    git(folder, 'checkout', '-q', '-b', 'theirs');
    await spend(path, '0.1', 'theirs');
    commit('theirs');
    git(folder, 'checkout', '-q', 'main');
    for (const epsilon of ['0.4', '0.4']) await spend(path, epsilon, 'ours');
    commit('ours');
    expect(git(folder, 'merge', '-q', '-m', 'both', 'theirs').status).toBe(0);
    expect(linesIn(path)).toHaveLength(5);
    expect(await refusedIn(readFileSync(path, 'utf8'))).toMatch(/^line \d, record \d: (fork|missing-records)$/);
  });
});
