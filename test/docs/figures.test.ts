import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chartSvg } from '../../src/report/chart/svg.ts';
import { FIGURES } from '../../src/report/figures/figures.ts';

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
