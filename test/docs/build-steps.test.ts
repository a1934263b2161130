import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'docs/checks.md'), 'utf8');
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** The block of a language on the page on budgets in a build. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';
}

interface Workflow {
  readonly jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
}

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'dpcompose-build-'));
  // What a runner finds on its path: the package, and what installs it from the packed file.
  const program = `exec "${process.execPath}" "${join(ROOT, 'bin/dpcompose.js')}" "$@"\n`;
  for (const [name, text] of [
    ['dpcompose', program],
    ['npm', `[ "$*" = "install --global ./dpcompose-${version}.tgz" ] || exit 127\n`],
  ] as const) {
    writeFileSync(join(directory, name), `#!/bin/sh\n${text}`);
    chmodSync(join(directory, name), 0o755);
  }
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

function prepare(epsilon: string): void {
  const policy = { dpcompose: 1, scopes: [{ name: 'all', specs: ['a.json'], budget: { epsilon: '1', delta: '0' } }] };
  writeFileSync(join(directory, 'privacy-policy.json'), JSON.stringify(policy));
  const mechanisms = [{ type: 'dp', epsilon }];
  writeFileSync(join(directory, 'a.json'), JSON.stringify({ dpcompose: 1, mechanisms }));
}

function shell(script: string, words: readonly string[]) {
  const env = {
    ...process.env,
    PATH: `${directory}${delimiter}${process.env.PATH ?? ''}`,
    GITHUB_STEP_SUMMARY: join(directory, 'summary.md'),
    GITHUB_WORKSPACE: directory,
  };
  const { status, stdout, stderr } = spawnSync('bash', [...words, '-c', script], {
    cwd: directory,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('the workflow of the page', () => {
  const { jobs } = parse(block('yaml')) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const scripts = steps.flatMap(({ run }) => run ?? []);
  // As runners start it.
  const runStep = () => shell(scripts.join('\n'), ['--noprofile', '--norc', '-eo', 'pipefail']);

  it('gets the sources and node before it checks', () => {
    expect(steps.map(({ uses }) => uses?.replace(/@.*/, '') ?? 'run')).toEqual([
      'actions/checkout',
      'actions/setup-node',
      'run',
      'run',
    ]);
  });

  it('fails with an annotation where a budget is exceeded', () => {
    prepare('1.1');
    const { status, stdout } = runStep();
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=a\.json,line=1,col=\d+,title=Privacy budget exceeded::a\.json: /);
    expect(readFileSync(join(directory, 'summary.md'), 'utf8')).toMatch(/^# Privacy budget: not within\n/);
  });

  it('passes where it is kept', () => {
    prepare('1');
    expect(runStep()).toMatchObject({ status: 0, stdout: '1 checked: 1 within.\n' });
  });
});

describe('the shell script of the page', () => {
  const runScript = () => shell(block('sh'), []);

  it('fails where a budget is exceeded, and where it cannot be checked', () => {
    prepare('1.1');
    expect(runScript()).toMatchObject({ status: 1, stderr: 'over the privacy budget: see privacy-budget.xml\n' });
    expect(readFileSync(join(directory, 'privacy-budget.xml'), 'utf8')).toContain('<failure ');
    prepare('much');
    const { status, stderr } = runScript();
    expect([status, stderr]).toEqual([1, 'the privacy budget could not be checked\n']);
  });

  it('passes where it is kept', () => {
    prepare('1');
    expect(runScript()).toMatchObject({ status: 0, stdout: 'within the privacy budget\n' });
  });
});

describe('the action', () => {
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as {
    runs: { steps: { run?: string }[] };
  };
  const [install = '', script = ''] = runs.steps.flatMap(({ run }) => run ?? []);
  const step = (names: string, text: string) =>
    shell(`export RUNNER_TEMP='${directory}' GITHUB_ACTION_PATH='${ROOT}' ${names}\n${text}`, [
      '--noprofile',
      '--norc',
      '-e',
    ]);

  /** What npm is to install, and where. */
  const installed = (names: string) => {
    writeFileSync(join(directory, 'npm'), '#!/bin/sh\nprintf "%s\\n" "$@"\n');
    const words = step(names, install).stdout.trim().split('\n');
    return [words[words.indexOf('--prefix') + 1], words.at(-1)];
  };

  const check = (words: string) => {
    const place = join(directory, 'temp/dpcompose/node_modules/.bin');
    mkdirSync(place, { recursive: true });
    renameSync(join(directory, 'dpcompose'), join(place, 'dpcompose'));
    return step(`ARGUMENTS='${words}' RUNNER_TEMP='${directory}/temp'`, script);
  };

  it('installs its own version, or what it is given, and builds nothing', () => {
    const place = join(directory, 'dpcompose');
    expect(installed('PACKAGE=')).toEqual([place, `dpcompose@${version}`]);
    expect(installed('PACKAGE=dpcompose@9.9.9')).toEqual([place, 'dpcompose@9.9.9']);
    writeFileSync(join(directory, 'packed.tgz'), '');
    expect(installed('PACKAGE=./packed.tgz')[1]).toMatch(/^\/.*\/packed\.tgz$/);
  });

  it('fails with an annotation where a budget is exceeded', () => {
    prepare('1.1');
    const { status, stdout } = check('--policy privacy-policy.json');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=a\.json,line=1,col=\d+,title=Privacy budget exceeded::/);
  });

  it('passes where it is kept, and leaves patterns to the program', () => {
    prepare('1');
    const { status, stdout } = check('a*.json --epsilon 1 --delta 0');
    expect([status, stdout]).toEqual([0, '1 checked: 1 within.\n']);
  });
});
