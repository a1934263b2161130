import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { violations } from '../../output/schema.ts';
import { mistakes, run, type Run, type World } from '../run.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'dpcompose-check-'));
});
afterEach(async () => {
  await rm(cwd, { recursive: true });
});

const check = (words: readonly string[], world: World = {}): Promise<Run> =>
  run(['check', ...words], { cwd, ...world });
const BUDGET = ['--epsilon', '1', '--delta', '1e-6'];

interface SpecOptions {
  readonly count?: number;
  readonly type?: string;
  readonly [key: string]: unknown;
}

const spec = (epsilon: string, { count = 1, type = 'dp', ...rest }: SpecOptions = {}): string =>
  JSON.stringify({ dpcompose: 1, ...rest, mechanisms: [{ type, epsilon, count, label: 'counts' }] }, null, 2);

const put = (name: string, text: string | Uint8Array): Promise<void> => writeFile(join(cwd, name), text);

interface Result {
  readonly files: { path: string }[];
  readonly budget: { epsilon: number; delta: number } | null;
  readonly status: string;
  readonly code?: string;
  readonly errors?: { code: string; line?: number }[];
  readonly changes?: { kind: string; to: number | string }[];
}

async function results(words: readonly string[], world?: World): Promise<{ code: number; results: Result[] }> {
  const { code, stdout } = await check([...words, '--json'], world);
  expect(violations('check', stdout)).toEqual([]);
  const { scopes } = JSON.parse(stdout) as { scopes: { results: Result[] }[] };
  return { code, results: scopes.flatMap((scope) => scope.results) };
}

const statuses = ({ results: found }: { results: Result[] }): string[] =>
  found.map(({ files, status }) => `${files.map(({ path }) => path).join('+')} ${status}`);

describe('dpcompose check', () => {
  it('is 0 where all are within, to the last decimal', async () => {
    await put('a.json', spec('0.1', { count: 3 }));
    expect(await check(['a.json', '--epsilon', '0.3', '--delta', '0'])).toMatchObject({ code: 0, stderr: '' });
    expect((await check(['a.json', '--epsilon', '0.29999', '--delta', '0'])).code).toBe(1);
  });

  it('writes the result in further forms to files', async () => {
    await put('a.json', spec('0.1', { count: 30 }));
    const words = [
      'a.json',
      ...BUDGET,
      '--report',
      'sarif=out.sarif',
      '--report',
      'junit=out.xml',
      '--report',
      'text=a.txt',
    ];
    const said = await check(words);
    expect(said).toMatchObject({ code: 1, stderr: '' });
    const only = async (format: string): Promise<string> =>
      (await check(['a.json', ...BUDGET, '--format', format])).stdout;
    const read = (name: string): Promise<string> => readFile(join(cwd, name), 'utf8');
    expect(said.stdout).toBe(await only('text'));
    expect(await read('out.sarif')).toBe(await only('sarif'));
    expect(await read('out.xml')).toBe(await only('junit'));
    expect(await read('a.txt')).toBe(await only('text'));
    expect(await check([...words, '--quiet', '--format', 'json'])).toEqual({ code: 1, stdout: '', stderr: '' });
    expect(await read('out.xml')).toBe(await only('junit'));
  });

  it.each([
    [['--report', 'sarif'], '--report: malformed-flag'],
    [['--report', 'sarif='], '--report: malformed-flag'],
    [['--report', 'xml=a.xml'], '--report: malformed-flag'],
    [['--report', 'junit=-'], '--report: conflicting-options'],
    [['--report', 'junit=x', '--report', 'sarif=./x'], '--report: conflicting-options'],
    [['--report', 'junit=x', '-o', 'x'], '--report: conflicting-options'],
  ])('takes no report %j', async (words, expected) => {
    await put('a.json', spec('0.1'));
    expect(mistakes(await check(['a.json', ...BUDGET, '--json', ...words]))).toEqual([expected]);
  });

  it('finds out before the work that a report cannot be written', async () => {
    await put('a.json', spec('0.1'));
    expect(await check(['a.json', ...BUDGET, '--report', 'junit=nowhere/x.xml'])).toMatchObject({
      code: 74,
      stdout: '',
    });
  });

  it('adds the mechanisms of the command line to each, and together once', async () => {
    await put('a.json', spec('0.3'));
    await put('b.json', spec('0.5'));
    const at = (...words: string[]) => results([...words, '--delta', '0', '-m', 'dp:epsilon=0.2']);
    expect(statuses(await at('a.json', 'b.json', '--epsilon', '0.5'))).toEqual(['a.json within', 'b.json exceeds']);
    expect(statuses(await at('a.json', 'b.json', '--epsilon', '1', '--together'))).toEqual(['a.json+b.json+-m within']);
    expect(statuses(await at('a.json', 'b.json', '--epsilon', '0.99', '--together'))).toEqual([
      'a.json+b.json+-m exceeds',
    ]);
    expect(statuses(await at('--epsilon', '0.2'))).toEqual(['-m within']);
    const { stdout } = await check(['-m', 'dp:epsilon=0.2', '--epsilon', '0.1', '--delta', '0']);
    expect(stdout).toContain('exceeds     the command line');
    const junit = await check(['-m', 'dp:epsilon=0.2', '--epsilon', '0.1', '--delta', '0', '--format', 'junit']);
    expect(junit.stdout).not.toContain('file=');
  });

  it('changes each, and says which file it does not fit', async () => {
    await put('a.json', spec('0.3', { count: 2 }));
    await put('b.json', spec('0.5', { mechanisms: [] }));
    const found = await results(['a.json', '--set', 'mechanisms[0].count=1', '--epsilon', '0.3', '--delta', '0']);
    expect(statuses(found)).toEqual(['a.json within']);
    const wrong = await results(['a.json', '--set', 'mechanisms[1].count=1', ...BUDGET]);
    expect(wrong.results[0]?.errors).toMatchObject([{ file: 'a.json', path: '--set mechanisms[1].count' }]);
  });

  it.each(['-m dp:epsilon=1', '--set name=x', '--nonadaptive', '--adaptive', '--order any', '--input-format json'])(
    'takes no %s beside a policy',
    async (flags) => {
      await put('p.json', '{}');
      const [flag] = flags.split(' ');
      expect(mistakes(await check(['--policy', 'p.json', ...flags.split(' '), '--json']))).toEqual([
        `${flag ?? ''}: conflicting-options`,
      ]);
    },
  );

  it('takes no order, and nothing fixed in advance, of several together', async () => {
    await put('a.json', spec('0.1'));
    for (const words of [['--nonadaptive'], ['--order', 'declared']]) {
      expect(mistakes(await check(['a.json', '--together', ...BUDGET, ...words, '--json']))).toEqual([
        `${words[0] ?? ''}: conflicting-options`,
      ]);
    }
  });

  it('reads policies and specifications in YAML', async () => {
    await put('a.yaml', 'dpcompose: 1\nmechanisms:\n  - {type: dp, epsilon: 0.5}\n');
    const policy = 'dpcompose: 1\nscopes:\n  - name: all\n    specs: [a.yaml]\n    budget: {epsilon: 1, delta: 0}\n';
    await put('policy.yaml', policy);
    expect(statuses(await results(['--policy', 'policy.yaml']))).toEqual(['a.yaml within']);
    expect(statuses(await results(['--policy', '-'], { stdin: policy }))).toEqual(['a.yaml within']);
    await put('policy.yaml', policy.replace('a.yaml', 'b*.yaml'));
    expect(mistakes(await check(['--policy', 'policy.yaml', '--json']))).toEqual(['scopes[0].specs[0]: no-such-file']);
  });

  it('says what would be enough, and that is enough', async () => {
    await put('a.json', spec('0.1', { count: 30 }));
    const found = await results(['a.json', '--epsilon', '1', '--delta', '0']);
    expect(found.code).toBe(1);
    const changes = found.results[0]?.changes ?? [];
    expect(changes).toMatchObject([{ to: 10 }, { kind: 'parameter', to: 0.0333 }]);
    await put('a.json', spec('0.0333', { count: 30 }));
    expect((await check(['a.json', '--epsilon', '1', '--delta', '0'])).code).toBe(0);
    expect((await results(['a.json', ...BUDGET, '--changes', '0'])).results[0]?.changes).toEqual([]);
  });

  it('lets the target of a specification say what the budget does not, and the budget win', async () => {
    await put('a.json', spec('0.1', { count: 3, target: { delta: '1e-7' } }));
    await put('b.json', spec('0.1', { target: { epsilon: '5' } }));
    const { results: found } = await results(['a.json', 'b.json', '--epsilon', '1']);
    expect(found.map(({ budget, status }) => [budget?.delta ?? null, status])).toEqual([
      [1e-7, 'within'],
      [null, 'unreadable'],
    ]);
    expect(found[1]?.errors).toMatchObject([{ code: 'no-target', line: 3 }]);
    expect((await results(['a.json', '--epsilon', '1', '--delta', '0.5'])).results[0]?.budget?.delta).toBe(0.5);
  });

  it('never counts what is refused as passing', async () => {
    await put('a.json', spec('0.1'));
    await put('b.json', spec('0.1', { adaptivity: 'parameters' }));
    await put('c.json', spec('0.1', { type: 'subsampled-gaussian' }));
    const found = await results(['a.json', 'b.json', 'c.json', '--epsilon', '100', '--delta', '1']);
    expect([found.code, ...statuses(found)]).toEqual([3, 'a.json within', 'b.json refused', 'c.json refused']);
  });

  it('goes on where a file cannot be read, and is 2 then, whatever else there is', async () => {
    await put('a.json', spec('9'));
    await put('b.json', '{"dpcompose": 1,');
    await put('c.json', new Uint8Array([0xff, 0xfe, 0x00]));
    await mkdir(join(cwd, 'd.json'));
    const found = await results(['a.json', 'b.json', 'c.json', 'd.json', 'e.json', ...BUDGET]);
    expect(found.code).toBe(2);
    expect(found.results.map(({ status, errors }) => errors?.[0]?.code ?? status)).toEqual([
      'exceeds',
      'truncated-json',
      'not-text',
      'is-a-directory',
      'no-such-file',
    ]);
  });

  it('refuses a design that is less private than its mechanisms', async () => {
    const root = join(import.meta.dirname, '../../../fixtures/designs');
    await symlink(join(root, 'histogram-exact-output.json'), join(cwd, 'a.json'));
    const { code, results: found } = await results(['a.json', '--epsilon', '1000', '--delta', '1']);
    expect([code, found[0]?.code]).toEqual([3, 'design-fails']);
  });

  it('takes patterns, each file once, without those taken away', async () => {
    for (const name of ['a.json', 'b.json', 'c.json', 'x[1].json']) await put(name, spec('0.1'));
    expect(statuses(await results(['*.json', './a.json', 'a.json', '!c.json', ...BUDGET]))).toEqual([
      'a.json within',
      'b.json within',
      'x[1].json within',
    ]);
    expect(statuses(await results(['x[1].json', ...BUDGET]))).toEqual(['x[1].json within']);
  });

  it('is wrong, not satisfied, where there is nothing to check', async () => {
    expect(mistakes(await check(['none/*.json', ...BUDGET, '--json']))).toEqual(['none/*.json: no-such-file']);
    expect(mistakes(await check(['!a.json', ...BUDGET, '--json']))).toEqual(['!a.json: no-input']);
    expect(mistakes(await check(['--json']))).toEqual(['SPEC: no-input']);
    await put('a.json', spec('0.1'));
    expect(mistakes(await check(['a.json', '--json']))).toEqual(['--epsilon: missing-option']);
    expect(mistakes(await check(['a.json', '--epsilon', '-1', '--delta', '2', '--json']))).toEqual([
      '--epsilon: out-of-range',
      '--delta: out-of-range',
    ]);
  });

  it('names the budget before any verdict, and a folder that is no specification', async () => {
    await put('a.json', spec('0.1', { target: { delta: '1e-6' } }));
    await put('b.json', spec('0.1'));
    const partly = await check(['a.json', 'b.json', '--epsilon', '1']);
    expect(partly.stdout).toContain('Budget of each file: epsilon 1, delta from its target\n');
    expect(partly.stdout).toContain(
      'target: the delta of the budget is missing, on the command line and in the target of the specification.',
    );
    expect((await check(['a.json', 'b.json', ...BUDGET])).stdout).toMatch(/^Budget of each file: \(1, 1e-6\)\n/);
    expect((await check(['a.json', 'b.json', '--together', ...BUDGET])).stdout).toMatch(
      /^Budget of all files together: \(1, 1e-6\)\n/,
    );
    const folder = await check(['.', ...BUDGET]);
    expect([folder.code, folder.stdout]).toEqual([
      2,
      expect.stringContaining(".: is a directory. Give files or a quoted pattern, such as './**/*.json'."),
    ]);
  });

  it('composes all together, as adaptive, and each file once', async () => {
    await put('a.json', spec('0.4', { adaptivity: 'nonadaptive' }));
    await put('b.json', spec('0.4', { adaptivity: 'nonadaptive' }));
    await put('c.json', spec('0.4'));
    const two = ['a.json', 'b.json', '--together', '--epsilon', '0.8', '--delta', '0'];
    expect(statuses(await results(two))).toEqual(['a.json+b.json within']);
    const three = await results(['*.json', '--together', '--epsilon', '1', '--delta', '0']);
    expect([three.code, ...statuses(three)]).toEqual([1, 'a.json+b.json+c.json exceeds']);
    expect(three.results[0]?.changes).toMatchObject([
      { file: 'a.json', path: 'mechanisms[0]', to: 0.2 },
      { file: 'b.json' },
      { file: 'c.json' },
    ]);
    const twice = await check(['a.json', 'a.json', '--together', ...BUDGET, '--json']);
    expect(mistakes(twice)).toEqual(['a.json: duplicate-name']);
    expect(mistakes(await check(['a.json', '--together', '--epsilon', '1', '--json']))).toEqual([
      '--delta: missing-option',
    ]);
  });

  it('does not add guarantees for different neighbours', async () => {
    await put('a.json', spec('0.1', { neighbours: 'one person added or removed' }));
    await put('b.json', spec('0.1', { neighbours: 'one person replaced' }));
    const { code, results: found } = await results(['*.json', '--together', ...BUDGET]);
    expect([code, found[0]?.code]).toEqual([3, 'different-neighbours']);
    expect((await check(['*.json', ...BUDGET])).code).toBe(0);
  });

  it('holds huge counts', async () => {
    await put('a.json', spec('1e-9', { count: Number.MAX_SAFE_INTEGER }));
    await put('b.json', spec('0.1', { count: Number.MAX_SAFE_INTEGER }));
    const found = await results(['a.json', 'b.json', '--epsilon', '2', '--delta', '1e-6']);
    expect(statuses(found)).toEqual(['a.json within', 'b.json undecided']);
    expect(found.results[1]?.changes?.map(({ kind }) => kind).sort()).toEqual(['count', 'parameter']);
  });

  it('checks a thousand specifications', async () => {
    for (let i = 0; i < 1000; i++) await put(`${String(i)}.json`, spec('0.1', { count: 1 + (i % 12) }));
    const found = await results(['*.json', '--epsilon', '1', '--delta', '0', '--changes', '0']);
    expect(found.results.filter(({ status }) => status === 'exceeds')).toHaveLength(166);
    expect(found.results).toHaveLength(1000);
  });

  it('reads standard input', async () => {
    const { code, stdout } = await check(['-', ...BUDGET, '--format', 'github'], { stdin: spec('2') });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error title=Privacy budget exceeded::standard input: epsilon is at least 1\.99/);
  });
});

describe('a policy', () => {
  const policy = (...scopes: object[]): string => JSON.stringify({ dpcompose: 1, scopes });
  const scope = (name: string, specs: string[], epsilon: string, rest: object = {}): object => ({
    name,
    specs,
    budget: { epsilon, delta: '0' },
    ...rest,
  });

  beforeEach(async () => {
    await mkdir(join(cwd, 'specs'));
    for (const name of ['a', 'b']) await put(`specs/${name}.json`, spec('0.4'));
  });

  it('has its paths relative to itself, and is no specification of its own', async () => {
    const scopes = [scope('each', ['*.json'], '0.4'), scope('all', ['a.json', 'b.json'], '0.7', { together: true })];
    await put('specs/policy.json', policy(...scopes));
    const found = await results(['--policy', 'specs/policy.json']);
    expect([found.code, ...statuses(found)]).toEqual([
      1,
      'specs/a.json within',
      'specs/b.json within',
      'specs/a.json+specs/b.json exceeds',
    ]);
  });

  it('names its mistakes with their places', async () => {
    const fails = async (text: string): Promise<string[]> => {
      await put('p.json', text);
      return mistakes(await check(['--policy', 'p.json', '--json']));
    };
    expect(await fails('{"dpcompose": 1}')).toEqual(['scopes: missing-key']);
    expect(await fails(policy())).toEqual(['scopes: empty-list']);
    expect(await fails(policy({ name: 'x', specs: ['a'], budget: { epsilon: -1 } }))).toEqual([
      'scopes[0].budget.delta: missing-key',
      'scopes[0].budget.epsilon: out-of-range',
    ]);
    expect(await fails(policy(scope('x', ['none-*.json'], '1')))).toEqual(['scopes[0].specs[0]: no-such-file']);
    expect(await fails(policy(scope('x', ['a', 'a'], '1'), scope('x', ['a'], '1')))).toEqual([
      'scopes[0].specs[1]: duplicate-name',
      'scopes[1].name: duplicate-name',
    ]);
    expect(await fails(policy(scope('x', ['a'], '1', { budgets: 1 })))).toEqual(['scopes[0].budgets: unknown-key']);
    expect(mistakes(await check(['a.json', '--policy', 'p.json', '--epsilon', '1', '--json']))).toEqual([
      'a.json: conflicting-options',
      '--epsilon: conflicting-options',
    ]);
  });
});

describe('in a build', () => {
  beforeEach(async () => {
    await put('a.json', spec('2'));
  });

  it('GitHub gets annotations and the summary of the step', async () => {
    await put('summary.md', '# before\n');
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'summary.md'), GITHUB_WORKSPACE: join(cwd, '..') };
    const { code, stdout } = await check(['a.json', ...BUDGET, '--format', 'github'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^::error file=dpcompose-check-\w+\/a\.json,line=4,col=5,title=/);
    expect(await readFile(join(cwd, 'summary.md'), 'utf8')).toMatch(/^# before\n# Privacy budget: not within\n/);
  });

  it('a summary or a file that cannot be written is 74', async () => {
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'none/summary.md') };
    expect(await check(['a.json', ...BUDGET, '--format', 'github'], { env })).toMatchObject({ code: 74 });
    expect(await check(['a.json', ...BUDGET, '-o', 'none/out.xml'])).toMatchObject({ code: 74, stdout: '' });
  });

  it('a file gets the report, and standard output nothing', async () => {
    const { code, stdout } = await check(['a.json', ...BUDGET, '--format', 'junit', '-o', 'out.xml']);
    expect([code, stdout]).toEqual([1, '']);
    expect(await readFile(join(cwd, 'out.xml'), 'utf8')).toMatch(/^<\?xml /);
    expect(await check(['a.json', ...BUDGET, '-q'])).toEqual({ code: 1, stdout: '', stderr: '' });
  });
});
