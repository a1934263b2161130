import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FIGURES } from '../../src/output/figures/figures.ts';
import { violations } from '../output/schema.ts';
import { mistakes, type } from './run.ts';
import { someOf } from '../reference/share.ts';

const ROOT = join(import.meta.dirname, '../..');
const names = FIGURES.map(({ name }) => name);

describe('dpcompose figure', () => {
  it('lists the figures', async () => {
    const { code, stdout } = await type('figure');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(names);
  });

  it.each(names)('draws %s for a program, and as data', async (name) => {
    const json = await type(`figure ${name} --json`);
    expect(json.code).toBe(0);
    expect(violations('figure', json.stdout)).toEqual([]);
    const { panels } = JSON.parse(json.stdout) as { panels: { lines: { points: object[] }[] }[] };
    const points = panels.flatMap(({ lines }) => lines.flatMap((line) => line.points)).length;
    const { stdout: csv } = await type(`figure ${name} --format csv`);
    expect(csv.split('\r\n')).toHaveLength(points + 2);
  });

  it.each(someOf(names, 1))('draws %s as the picture of the pages', async (name) => {
    const svg = spawnSync(process.execPath, [join(ROOT, 'bin/dpcompose.js'), 'figure', name, '--format', 'svg']);
    expect(svg.stdout.toString()).toBe(await readFile(join(ROOT, `docs/figures/${name}.svg`), 'utf8'));
  });

  it.each([40, 80, 200])('plots in %d columns', async (columns) => {
    // The last figure takes seconds to compute: once is enough of it.
    for (const name of someOf(columns === 80 ? names : names.slice(0, -1))) {
      const { stdout } = await type(`figure ${name}`, {
        terminal: true,
        columns,
        env: { LANG: 'C.UTF-8', NO_COLOR: '1' },
      });
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBe(columns);
    }
  });

  it('does not know other names', async () => {
    const ended = await type('figure bounded-range --json');
    expect(ended.code).toBe(2);
    expect(mistakes(ended)).toEqual(['NAME: unknown-figure']);
    expect(ended.stderr).toContain(`The figures are ${names.join(', ')}.`);
  });
});
