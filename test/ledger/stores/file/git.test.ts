import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { create } from '../../../../src/ledger/stores/file/create.ts';
import { readHistory } from '../../../../src/ledger/history.ts';
import { annotateIn, nestIn } from '../../../../src/ledger/succession.ts';
import { verify } from '../../../../src/ledger/verify.ts';
import { decimal, dp } from '../../../mechanisms.ts';
import { FILES, flaws, HEADER, launch, newPath, OPTIONS, TERMS } from './files.ts';

// Git puts another file in the place of one that it changes, so that whoever spends on two branches has to say each time that the
// ledger goes on there ("adopt"). Whatever git then makes of the two: of a budget of 1, of which both branches spent 0.6,
// nothing is granted from what is not one of the two.

const IDENTITY = [
  'user.name=x',
  'user.email=x@example.org',
  'commit.gpgsign=false',
  'core.fsync=none',
  'gc.auto=0',
  'merge.ours.driver=true',
];
const hasGit = spawnSync('git', ['--version']).status === 0;

/** A folder under git with a ledger of which 0.1 of 1 is spent. */
class Repository {
  readonly folder = newPath();
  readonly path = join(this.folder, 'budget.jsonl');

  /** Runs git; its exit code. */
  git(...words: string[]): number {
    const settings = [...IDENTITY, 'core.editor=true'].flatMap((each) => ['-c', each]);
    const { status, error } = spawnSync('git', [...settings, ...words], { cwd: this.folder, encoding: 'utf8' });
    if (error !== undefined) throw error;
    return status ?? -1;
  }

  commit(message: string): void {
    this.git('add', '.');
    expect(this.git('commit', '-q', '-m', message)).toBe(0);
  }

  async begin(attributes: string): Promise<void> {
    mkdirSync(this.folder);
    create(this.path, HEADER);
    await launch(this.path, { entries: [dp('0.1')] });
    writeFileSync(join(this.folder, '.gitattributes'), attributes);
    this.git('init', '-q', '-b', 'main');
    this.commit('base');
  }
}

const isCode = (result: Awaited<ReturnType<typeof launch>>): string => {
  if (result.kind === 'failed') return result.fault.code;
  return result.value.decision.kind === 'accepted' ? 'granted' : 'refused';
};

type Spending = (repository: Repository, side: string) => Promise<unknown>;

const SPENDINGS: Readonly<Record<string, Spending>> = {
  'the same': ({ path }) => launch(path, { entries: [dp('0.6', '0', { label: 'release' })] }),
  'something else each': ({ path }, side) => launch(path, { entries: [dp('0.6', '0', { label: side })] }),
  'a nested ledger of the same name': ({ path, folder }) => {
    const terms = { ...TERMS, budget: { epsilon: decimal('0.6') } };
    const children = [{ name: join(folder, 'child.jsonl'), id: 'child' }];
    return nestIn(FILES, path, { children, terms, label: null }, OPTIONS);
  },
};

/** Both branches spend; on the second one somebody says that the ledger goes on there. */
async function branched(repository: Repository, spending: Spending): Promise<void> {
  repository.git('checkout', '-q', '-b', 'theirs');
  await spending(repository, 'theirs');
  repository.commit('theirs');
  repository.git('checkout', '-q', 'main');
  const { path } = repository;
  expect(isCode(await launch(path, { entries: [dp('0.1')] }))).toBe('moved');
  expect(await annotateIn(FILES, path, { event: 'adopt', label: 'main' }, OPTIONS)).toMatchObject({
    kind: 'transacted',
  });
  await spending(repository, 'ours');
}

/** What verify finds: a flaw, that it is a copy, or neither. */
async function verified({ path }: Repository): Promise<string> {
  const found = await verify(FILES, path);
  if (found.kind === 'failed') return found.fault.code;
  if (found.flaws.length > 0) return 'flawed';
  return found.placeId === (await FILES.placeId(path)) ? 'sound' : 'copy';
}

async function spentIn({ path }: Repository): Promise<unknown> {
  const history = await readHistory(FILES, path);
  return history.kind === 'history' ? history.records.at(-1)?.recorded.totals.spent : null;
}

const committed = (...words: string[]): ((repository: Repository) => void) => {
  return (repository) => {
    repository.commit('ours');
    repository.git(...words);
  };
};

const merge = (...options: string[]): ((repository: Repository) => void) =>
  committed('merge', '-q', '-m', 'both', ...options, 'theirs');

/** What keeps 0.1 from being spent after git has joined the branches: that lines were joined, or that the file was replaced. */
type Outcome = 'joined' | 'moved' | 'ours, as it was';

const CASES: readonly (readonly [how: string, attributes: string, join: (at: Repository) => void, Outcome])[] = [
  ['a merge', '', merge(), 'joined'],
  ['a merge that keeps line ends', '*.jsonl -text\n', merge(), 'joined'],
  ['a union of lines', '*.jsonl merge=union\n', merge(), 'joined'],
  ['a merge of files that are no text', '*.jsonl -merge\n', merge(), 'ours, as it was'],
  ['a merge of files that are binary', '*.jsonl merge=binary\n', merge(), 'ours, as it was'],
  ['a driver that keeps ours', '*.jsonl merge=ours\n', merge(), 'ours, as it was'],
  ['ours where there is a conflict', '', merge('-X', 'ours'), 'ours, as it was'],
  ['theirs where there is a conflict', '', merge('-X', 'theirs'), 'moved'],
  ['the strategy ours', '', merge('-s', 'ours'), 'ours, as it was'],
  ['a squashed merge', '', committed('merge', '--squash', 'theirs'), 'joined'],
  ['a squashed union', '*.jsonl merge=union\n', committed('merge', '--squash', 'theirs'), 'joined'],
  ['a rebase', '', committed('rebase', '-q', 'theirs'), 'joined'],
  ['a rebase with a union', '*.jsonl merge=union\n', committed('rebase', '-q', 'theirs'), 'joined'],
  ['a rebase that prefers theirs', '', committed('rebase', '-q', '-X', 'ours', 'theirs'), 'moved'],
  ['a cherry-pick', '', committed('cherry-pick', 'theirs'), 'joined'],
  ['a cherry-picked union', '*.jsonl merge=union\n', committed('cherry-pick', 'theirs'), 'joined'],
  [
    'a stash that is put back',
    '',
    (at) => {
      at.git('add', '.');
      at.git('stash', '-q');
      at.git('merge', '-q', 'theirs');
      at.git('stash', 'pop', '-q');
    },
    'joined',
  ],
  ['a reset to theirs', '', committed('reset', '-q', '--hard', 'theirs'), 'moved'],
  ['a checkout of their file', '', committed('checkout', '-q', 'theirs', '--', 'budget.jsonl'), 'moved'],
];

describe.skipIf(!hasGit).each(Object.entries(SPENDINGS))('two branches that spent %s', (_, spending) => {
  it.each(CASES)('grant nothing more together after %s', async (_how, attributes, join, outcome) => {
    const repository = new Repository();
    await repository.begin(attributes);
    await branched(repository, spending);
    const before = readFileSync(repository.path);
    join(repository);
    const after = readFileSync(repository.path);
    const asked = isCode(await launch(repository.path, { entries: [dp('0.1')] }));
    const found = await verified(repository);
    if (outcome === 'ours, as it was') {
      // One ledger, within its budget, that says who let it go on here.
      expect(after).toEqual(before);
      expect([asked, found]).toEqual(['granted', 'sound']);
      expect(await spentIn(repository)).toEqual({ epsilon: '0.8' });
      expect(before.toString()).toContain('"event":"adopt","label":"main"');
    } else if (outcome === 'moved') {
      expect([asked, found]).toEqual(['moved', 'copy']);
    } else {
      expect(asked).toMatch(/^(fork|damaged-record|missing-records|broken-chain|duplicate-record)$/);
      expect(found).toBe('flawed');
    }
    if (outcome !== 'ours, as it was') expect(readFileSync(repository.path)).toEqual(after);
  });
});

describe.skipIf(!hasGit)('a ledger under git', () => {
  it('is not another one where it is only committed', async () => {
    const repository = new Repository();
    await repository.begin('*.jsonl -text\n');
    for (let n = 0; n < 3; n++) {
      expect(isCode(await launch(repository.path, { entries: [dp('0.1')] }))).toBe('granted');
      repository.commit(`${n}`);
    }
    repository.git('gc', '-q');
    expect(isCode(await launch(repository.path, { entries: [dp('0.1')] }))).toBe('granted');
  });

  it('is a copy in a clone, in another work tree, and after another commit was checked out', async () => {
    const repository = new Repository();
    await repository.begin('');
    await launch(repository.path, { entries: [dp('0.1')] });
    repository.commit('more');
    const [clone, tree] = [newPath(), newPath()];
    repository.git('clone', '-q', '.', clone);
    repository.git('worktree', 'add', '-q', '--detach', tree);
    for (const folder of [clone, tree]) {
      expect(isCode(await launch(join(folder, 'budget.jsonl'), { entries: [dp('0.1')] }))).toBe('moved');
    }
    repository.git('checkout', '-q', 'HEAD~1');
    expect(isCode(await launch(repository.path, { entries: [dp('0.1')] }))).toBe('moved');
    repository.git('checkout', '-q', 'main');
    expect(isCode(await launch(repository.path, { entries: [dp('0.1')] }))).toBe('moved');
  });

  it('keeps its line ends where .gitattributes says that it is no text', async () => {
    for (const [attributes, found] of [
      ['*.jsonl -text\n', []],
      ['', ['line 1, record 0: damaged-record (carriage-return)']],
    ] as const) {
      const repository = new Repository();
      await repository.begin(attributes);
      const clone = newPath();
      repository.git('clone', '-q', '-c', 'core.autocrlf=true', '.', clone);
      expect(flaws(readFileSync(join(clone, 'budget.jsonl'))).slice(0, 1)).toEqual(found);
    }
  });
});
