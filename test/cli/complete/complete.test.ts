import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BOUND_IDS } from '../../../src/bounds/core/bound.ts';
import { SCHEMA_NAMES } from '../../../src/output/schema/names.ts';
import { mistakes, run, type } from '../run.ts';

/** The values offered after these words, the last of which is begun, and what else may stand there. */
async function offered(...words: string[]): Promise<{ values: string[]; files: boolean }> {
  const { code, stdout, stderr } = await run(['complete', '--', ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  const directive = lines.pop();
  return { values: lines.map((line) => line.split('\t')[0] ?? ''), files: directive === ':0' };
}

const valuesOf = async (...words: string[]): Promise<string[]> => (await offered(...words)).values;

describe('completion', () => {
  it('offers commands and those below them', async () => {
    expect(await valuesOf('co')).toEqual(['compose', 'compare', 'convert', 'complete']);
    expect(await valuesOf('attack', '')).toEqual(['parallel', 'renyi', 'oblivious']);
    expect(await valuesOf('help', 'attack', 'r')).toEqual(['renyi']);
  });

  it('offers options', async () => {
    expect(await valuesOf('compose', '--bo')).toEqual(['--bounds']);
    expect(await valuesOf('attack', 'renyi', '--al')).toEqual(['--alpha']);
    expect(await valuesOf('--ver')).toEqual(['--version']);
  });

  it('offers ids of bounds, of a list the next', async () => {
    expect(await valuesOf('compose', '--bounds', '')).toEqual([...BOUND_IDS]);
    expect(await valuesOf('compose', '--bounds', 'rdp,z')).toEqual(['rdp,zcdp']);
    expect(await valuesOf('compose', '--bounds=basic,z')).toEqual(['basic,zcdp']);
  });

  it('offers names of schemas, examples, formats and theorems', async () => {
    expect(await valuesOf('schema', '')).toEqual(Object.keys(SCHEMA_NAMES));
    expect(await valuesOf('design', '--example', 'h')).toEqual(['histogram']);
    expect(await valuesOf('gap', '--format', '')).toEqual(['table', 'json', 'csv']);
    expect(await valuesOf('compose', '--input-format', 'y')).toEqual(['yaml']);
    expect(await valuesOf('explain', 'parallel-p')).toEqual(['parallel-pure']);
  });

  it('says where a file may stand', async () => {
    expect((await offered('compose', '')).files).toBe(true);
    expect((await offered('compose', '-o', '')).files).toBe(true);
    expect((await offered('compose', '--delta', '')).files).toBe(false);
    expect((await offered('schema', '')).files).toBe(false);
  });

  it('offers no values that were given, and nothing after an option that takes none', async () => {
    expect(await valuesOf('design', '--example', 'histogram', '--ex')).toEqual(['--example']);
    expect(await valuesOf('compose', '--adaptive', '--bounds', 'rdp', '--or')).toEqual(['--order']);
    expect(await offered('compose', '--nothing=')).toEqual({ values: [], files: false });
    expect((await offered('check', 'a.json', '')).files).toBe(true);
    expect((await offered('schema', 'spec', '')).values).toEqual([]);
  });

  it('tells what commands and options are about', async () => {
    expect((await type('complete -- val')).stdout).toBe('validate\tcheck a specification for errors\n:4\n');
    expect((await type('complete -- compose --str')).stdout).toBe(
      '--strict\texit with code 1 if there are warnings\n:4\n',
    );
  });

  it('has scripts for the shells it names, which ask it and evaluate nothing', async () => {
    for (const shell of ['bash', 'zsh', 'fish', 'powershell']) {
      const { code, stdout } = await type(`complete ${shell}`);
      expect(code).toBe(0);
      expect(stdout).toMatch(/dpcompose complete '?--'? /);
      expect(stdout).not.toMatch(/\b(eval|iex|Invoke-Expression)\b/i);
    }
    expect(mistakes(await type('complete bahs --json'))).toEqual(['SHELL: unknown-value']);
    expect((await type('complete bahs')).stderr).toContain('Did you mean "bash"?');
    expect((await type('complete')).code).toBe(2);
  });
});

describe('the completion scripts in their shells', () => {
  let directory = '';
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'dpcompose-shells-'));
    const binary = join(import.meta.dirname, '../../../bin/dpcompose.js');
    writeFileSync(join(directory, 'dpcompose'), `#!/bin/sh\nexec "${process.execPath}" "${binary}" "$@"\n`);
    writeFileSync(join(directory, 'privacy.yaml'), '');
    chmodSync(join(directory, 'dpcompose'), 0o755);
  });
  afterAll(() => {
    rmSync(directory, { recursive: true });
  });

  /** What a shell prints; null, with a notice, where there is no such shell. */
  function shell(name: string, words: readonly string[]): string | null {
    const env = { ...process.env, PATH: `${directory}:${process.env.PATH ?? ''}`, HOME: directory };
    const { error, stdout, stderr } = spawnSync(name, words, { cwd: directory, env, encoding: 'utf8' });
    if (error === undefined) return stdout + stderr;
    process.stderr.write(`left out: there is no ${name} here\n`);
    return null;
  }

  it('bash completes, and runs nothing of what is typed', () => {
    const script = [
      'source <(dpcompose complete bash); source <(dpcompose complete bash)',
      'ask() { COMP_LINE="$1"; COMP_POINT=${#1}; __dpcompose_complete; printf "%s " "${COMPREPLY[@]}"; echo; }',
      'ask "dpcompose comp"; ask "dpcompose compose --bounds=rdp,z"; ask "dpcompose help attack p"',
      "ask 'dpcompose compose $(touch ran) `touch ran` --fo'",
      'complete -p dpcompose; ls',
    ];
    const printed = shell('bash', ['--norc', '-c', script.join('\n')]);
    if (printed === null) return;
    expect(printed.split('\n').slice(0, 5)).toEqual([
      'compose compare complete ',
      'rdp,zcdp ',
      'parallel ',
      '--format --force ',
      'complete -o default -F __dpcompose_complete dpcompose',
    ]);
    expect(printed).not.toMatch(/^ran$/m);
  });

  it('zsh completes', () => {
    const script = `
      zmodload zsh/zpty && zpty -b z zsh -f -i
      wait_for() { local text; repeat 12000 { zpty -r -t z text && { all+=$text; [[ $all == *$1* ]] && return }; sleep 0.05 } }
      all=''; zpty -w z 'PS1=; autoload -U compinit; compinit -u; source <(dpcompose complete zsh); echo rea''dy'; wait_for ready
      all=''; zpty -w -n z $'dpcompose compose --bounds rdp,z\\t'; wait_for zcdp; [[ $all == *rdp,zcdp* ]] && echo value
      all=''; zpty -w -n z $'\\x15dpcompose validate priv\\t'; wait_for yaml; [[ $all == *privacy.yaml* ]] && echo file
      all=''; zpty -w -n z $'\\x15dpcompose compose $(touch ran) \`touch ran\` --bounds=rdp,z\\t'; wait_for zcdp; [[ -e ran ]] || echo safe
      zpty -d z`;
    const printed = shell('zsh', ['-f', '-c', script]);
    if (printed !== null) expect(printed).toBe('value\nfile\nsafe\n');
  });

  it('fish completes', () => {
    const script = [
      'dpcompose complete fish | source',
      'complete --do-complete "dpcompose compose --bounds=rdp,z"',
      'complete --do-complete "dpcompose schema sp"',
      'complete --do-complete "dpcompose validate priv"',
      "complete --do-complete 'dpcompose compose (touch ran) --bounds=rdp,gdp'; test -e ran; or echo safe",
    ];
    const printed = shell('fish', ['--no-config', '-c', script.join('\n')]);
    if (printed !== null)
      expect(printed.trim().split('\n')).toEqual(['--bounds=rdp,zcdp', 'spec', 'privacy.yaml', 'safe']);
  });
});

describe('dpcompose help', () => {
  it('is that of the command it names', async () => {
    expect((await type('help compose')).stdout).toBe((await type('compose --help')).stdout);
    expect((await type('help attack parallel')).stdout).toBe((await type('attack parallel --help')).stdout);
    expect((await type('help')).stdout).toBe((await type('--help')).stdout);
  });

  it('knows no other commands', async () => {
    const { code, stderr } = await type('help attack paralel');
    expect(code).toBe(2);
    expect(stderr).toContain('unknown command of attack "paralel". Did you mean "parallel"?');
    expect((await type('help compsoe')).stderr).toContain('Did you mean "compose"?');
    expect((await type('compsoe')).stderr).toContain('Did you mean compose?');
    expect((await type('compose --bonds rdp')).stderr).toContain('Did you mean "--bounds"?');
  });
});
