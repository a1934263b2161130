import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chartSvg } from '../../src/output/chart/svg.ts';
import { FIGURES } from '../../src/output/figures/figures.ts';

// The pictures of the pages are what the program draws, byte for byte; `npm run examples` draws them again.

const ROOT = join(import.meta.dirname, '../..');

describe.each(FIGURES)('the picture $name', ({ name, draw }) => {
  it('is what the program draws', async () => {
    await expect(chartSvg(draw())).toMatchFileSnapshot(join(ROOT, `docs/figures/${name}.svg`));
  });

  it('is shown', () => {
    expect(readFileSync(join(ROOT, 'docs/curves.md'), 'utf8')).toContain(`(figures/${name}.svg)`);
  });
});

it('draws the picture of the README with the command that curves.md shows', async () => {
  const page = readFileSync(join(ROOT, 'docs/curves.md'), 'utf8');
  const [, words = ''] = /^\$ dpcompose (curve .*\\\n> .*) -o total-epsilon\.svg$/m.exec(page) ?? [];
  const command = words.replaceAll('\\\n> ', '').split(' ');
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'bin/dpcompose.js'), ...command], { encoding: 'utf8' });
  await expect(stdout).toMatchFileSnapshot(join(ROOT, 'docs/figures/total-epsilon.svg'));
});
